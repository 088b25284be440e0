"""Slices of outside, which never change: they are their limits, as if they were written out.

INNER = slice(1, -1)
x[INNER]                  x[1:-1]
"""

from __future__ import annotations

from typing import Any

from autodiff.core import constant
from autodiff.lower.entries.entry import Pack


def limits_of(found: Any) -> Pack | None:
    """The limits of a slice of whole numbers; None for others."""
    if not isinstance(found, slice):
        return None
    limits = found.start, found.stop, found.step
    if not all(each is None or type(each) is int for each in limits):
        return None
    return Pack(tuple(map(constant, limits)), slice)
