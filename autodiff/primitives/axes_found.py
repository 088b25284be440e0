"""Axes: which parameters are axes, and what a function does along them, found by calling it.

An axis that is found at run time, of an array that has one:

np.moveaxis(x, axis, -1), np.sum(x, axis)       of all whole numbers only 0 and -1 are taken, so
                                                the result is what it is for these
"""

from __future__ import annotations

import contextlib
import functools
import warnings
from typing import Any

import numpy as np

from autodiff.kinds.exemplar import result_kind
from autodiff.kinds.kind import UNKNOWN, Array, Kind, Scalar, Static
from autodiff.kinds.size import Dim, lowest
from autodiff.rules import registry

_AXES, _OTHERS = (0, -1), (1, -2, 2, -3, 3)


def along_the_axis(
    function: Any, arguments: tuple[Kind, ...], keywords: tuple[tuple[str, Kind], ...]
) -> Kind:
    """The kind of a result where one whole number is not known, and may be nothing but the axis."""
    given = (*arguments, *(kind for _, kind in keywords))
    arrays = [kind for kind in given if isinstance(kind, Array)]
    rest = [kind for kind in given if not isinstance(kind, Array)]
    whole = [kind for kind in rest if _is_found(kind)]
    plain = all(isinstance(kind, (Scalar, Static)) for kind in rest)
    if len(arrays) != 1 or len(arrays[0].shape) != 1 or len(whole) != 1 or not plain:
        return UNKNOWN

    def result(value: int) -> Kind:
        number = Scalar("int", None, value)
        own = tuple(number if _is_found(kind) else kind for kind in arguments)
        named = tuple((name, number if _is_found(kind) else kind) for name, kind in keywords)
        return result_kind(function, own, named)

    found, other = map(result, _AXES)
    taken = found != other or any(result(value) != UNKNOWN for value in _OTHERS)
    return UNKNOWN if taken else found


def _is_found(kind: Kind) -> bool:
    """Whether a kind is that of a whole number of Python's that is found at run time."""
    if not isinstance(kind, Scalar) or (kind.type, kind.dtype) != ("int", None):
        return False
    return kind.value is None or isinstance(kind.value, Dim) and lowest(kind.value) is None


def is_axis(parameter: str) -> bool:
    """Whether a parameter is an axis, or several."""
    return parameter.startswith("ax") or parameter in ("source", "destination")


@functools.cache
def meant(function: Any, rank: int | None) -> Any:
    """The axes that a function means where it is given none: all, if it is the same for these.

    >>> meant(np.sum, 2), meant(np.cumsum, 1), meant(np.cumsum, 2), meant(np.squeeze, 1)
    ((0, 1), 0, None, None)
    """
    if not rank:
        return None
    x = np.random.default_rng(0).normal(size=range(2, rank + 2))
    axes = tuple(range(rank)) if rank > 1 else 0
    with contextlib.suppress(Exception):
        found, same = _called(function, x), _called(function, x, axis=axes)
        return axes if np.array_equal(found, same) else None
    return None


@functools.cache
def lanes_of(function: Any) -> str | None:
    """The helper for what a function with an axis makes of each lane along it: a number, or others.

    >>> registry.load()
    >>> lanes_of(np.sum), lanes_of(np.cumsum), lanes_of(np.unique)
    ('depends_along', 'depends_on_lanes', None)
    """
    rule = registry.rule_for(function)
    if rule is None or not registry.is_pure(function) or registry.is_demanding(function):
        return None
    if all(parameter.name != "axis" for parameter in rule.parameters):
        return None
    one, other = np.random.default_rng(0).uniform(0.5, 1.5, size=(2, 2, 3))
    with contextlib.suppress(Exception):
        found, second = _called(function, one, axis=1), _called(function, other, axis=1)
        mixed = _called(function, np.stack([one[0], other[1]]), axis=1)
        if np.array_equal(mixed, [found[0], second[1]]):
            return {1: "depends_along", 2: "depends_on_lanes"}.get(np.ndim(mixed))
    return None


def _called(function: Any, x: Any, **axis: Any) -> Any:
    """What a function gives, with 1 for all other arguments that it needs."""
    rule = registry.rule_for(function)
    needed = [] if rule is None else [own.default is own.empty for own in rule.parameters[1:]]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function(x, *[1] * sum(needed), **axis)
