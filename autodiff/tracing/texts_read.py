"""Numbers that are read from texts: they carry no derivative, whatever the text was made of."""

from __future__ import annotations

import io
import numbers
from typing import Any

import numpy as np

from autodiff.tracing.trace import Trace


def check_read(trace: Trace, given: Any, result: Any) -> Any:
    """What a function gives, unless it is numbers that it reads from texts of this run."""
    if trace.printed and _has(given, _is_text) and _has(result, _is_number):
        raise trace.fail("a number that is read from text")
    return result


_SHORT = 4
"""So many digits of a number, read as a whole one, are piecewise constant, as `int(x)` is."""


def says_whole(text: str) -> bool:
    """Whether a whole number that is read from a text may be all of the digits of a number."""
    return len(text) > _SHORT


def _is_text(x: Any) -> bool:
    if isinstance(x, (np.ndarray, np.generic)) and not isinstance(x, (str, bytes)):
        return x.dtype.kind in "USOT"
    if isinstance(x, str):
        return any(map(str.isdigit, x))
    return isinstance(x, (bytes, bytearray, io.IOBase))


def _is_number(x: Any) -> bool:
    if isinstance(x, (np.ndarray, np.generic)):
        return x.dtype.kind in "fcVO"
    return isinstance(x, numbers.Number) and not isinstance(x, int)


def _has(x: Any, asked: Any, depth: int = 4) -> bool:
    """Whether something in lists, tuples and dicts is what is asked for."""
    if asked(x):
        return True
    if not depth:
        return False
    if isinstance(x, dict):
        x = [*x.keys(), *x.values()]
    if isinstance(x, (list, tuple, set, frozenset)):
        return any(_has(own, asked, depth - 1) for own in x)
    return False
