"""Shadows of what an iteration makes for itself are made in the mirrored iteration."""

from __future__ import annotations

from autodiff.analysis.kind import Array
from autodiff.core.function import Function, within
from autodiff.core.operation import Apply, Block, If, Loop, Operation
from autodiff.core.references import References
from autodiff.core.value import Value
from autodiff.dataflow.uses import User, users
from autodiff.lean.late import is_zeros


def late_inside(function: Function, references: References) -> None:
    """Moves adjoint memory that only the reverse of the same block uses, so that it is not kept.

    before: forward `z_bar = np.zeros_like(z)`, `tape.push((z, z_bar))`
    after: reverse `z_bar = np.zeros_like(x)`
    """
    mirrors: dict[Block, Block] = {}
    for op in function.body.walk():
        if isinstance(op, (Loop, If)) and op.mirror is not None:
            mirrors.update(zip(op.mirror.blocks, op.blocks))
    used = users(function)
    for block, reverse in mirrors.items():
        for op in list(block.operations):
            if is_zeros(op) and op.shadow and not op.reverse:
                assert isinstance(op, Apply)
                at = first_place(reverse, used.get(op.result, []))
                if at is not None:
                    op.operands[0] = like(function, op.operands[0])
                    block.operations.remove(op)
                    reverse.operations.insert(at, op)
                    user = reverse.operations[at + 1]
                    op.block = op.result.block = reverse
                    op.reverse, op.shadow = True, False
                    op.source, op.origin = user.source, None if user.blocks else user.origin


def first_place(block: Block, found: list[User]) -> int | None:
    """The place in a block of the first operation that uses a value; None if others use it, too."""
    places = []
    for user in found:
        if not isinstance(user, Operation) or not user.reverse:
            return None
        top = within(user, block)
        if top is None:
            return None
        places.append(block.operations.index(top))
    return min(places, default=None)


def like(function: Function, value: Value) -> Value:
    """An argument of the form of a value, which is there all the time; or the value itself."""
    kind = value.kind
    if isinstance(kind, Array) and None not in kind.shape and len(kind.shape) == 1:
        for given in function.body.parameters:
            if given.kind == kind:
                return given
    return value
