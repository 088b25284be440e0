"""Callables whose purpose is to change what they are given: arrays, lists, dicts, sets, objects."""

from __future__ import annotations

import bisect
import collections
import heapq
import operator
import random
from typing import Any

import numpy as np

from autodiff.primitives.primitive import Effects, Slot
from autodiff.runtime import add_items

_FIRST = (Slot(0),)


def _writes(
    *names: str,
    holds: tuple[int, ...] = (),
    item: bool = False,
    returns: bool = False,
    runs: bool = False,
) -> Effects:
    """Effects on the first operand, which may be given by a name."""
    return Effects(
        writes=tuple(Slot(0, name) for name in names) or _FIRST,
        holds=tuple(Slot(place) for place in holds),
        item=item,
        returns=Slot(0) if returns else None,
        runs=runs,
    )


_OF_ARRAYS: dict[Any, Effects] = {
    np.copyto: _writes("dst"),
    np.put: _writes("a", "arr"),
    np.place: _writes("arr"),
    np.putmask: _writes("a", "arr"),
    np.fill_diagonal: _writes("a"),
    np.put_along_axis: _writes("arr"),
    np.random.shuffle: _writes("x"),
}
_METHODS_OF_ARRAYS: tuple[str, ...] = (
    "fill",
    "sort",
    "partition",
    "put",
    "resize",
    "itemset",
    "setflags",
)
_METHODS_OF_ARRAYS += ("setfield", "byteswap", "__setitem__", "__delitem__", "__setstate__")

_IN_PLACE: tuple[str, ...] = (
    "iadd",
    "isub",
    "imul",
    "itruediv",
    "ifloordiv",
    "imod",
    "ipow",
    "imatmul",
    "iand",
)
_IN_PLACE += ("ior", "ixor", "ilshift", "irshift", "iconcat")

_SHRINKS = _writes(item=True)
_ADDS = _writes(holds=(1,))
_SETS = _writes(holds=(1, 2))
_CHANGES = _writes()
_UNITES = _writes(holds=(1,), returns=True)

_OF_CONTAINERS: dict[type, dict[str, Effects]] = {
    list: {
        **dict.fromkeys(("append", "extend"), _ADDS),
        **dict.fromkeys(("insert", "__setitem__"), _writes(holds=(2,))),
        "pop": _SHRINKS,
        "sort": _writes(runs=True),
        "__iadd__": _UNITES,
        "__imul__": _writes(returns=True),
        **dict.fromkeys(("remove", "clear", "reverse", "__delitem__"), _CHANGES),
    },
    dict: {
        "update": _ADDS,
        "setdefault": _writes(holds=(2,), item=True),
        "__setitem__": _SETS,
        "__ior__": _UNITES,
        **dict.fromkeys(("pop", "popitem"), _SHRINKS),
        **dict.fromkeys(("clear", "__delitem__"), _CHANGES),
    },
    set: {
        **dict.fromkeys(("add", "update", "symmetric_difference_update"), _ADDS),
        "pop": _SHRINKS,
        "__ior__": _UNITES,
        "__ixor__": _UNITES,
        **dict.fromkeys(("remove", "discard", "clear"), _CHANGES),
        **dict.fromkeys(("difference_update", "intersection_update"), _CHANGES),
        **dict.fromkeys(("__iand__", "__isub__"), _writes(returns=True)),
    },
    collections.deque: {
        **dict.fromkeys(("append", "appendleft", "extend", "extendleft"), _ADDS),
        **dict.fromkeys(("insert", "__setitem__"), _writes(holds=(2,))),
        **dict.fromkeys(("pop", "popleft"), _SHRINKS),
        "__iadd__": _UNITES,
        **dict.fromkeys(("remove", "clear", "reverse", "rotate", "__delitem__"), _CHANGES),
    },
}

_OF_PYTHON: dict[Any, Effects] = {
    setattr: _writes(holds=(2,), runs=True),
    delattr: _writes(runs=True),
    next: _writes(item=True, runs=True),
    heapq.heappush: _ADDS,
    heapq.heapify: _CHANGES,
    heapq.heappop: _SHRINKS,
    **dict.fromkeys((heapq.heapreplace, heapq.heappushpop), _writes(holds=(1,), item=True)),
    **dict.fromkeys((bisect.insort, bisect.insort_left), _writes("a", holds=(1,), runs=True)),
    operator.setitem: _SETS,
    operator.delitem: _CHANGES,
}

_OF_OURS = {add_items: _writes("bars")}

_SHUFFLES = Effects(writes=(Slot(0, "x"),), outside=True)

CHANGING: dict[Any, Effects] = {
    **_OF_ARRAYS,
    **{
        getattr(np.ndarray, name): _writes(returns=name == "byteswap")
        for name in _METHODS_OF_ARRAYS
        if callable(getattr(np.ndarray, name, None))  # NumPy 2 has an `itemset` that is none
    },
    **{
        getattr(np.ndarray, f"__{name}__"): _writes(returns=True)
        for name in _IN_PLACE
        if hasattr(np.ndarray, f"__{name}__")
    },
    **{getattr(operator, name): _UNITES for name in _IN_PLACE},
    **{
        getattr(cls, name): effects
        for cls, own in _OF_CONTAINERS.items()
        for name, effects in own.items()
    },
    **_OF_PYTHON,
    **_OF_OURS,
    random.shuffle: _SHUFFLES,
    np.random.shuffle: _SHUFFLES,
}
"""Effects of callables that change their first operand."""

AT = _writes("a")
"""Those of `ufunc.at`."""
