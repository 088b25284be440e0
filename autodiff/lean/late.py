"""Shadows that the forward sweep only makes or swaps are made where the reverse sweep asks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeGuard

import numpy as np

from autodiff.core import (
    Apply,
    Block,
    For,
    Function,
    If,
    Load,
    Loop,
    Operation,
    References,
    User,
    Value,
    users,
    within,
)
from autodiff.kinds.kind import Array


def make_late(function: Function, references: References) -> None:
    """Moves adjoint memory that starts as zeros to where the reverse sweep uses it first.

    before: forward `u_bar = np.zeros_like(u)`, `u, w, u_bar, w_bar = w, u, w_bar, u_bar`
    after: forward `u, w = w, u`, reverse `u_bar = np.zeros_like(u)`
    """
    body = function.body
    assert function.boundary is not None
    for op in body.operations[: function.boundary]:
        if isinstance(op, For):
            exchanged(function, references, op)
    used = users(function)
    for op in body.operations[: function.boundary]:
        if is_zeros(op):
            move(function, op, used.get(op.result, ()))


def is_zeros(op: Operation | None) -> TypeGuard[Apply]:
    """Whether an operation makes zeros in the form of an array."""
    return isinstance(op, Apply) and op.primitive.function is np.zeros_like


def first_use(function: Function, found: Iterable[object]) -> int:
    """The place in the body of the first of some users, also deep inside."""
    body = function.body
    used = (user.parent if isinstance(user, Block) else user for user in found)
    tops = {within(op, body) for op in used if isinstance(op, Operation)}
    return next((k for k, op in enumerate(body.operations) if op in tops), len(body.operations))


def exchanged(function: Function, references: References, loop: For) -> None:
    """Buffers that a loop only swaps are distinct after it: their shadows can be made there."""
    found = [j for j, init in enumerate(loop.inits) if is_zeros(init.op) and init.op.shadow]
    used = users(function) if found else {}
    found = [j for j in found if used[loop.inits[j]] == [loop]]
    while True:
        inside = {loop.carried[j] for j in found}
        kept = [j for j in found if loop.body.results[j] in inside]
        if len(kept) == len(found):
            break
        found = kept
    boundary = function.boundary
    assert boundary is not None
    kinds = {loop.carried[j].kind for j in found}
    if not found or len({loop.inits[j] for j in found}) != len(found) or len(kinds) > 1:
        return
    if len({loop.body.results[j] for j in found}) != len(found):
        return
    if any(used[loop.carried[j]] != [loop.body] for j in found):
        return
    if any(first_use(function, used.get(loop.results[j], ())) < boundary for j in found):
        return
    [kind] = kinds
    if not isinstance(kind, Array) or None in kind.shape:
        return
    for j in reversed(found):
        init, result = loop.inits[j], loop.results[j]
        assert isinstance(init.op, Apply)
        made = Apply(
            init.op.primitive,
            init.op.application,
            init.op.form,
            [prototype(init.op.operands[0]), *init.op.operands[1:]],
            [result],
        )
        made.block, made.shadow = function.body, True
        function.body.operations.insert(function.boundary or 0, made)
        function.boundary = (function.boundary or 0) + 1
        loop.drop(j)
        function.body.operations.remove(init.op)
        function.boundary -= 1


def prototype(value: Value) -> Value:
    """What an array without order of axes is a copy of, which may be needed for longer anyway."""
    op = value.op
    if isinstance(op, Load) and op.window is None:
        return prototype(op.base)
    if isinstance(op, Apply) and op.primitive.function in (np.copy, np.zeros_like, np.empty_like):
        [whole, *_] = op.operands
        if (
            whole.kind == value.kind
            and isinstance(value.kind, Array)
            and len(value.kind.shape) == 1
        ):
            return prototype(whole)
    return value


def move(function: Function, made: Operation, used: Iterable[User]) -> None:
    """Zeros to just before the operation of the reverse sweep that uses them first."""
    body = function.body
    assert function.boundary is not None
    at = first_use(function, used)
    if not function.boundary <= at <= len(body.operations):
        return
    body.operations.insert(at, made)
    body.operations.remove(made)
    function.boundary -= 1
    first = body.operations[at] if at < len(body.operations) else None
    made.reverse = True
    made.origin = first.origin if first is not None and not first.blocks else None
    made.source = first.source if first is not None else None


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
