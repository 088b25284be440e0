"""What a derivative remembers a call by: cheaper than the kinds of the arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import FunctionType
from typing import Any

import numpy as np

from autodiff.kinds.arguments import STATIC, attributes_of
from autodiff.rules import registry

_DEEPEST = 6
"""Kinds end here, and what holds itself must end somewhere."""


class _TooDeep(Exception):
    pass


def call_key(values: Iterable[Any], depth: int = 0) -> tuple[Any, ...]:
    """A key that determines the kinds of the arguments if they are `is_plain`.

    What is not plain gives a key that no plain arguments have.
    """
    keys: list[Any] = []
    try:
        for x in values:
            cls = x.__class__
            if cls is np.ndarray:
                keys.append(x.dtype)
                keys.append(x.shape)
            elif cls in NUMBERS:
                keys.append(cls)
            else:
                keys.append(_INSIDE.get(cls, _attributes)(x, depth))
    except _TooDeep:
        if depth:
            raise
        return (_TooDeep,)
    return tuple(keys)


def _held(values: Iterable[Any], depth: int) -> tuple[Any, ...]:
    if depth > _DEEPEST:
        raise _TooDeep
    return call_key(values, depth + 1)


def _items(x: Any, depth: int) -> Any:
    return (x.__class__, _held(x, depth))


def _table(x: Any, depth: int) -> Any:
    return (dict, tuple(x), _held(x.values(), depth))


def _itself(x: Any, depth: int) -> Any:
    """A string or function is its own kind."""
    return (x.__class__, x)


def _attributes(x: Any, depth: int) -> Any:
    attributes = attributes_of(x)
    if attributes is None:
        return x.__class__
    return (x.__class__, tuple(attributes), _held(attributes.values(), depth))


_INSIDE: dict[type, Callable[[Any, int], Any]] = {
    list: _items,
    tuple: _items,
    dict: _table,
    str: _itself,
    FunctionType: _itself,
}
_NUMPY = {cls for cls in np.sctypeDict.values() if issubclass(cls, (np.number, np.bool_))}
NUMBERS = frozenset((bool, int, float, complex, type(None), *_NUMPY))
_PLAIN = NUMBERS | {str, FunctionType, np.ndarray}
_OPAQUE = (*STATIC, np.generic, tuple, dict)
"""Subclasses of these are objects with attributes that do not tell their kind.

So are objects whose methods have rules, as `scipy.stats.norm`.
"""


def is_plain(value: Any, depth: int = 0) -> bool:
    """Whether a value is made of numbers, arrays, strings, functions, containers and objects."""
    cls = value.__class__
    if cls in _PLAIN:
        return True
    if depth > _DEEPEST:
        return False
    if cls is dict:
        if not all(key.__class__ is str for key in value):
            return False
        value = value.values()
    elif cls is not list and cls is not tuple:
        ruled = registry.is_receiver(value) or registry.is_called(value)
        opaque = ruled or isinstance(value, _OPAQUE)
        attributes = None if opaque else attributes_of(value)
        if attributes is None:
            return False
        value = attributes.values()
    return all(is_plain(item, depth + 1) for item in value)
