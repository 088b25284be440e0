"""Whether an adjoint that a user's function gives is linear in the seed: then its transpose is the
tangent.

A function that is differentiable, and whose gradient is constant, is linear up to a constant. What
is not differentiable (`np.sign`, a comparison) has a gradient of zero, so it must not look at what
depends on the seed.
"""

from __future__ import annotations

from autodiff.core import Apply, Ask, Break, Function, If, Operation, Value
from autodiff.dataflow.activity import Varied
from autodiff.errors import NonDifferentiableError
from autodiff.rules import registry
from autodiff.runtime import adjoint_of, fitted, tangent_of, unbroadcast

_LIKE = frozenset((adjoint_of, fitted, tangent_of, unbroadcast))
"""Helpers that take no more than its form from their second operand."""


def check_looks(function: Function, seed: Value) -> None:
    """Refuses a function that looks at its seed otherwise than by differentiable steps."""
    varied = Varied(function, [seed])
    for op in function.body.walk():
        test = op.operands[0] if isinstance(op, (If, Ask, Break)) else None
        looked = test is not None and depends(test, varied)
        if isinstance(op, Apply) and registry.is_nondifferentiable(op.primitive.function):
            looked = looked or any(value in varied for value in contents(op))
        if looked:
            raise refusal(op)


def check_constant(function: Function, seed: Value) -> None:
    """Refuses a function whose gradient depends on the seed."""
    for op in function.body.walk():
        if seed in contents(op):
            raise refusal(op)


def depends(test: Value, varied: Varied) -> bool:
    """Whether a test is computed from something that depends on the seed."""
    todo, seen = [test], set[Value]()
    while todo:
        value = todo.pop()
        if value in varied:
            return True
        if value.op is not None and value not in seen:
            seen.add(value)
            todo += contents(value.op)
    return False


def contents(op: Operation) -> list[Value]:
    """The operands of which an operation reads more than the form."""
    if not isinstance(op, Apply):
        return op.operands
    first = 1 if op.primitive.formal else 0
    last = 1 if op.primitive.function in _LIKE else None
    return op.operands[first:last]


def refusal(op: Operation) -> NonDifferentiableError:
    """The error for what is not known to be linear."""
    return NonDifferentiableError(
        "the vjp is not known to be linear in the adjoint that it is given",
        op.origin,
        why="only of a linear function is the transpose the tangent",
        cure="pass a jvp beside it",
    )
