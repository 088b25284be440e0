"""The kind of what is of one of two kinds."""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.analysis.joins import as_sequence, join
from autodiff.analysis.kind import Kind, Record, Scalar, Sequence, is_real, number
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
