"""`try`: a branch that is decided by what its body raises."""

from __future__ import annotations

from typing import Any, NamedTuple

from autodiff.analysis.kind import UNKNOWN, number
from autodiff.core.operation import Block, If, Operation
from autodiff.core.value import Value, constant


class Clause(NamedTuple):
    """`except`: the classes that it takes, and as they print (None: as `except:`)."""

    classes: tuple[type[BaseException], ...]
    form: Any


class Try(If):
    """A body, and what runs instead of the rest of it if it raises an error that is caught.

    Nothing that the body does before it may raise is seen by others, so a body that was left counts
    as one that did not run, and the reverse sweep is a branch on `raised`: 0 if nothing was caught,
    else the number of the clause, which is the parameter of the second block.
    """

    def __init__(self, clauses: list[Clause], origin: Any) -> None:
        Operation.__init__(self, [], [], origin)
        self.blocks = [Block(self), Block(self)]
        self.mirror = None
        self.clauses = clauses
        self.raised = Value("raised", number("int"))
        self.which = self.handler.parameter(Value("raised", number("int")))
        self.merge(constant(0), self.which, self.raised)
        self.error: Value | None = None

    def named(self, hint: str) -> Value:
        """The error that was caught, as a value of the handler."""
        self.error = self.handler.parameter(Value(hint, UNKNOWN, named=True))
        return self.error

    @property
    def body(self) -> Block:
        """What may raise."""
        return self.blocks[0]

    @property
    def handler(self) -> Block:
        """What runs if it does."""
        return self.blocks[1]

    @property
    def classes(self) -> tuple[type[BaseException], ...]:
        """The errors that are caught."""
        return tuple(own for clause in self.clauses for own in clause.classes)


def told(op: If, side: int) -> tuple[Value, bool]:
    """The value that tells behind a branch which block ran, and its truth where that one did."""
    return (op.raised, side == 1) if isinstance(op, Try) else (op.test, side == 0)
