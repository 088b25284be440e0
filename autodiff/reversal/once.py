"""Variables of a branch that runs once still hold their values in the reverse sweep."""

from __future__ import annotations

from autodiff.core.function import Function
from autodiff.core.operation import Block, If
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
