"""Zero tangents for several directions, and what else is the same along all of them."""

from __future__ import annotations

from typing import Any

import gast
import numpy as np

from autodiff.analysis.kind import Array, Kind, Scalar, Static
from autodiff.forward.directions.batch import Batch, Unbatched
from autodiff.runtime import copied, tangent_of, unbroadcast, unreduce, zeros_like
from autodiff.syntax.expressions import unparsed
from autodiff.syntax.names import reads
from autodiff.syntax.quote import quote
from autodiff.syntax.walk import shallow


def zeros(batch: Batch, node: gast.expr) -> gast.expr:
    """The zero that an expression is along each direction, for all of them.

    Raises Unbatched for what is not seen to be zero.
    """
    if reads(node) & batch.names:
        raise Unbatched(f"the shape of a tangent: {unparsed(node)}")
    if isinstance(node, (gast.Tuple, gast.List)):
        new = shallow(node)
        new.elts = [zeros(batch, element) for element in node.elts]
        return new
    if isinstance(node, gast.Dict):
        new = shallow(node)
        new.values = [zeros(batch, element) for element in node.values]
        return new
    kind = batch.kinds.known(node)
    if isinstance(kind, Static) and kind.value is None:
        return node
    if isinstance(node, gast.BinOp) and isinstance(node.op, gast.Mult):  # [0.0] * n
        new = shallow(node)
        for side in ("left", "right"):
            if isinstance(getattr(node, side), (gast.List, gast.Tuple)):
                setattr(new, side, zeros(batch, getattr(node, side)))
                return new
    if isinstance(node, gast.Constant) and isinstance(node.value, (int, float, complex)):
        if node.value == 0:
            text = "np.zeros(k, complex)" if isinstance(node.value, complex) else "np.zeros(k)"
            return quote(text, np=batch.helper("np"), k=batch.number())
    if isinstance(node, gast.Call):
        return _made(batch, node)
    raise Unbatched(f"what a tangent begins with: {unparsed(node)}")


def _made(batch: Batch, node: gast.Call) -> gast.expr:
    operation = batch.kinds.call_operation(node)
    kind = batch.kinds.known(node)
    function: Any = operation.function if operation is not None else None
    if operation is None or not is_zero(batch, node):
        raise Unbatched(f"what a tangent begins with: {unparsed(node)}")
    given = operation.arguments
    if function in (list, dict):
        return node
    if isinstance(kind, Scalar):
        if kind.dtype not in (None, "float64") or kind.type != "float":
            raise Unbatched(f"what a tangent begins with: {unparsed(node)}")
        return quote("np.zeros(k)", np=batch.helper("np"), k=batch.number())
    if function is copied:
        return zeros(batch, given[0])
    if function in _LIKE and not isinstance(kind, Array):
        return quote("f(x, k)", f=batch.helper("zeros_each"), x=given[0], k=batch.number())
    if function in _MADE and isinstance(kind, Array):
        return _zeros(batch, given[0], kind.dtype)
    if function in _LIKE or function is np.full_like:
        return _zeros_of(batch, given[0], kind)
    if batch.depends_on_layout:
        raise Unbatched(f"what a tangent begins with: {unparsed(node)}")
    return _zeros_of(batch, dict(operation.keywords).get("like") or given[1], kind)


def _zeros_of(batch: Batch, like: gast.expr, kind: Kind) -> gast.expr:
    own = batch.kinds.known(like)
    if not isinstance(like, gast.Name) or not isinstance(own, Array) or batch.carries(like):
        raise Unbatched(f"zeros like {unparsed(like)}")
    if not isinstance(kind, Array):
        raise Unbatched(f"zeros like {unparsed(like)}")
    return _zeros(batch, quote("x.shape", x=like), kind.dtype)


_MADE = frozenset({np.zeros, np.empty})
_LIKE = frozenset({np.zeros_like, np.empty_like, zeros_like})
_FITTING = frozenset({copied, tangent_of, unbroadcast, unreduce})


def is_zero(batch: Batch, node: gast.expr) -> bool:
    """Whether an expression is seen to be zero, or an empty container."""
    if isinstance(node, gast.Constant):
        return isinstance(node.value, (int, float, complex)) and node.value == 0
    operation = batch.kinds.call_operation(node) if isinstance(node, gast.Call) else None
    if operation is None:
        return False
    function: Any = operation.function
    given = operation.arguments
    if function in (list, dict):
        return not given and not operation.keywords
    if function in _MADE | _LIKE:
        return len(given) + len(operation.keywords) <= 2
    if function is np.full_like:
        return len(given) == 2 and not operation.keywords and is_zero(batch, given[1])
    return function in _FITTING and is_zero(batch, given[0])


def _zeros(batch: Batch, shape: gast.expr, dtype: str | None) -> Any:
    if dtype is None:
        raise Unbatched("an array of unknown dtype")
    shape = with_count(batch, shape)
    if dtype == "float64":
        return quote("np.zeros(s)", np=batch.helper("np"), s=shape)
    return quote(f"np.zeros(s, np.{dtype})", np=batch.helper("np"), s=shape)


def with_count(batch: Batch, shape: gast.expr) -> gast.expr:
    """The shape with the number of directions in front."""
    if isinstance(shape, (gast.Tuple, gast.List)):
        rest = list(shape.elts)
    elif isinstance(batch.kinds.known(shape), Scalar):
        rest = [shape]
    else:
        rest = [gast.Starred(value=shape, ctx=gast.Load())]
    return gast.Tuple(elts=[batch.number(), *rest], ctx=gast.Load())
