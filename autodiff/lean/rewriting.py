"""What the passes of this room share: who uses a value, and an operation that becomes another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeGuard

import gast

from autodiff.core import (
    Apply,
    Block,
    Function,
    Operation,
    References,
    User,
    Value,
    View,
    unite,
    users,
)
from autodiff.dataflow.settle import rename
from autodiff.primitives import Builder, sharing


class Rewriting:
    """One pass over the reverse sweep of a function."""

    def __init__(self, function: Function, references: References) -> None:
        self.function, self.references = function, references
        self.users = users(function)

    def rename(self, swapped: dict[Value, Value]) -> None:
        """Values are others from now on."""
        if swapped:
            rename(self.function, swapped)
            self.users = users(self.function)

    def operations(self) -> Iterator[Operation]:
        """The operations of the reverse sweep, in order."""
        for op in list(self.function.body.walk()):
            if op.reverse:
                yield op

    def used_by(self, value: Value) -> list[User]:
        """Who uses a value."""
        return self.users.get(value, [])

    def is_single(self, value: Value) -> bool:
        """Whether a value of the reverse sweep is used once, in the block that defines it."""
        used = self.used_by(value)
        op = value.op
        if op is None or not op.reverse or len(used) != 1:
            return False
        [user] = used
        return isinstance(user, Operation) and user.block is op.block

    def become(self, op: Apply, make: Callable[[Builder], Value]) -> None:
        """An operation computes something else from now on, under the same value."""
        made = make(Builder(Block(), self.references, op.origin, reverse=True)).op
        assert isinstance(made, Apply)
        for value in op.operands:
            self.users[value].remove(op)
        op.primitive, op.application, op.form = made.primitive, made.application, made.form
        op.operands = made.operands
        op.raises = made.raises
        for value in op.operands:
            self.users.setdefault(value, []).append(op)
        unite(op.result, *sharing(op.primitive, op.application, op.operands))

    def binary(self, op: Apply, operator: gast.operator, left: Value, right: Value) -> None:
        """An operation is an operator between two values from now on."""
        self.become(op, lambda builder: builder.binary(operator, left, right))

    def give(self, op: Operation, number: int, value: Value) -> None:
        """An operation has another operand from now on."""
        self.users[op.operands[number]].remove(op)
        op.operands[number] = value
        self.users.setdefault(value, []).append(op)
        if isinstance(op, View):
            unite(op.result, op.base)
        elif isinstance(op, Apply) and op.result.memory is not None:  # it may hold that
            given = sharing(op.primitive, op.application, op.operands)
            builder = Builder(Block(), self.references, reverse=True)
            builder.share(op.result, [each for each in given if each is value])

    def replace(self, op: Operation, old: Value, new: Value) -> None:
        """An operation uses another value from now on."""
        for number, value in enumerate(op.operands):
            if value is old:
                self.give(op, number, new)


def is_call(op: Any, *functions: Any) -> TypeGuard[Apply]:
    """Whether an operation applies one of some functions to operands by position."""
    if isinstance(op, Apply):
        own = op.primitive.function
        for function in functions:
            if own is function:
                return True
    return False
