"""What makes and fills containers goes over what it is given: in C, past the hooks.

So it is given the items as hooks see them, wherever it does not keep its argument as it is.
"""

from __future__ import annotations

from collections import defaultdict, deque
from typing import Any

import numpy as np

from autodiff.tracing.bound_late import call
from autodiff.tracing.items import getitem, iterate
from autodiff.tracing.special_methods import in_python

_OF_ITEMS = (list, tuple, set, frozenset, deque)
MADE_OF = (*_OF_ITEMS, dict)
"""Containers that are made of the items of something else."""


def made_from(cls: type, args: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments of a new container, which is made of what they hold."""
    if issubclass(cls, dict):
        first = args[:1] if issubclass(cls, defaultdict) else ()
        return (*first, *map(entries, args[len(first) :]))
    if issubclass(cls, _OF_ITEMS):
        return tuple(map(iterate, args))
    return args


def entries(x: Any) -> Any:
    """What a dict is filled with: a mapping, or pairs."""
    if isinstance(x, dict):
        return x
    cls = type(x)
    if in_python(cls, "keys") is not None or hasattr(x, "keys") and in_python(cls, "__getitem__"):
        return {key: getitem(x, key) for key in iterate(call(x.keys))}
    if hasattr(x, "keys") or not np.iterable(x) and in_python(cls, "__getitem__") is None:
        return x
    return map(_pair, iterate(x))


def mapping(x: Any) -> Any:
    """What `**` takes apart."""
    return entries(x) if hasattr(x, "keys") else x


def _pair(x: Any) -> Any:
    return x if isinstance(x, (tuple, list, str)) or not np.iterable(x) else tuple(iterate(x))
