"""Sizes that follow from those of the operands: equal operands give equal ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autodiff.kinds.kind import Array, Kind, Record, Scalar, Static, is_inexact
from autodiff.kinds.size import Dim, Size, at_least, total
from autodiff.rules.installed import newer

_GROWING = frozenset(
    {
        *(np.concatenate, np.hstack, np.vstack, np.dstack, np.column_stack, np.stack, np.append),
        *(np.tile, np.repeat, np.pad, np.kron, np.convolve, np.ravel, np.ndarray.flatten),
        np.correlate,  # unless it is of mode "valid", its default
    }
)
"""Functions whose results are, along each axis, at least as long as one of the operands'."""

PARTING = frozenset({np.split, np.vsplit, np.hsplit, np.dsplit})
"""Functions that give parts of equal size, if they are given how many, which may be of length 1."""

_FACTORING = frozenset({np.linalg.svd, np.linalg.qr, newer.linalg.svdvals})
"""Functions of matrices; where a size is not one of theirs, it is the smaller of the two."""


def with_lengths(
    function: Callable[..., Any],
    arguments: tuple[Kind, ...],
    keywords: tuple[tuple[str, Kind], ...],
    found: Kind,
) -> Kind:
    """The kind of a result, with names for sizes that exemplars do not tell.

    Only where no size depends on values that are not known, and no axis of an operand may have
    length 1 or 0 unless its kind says so: then those of the result are plural, too, unless it
    consists of parts of the operand.
    """
    if function not in _GROWING | PARTING | _FACTORING or not _is_incomplete(found):
        return found
    given = (*arguments, *(kind for _, kind in keywords))
    if function is np.concatenate and isinstance(found, Array):
        found = Array(found.dtype, _joined(found.shape, given[0]))
    parts = [part for kind in given for part in _parts(kind)]
    if None in parts:
        return found
    if function in _FACTORING:
        least = _least(given[0])
        return found if least is None else _filled(found, lambda axis: least)
    if function in PARTING:
        return _parted(function, arguments, keywords, found)
    bound = 0 if _is_valid(function, (*given[2:],)) else 2
    name = "|".join(map(str, (*parts, *(key for key, _ in keywords))))
    return _filled(found, lambda axis: Dim(f"({function.__name__}.{axis}|{name})", bound))


def _is_valid(function: Callable[..., Any], modes: tuple[Kind, ...]) -> bool:
    """Whether this is a convolution of mode "valid", which may be of length 1."""
    if function not in (np.convolve, np.correlate):
        return False
    words = [getattr(kind, "value", None) for kind in modes]
    return words not in (["full"], ["same"]) and bool(words or function is np.correlate)


def parting(
    function: Callable[..., Any],
    arguments: tuple[Kind, ...],
    keywords: tuple[tuple[str, Kind], ...],
) -> tuple[Array, int, int] | None:
    """What is split into parts of equal length, along which axis and into how many, if known."""
    given = {**dict(zip(("ary", "indices_or_sections", "axis"), arguments)), **dict(keywords)}
    whole = given.pop("ary", None)
    numbers = {key: kind.value for key, kind in given.items() if isinstance(kind, Scalar)}
    count = numbers.get("indices_or_sections")
    if not isinstance(whole, Array) or numbers.keys() != given.keys():
        return None
    if type(count) is not int or count < 1:
        return None
    rank = len(whole.shape)
    default = {np.vsplit: 0, np.hsplit: min(1, rank - 1), np.dsplit: 2}.get(function, 0)
    axis = numbers.get("axis", default)
    known = type(axis) is int and -rank <= axis < rank
    return (whole, axis, count) if known else None


