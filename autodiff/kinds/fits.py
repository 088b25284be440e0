"""Ways in which symbolic sizes may have to equal known ones, or each other."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Collection, Iterator, Mapping

from autodiff.kinds.kind import Array, Kind, Record, Scalar, Sequence
from autodiff.kinds.size import Dim, Size

Fit = Mapping[str, int | tuple[str, int] | None]
"""What each size is: a number, `("m", 1)` for `m + 1`, or None for any number."""

_MOST = 250
_KNOWN = "="
"""How the name of a size begins that stands for a known one."""


def lifted(kind: Kind) -> Kind:
    """The kind with names for known sizes: if arrays fit whatever these are, equality makes it."""

    def named(size: Size) -> Size:
        return Dim(f"{_KNOWN}{size}", size) if isinstance(size, int) and size > 1 else size

    return _resized(kind, named)


def lowered(kind: Kind) -> Kind:
    """The kind with the known sizes again."""

    def known(size: Size) -> Size:
        if isinstance(size, Dim) and size.name.startswith(_KNOWN):
            return int(size.name[len(_KNOWN) :]) - size.offset
        return size

    return _resized(kind, known)


def sizeless(kind: Kind) -> Kind:
    """The kind of arrays of which only dtype and number of axes are known."""
    if isinstance(kind, Scalar):
        return Scalar(kind.type, kind.dtype)
    return _resized(kind, lambda size: None)


def without_numbers(kind: Kind) -> Kind:
    """The kind of arrays of which no size is known as a number."""
    return _resized(kind, lambda size: None if isinstance(size, int) else size)


def without_width(kind: Kind) -> Kind:
    """The kind of an array of which the last size is not known."""
    return Array(kind.dtype, (*kind.shape[:-1], None)) if isinstance(kind, Array) else kind


def _resized(kind: Kind, change: Callable[[Size], Size]) -> Kind:
    if isinstance(kind, Array):
        return Array(kind.dtype, tuple(map(change, kind.shape)))
    if isinstance(kind, Record):
        return Record(kind.cls, kind.keys, tuple(_resized(item, change) for item in kind.items))
    if isinstance(kind, Sequence):
        return Sequence(_resized(kind.item, change), kind.cls)
    return kind


def fitting(
    offsets: Mapping[str, Collection[int]], kind_for: Callable[[Fit], Kind | None]
) -> list[Kind]:
    """The kinds of a result that are possible; `kind_for` gives None for sizes that do not fit.

    offsets: for each size `n` the numbers `k` for which an axis is `n - k` long.

    A size is free, or such that an axis is as long as another. Ways that are special cases of one
    that fits are not looked at. If there are too many ways, only that in which all are equal, from
    which nothing is learnt of sizes.
    """
    names = sorted(offsets, key=lambda own: not own.startswith(_KNOWN))
    ways = _ways(names, offsets)
    if ways is None:
        kind = kind_for({names[0]: None, **dict.fromkeys(names[1:], (names[0], 0))})
        return [] if kind is None else [sizeless(kind)]
    fitted: list[Fit] = []
    found = []
    for fit in sorted(ways, key=_given):
        if not any(_is_case(fit, other) for other in fitted):
            kind = kind_for(fit)
            if kind is not None:
                fitted.append(fit)
                found.append(kind)
    return found


def numbered(offsets: Mapping[str, Collection[int]], literals: Collection[int]) -> Iterator[Fit]:
    """The ways in which each size is 1 or one of the known ones.

    What fits then may do so for another reason: nothing is learnt of the sizes of the result.
    """
    numbers = [sorted({n + k for n in (1, *literals) for k in taken}) for taken in offsets.values()]
    if math.prod(map(len, numbers)) <= _MOST:
        yield from (dict(zip(offsets, chosen)) for chosen in itertools.product(*numbers))


def _ways(names: list[str], offsets: Mapping[str, Collection[int]]) -> list[Fit] | None:
    """All ways in which each size is free or equal to another; None if there are too many."""
    choices: list[list[tuple[str, int] | None]] = []
    for count, own in enumerate(names):
        equal = [
            (other, shift)
            for other in names[:count]
            for shift in sorted({k - j for k in offsets[own] for j in offsets[other]})
        ]
        choices.append([None] if own.startswith(_KNOWN) else [None, *equal])
    if math.prod(map(len, choices)) > _MOST:
        return None
    found: list[Fit] = [dict(zip(names, chosen)) for chosen in itertools.product(*choices)]
    # the size that others are equal to is free
    return [
        fit
        for fit in found
        if all(fit[given[0]] is None for given in fit.values() if isinstance(given, tuple))
    ]


def _given(fit: Fit) -> int:
    """How many sizes a way gives."""
    return len(fit) - list(fit.values()).count(None)


def _is_case(fit: Fit, general: Fit) -> bool:
    """Whether a way is a special case of another."""

    def value(name: str, shift: int = 0) -> tuple[str, int]:
        given = fit[name]
        return (given[0], given[1] + shift) if isinstance(given, tuple) else (name, shift)

    return all(
        value(name) == value(*given) for name, given in general.items() if isinstance(given, tuple)
    )
