"""Adjoint memory of values that may share memory among each other."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from autodiff.runtime.copying import arrays_in, duplicates
from autodiff.runtime.structure import fields, is_record


def blanks(*values: Any) -> tuple[Any, ...]:
    """Zeros for values: lists for tuples, namespaces for objects. What shares memory has zeros that
    share it in the same way.

    >>> u = np.ones(3)
    >>> bars = blanks([u, u[1:]], u, (1.0, 2.0))
    >>> bars[0][1][:] = 1.0
    >>> bars[1:]
    (array([0., 1., 1.]), [0.0, 0.0])
    """
    made: dict[int, Any] = {}
    arrays = arrays_in(*values)
    for array, own in zip(arrays, duplicates(*arrays)):
        own[...] = 0
        made.setdefault(id(array), own if array.dtype.kind in "fc" else np.zeros(array.shape))
    return tuple(_blank(value, made) for value in values)


def _blank(x: Any, made: dict[int, Any]) -> Any:
    if id(x) in made:
        return made[id(x)]
    if isinstance(x, (list, tuple)) and not hasattr(x, "_fields"):
        made[id(x)] = items = list[Any]()
        items.extend(_blank(item, made) for item in x)
        return items
    if isinstance(x, dict):
        made[id(x)] = table = dict[Any, Any]()
        table.update((key, _blank(item, made)) for key, item in x.items())
        return table
    if is_record(x) or isinstance(x, tuple):
        held = x._asdict() if isinstance(x, tuple) else fields(x)  # type: ignore[attr-defined]
        made[id(x)] = space = SimpleNamespace()
        vars(space).update((key, _blank(item, made)) for key, item in held.items())
        return space
    return type(x)(0) if isinstance(x, (np.inexact, complex)) else 0.0


def overwrite(bar: Any, given: Any) -> None:
    """Adjoint memory holds what other memory of its form holds; what it shares stays shared.

    >>> bars = [np.zeros(2), 0.0]
    >>> overwrite(bars, [np.ones(2), 3.0])
    >>> bars
    [array([1., 1.]), 3.0]
    """
    if isinstance(bar, np.ndarray):
        bar[...] = given
        return
    table = bar if isinstance(bar, (list, dict)) else vars(bar)
    parts = given if isinstance(given, (list, tuple, dict)) else vars(given)
    for key in range(len(bar)) if isinstance(bar, list) else table:
        if isinstance(table[key], (np.ndarray, list, dict, SimpleNamespace)):
            overwrite(table[key], parts[key])
        else:
            table[key] = parts[key]


def add_items(bars: list[Any] | tuple[Any, ...], g: Any) -> None:
    """Adds to each item of a list of adjoints, arrays in place.

    bars: numbers or arrays, one for each item; in a tuple, arrays. g: as many adjoints, or one
    number for all.

    >>> bars = [1.0, 2.0]
    >>> add_items(bars, np.array([0.5, 0.25]))
    >>> [float(bar) for bar in bars]
    [1.5, 2.25]
    """
    parts = g if isinstance(g, (list, tuple)) or np.ndim(g) else [g] * len(bars)
    if isinstance(bars, tuple):  # of arrays: an item of a tuple of numbers stays what it is
        for bar, part in zip(bars, parts, strict=True):
            bar[...] += part
    else:
        for k, part in enumerate(parts):
            bars[k] += part
