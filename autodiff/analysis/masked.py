"""Masked arrays, which are not followed."""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.errors import UnsupportedSyntaxError
from autodiff.syntax.origin import Origin

_READING = ("getdata", "filled", "isMaskedArray")
"""What gives the array itself for an array without a mask, and what that calls."""


def check_masked(function: Any, where: Origin | None) -> None:
    """Refuse what makes masked arrays: its Python text could be inlined, to no good end."""
    if not is_of_masked(function) or function.__name__ in _READING:
        return
    raise UnsupportedSyntaxError(
        f"`np.ma.{function.__name__}` of values that carry a derivative",
        where,
        why="masked arrays are not followed",
        cure="pick the elements with a boolean index, or use np.where",
    )


def asks_for_mask(function: Any) -> bool:
    """Whether it is `np.ma.isMaskedArray`, also called `isMA` and `isarray`."""
    return is_of_masked(function) and function is np.ma.isMaskedArray


def is_of_masked(function: Any) -> bool:
    """Whether a function is one of `numpy.ma`; asking does not load that."""
    module = getattr(function, "__module__", None)
    return isinstance(module, str) and module.startswith("numpy.ma.")
