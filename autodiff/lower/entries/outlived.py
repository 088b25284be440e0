"""Kinds of values that outlive the iteration of a loop that they are made in."""

from __future__ import annotations

import re
from typing import Any

from autodiff.analysis.kind import Array, Kind, forget_values
from autodiff.analysis.size import Dim

_TOKEN = re.compile(r"v(\d+)")


def outlived(kind: Kind, start: int) -> Kind:
    """The kind of a value that outlives an iteration: sizes named after values of the iteration are
    not known.
    """

    def lasts(size: Any) -> bool:
        return not isinstance(size, Dim) or all(int(k) < start for k in _TOKEN.findall(size.name))

    if isinstance(kind, Array):
        return Array(kind.dtype, tuple(size if lasts(size) else None for size in kind.shape))
    return forget_values(kind)