def _parted(
    function: Callable[..., Any],
    arguments: tuple[Kind, ...],
    keywords: tuple[tuple[str, Kind], ...],
    found: Kind,
) -> Kind:
    """Parts of which there are so many, all as long as the quotient."""
    pieces = parting(function, arguments, keywords)
    if pieces is None:
        return found
    whole, axis, count = pieces
    shape = list(whole.shape)
    size = shape[axis]
    even = size.over(count) if isinstance(size, Dim) and not size.offset else None
    if isinstance(size, int):
        shape[axis] = size // count
    elif even is not None:
        shape[axis] = even
    else:
        least = -(-at_least(size) // count)
        known = size.least if isinstance(size, Dim) else 0
        shape[axis] = Dim(f"({_QUOTIENT}{known}|{_named(size)}|{count})", least)
    return _filled(found, lambda k: shape[k])


_QUOTIENT = "quotient|"


def _joined(shape: tuple[Size, ...], items: Kind) -> tuple[Size, ...]:
    """The shape of joined arrays: the sum of the parts, or what was split into as many.

    Those of other rank than the result (`axis=None`) are joined by all their elements.
    """
    if not isinstance(items, Record) or shape.count(None) != 1:
        return shape
    shapes = [kind.shape for kind in items.items if isinstance(kind, Array)]
    if [len(own) for own in shapes] != [len(shape)] * len(items.items):
        return shape
    axis = shape.index(None)
    parts = [own[axis] for own in shapes]
    return (*shape[:axis], _split_before(parts) or total(parts), *shape[axis + 1 :])


def _split_before(parts: list[Size]) -> Dim | None:
    """The size that was split into as many parts, if these are all the quotients."""
    size = parts[0] if len({*parts}) == 1 else None
    if not isinstance(size, Dim) or not size.name.startswith(f"({_QUOTIENT}"):
        return None
    least, rest = size.name[len(_QUOTIENT) + 1 : -1].split("|", 1)
    whole, count = rest.rsplit("|", 1)
    name, offset = whole.rsplit(":", 1)
    if size.offset or int(count) != len(parts):
        return None
    return Dim(name, int(least), int(offset))


def _is_incomplete(kind: Kind) -> bool:
    if isinstance(kind, Record):
        return any(map(_is_incomplete, kind.items))
    return isinstance(kind, Array) and None in kind.shape


def _filled(kind: Kind, size: Callable[[int], Size]) -> Kind:
    """The kind with sizes by their axis where there are none."""
    if isinstance(kind, Record):
        return Record(kind.cls, kind.keys, tuple(_filled(item, size) for item in kind.items))
    if not isinstance(kind, Array):
        return kind
    own = (size(axis) if known is None else known for axis, known in enumerate(kind.shape))
    return Array(kind.dtype, tuple(own))


def _least(kind: Kind) -> Dim | None:
    """The smaller one of the last two sizes of an array."""
    sizes = kind.shape[-2:] if isinstance(kind, Array) else ()
    if len(sizes) < 2:
        return None
    name = f"(least|{'|'.join(sorted(str(_named(size)) for size in sizes))})"
    return Dim(name, 2 if all(size != 1 for size in sizes) else 0)


def product(sizes: list[Size]) -> Dim | None:
    """The size of an axis in place of some, in whatever order; None where it may be 1 or 0."""
    if not all(map(_is_sure, sizes)):
        return None
    return Dim(f"(product|{'|'.join(sorted(str(_named(size)) for size in sizes))})", 2)


def _parts(kind: Kind) -> list[str | None]:
    """What sizes may depend on, in words; None for what is not known."""
    if isinstance(kind, Array):
        if not is_inexact(kind) or not all(map(_is_sure, kind.shape)):
            return [None]
        return [f"array {len(kind.shape)}", *map(_named, kind.shape)]
    if isinstance(kind, Scalar):
        if isinstance(kind.value, Dim):
            return [_named(kind.value)]
        return [str(kind.value) if kind.value is not None else None]
    if isinstance(kind, Record) and kind.cls in (list, tuple):
        return ["(", *(part for item in kind.items for part in _parts(item)), ")"]
    is_word = isinstance(kind, Static) and (kind.value is None or isinstance(kind.value, str))
    return [repr(kind.value) if is_word else None]  # type: ignore[attr-defined]


def _is_sure(size: Size) -> bool:
    return size is not None and (size.plural if isinstance(size, Dim) else size > 0)


def _named(size: Size) -> str:
    return f"{size.name}:{size.offset}" if isinstance(size, Dim) else str(size)
