"""Structures of numbers and arrays seen as a list of leaves."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from autodiff.runtime.copying import parts_in
from autodiff.runtime.structure import as_tuple, blank, fields, in_form, is_record


def is_leaf(x: object) -> bool:
    """Whether `x` is a number or array that can carry a derivative."""
    if isinstance(x, (np.ndarray, np.generic)):
        return x.dtype.kind in "fc"
    return isinstance(x, (float, complex))


def leaves(x: Any) -> Iterator[Any]:
    """The float and complex numbers and arrays in a structure, from first to last.

    >>> list(leaves({"a": 1.0, "b": (2.0, 3, "text")}))
    [1.0, 2.0]
    """
    if is_leaf(x):
        yield x
    for part in parts_in(x):
        yield from leaves(part)


def are_same(one: Any, other: Any) -> bool:
    """Whether two structures have the same numbers; NaN is the same as NaN.

    >>> are_same([1.0, (2.0, "a")], [1.0, (2.0, "b")])
    True
    """
    pairs = itertools.zip_longest(leaves(one), leaves(other))
    return all(np.array_equal(a, b, equal_nan=True) for a, b in pairs)


def map_leaves(change: Callable[..., Any], x: Any, *others: Any) -> Any:
    """The structure `x` with each leaf replaced by `change(leaf, *leaves of others)`.

    The other structures must have the form of `x`. What is no leaf is kept.

    >>> map_leaves(lambda a, b: a * b, (2.0, [3.0, "text"]), (10.0, [20.0, None]))
    (20.0, [60.0, 'text'])
    """
    if is_leaf(x):
        return change(x, *others)
    if isinstance(x, tuple):
        return as_tuple(x, [map_leaves(change, *items) for items in zip(x, *others)])
    if isinstance(x, list):
        return [map_leaves(change, *items) for items in zip(x, *others)]
    if isinstance(x, dict):
        return {key: map_leaves(change, x[key], *(o[key] for o in others)) for key in x}
    if is_record(x):
        result = blank(type(x))
        for name, value in fields(x).items():
            parts = (getattr(other, name) for other in others)
            object.__setattr__(result, name, map_leaves(change, value, *parts))
        return result
    return x


def pieces(x: Any, whole: tuple[type, ...] = (), path: str = "") -> Iterator[tuple[str, Any]]:
    """What a structure holds that is no container, from first to last, and where: as Python says
    it. Objects of the classes `whole` are not looked into.

    >>> list(pieces({"a": 1.0, "b": (2.0, "text")}))
    [("['a']", 1.0), ("['b'][0]", 2.0), ("['b'][1]", 'text')]
    """
    if isinstance(x, whole):
        yield path, x
    elif isinstance(x, (tuple, list)):
        for k, item in enumerate(x):
            yield from pieces(item, whole, f"{path}[{k}]")
    elif isinstance(x, dict):
        for key, item in x.items():
            yield from pieces(item, whole, f"{path}[{key!r}]")
    elif is_record(x):
        for name, item in fields(x).items():
            yield from pieces(item, whole, f"{path}.{name}")
    else:
        yield path, x


def refilled(x: Any, items: Iterator[Any], whole: tuple[type, ...] = ()) -> Any:
    """The structure with other pieces, in the order of `pieces`.

    >>> refilled({"a": 1.0, "b": (2.0, "text")}, iter("xyz"))
    {'a': 'x', 'b': ('y', 'z')}
    """
    if isinstance(x, (tuple, list, dict)) or is_record(x) and not isinstance(x, whole):
        return in_form(x, {}, lambda part: refilled(part, items, whole))
    return next(items)
