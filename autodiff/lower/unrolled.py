"""Loops of few iterations whose bodies need to know which one it is: written out.

    for z, scale in zip((u, v), (c, 2.0)):          u *= c
        z *= scale                                  v *= 2.0

A tuple, or an object by the name of an attribute, has parts of different forms: who asks for one
of them by the variable of a loop asks for another thing in each iteration.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import gast

from autodiff.core.notyet import NotYet
from autodiff.core.operation import For
from autodiff.core.value import Value, constant
from autodiff.lower.heap import restore

if TYPE_CHECKING:
    from autodiff.lower.repeated import Repeated
    from autodiff.lower.statements import Statements

_MOST = 64
"""So many iterations are written out."""


class Varying(NotYet):
    """What an expression means depends on a number that is found at run time."""

    def __init__(self, reason: str, number: Value) -> None:
        super().__init__(reason)
        self.number = number

    def varies_with(self, variable: Value) -> bool:
        """Whether the number follows from the variable of a loop."""
        seen: set[Value] = set()
        todo = [self.number]
        while todo:
            value = todo.pop()
            if value is variable:
                return True
            if value not in seen and value.op is not None and not value.op.blocks:
                seen.add(value)
                todo += value.op.operands
        return False


def unrolled(
    statements: Statements,
    work: Repeated,
    node: gast.For,
    bounds: list[Value],
    backwards: bool,
) -> bool:
    """Lowers a loop once for each value of its variable; False if they are not known, or many."""
    numbers = [bound.constant for bound in bounds]
    if not all(type(number) is int for number in numbers):
        return False
    over = range(*numbers)
    if len(over) > _MOST or not isinstance(node.target, gast.Name):
        return False
    frame = statements.frame
    restore(frame, work.before)
    frame.builder = work.outer
    *body, end = node.body
    if not isinstance(end, gast.If) or not isinstance(end.body[0], gast.Break):
        body, end = node.body, None
    for number in reversed(over) if backwards else over:
        frame.names[node.target.id] = constant(number)
        statements.block(body)
        if end is not None and is_left(statements.content(end.test)):
            break
    return True


def is_left(flag: Value) -> bool:
    """Whether a loop is left here, which has to be known."""
    if not flag.is_constant:
        raise NotYet("a loop that is written out and left on a condition")
    return bool(flag.constant)


def is_variable_of(op: For | None, found: Varying) -> bool:
    """Whether the iterations of a loop differ by what was asked for."""
    return op is not None and found.varies_with(op.variable)
