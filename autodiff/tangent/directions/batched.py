"""What an operation is for tangents along several directions, which are the first axis.

Element by element it is the same, with axes in between where ranks differ; what goes along axes
goes along the next ones (`along_axes.py`); what has no form here is applied to each direction.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import gast
import numpy as np

from autodiff.core import Apply, Value
from autodiff.core.operation import Access
from autodiff.kinds.kind import Array, Kind, Record
from autodiff.primitives import (
    BOUND,
    DISPLAY,
    ITEM,
    LISTING,
    SYNTAX,
    Builder,
    filled,
    hole,
    index_node,
)
from autodiff.primitives.containing import is_container
from autodiff.rules.home import hashable
from autodiff.syntax.names import name
from autodiff.tangent.applications import asks_order
from autodiff.tangent.directions.along_axes import along
from autodiff.tangent.directions.forms import FORMS, TOLD, made, made_without
from autodiff.tangent.directions.matmuls import PRODUCTS
from autodiff.tangent.directions.spread import Unbatched, shape_of
from autodiff.tangent.directions.stacking import JOINED, chosen, listed, numbers

if TYPE_CHECKING:
    from autodiff.tangent.directions.widened import Widened

Form = Callable[["Widened", Apply, Builder], "Value | None"]
TABLE: dict[Any, Form] = {**FORMS, **JOINED, **PRODUCTS}
_FORWARD = (DISPLAY, LISTING, ITEM, BOUND)
"""What hands on or holds what it is given, along all directions as along one."""


def applied(work: Widened, op: Apply, builder: Builder) -> Value:
    """What an operation gives along all directions."""
    own, function = op.primitive, op.primitive.function
    if own in (DISPLAY, LISTING):
        op.operands = [work.held(builder, value) for value in op.operands]
    if own in _FORWARD:
        return work.stays(op, builder)
    if not any(map(work.has, op.operands)):
        return made_without(work, op, builder)
    if not work.has(op.result) and function not in TOLD:
        raise Unbatched(f"{own.name} of a tangent")
    form = TABLE.get(function) if hashable(function) else None
    if own is SYNTAX or own.elementwise and is_container(op.result.kind):
        form = chosen if own is SYNTAX else listed
    if form is None and (own.elementwise or is_plain(function)):
        form = elementwise
    found = (form or along)(work, op, builder)
    return found or each(work, op, builder)


def is_plain(function: Any) -> bool:
    """Whether a function gives one array, element by element."""
    return isinstance(function, np.ufunc) and function.signature is None and function.nout == 1


def elementwise(work: Widened, op: Apply, builder: Builder) -> Value | None:
    """The same operation, on operands that broadcast behind the axis of the directions."""
    ranks = [work.rank(value) for value in op.operands]
    if op.application.keywords or None in ranks:
        return None
    most = max(rank for rank in ranks if rank is not None)
    op.operands = [work.aligned(builder, value, most) for value in op.operands]
    return work.stays(op, builder)


def each(work: Widened, op: Apply, builder: Builder) -> Value:
    """`np.array([f(d, w) for d in x_dot])`."""
    if op.primitive.memory != "new" and op.result.is_written or asks_order(op):
        raise Unbatched(f"{op.primitive.name} of a tangent that changes")
    return over(work, builder, op.form, op.operands, op.result.kind)


def each_window(work: Widened, op: Access, builder: Builder) -> Value:
    """`np.array([d[i, :, j] for d in x_dot])`."""
    assert op.window is not None
    index = index_node(op.window, [hole(k + 1) for k in range(len(op.index))])
    form = gast.Subscript(value=hole(0), slice=index, ctx=gast.Load())
    found = over(work, builder, form, op.operands, op.result.kind)
    assert isinstance(found.op, Apply)
    found.op.reads = found.op.raises = True
    return found


def over(work: Widened, builder: Builder, form: Any, operands: list[Value], kind: Kind) -> Value:
    """An expression with each direction of what has all; of a list of arrays, a list of theirs."""
    if not isinstance(kind, Array):
        raise Unbatched("a container that an operation gives")
    given, wholes = list(operands), dict[str, str]()
    own = [k for k, value in enumerate(operands) if work.has(value)]
    for k in own:
        wholes[f"w{k}"] = f"w{k}"
        one = work.one(operands[k])
        if isinstance(one, Record) and one.cls not in (tuple, list):
            raise Unbatched("a container that an operation takes")
        if isinstance(one, Record) and one.items and None not in map(shape_of, one.items):
            wholes[f"w{k}"] = f"zip(*w{k})" if one.cls is tuple else f"map(list, zip(*w{k}))"
        else:
            whole = numbers(work, builder, operands[k])
            if whole is None:
                raise Unbatched("a container that an operation takes")
            given[k] = whole
    for value in given:  # it is not computed for each
        if isinstance(value.op, Apply) and not value.op.primitive.cheap:
            value.named = True
    word = {k: f"{work.each}_{k}" if k else work.each for k in own}
    inner = filled(form, lambda k: name(word[k]) if k in word else hole(k))
    several = ", ".join(wholes.values())
    several = f"zip({several})" if len(own) > 1 else several
    text = f"np.array([e for {', '.join(word.values())} in {several}])"
    return made(work, builder, text, given, kind, e=inner, **{f"w{k}": hole(k) for k in own})
