"""Sums over products need no array for the products.

before: `(a @ b).sum(axis=0)`, and where no value is returned `np.sum(w**2, axis=2)`
after: `np.sum(a, axis=0) @ b`, `np.einsum("...i,...i->...", w, w)`

The second is for small last axes, along which `np.sum` takes long. It rounds otherwise, so it does
not stand in front of a value that is returned, nor where a test may ask for it, or others see it.
"""

from __future__ import annotations

import operator

import gast
import numpy as np

from autodiff.core import Apply, LoadOuter, Operation, Value, constant
from autodiff.kinds.kind import Array
from autodiff.lean.grouped import changes
from autodiff.lean.rewriting import Rewriting, is_call
from autodiff.primitives import Application, Builder, dotted, hole, primitive_of, written
from autodiff.reversal.moved import is_plain

_LAST = "...i,...i->..."


def contracted(work: Rewriting) -> None:
    """As above."""
    function = work.function
    operations = list(function.body.walk())
    forward = [op for op in operations if not op.reverse]
    seen = any(is_test(op) or not is_plain(op) and type(op) is not LoadOuter for op in forward)
    exact = seen or function.result is not None or function.seeds is not None
    for op in operations:
        axis, inner = axis_of(op), op.operands[0].op if op.operands else None
        if axis is None or not isinstance(inner, Apply) or not isinstance(op, Apply):
            continue
        if len(work.used_by(inner.result)) != 1 or inner.block is not op.block:
            continue
        if changes([op, inner], {value.region for value in inner.operands}):
            continue
        rank = len(getattr(inner.result.kind, "shape", ()))
        if op.reverse and is_call(inner, operator.matmul) and axis % rank == rank - 2:
            rows(work, op, *inner.operands)
        elif not exact and axis % rank == rank - 1 > 0:
            if is_call(inner, operator.pow) and inner.operands[1].constant == 2:
                last(work, op, inner.operands[0], inner.operands[0])
            elif is_call(inner, operator.mul):
                last(work, op, *inner.operands)


def is_test(op: Operation) -> bool:
    """Whether an operation asks for truths: `np.where(squares < 1.0, ...)`."""
    kinds = [value.kind for value in op.results]
    return any("bool" in (getattr(k, "type", ""), getattr(k, "dtype", "")) for k in kinds)


def axis_of(op: object) -> int | None:
    """The one axis along which an operation sums an array, without anything else being asked."""
    if not is_call(op, np.sum, np.ndarray.sum) or not op.operands:
        return None
    if not isinstance(op.operands[0].kind, Array):
        return None
    given = op.application.keywords
    if len(op.application.arguments) != 1 or [word for word, _ in given] != ["axis"]:
        return None
    found = getattr(given[0][1], "value", None)
    rank = len(op.operands[0].kind.shape)
    return found if type(found) is int and -rank <= found < rank else None


def rows(work: Rewriting, op: Apply, left: Value, right: Value) -> None:
    """The rows of a product of matrices, or of a stack of them, added up."""
    one, two = left.kind, right.kind
    if not isinstance(one, Array) or not isinstance(two, Array):
        return
    rank = len(one.shape)
    if len(two.shape) != rank or rank < 2 or one.shape[:-2] != two.shape[:-2]:
        return
    outer, op.block.operations = op.block.operations, []
    builder = Builder(op.block, work.references, op.origin, reverse=True)
    builder.source = op.source
    total = along(builder, np.sum, left, axis=rank - 2, **({"keepdims": True} if rank > 2 else {}))
    whole = builder.binary(gast.MatMult(), total, right) if rank > 2 else total
    made, op.block.operations = op.block.operations, outer
    at = outer.index(op)
    outer[at:at] = made
    for step in made:
        for value in step.operands:
            work.users.setdefault(value, []).append(step)
    if rank > 2:
        work.become(op, lambda builder: along(builder, np.squeeze, whole, axis=rank - 2))
    else:
        work.binary(op, gast.MatMult(), whole, right)


def last(work: Rewriting, op: Apply, left: Value, right: Value) -> None:
    """A sum over the last axis; of doubles, as `np.sum` is more careful with few digits."""
    one, two = left.kind, right.kind
    if isinstance(one, Array) and one == two and one.dtype == "float64" and None not in one.shape:
        own = constant(_LAST)
        work.become(op, lambda builder: builder.call("np.einsum", np.einsum, own, left, right))


def along(builder: Builder, function: object, value: Value, **options: int) -> Value:
    """A function of NumPy's, along an axis."""
    numpy = builder.references.use("np", np)
    own = getattr(function, "__name__", "")
    keywords = [(word, written(option)) for word, option in options.items()]
    form = gast.Call(
        dotted(f"{numpy}.{own}"), [hole(0)], [gast.keyword(word, node) for word, node in keywords]
    )
    application = Application((hole(0),), tuple(keywords))
    return builder.apply(primitive_of(function), application, form, [value])
