"""Plain values in place of the numbers of a run that is over."""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np

from autodiff.runtime.structure import as_tuple
from autodiff.tracing.number import Number
from autodiff.tracing.trace import Trace


def clean(trace: Trace) -> None:
    """Leaves no number of the run in what it wrote to."""
    seen: set[int] = set()
    for own in [*trace.touched.values()]:
        plain(own, seen)
    for scope, names in trace.scopes:
        for name in names:
            if name in scope:
                scope[name] = plain(scope[name], seen)
    for cell in trace.cells.values():
        try:
            held = cell.cell_contents
        except ValueError:
            continue
        cell.cell_contents = plain(held, seen)


def plain(x: Any, seen: set[int]) -> Any:
    """The value without numbers of the run: tuples are new ones, others are changed."""
    cls = type(x)
    if cls is Number:
        return x.value
    if isinstance(x, tuple):
        parts = [plain(own, seen) for own in x]
        if all(a is b for a, b in zip(parts, x)):
            return x
        return as_tuple(x, parts)
    if id(x) in seen or cls.__module__ == "builtins" and cls not in (list, dict, set):
        return x
    seen.add(id(x))
    if isinstance(x, (list, deque)):
        for k, own in enumerate(x):
            new = plain(own, seen)
            if new is not own:
                x[k] = new
    elif isinstance(x, dict):
        for key, own in [*x.items()]:
            new = plain(own, seen)
            if type(key) is Number:
                del x[key]
                key, own = key.value, x
            if new is not own:
                dict.__setitem__(x, key, new)
    elif isinstance(x, set):
        for own in [own for own in x if type(own) is Number]:
            x.discard(own)
            x.add(own.value)
    elif isinstance(x, np.ndarray) and x.dtype.kind == "O":
        for index in np.ndindex(x.shape):
            x[index] = plain(x[index], seen)
    if not isinstance(x, (np.ndarray, type)):
        _of_object(x, seen)
    return x


def _of_object(x: Any, seen: set[int]) -> None:
    held = getattr(x, "__dict__", None)
    if isinstance(held, dict):
        plain(held, seen)
    for cls in type(x).__mro__:
        slots = cls.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            try:
                own = object.__getattribute__(x, name)
            except AttributeError:
                continue
            new = plain(own, seen)
            if new is not own:
                object.__setattr__(x, name, new)
