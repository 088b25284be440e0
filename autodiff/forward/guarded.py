"""Tangents inside `try`: they must not raise what the primal does not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import gast
import numpy as np

from autodiff.analysis.kind import Array, Scalar
from autodiff.errors import UnsupportedSyntaxError
from autodiff.syntax.names import writes
from autodiff.syntax.origin import origin_of
from autodiff.syntax.walk import nodes, statements

if TYPE_CHECKING:
    from autodiff.forward.forward import Forward


def guarded(
    forward: Forward, body: list[gast.stmt], attempt: gast.Try
) -> list[gast.stmt]:
    """The body of a `try` with its tangents; refused if one of them may raise by itself."""
    if not attempt.handlers and not attempt.finalbody:
        return body
    dots = set(forward.dots.values()) | forward.bars.made
    for statement in statements(body):
        if not writes(statement) & dots or isinstance(statement, (gast.If, gast.For, gast.While)):
            continue
        if any(_may_raise(forward, node) for node in nodes(statement)):
            raise UnsupportedSyntaxError(
                "a tangent inside `try` may raise an error that the function itself does not",
                origin_of(statement),
                why="the handler would catch it, and the result would be another one",
                cure="move the statement out of the `try`, or use reverse mode",
            )
    return body


def _may_raise(forward: Forward, node: gast.AST) -> bool:
    """Whether an operation on plain numbers may raise: NumPy's gives inf and nan instead."""
    if isinstance(node, gast.BinOp) and isinstance(node.op, (gast.Div, gast.Pow)):
        return not any(_is_numpy(forward, side) for side in (node.left, node.right))
    if isinstance(node, gast.Call):
        operation = forward.kinds.call_operation(node)
        function = operation.function if operation is not None else None
        return not isinstance(function, np.ufunc) and not operation_is_safe(function)
    return False


def operation_is_safe(function: object) -> bool:
    module = getattr(function, "__module__", "") or ""
    return module.startswith(("numpy", "autodiff.runtime")) and "linalg" not in module


def _is_numpy(forward: Forward, side: gast.expr) -> bool:
    kind = forward.kinds.known(side)
    return isinstance(kind, Array) or isinstance(kind, Scalar) and kind.dtype is not None
