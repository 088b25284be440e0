"""Functions of NumPy that sum, move or arrange elements: their axes follow that of directions."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from autodiff.analysis.kind import Array
from autodiff.analysis.operation import Operation
from autodiff.forward.directions.arguments import (
    behind,
    called_with,
    given_to,
    literal,
    only_tangent,
)
from autodiff.forward.directions.batch import Batch, Unbatched, Unruled
from autodiff.forward.directions.indices import aligned
from autodiff.forward.directions.zeros import with_count
from autodiff.runtime import copied, tangent_of, unbroadcast
from autodiff.syntax.quote import quote

Lift = Callable[[Batch, gast.expr], gast.expr]
Handler = Callable[[Batch, gast.Call, Operation, Lift], gast.expr]


def _sum(batch: Batch, node: gast.Call, operation: Operation, lift: Lift) -> gast.expr:
    given = given_to(operation, "a", "axis", "keepdims")
    if len(operation.arguments) > 2:
        raise Unruled
    own, _ = only_tangent(batch, given)
    rank, new = batch.rank(own), lift(batch, own)
    axis = batch.constant(given.get("axis"))
    if rank == 0:
        if axis is not None or "keepdims" in given:
            raise Unruled
        return new
    after = behind(axis) if axis is not None else tuple(range(1, rank + 1))
    if isinstance(after, tuple) and len(after) == 1:
        after = after[0]
    return called_with(node, new, own, axis=literal(after), keepdims=given.get("keepdims"))


def _python_sum(batch: Batch, node: gast.Call, operation: Operation, lift: Lift) -> gast.expr:
    (own,) = given_to(operation, "a").values()
    new = lift(batch, own)
    kind = batch.kinds.known(own)
    if isinstance(kind, Array):
        return quote("x.sum(axis=1)", x=new)
    item = getattr(kind, "item", None) or next(iter(getattr(kind, "items", ())), None)
    if item is None or not _is_number(item) or not _is_number(batch.kinds.known(node)):
        raise Unbatched("a sum of what is not known")
    zero = quote("np.zeros(k)", np=batch.helper("np"), k=batch.number())
    return gast.Call(func=node.func, args=[new, zero], keywords=[])


def _is_number(kind: Any) -> bool:
    return getattr(kind, "type", None) == "float" and kind.dtype in (None, "float64")


def _along(parameter: str = "a", *before: str, default: int | None = None) -> Handler:
    """What is done along one axis: without one, along the only axis that there is."""

    def along(batch: Batch, node: gast.Call, operation: Operation, lift: Lift) -> gast.expr:
        given = given_to(operation, parameter, *before, "axis")
        own, _ = only_tangent(batch, given)
        rank, new = batch.rank(own), lift(batch, own)
        axis = batch.constant(given["axis"]) if "axis" in given else default
        if axis is None:
            if rank != 1:
                raise Unruled
            axis = 0
        if rank == 0:
            raise Unruled
        rest = [given[k] for k in before if k in given]
        return called_with(node, new, own, *rest, axis=literal(behind(axis)))

    return along


def _reshape(batch: Batch, node: gast.Call, operation: Operation, lift: Lift) -> gast.expr:
    given = given_to(operation, "a", "shape")
    own, _ = only_tangent(batch, given)
    _check_layout(batch, own)
    shape = with_count(batch, given["shape"])
    return called_with(node, lift(batch, own), own, shape)


def _check_layout(batch: Batch, own: gast.expr) -> None:
    """What is a view along one direction may be a copy of all: that must not matter.

    Of a number there is no view along one direction.
    """
    if batch.rank(own) == 0:
        raise Unruled
    if batch.is_changed(own):
        raise Unbatched("a new shape of an array that is changed")


def _ravel(batch: Batch, node: gast.Call, operation: Operation, lift: Lift) -> gast.expr:
    given = given_to(operation, "a")
    own, _ = only_tangent(batch, given)
    new = lift(batch, own)
    rank = batch.rank(own)
    if operation.function is np.ravel:
        _check_layout(batch, own)
    if rank == 1:
        return new if operation.function is np.ravel else quote("x.copy()", x=new)
    text = "x.reshape(k, -1)" if operation.function is np.ravel else "x.reshape(k, -1).copy()"
    return quote(text, x=new, k=batch.number())


def _transpose(batch: Batch, node: gast.Call, operation: Operation, lift: Lift) -> gast.expr:
    given = given_to(operation, "a", "axes")
    own, _ = only_tangent(batch, given)
    rank, new = batch.rank(own), lift(batch, own)
    axes = batch.constant(given.get("axes"))
    if axes is None:
        axes = tuple(range(rank))[::-1]
    if not isinstance(axes, tuple) or len(axes) != rank:
        raise Unruled
    return new if rank < 2 else called_with(node, new, own, literal((0, *behind(axes))))


def _axes(*parameters: str) -> Handler:
    """What takes axes only: `swapaxes`, `moveaxis`, `expand_dims`, `squeeze` with an axis."""

    def moved(batch: Batch, node: gast.Call, operation: Operation, lift: Lift) -> gast.expr:
        given = given_to(operation, "a", *parameters)
        own, _ = only_tangent(batch, given)
        if len(given) != len(parameters) + 1:
            raise Unruled
        axes = [batch.constant(given[p]) for p in parameters]
        if None in axes or batch.rank(own) == 0:
            raise Unruled
        return called_with(node, lift(batch, own), own, *(literal(behind(axis)) for axis in axes))

    return moved


def _copy(batch: Batch, node: gast.Call, operation: Operation, lift: Lift) -> gast.expr:
    given = given_to(operation, "a")
    own, _ = only_tangent(batch, given)
    return called_with(node, lift(batch, own), own)


def _number(batch: Batch, node: gast.Call, operation: Operation, lift: Lift) -> gast.expr:
    given = given_to(operation, "a")
    own, _ = only_tangent(batch, given)
    if batch.rank(own) or batch.rank(node) or batch.kinds.known(own) != batch.kinds.known(node):
        raise Unruled
    return lift(batch, own)


def _fitted(batch: Batch, node: gast.Call, operation: Operation, lift: Lift) -> gast.expr:
    """`unbroadcast(g, x)`."""
    given = given_to(operation, "g", "like")
    own, like = given["g"], given["like"]
    if batch.carries(like) or not batch.is_array(like) or not batch.is_array(own):
        raise Unruled
    helper = batch.helper("unbroadcast_each")
    return quote("f(g, x)", f=helper, g=lift(batch, own), x=like)


def _broadcast_to(batch: Batch, node: gast.Call, operation: Operation, lift: Lift) -> gast.expr:
    given = given_to(operation, "a", "shape")
    own, _ = only_tangent(batch, given)
    new = aligned(lift(batch, own), batch.rank(own), batch.rank(node))
    return called_with(node, new, own, with_count(batch, given["shape"]))


def _full(batch: Batch, node: gast.Call, operation: Operation, lift: Lift) -> gast.expr:
    given = given_to(operation, "shape", "value", "dtype")
    return _filled(batch, node, given["shape"], given, lift)


def _full_like(batch: Batch, node: gast.Call, operation: Operation, lift: Lift) -> gast.expr:
    given = given_to(operation, "like", "value", "dtype")
    if not isinstance(batch.kinds.known(given["like"]), Array):
        raise Unruled
    shape = lift(batch, quote("x.shape", x=given["like"]))
    return _filled(batch, node, shape, given, lift)


def _filled(
    batch: Batch, node: gast.Call, shape: gast.expr, given: dict[str, gast.expr], lift: Lift
) -> gast.expr:
    kind = batch.kinds.known(node)
    own = given["value"]
    if not isinstance(kind, Array) or not batch.carries(own) or batch.carries(shape):
        raise Unruled
    if kind.dtype not in ("float64", "complex128"):
        raise Unruled
    value = aligned(lift(batch, own), batch.rank(own), batch.rank(node))
    rest = "" if kind.dtype == "float64" else ", np.complex128"
    text = f"np.full(s, v{rest})"
    return quote(text, np=batch.helper("np"), s=with_count(batch, shape), v=value)


def _trace(batch: Batch, node: gast.Call, operation: Operation, lift: Lift) -> gast.expr:
    given = given_to(operation, "a", "offset")
    own, _ = only_tangent(batch, given)
    if batch.rank(own) != 2:
        raise Unruled
    rest = [given["offset"]] if "offset" in given else []
    axes = {"axis1": literal(1), "axis2": literal(2)}
    if rest:
        return called_with(node, lift(batch, own), own, *rest, **axes)
    return called_with(node, lift(batch, own), own, **axes)


def _diag(batch: Batch, node: gast.Call, operation: Operation, lift: Lift) -> gast.expr:
    given = given_to(operation, "a")
    own, _ = only_tangent(batch, given)
    if batch.rank(own) != 2:
        raise Unruled
    text = "np.diagonal(x, axis1=1, axis2=2)"
    return quote(text, np=batch.helper("np"), x=lift(batch, own))


def _triangle(batch: Batch, node: gast.Call, operation: Operation, lift: Lift) -> gast.expr:
    given = given_to(operation, "a", "k")
    own, _ = only_tangent(batch, given)
    if batch.rank(own) < 2:
        raise Unruled
    return called_with(node, lift(batch, own), own, *list(given.values())[1:])


def _tangent_of(batch: Batch, node: gast.Call, operation: Operation, lift: Lift) -> gast.expr:
    """A tangent in the form of its primal."""
    given = given_to(operation, "g", "like")
    own, like = given["g"], given["like"]
    if not isinstance(batch.kinds.known(like), Array) or batch.carries(like):
        raise Unruled
    if batch.depends_on_layout:
        _check_layout(batch, like)
    new = aligned(lift(batch, own), batch.rank(own), batch.rank(like))
    return quote("f(g, x)", f=batch.helper("tangents_of"), g=new, x=like)


SHAPES: dict[Any, Handler] = {
    np.sum: _sum,
    np.mean: _sum,
    builtins.sum: _python_sum,
    np.cumsum: _along(),
    np.flip: _along("m"),
    np.roll: _along("a", "shift"),
    np.diff: _along("a", "n", default=-1),
    np.reshape: _reshape,
    np.ravel: _ravel,
    np.ndarray.flatten: _ravel,
    np.transpose: _transpose,
    np.swapaxes: _axes("axis1", "axis2"),
    np.moveaxis: _axes("source", "destination"),
    np.expand_dims: _axes("axis"),
    np.squeeze: _axes("axis"),
    np.copy: _copy,
    np.zeros_like: _copy,
    float: _number,
    np.float64: _number,
    np.broadcast_to: _broadcast_to,
    np.full: _full,
    np.full_like: _full_like,
    np.trace: _trace,
    np.diagonal: _trace,
    np.diag: _diag,
    np.tril: _triangle,
    np.triu: _triangle,
    copied: _copy,
    tangent_of: _tangent_of,
    unbroadcast: _fitted,
}
