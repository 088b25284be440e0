"""Tangents inside `try`: what they raise besides the primal must not be caught."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import gast
import numpy as np

from autodiff.analysis.halfway import changed_by, halfway
from autodiff.analysis.kind import UNKNOWN, Array, Scalar
from autodiff.errors import UnsupportedSyntaxError
from autodiff.normalize.build import assign
from autodiff.normalize.structure.jumps import falls_through
from autodiff.reverse.attempt import check_assigned
from autodiff.syntax.names import name, reads, rename, writes
from autodiff.syntax.origin import origin_of
from autodiff.syntax.walk import nodes, of_class, statements

if TYPE_CHECKING:
    from autodiff.forward.forward import Forward

_COMPOUND = (gast.If, gast.For, gast.While, gast.With, gast.Try)
_JUMPS = (gast.Return, gast.Break, gast.Continue)


def guarded(
    forward: Forward, body: list[gast.stmt], attempt: gast.Try
) -> tuple[list[gast.stmt], list[gast.stmt]]:
    """The body of a `try` with its tangents, and what of these comes first in its `else`.

        try:                                   try:
            y = x**a                               y = x**a
        except OverflowError:                  except OverflowError:
            y = 0.0                                y_dot = 0.0
                                                   y = 0.0
                                               else:
                                                   y_dot = x_dot * (a * x ** (a - 1))

    An error of the tangents alone would be caught, and the result would be another one.
    """
    if not attempt.handlers and not attempt.finalbody:
        return body, []
    dots = set(forward.dots.values()) | forward.bars.made
    tangents = [statement for statement in body if writes(statement) & dots]
    risky = [
        statement
        for statement in statements(tangents)
        if writes(statement) & dots
        and not isinstance(statement, _COMPOUND)
        and any(_may_raise(forward, node) for node in nodes(statement))
    ]
    if not risky:
        return body, []
    falling = [handler for handler in attempt.handlers if falls_through(handler.body)]
    left = halfway(attempt.body, forward.kinds)
    if any(map(changed_by, left)) or any(writes(statement) - dots for statement in risky):
        raise _refused(risky[0])  # a recursive function gives value and tangent at once
    check_assigned(forward, attempt, falling, left)  # type: ignore[arg-type]
    return _deferred(forward, body, tangents, risky[0])


def _deferred(
    forward: Forward, body: list[gast.stmt], tangents: list[gast.stmt], risky: gast.stmt
) -> tuple[list[gast.stmt], list[gast.stmt]]:
    """The primal's statements, and the tangents to run after them.

    What a tangent reads and a later statement assigns anew gets its new value after the tangents.
    Refused where that is not enough, or something might keep the tangents from being run.
    """
    if any(isinstance(statement, _COMPOUND) for statement in tangents) or of_class(body, *_JUMPS):
        raise _refused(risky)
    assigned = Counter(n for s in body if s not in tangents for n in writes(s))
    later: set[str] = set()
    overwritten: set[str] = set()
    changes = False
    for statement in reversed(body):
        if statement in tangents:
            overwritten |= reads(statement) & later
            if changes or any(assigned[n] > 1 for n in overwritten):
                raise _refused(risky)
        else:
            later |= writes(statement)
            plain = isinstance(statement, gast.Assign) and not changed_by(statement)
            changes = changes or not (plain or isinstance(statement, gast.Pass))
    primal: list[gast.stmt] = []
    late: list[gast.stmt] = []
    new: dict[str, str] = {}
    for statement in body:
        node = rename(statement, new)
        if statement in tangents:
            late.append(node)
            continue
        for n in sorted(writes(statement) & overwritten):
            new[n] = forward.names.fresh(f"{n}_new")
            forward.kinds.names[new[n]] = forward.kinds.names.get(n, UNKNOWN)
            forward.kinds.local |= {new[n]}
            node.targets = [rename(target, new) for target in statement.targets]
        primal.append(node)
    origin = origin_of(risky)
    return primal, [*late, *(assign(n, name(own), origin) for n, own in new.items())]


def _refused(risky: gast.stmt) -> UnsupportedSyntaxError:
    return UnsupportedSyntaxError(
        "a tangent inside `try` may raise an error that the function itself does not",
        origin_of(risky),
        why="the handler would catch it, and the result would be another one",
        cure="move the statement out of the `try`, or use reverse mode",
    )


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
