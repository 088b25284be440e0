"""What random generators return.

The kind of a number or array that is drawn is found as that of a library function's result, by
exemplars; what is asked is another generator of that class, so that nobody's numbers move on.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

import gast
import numpy as np

from autodiff.kinds.exemplar import result_kind
from autodiff.kinds.kind import UNKNOWN, Array, Drawing, Kind, Record, Scalar, Unknown
from autodiff.kinds.size import Dim, Size

if TYPE_CHECKING:
    from autodiff.kinds.known import Kinds


def _made(cls: type) -> Any:
    return lambda kinds, operation: Drawing((cls,))


def returned(
    kinds: Kinds, cls: type, method: str, arguments: list[gast.expr], keywords: list[Any]
) -> Kind:
    """The kind of what a method of a generator returns: `rng.normal(size=n)`."""
    function = getattr(_fresh(cls), method, None)
    given = [kinds.of(argument) for argument in arguments]
    named = [(key, kinds.of(value)) for key, value in keywords]
    every = [*given, *(kind for _, kind in named)]
    if not callable(function) or None in dict(named) or any(isinstance(k, Unknown) for k in every):
        return UNKNOWN
    small = tuple(map(_small, given))
    found = result_kind(function, small, tuple((k, _small(v)) for k, v in named))
    return _large(found)


def _small(kind: Kind) -> Kind:
    """Whole numbers that are known, as sizes under their names: nobody draws so many for a kind."""
    if isinstance(kind, Scalar) and type(kind.value) is int and kind.value > _MOST:
        return replace(kind, value=Dim(f"{_NUMBER}{kind.value}"))
    if isinstance(kind, Record):
        return replace(kind, items=tuple(map(_small, kind.items)))
    return kind


def _large(kind: Kind) -> Kind:
    if not isinstance(kind, Array):
        return kind
    return Array(kind.dtype, tuple(map(_number, kind.shape)))


def _number(size: Size) -> Size:
    named = isinstance(size, Dim) and size.name.startswith(_NUMBER)
    return int(size.name.removeprefix(_NUMBER)) - size.offset if named else size  # type: ignore[union-attr]


_MOST, _NUMBER = 20, "number "


@cache
def _fresh(cls: type) -> Any:
    return np.random.default_rng(0) if cls is np.random.Generator else np.random.RandomState(0)


OF_ALL = {
    function
    for function in vars(np.random).values()
    if isinstance(getattr(function, "__self__", None), np.random.RandomState)
}

"""The methods of the generator that all share: `np.random.normal`."""

DRAWING = {
    np.random.default_rng: _made(np.random.Generator),
    np.random.Generator: _made(np.random.Generator),
    np.random.RandomState: _made(np.random.RandomState),
}
