"""Ways in which symbolic sizes may have to equal known ones, or each other."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Collection, Mapping

from autodiff.analysis.kind import Kind

Fit = Mapping[str, int | tuple[str, int] | None]
"""What each size is: a number, `("m", 1)` for `m + 1`, or None for any number."""

_MANY_DIVISORS = (12, 60)
_MOST = 250


def fitting(
    offsets: Mapping[str, Collection[int]],
    literals: Collection[int],
    kind_for: Callable[[Fit], Kind | None],
) -> list[Kind]:
    """The kinds of a result that are possible: None is that of sizes that do not fit.

    offsets: for each size `n` the numbers `k` for which an axis is `n - k` long.
    literals: the known sizes.

    A size is free, such that an axis is as long as another, 1, one that is in sight, or one that
    has many divisors: if that fits, too, then no equality is what makes a known size fit. Ways
    that are special cases of one that fits are not looked at. If there are too many ways, only
    those in which all sizes are equal.
    """
    numbers = {
        own: sorted({n + k for n in (1, *literals) for k in taken} | set(_MANY_DIVISORS))
        for own, taken in offsets.items()
    }
    fitted: list[Fit] = []
    found = []
    for fit in sorted(_ways(numbers, offsets), key=_given):
        if not any(_is_case(fit, other) for other in fitted):
            kind = kind_for(fit)
            if kind is not None:
                fitted.append(fit)
                found.append(kind)
    return found


def _ways(numbers: Mapping[str, list[int]], offsets: Mapping[str, Collection[int]]) -> list[Fit]:
    names = list(numbers)
    choices: list[list[int | tuple[str, int] | None]] = []
    for count, own in enumerate(names):
        equal = [
            (other, shift)
            for other in names[:count]
            for shift in sorted({k - j for k in offsets[own] for j in offsets[other]})
        ]
        choices.append([None, *equal, *numbers[own]])
    if math.prod(map(len, choices)) > _MOST:
        common = set.intersection(*map(set, numbers.values()))
        all_equal: Fit = {names[0]: None, **dict.fromkeys(names[1:], (names[0], 0))}
        return [all_equal, *(dict.fromkeys(names, number) for number in sorted(common))]
    found: list[Fit] = [dict(zip(names, chosen)) for chosen in itertools.product(*choices)]
    # the size that others are equal to is free: what is a number is one for each of them
    return [
        fit
        for fit in found
        if all(fit[given[0]] is None for given in fit.values() if isinstance(given, tuple))
    ]


def _given(fit: Fit) -> tuple[int, int]:
    """How much a way says: first how many sizes it gives, then how many numbers."""
    values = fit.values()
    return len(fit) - list(values).count(None), sum(isinstance(value, int) for value in values)


def _is_case(fit: Fit, general: Fit) -> bool:
    """Whether a way is a special case of another."""

    def value(name: str, shift: int = 0) -> int | tuple[str, int]:
        given = fit[name]
        if isinstance(given, int):
            return given + shift
        return (name, shift) if given is None else (given[0], given[1] + shift)

    for name, given in general.items():
        if isinstance(given, tuple) and value(name) != value(*given):
            return False
        if isinstance(given, int) and value(name) != given:
            return False
    return True
