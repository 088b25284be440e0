"""Powers of Python numbers that may be complex though their operands are not.

    (x - 1.0) ** 0.5          is complex in Python where x < 1, and nan in NumPy

Kinds say what it is for positive bases, or roots would have adjoints of complex numbers
everywhere. Where such a power is differentiated, results of the derivative are looked at instead.
"""

from __future__ import annotations

import functools
import types
from typing import Any

import numpy as np

from autodiff.errors import Place
from autodiff.runtime.reals import of_complex_power
from autodiff.runtime.structure import fields, is_record


def checked_real(function: types.FunctionType, where: Place | None) -> types.FunctionType:
    """The derivative, which raises NonDifferentiableError where its result is complex."""

    @functools.wraps(function)
    def checked(*args: Any, **keywords: Any) -> Any:
        result = function(*args, **keywords)
        if result.__class__ is float:
            return result
        _check(result, where)
        if result.__class__ is tuple and len(result) == 2:
            value, pullback = result
            if pullback.__class__ is types.FunctionType:
                return value, _checked_pullback(pullback, where)
        return result

    return checked  # type: ignore[return-value]


def _checked_pullback(pullback: types.FunctionType, where: Place | None) -> Any:
    def checked(seed: Any) -> Any:
        adjoints = pullback(seed)
        _check(adjoints, where)
        return adjoints

    return checked


def _check(result: Any, where: Place | None) -> None:
    if _is_complex(result):
        raise of_complex_power(where)


def _is_complex(x: Any) -> bool:
    """Whether a structure of numbers and arrays holds a complex one."""
    if isinstance(x, (tuple, list)):
        return any(map(_is_complex, x))
    if isinstance(x, dict):
        return any(map(_is_complex, x.values()))
    if isinstance(x, (complex, np.ndarray, np.generic)):
        return np.iscomplexobj(x)
    return is_record(x) and any(map(_is_complex, fields(x).values()))
