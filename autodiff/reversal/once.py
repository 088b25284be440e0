"""Branches that run once still hold their variables; a `try` that raises leaves no pushes."""

from __future__ import annotations

from autodiff.core.function import Function
from autodiff.core.notyet import NotYet
from autodiff.core.operation import Block, If, Operation
from autodiff.core.statements import Push, Try
from autodiff.core.value import Value, nothing
from autodiff.emit.names import hint


def outlives(function: Function, value: Value) -> bool:
    """Whether a variable of a branch still holds its value when the reverse sweep takes the same
    branch: no loop and no `try` is around it. What a pullback is given may not hold nothing.
    """
    block = value.block
    while block is not None and block is not function.body:
        if type(block.parent) is not If:
            return False
        block = block.parent.block
    return value.memory is None or function.seeds is None


def joined(body: Block, value: Value) -> Value:
    """A value of a branch, in the body: nothing where the other branch ran.

    before: `if x > 0: half = f(x)`, `tape.push(half)`
    after: `if x > 0: half = f(x)`
    """
    block = value.block
    assert block is not None
    while block is not body:
        branch = block.parent
        assert isinstance(branch, If)
        assert branch.block is not None
        if value in block.results:
            result = branch.results[block.results.index(value)]
        else:
            result = Value(hint(value), value.kind, value.memory, named=True)
            result.partial = True
            none = nothing(hint(value))
            ends = (value, none) if block is branch.blocks[0] else (none, value)
            branch.merge(*ends, result)
        value, block = result, branch.block
    return value


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
