"""The adjoints of arrays that were joined, as slices of the adjoint of the whole; and back."""

from __future__ import annotations

import gast

from autodiff.instantiate.literal import argument, literal
from autodiff.kinds.kind import Array, Kind, Record, Scalar, is_inexact
from autodiff.kinds.known import Kinds
from autodiff.syntax.quote import quote


def parted(call: gast.Call, kinds: Kinds, np_name: gast.expr) -> gast.expr | None:
    """The parts of the adjoint of a few arrays that were joined along an axis they all have."""
    g, like = call.args[0], argument(call, 1, "like")
    axis, kind = literal(argument(call, 2, "axis"), ..., kinds), kinds.of(g)
    parts = kinds.of(like) if isinstance(like, gast.Name) else None
    if not isinstance(g, gast.Name) or not isinstance(kind, Array) or not isinstance(axis, int):
        return None
    if not isinstance(parts, Record) or parts.cls not in (list, tuple):
        return None
    if len(parts.keys) > _FEW:
        return None
    before = ":, " * axis
    if axis >= 0 and all(_is_alike(parts.get(key), kind, 1) for key in parts.keys):
        pieces = [f"g[{before}{key}]" for key in parts.keys]  # each was given the axis
        text = f"[{', '.join(pieces)}]" if parts.cls is list else f"({', '.join(pieces)},)"
        return quote(text, g=g)
    if axis < 0 or any(not _is_joined(parts.get(key), kind) for key in parts.keys):
        return None
    sizes = [
        "1"
        if isinstance(parts.get(k), Scalar)
        else f"like[{k}].shape[{axis}]"
        if axis
        else f"len(like[{k}])"
        for k in parts.keys
    ]
    starts = [" + ".join(_counted(sizes[:k])) for k in range(len(sizes))]
    pieces = [
        f"g[{start or 0}]" if isinstance(parts.get(key), Scalar) else f"g[{before}{start}:{end}]"
        for key, start, end in zip(parts.keys, starts, [*starts[1:], ""])
    ]
    text = f"[{', '.join(pieces)}]" if parts.cls is list else f"({', '.join(pieces)},)"
    return quote(text, g=g, like=like)


def united(call: gast.Call, kinds: Kinds, np_name: gast.expr) -> gast.expr | None:
    """The adjoints of the parts of an array joined, where the parts certainly do not overlap."""
    at = argument(call, 2, "at")
    known, kind = literal(at, ..., kinds), kinds.of(at) if at is not None else None
    places = known if isinstance(known, tuple) else ()
    single = isinstance(kind, Scalar) or isinstance(kind, Record) and len(kind.keys) == 1
    ascending = places and places[0] >= 0 and list(places) == sorted(places)
    if not (single or ascending):
        return None
    axis = argument(call, 3, "axis")
    return quote("np.concatenate(parts, axis=axis)", np=np_name, parts=call.args[0], axis=axis)


def _counted(sizes: list[str]) -> list[str]:
    """The terms of a sum, numbers first and added."""
    ones = sizes.count("1")
    return [*([str(ones)] if ones else []), *(size for size in sizes if size != "1")]


_FEW = 4


def _is_alike(part: Kind | None, whole: Array, fewer: int = 0) -> bool:
    alike = isinstance(part, Array) and part.dtype == whole.dtype
    return alike and len(part.shape) == len(whole.shape) - fewer  # type: ignore[union-attr]


def _is_joined(part: Kind | None, whole: Array) -> bool:
    """Whether a part is of as many axes as the whole: a number is an element of a vector."""
    if isinstance(part, Scalar) and part.type == "float":
        return whole.dtype == "float64" and len(whole.shape) == 1
    if isinstance(part, Array) and part.dtype is not None and not is_inexact(part):
        return len(part.shape) == len(whole.shape)  # nobody asks for its adjoint
    return _is_alike(part, whole)
