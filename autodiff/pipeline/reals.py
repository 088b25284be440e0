"""Powers of Python numbers that may be complex though their operands are not.

    (x - 1.0) ** 0.5          is complex in Python where x < 1, and nan in NumPy

Kinds say what it is for positive bases, or roots would have adjoints of complex numbers
everywhere. Where such a power is differentiated, results of the derivative are looked at instead.
"""

from __future__ import annotations

import functools
import operator
import types
from typing import Any

import gast
import numpy as np

from autodiff.analysis.known import Kinds
from autodiff.errors import Place
from autodiff.primitives.raising import may_be_complex
from autodiff.runtime.reals import of_complex_power
from autodiff.runtime.structure import fields, is_record
from autodiff.syntax.origin import Origin, origin_of, place
from autodiff.syntax.walk import statements


def complex_power(tree: gast.FunctionDef, kinds: Kinds) -> Origin | None:
    """Where the first power of a function in normal form is that may be complex; None if none."""
    for node in statements(tree.body):
        operands: tuple[gast.expr, ...] = ()
        value = getattr(node, "value", None)
        if isinstance(node, gast.AugAssign):
            if isinstance(node.op, gast.Pow):
                operands = (node.target, value)
        elif isinstance(value, gast.BinOp):
            if isinstance(value.op, gast.Pow):
                operands = (value.left, value.right)
        elif isinstance(value, gast.Call):
            operation = kinds.operation(value)
            if operation is not None and operation.function in (operator.pow, pow):
                operands = operation.arguments
        if len(operands) == 2 and may_be_complex(*map(kinds.known, operands)):
            return place(value, origin_of(node))
    return None


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
