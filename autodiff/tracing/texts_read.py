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
"""So many digits of a number are one that was cut off: piecewise constant, as `round(x, 3)`."""


def says_number(x: Any) -> bool:
    """Whether a text may hold all of a number."""
    if isinstance(x, (str, bytes, bytearray)):
        text = x if isinstance(x, str) else x.decode("latin-1")
        return sum(map(str.isdigit, text)) > _SHORT
    return True


def _is_text(x: Any) -> bool:
    if isinstance(x, (np.ndarray, np.generic)) and not isinstance(x, (str, bytes)):
        return x.dtype.kind in "USOT"
    return isinstance(x, (str, bytes, bytearray, io.IOBase)) and says_number(x)


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
