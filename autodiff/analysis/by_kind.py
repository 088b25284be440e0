"""Which of the objects that a name was taken to be it can be, by its kind.

A function of which little is known returns what it is given, and what that holds. The kind of the
result tells these apart: `y = np.unstack(x)` is a list, so `y[0] = e` changes no array.
"""

from __future__ import annotations

import numpy as np

from autodiff.analysis.kind import (
    Array,
    Kind,
    Mapping,
    Numeric,
    Record,
    Scalar,
    Sequence,
    Span,
    Text,
    parts_of,
)
from autodiff.analysis.outer_values import CODE, Inner, Made, Method, Refs

_CONTAINERS = (list, tuple, dict)


def fitting(found: Refs, kind: Kind) -> tuple[Refs, Refs]:
    """What is of a kind; what a new container, if it is one, may hold instead."""
    if isinstance(kind, Array) and kind.dtype not in (None, "object"):
        found = {k: v for k, v in found.items() if not is_container(v)}
    if isinstance(kind, (Array, Numeric)):
        return {k: v for k, v in found.items() if not isinstance(v, (Method, Inner, *CODE))}, {}
    arrays = {k for k, v in found.items() if isinstance(v, np.ndarray)}
    if not arrays or not of_container(kind):
        return found, {}
    return {k: found[k] for k in found.keys() - arrays}, found


def is_container(value: object) -> bool:
    """Whether a value is a list, a tuple or a dict, or something new that is no array."""
    return isinstance(value, Made) and value.cls in (None, list) or type(value) in _CONTAINERS


def of_container(kind: Kind | None) -> bool:
    """Whether a value is a list, a tuple or a dict."""
    return isinstance(kind, (Record, Sequence, Mapping)) and kind.cls in _CONTAINERS


def is_plain(kind: Kind | None) -> bool:
    """Whether a value is a number or a text, or a tuple of such."""
    if isinstance(kind, (Record, Sequence)) and kind.cls is tuple:
        return all(map(is_plain, parts_of(kind)))
    return isinstance(kind, (Scalar, Span, Text))


def is_copied(kind: Kind | None) -> bool:
    """Whether a copy of a value shares nothing with it: a number, an array, a container of such."""
    if of_container(kind):
        return all(map(is_copied, parts_of(kind)))
    return isinstance(kind, Array) and kind.dtype not in (None, "object") or is_plain(kind)
