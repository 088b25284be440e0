"""Pushes in the body of a `try`: a body that raises leaves nothing on the tape."""

from __future__ import annotations

from autodiff.core.notyet import NotYet
from autodiff.core.operation import Block, Operation
from autodiff.core.statements import Push
from autodiff.core.trying import Try


def place_of_push(body: Block, last: Operation | None) -> Operation | None:
    """The operation behind which the body pushes: what may raise is over."""
    return next((op for op in reversed(body.operations) if op is last or raising(op)), None)


def check(body: Block) -> None:
    """Whoever leaves the body of a `try` half-way has pushed nothing."""
    for op in body.walk():
        pushed = False
        for top in op.body.operations if isinstance(op, Try) else ():
            pushed = pushed or any(isinstance(each, Push) for each in top.nested())
            if pushed and raising(top):
                raise NotYet("a push in front of what may raise")


def raising(op: Operation) -> bool:
    """Whether an operation, or one in it, raises what is caught."""
    return any(inner.caught for inner in op.nested())
