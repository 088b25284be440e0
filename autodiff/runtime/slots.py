"""Shadows of lists and dicts: containers of the same form that hold a slot for each value.

A slot collects the adjoint of one value, from where it is put into a container to where it is taken
out. It goes wherever its value goes, by the same calls: what is done to a list is done to its
shadow. So the reverse sweep never has to know what a list was like at some time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autodiff.runtime.structure import as_tuple, zeros_like


class Slot:
    """The adjoint of one value that is put into a container."""

    __slots__ = ("value",)

    def __init__(self, value: Any = 0.0) -> None:
        self.value = value


class Cell:
    """The variables of a function that functions defined inside assign."""


def shadow(x: Any, arrays: bool = False) -> Any:
    """The shadow of a value: containers of slots, one slot for each number or array.

    With `arrays`, an array is shadowed by the array of its adjoint, as it is changed in place.
    """
    return _shadow(x, arrays, {})


def _shadow(x: Any, arrays: bool, made: dict[int, Any]) -> Any:
    if isinstance(x, tuple):
        return as_tuple(x, [_shadow(item, arrays, made) for item in x])
    is_value = isinstance(x, np.ndarray) and not arrays  # each place has a slot of its own
    if is_value or not isinstance(x, (list, dict, np.ndarray)):
        zero = zeros_like(x)
        return Slot(0.0 if zero is None else zero)
    if id(x) in made:
        return made[id(x)]
    result: Any
    if isinstance(x, np.ndarray):
        result = made[id(x)] = zeros_like(x)
    elif isinstance(x, list):
        result = made[id(x)] = []
        result.extend(_shadow(item, arrays, made) for item in x)
    else:
        result = made[id(x)] = {}
        result.update((key, _shadow(item, arrays, made)) for key, item in x.items())
    return result


def alone(s: Any) -> Any:
    """The shadow `s` of a value of unknown kind, which must be no list or dict.

    Raises:
        TypeError: it is one, and what is done to it cannot be followed.
    """
    if isinstance(s, tuple):
        return as_tuple(s, [alone(item) for item in s])
    if isinstance(s, (list, dict)):
        raise TypeError(
            f"a {type(s).__name__} is held where its derivative cannot be followed: containers "
            "that change must not mix lists or dicts with numbers and arrays"
        )
    return s


def snapshot(x: Any) -> Any:
    """The lists and dicts of `x` copied; what they hold is the same."""
    if isinstance(x, tuple):
        return as_tuple(x, [snapshot(item) for item in x])
    if isinstance(x, list):
        return [snapshot(item) for item in x]
    if isinstance(x, dict):
        return {key: snapshot(item) for key, item in x.items()}
    return x


def collected(s: Any) -> Any:
    """The adjoints that the slots of a shadow have collected, in its structure."""
    if isinstance(s, Slot):
        return s.value
    if isinstance(s, np.ndarray):
        return s.copy()
    if isinstance(s, tuple):
        return as_tuple(s, [collected(item) for item in s])
    if isinstance(s, list):
        return [collected(item) for item in s]
    return {key: collected(item) for key, item in s.items()}


def give(s: Any, g: Any) -> None:
    """Add the adjoint `g` of a value to its shadow `s`; the number 0 and None are zero for all."""
    if g is None:
        return
    if isinstance(s, Slot):
        is_real = not np.iscomplexobj(s.value)
        s.value = s.value + (g.real if is_real and np.iscomplexobj(g) else g)
    elif isinstance(s, np.ndarray):
        s += g.real if not np.iscomplexobj(s) and np.iscomplexobj(g) else g
    elif isinstance(g, (int, float)) and g == 0:
        return
    elif isinstance(s, dict):
        for key, item in g.items():
            give(s[key], item)
    elif len(s) != len(g):
        raise ValueError(f"the adjoint of {len(s)} items has {len(g)}")
    else:
        for item, part in zip(s, g):
            give(item, part)


def sorting(x: list[Any], key: Callable[[Any], Any] | None = None, reverse: Any = False) -> Any:
    """The order in which `sorted(x, key=key, reverse=reverse)` takes the items of `x`."""
    keys = x if key is None else [key(item) for item in x]
    return sorted(range(len(x)), key=keys.__getitem__, reverse=reverse)
