"""Arrays made of several tangents, and tangents taken apart: the directions stay in front."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from autodiff.analysis.kind import Array, Record, Scalar
from autodiff.analysis.operation import Operation
from autodiff.forward.directions.arguments import behind, called_with, given_to, literal
from autodiff.forward.directions.batch import Batch, Unruled
from autodiff.forward.directions.zeros import zeros
from autodiff.syntax.quote import quote

Lift = Callable[[Batch, gast.expr], gast.expr]
Handler = Callable[[Batch, gast.Call, Operation, Lift], gast.expr]


def _rows(batch: Batch, node: gast.Call, operation: Operation, lift: Lift) -> gast.expr:
    """`list(x_dot)`: of the first axis of one direction, so of the second."""
    (own,) = given_to(operation, "a").values()
    if not isinstance(batch.kinds.known(own), Array):
        raise Unruled
    return gast.Call(func=node.func, args=[taken_apart(batch, own, lift)], keywords=[])


def taken_apart(batch: Batch, own: gast.expr, lift: Lift) -> gast.expr:
    """What gives, one by one, the rows of an array along all directions; numbers are no views."""
    if batch.rank(own) == 0:
        raise Unruled
    text = "x.swapaxes(0, 1)"
    if batch.rank(own) == 1:
        text = "x.T.copy()" if batch.is_changed(own) else "x.T"
    return quote(text, x=lift(batch, own))


def _array(batch: Batch, node: gast.Call, operation: Operation, lift: Lift) -> gast.expr:
    """`np.array([a_dot, b_dot])`: the directions stay in front."""
    (own,) = given_to(operation, "a").values()
    if isinstance(own, (gast.List, gast.Tuple)):
        return _stacked(batch, own, lift)
    if batch.is_container(own) and batch.carries(own):
        rank = _item_rank(batch, own)
        if rank + 1 != batch.rank(node):
            raise Unruled
        helper = batch.helper("stacked")
        return quote("f(x, k)", f=helper, x=lift(batch, own), k=batch.number())
    if not batch.is_array(own):
        raise Unruled
    new = lift(batch, own)
    if operation.function is np.asarray and batch.rank(own) == 0:
        return quote("x.copy()", x=new)
    return called_with(node, new, own)


def _item_rank(batch: Batch, own: gast.expr) -> int:
    """The rank of the items of a list of tangents, which is the same for all."""
    kind = batch.kinds.known(own)
    items = list(kind.items) if isinstance(kind, Record) else [getattr(kind, "item", None)]
    ranks = {
        len(item.shape) if isinstance(item, Array) else 0 if isinstance(item, Scalar) else None
        for item in items
    }
    found = ranks.pop() if len(ranks) == 1 else None
    if found is None:
        raise Unruled
    return found


def _stacked(batch: Batch, node: gast.expr, lift: Lift) -> gast.expr:
    if isinstance(node, (gast.List, gast.Tuple)):
        if any(isinstance(part, gast.Starred) for part in node.elts):
            raise Unruled
        parts = [_stacked(batch, part, lift) for part in node.elts]
        display = gast.List(elts=parts, ctx=gast.Load())
        return quote("np.stack(x, axis=1)", np=batch.helper("np"), x=display)
    if not batch.is_array(node):
        raise Unruled
    return lift(batch, node) if batch.carries(node) else zeros(batch, node)


def _parts(batch: Batch, own: gast.expr, lift: Lift) -> tuple[gast.expr, int]:
    """The arrays that are joined, and their rank, which is the same for all."""
    if batch.carries(own) and isinstance(own, gast.Name):
        return lift(batch, own), _item_rank(batch, own)
    if not isinstance(own, (gast.List, gast.Tuple)) or not own.elts:
        raise Unruled
    if any(isinstance(part, gast.Starred) for part in own.elts):
        raise Unruled
    ranks = {batch.rank(part) for part in own.elts}
    if len(ranks) != 1:
        raise Unruled
    parts = [lift(batch, p) if batch.carries(p) else zeros(batch, p) for p in own.elts]
    return gast.List(elts=parts, ctx=gast.Load()), ranks.pop()


def _concatenate(batch: Batch, node: gast.Call, operation: Operation, lift: Lift) -> gast.expr:
    given = given_to(operation, "a", "axis")
    axis = batch.constant(given["axis"]) if "axis" in given else 0
    if axis is None:
        raise Unruled
    parts, _ = _parts(batch, given["a"], lift)
    after = literal(behind(axis))
    return gast.Call(
        func=node.func, args=[parts], keywords=[gast.keyword(arg="axis", value=after)]
    )


def _hstack(batch: Batch, node: gast.Call, operation: Operation, lift: Lift) -> gast.expr:
    parts, rank = _parts(batch, given_to(operation, "a")["a"], lift)
    text = "np.concatenate(x, axis=2)" if rank > 1 else "np.concatenate(x, axis=1)"
    return quote(text if rank else "np.stack(x, axis=1)", np=batch.helper("np"), x=parts)


def _vstack(batch: Batch, node: gast.Call, operation: Operation, lift: Lift) -> gast.expr:
    parts, rank = _parts(batch, given_to(operation, "a")["a"], lift)
    if rank == 0:
        raise Unruled
    text = "np.stack(x, axis=1)" if rank == 1 else "np.concatenate(x, axis=1)"
    return quote(text, np=batch.helper("np"), x=parts)


def _column_stack(batch: Batch, node: gast.Call, operation: Operation, lift: Lift) -> gast.expr:
    parts, rank = _parts(batch, given_to(operation, "a")["a"], lift)
    if rank not in (1, 2):
        raise Unruled
    text = "np.stack(x, axis=2)" if rank == 1 else "np.concatenate(x, axis=2)"
    return quote(text, np=batch.helper("np"), x=parts)


JOINS: dict[Any, Handler] = {
    np.array: _array,
    np.asarray: _array,
    np.concatenate: _concatenate,
    np.stack: _concatenate,
    np.hstack: _hstack,
    np.vstack: _vstack,
    np.column_stack: _column_stack,
    list: _rows,
    tuple: _rows,
}
