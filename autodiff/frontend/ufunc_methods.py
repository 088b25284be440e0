"""Methods of NumPy's ufuncs, in plain Python: chains and stores that no rule says.

The compiler inlines them like the functions in `writers.py`; their first parameter is the ufunc.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from autodiff.runtime import turns


def applied_at(function: Any, a: Any, indices: Any, /) -> None:
    """`np.negative.at`: what is named twice changes twice, so each element has its turns."""
    places = np.arange(a.size).reshape(a.shape)[indices].ravel()
    turn = turns(places)
    for k in range(np.max(turn, initial=-1) + 1):
        at = np.unravel_index(places[turn == k], a.shape)
        a[at] = function(a[at])


def combined_at(function: Any, a: Any, indices: Any, b: Any, /) -> None:
    """`np.multiply.at`: what is named twice changes twice, so each element has its turns."""
    places = np.arange(a.size).reshape(a.shape)[indices]
    values = np.broadcast_to(b, places.shape).ravel()
    flat = places.ravel()
    turn = turns(flat)
    for k in range(np.max(turn, initial=-1) + 1):
        at = np.unravel_index(flat[turn == k], a.shape)
        a[at] = function(a[at], values[turn == k])


def reduced(function: Any, array: Any, axis: int = 0, *, keepdims: bool = False) -> Any:
    """`np.power.reduce` along one axis, from its first element on."""
    rows = np.moveaxis(array, axis, 0)
    total = rows[0]
    for k in range(1, len(rows)):
        total = function(total, rows[k])
    return np.expand_dims(total, axis) if keepdims else total


def accumulated(function: Any, array: Any, axis: int = 0) -> Any:
    """`np.power.accumulate`."""
    rows = np.moveaxis(array, axis, 0)
    totals = [rows[0]]
    for k in range(1, len(rows)):
        totals.append(function(totals[k - 1], rows[k]))
    return np.stack(totals, axis)


def reduced_between(function: Any, array: Any, indices: Any, axis: int = 0) -> Any:
    """`np.power.reduceat`: chains that each end before the next begins, if that is later."""
    rows = np.moveaxis(array, axis, 0)
    starts = np.asarray(indices)
    ends = np.append(starts[1:], len(rows))
    totals = []
    for j in range(len(starts)):
        total = rows[starts[j]]
        for k in range(starts[j] + 1, ends[j]):
            total = function(total, rows[k])
        totals.append(total)
    return np.stack(totals, axis)


_CHAINS: dict[str, Callable[..., Any]] = {
    "reduce": reduced,
    "accumulate": accumulated,
    "reduceat": reduced_between,
}


def ufunc_of(function: Any) -> np.ufunc | None:
    """The ufunc that a function is a method of."""
    own = getattr(function, "__self__", None)
    return own if isinstance(own, np.ufunc) else None


def written_ufunc_method(function: Any, arguments: int, keywords: Iterable[str]) -> Any:
    """The plain Python function for a call of a ufunc's method that has no rule."""
    own, name = ufunc_of(function), getattr(function, "__name__", "")
    if own is None or own.nout != 1 or own.signature is not None:
        return None
    if own is np.add and name == "at":
        return None  # the sweeps know it
    if name == "at":
        fits = arguments == own.nin + 1 and not set(keywords)
        return (applied_at if own.nin == 1 else combined_at) if fits else None
    found = _CHAINS.get(name)
    if found is None or own.nin != 2:
        return None
    try:
        inspect.signature(found).bind(function, *range(arguments), **dict.fromkeys(keywords))
    except TypeError:  # an argument that it does not know
        return None
    return found
