"""Elements and windows of tangents: `x[i]` of one direction is `x[:, i]` of all."""

from __future__ import annotations

import gast

from autodiff.analysis.kind import Array, Kind, Record, Scalar, Sequence, Span, Static
from autodiff.forward.directions.batch import Batch, Unruled
from autodiff.syntax.quote import quote


def leading(batch: Batch, index: gast.expr) -> gast.expr:
    """The index with one more axis in front, all of which is taken.

    Raises Unruled where the axes of the result would come in another order, or are not known.
    """
    parts = list(index.elts) if isinstance(index, gast.Tuple) else [index]
    kinds = [None if isinstance(part, gast.Slice) else batch.kinds.known(part) for part in parts]
    if any(isinstance(part, gast.Starred) for part in parts):
        raise Unruled
    whole = gast.Slice(lower=None, upper=None, step=None)
    alone = None if isinstance(index, (gast.Tuple, gast.Slice)) else kinds[0]
    if isinstance(alone, Record) and alone.cls is tuple:
        _check_order(list(alone.items))
        every = quote("slice(None)")
        rest = gast.Starred(value=parts[0], ctx=gast.Load())
        return gast.Tuple(elts=[every, rest], ctx=gast.Load())
    if not parts:
        return whole
    _check_order(kinds)
    return gast.Tuple(elts=[whole, *parts], ctx=gast.Load())


def _check_order(kinds: list[Kind | None]) -> None:
    """Arrays (and ints beside them) put their axes where they stand only if they are adjacent."""
    advanced = [isinstance(kind, (Array, Sequence, Record)) for kind in kinds]
    places = []
    for number, kind in enumerate(kinds):
        if kind is None or isinstance(kind, Span):
            continue
        if isinstance(kind, Static):
            if kind.value is None or kind.value is Ellipsis or isinstance(kind.value, slice):
                continue
            raise Unruled
        if isinstance(kind, Array):
            if kind.dtype is None or kind.dtype[0] not in "biu":
                raise Unruled
        elif isinstance(kind, (Record, Sequence)):
            if kind.cls not in (list, tuple):  # inside of an index a tuple is an array, too
                raise Unruled
        elif not (isinstance(kind, Scalar) and kind.type == "int"):
            raise Unruled
        places.append(number)
    if any(advanced) and places[-1] - places[0] >= len(places):
        raise Unruled


def slot_rank(batch: Batch, window: gast.expr, index: gast.expr) -> int:
    """The number of axes of `window[index]` along one direction; the index may be a variable."""
    kind = batch.kinds.known(index)
    if not (isinstance(index, gast.Name) and isinstance(kind, Record) and kind.cls is tuple):
        return batch.rank(gast.Subscript(value=window, slice=index, ctx=gast.Load()))
    rank, pointed = batch.rank(window), 0
    for item in kind.items:
        if isinstance(item, Array) and item.dtype is not None and item.dtype[0] in "iu":
            pointed = max(pointed, len(item.shape))
            rank -= 1
        elif isinstance(item, Scalar) and item.type == "int":
            rank -= 1
        elif isinstance(item, Static) and item.value is None:
            rank += 1
        elif not isinstance(item, Span) and not isinstance(getattr(item, "value", None), slice):
            raise Unruled
    return rank + pointed


def aligned(new: gast.expr, own: int, rank: int) -> gast.expr:
    """A value with `own` axes behind that of the directions, broadcast as one with `rank`."""
    if own >= rank:
        return new
    parts: list[gast.expr] = [gast.Slice(lower=None, upper=None, step=None)]
    parts += [gast.Constant(value=None, kind=None) for _ in range(rank - own)]
    index = gast.Tuple(elts=parts, ctx=gast.Load())
    return gast.Subscript(value=new, slice=index, ctx=gast.Load())
