"""The kind of what is of one of two kinds, or of as many items as values decide."""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.analysis.joins import as_sequence, join
from autodiff.analysis.kind import Array, Kind, Record, Scalar, Sequence, is_real, number
from autodiff.primitives.primitive import Application
from autodiff.runtime import direction


def either(one: Kind, other: Kind) -> Kind:
    """The kind of what is of one of two kinds. A number that may be of a narrower type, `0` or `x`,
    is of an unknown class: it decides what arrays of integers become.

    >>> either(Scalar("int"), Scalar("float"))
    Scalar(type='float', dtype='?', value=None)
    """
    kind = join(one, other)
    if isinstance(one, Scalar) and isinstance(other, Scalar) and one.type != other.type:
        assert isinstance(kind, Scalar)
        return number(kind.type, "?")
    return kind


def turning(function: Any, kinds: list[Kind]) -> Any:
    """The function that another is of such operands: `np.sign` of a complex number is a direction,
    which turns with it, since NumPy 2.
    """
    turns = function is np.sign and not all(map(is_real, kinds)) and np.sign(1j) == 1j
    return direction if turns else function


def items_alike(kind: Kind) -> Kind:
    """A list or tuple with known parts as one whose items are all of one kind."""
    if not isinstance(kind, Record) or not kind.items:
        return as_sequence(kind)
    item = kind.items[0]
    for other in kind.items[1:]:
        item = either(item, other)
    return Sequence(item, kind.cls)


_COUNTED = frozenset(
    (np.nonzero, np.flatnonzero, np.argwhere, np.trim_zeros, np.unique, np.compress, np.extract)
    + (np.intersect1d, np.setdiff1d, np.setxor1d, np.union1d)
)


def is_counted(function: Any, application: Application) -> bool:
    """Whether values decide how many items there are; `np.where(test)` is `np.nonzero`."""
    if function is np.where:
        return len(application.arguments) == 1
    return getattr(function, "__hash__", None) is not None and function in _COUNTED


def of_any_size(kind: Kind) -> Kind:
    """A kind without its sizes.

    >>> of_any_size(Array("int64", (3,)))
    Array(dtype='int64', shape=(None,))
    """
    if isinstance(kind, Record):
        return Record(kind.cls, kind.keys, tuple(map(of_any_size, kind.items)))
    return Array(kind.dtype, (None,) * len(kind.shape)) if isinstance(kind, Array) else kind
