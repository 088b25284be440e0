"""Statements that stand for several operations, and other ways of saying a thing: `x += e`."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import Any

import gast
import numpy as np

from autodiff.core import Apply, Load, Operation, Store, User, Window, ends, place_of
from autodiff.core.value import Value, constant
from autodiff.emit.placement import Places
from autodiff.kinds.kind import Array, Kind, Record
from autodiff.primitives import ITEM, Application, Builder, hole


def unpacking(operations: list[Operation], at: int) -> list[Apply] | list[Load]:
    """The operations from a place on that take all parts of a container, in their order."""
    first = operations[at] if at < len(operations) else None
    if isinstance(first, Load) and first.window == Window((0,)):
        return elements(first, operations[at:])
    if not isinstance(first, Apply) or first.primitive is not ITEM:
        return []
    kind = first.operands[0].kind
    if not isinstance(kind, Record) or len(kind.keys) < 2 or not kind.indexed or kind.cls is dict:
        return []
    parts = [op for op in operations[at : at + len(kind.keys)] if isinstance(op, Apply)]
    if len(parts) < len(kind.keys):
        return []
    for key, op in zip(kind.keys, parts):
        if op.primitive is not ITEM or op.operands[0] is not first.operands[0]:
            return []
        part = op.application.arguments[1] if len(op.application.arguments) == 2 else None
        if getattr(part, "value", None) != key or op.origin != first.origin:
            return []
    return parts


def elements(first: Load, operations: list[Operation]) -> list[Load]:
    """The loads of one statement that give names to all elements of a vector, in their order."""
    kind = first.base.kind
    count = kind.shape[0] if isinstance(kind, Array) and len(kind.shape) == 1 else None
    found = operations[: count if isinstance(count, int) else 0]
    given = [op for op in found if isinstance(op, Load) and op.base is first.base]
    named = [op.window for op in given if op.origin == first.origin and op.result.named]
    known = named == [Window((k,)) for k in range(len(found))] and not first.reverse
    return given if known and len(found) == count and len(found) > 1 else []


def is_taken_apart(operations: list[Operation], at: int, users: dict[Value, list[Any]]) -> bool:
    """Whether all that is done with what an operation gives is to take it apart, next."""
    op = operations[at]
    parts = unpacking(operations, at + 1) if isinstance(op, Apply) and op.results else []
    whole = parts[0].operands[0] if parts else None
    return whole is not None and op.result is whole and set(users.get(whole, ())) == set(parts)


def is_of_tuple(value: Value) -> bool:
    """Whether a value is an item of a tuple: `pair[0] += g` adds, and raises an error then."""
    whole = value.op.operands[0].kind if value.op is not None and value.op.operands else None
    return issubclass(getattr(whole, "cls", object), tuple)


def is_sum(op: Apply) -> bool:
    """Whether an operation adds up what is an array for sure."""
    return op.primitive.function is np.sum and any(value.is_array for value in op.operands[:1])


def by_method(node: Any) -> Any:
    """`np.sum(x, axis=0)` as `x.sum(axis=0)`, of names: of expressions a function reads better."""
    if not isinstance(node, gast.Call) or not node.args or not isinstance(node.args[0], gast.Name):
        return node
    func = gast.Attribute(node.args[0], "sum", gast.Load())
    return gast.Call(func, node.args[1:], node.keywords)


_UPDATES = frozenset((operator.add, operator.sub, np.add, np.subtract))


class Ownership:
    """Asks for adjoints, which no code of the user's sees."""

    def __init__(self, places: Places) -> None:
        self.places = places

    def may_change(self, op: Operation) -> bool:
        """Whether the first operand of an operation may be changed to be the result."""
        if not isinstance(op, Apply) or not op.reverse or op.primitive.function not in _UPDATES:
            return False
        old, new = op.operands[0], op.result
        if not isinstance(new.kind, Array) or old.kind != new.kind or None in new.kind.shape:
            return False
        return self.is_own(old) and all(self.is_over(old, user, op) for user in self.users(old))

    def users(self, value: Value) -> list[User]:
        return self.places.users.get(value, [])

    def is_own(self, value: Value) -> bool:
        """Whether a value is memory that was made in the reverse sweep, and has no other name."""
        if isinstance(value.op, Apply):
            return value.op.reverse and value.op.primitive.memory == "new"
        found = place_of(value)
        if found is None:
            return False
        loop, (init, following) = found[0], ends(value)
        begins = self.places.reach(init) <= self.places.start[loop]  # it changes from there on
        return begins and self.is_handed(init, loop) and self.is_handed(following, loop.body)

    def is_handed(self, value: Value, user: User) -> bool:
        """Whether a value is new memory that is given to a loop, and nothing else keeps it."""
        op = value.op
        if not isinstance(op, Apply) or not op.reverse or op.primitive.memory != "new":
            return False
        users = self.users(value)
        return users.count(user) == 1 and all(
            other is user or self.is_read(value, other) for other in users
        )

    def is_read(self, value: Value, user: User) -> bool:
        """Whether a user only reads the content of a value, and keeps nothing of it."""
        if isinstance(user, Apply):
            return bool(user.primitive.memory == "new")
        return isinstance(user, Store) and user.value is value and user.base is not value

    def is_over(self, value: Value, user: User, op: Operation) -> bool:
        """Whether a use of a value is over when an operation changes it."""
        if isinstance(user, Load) and user.base is value:
            return self.places.reach(user.result) <= self.places.start[op]
        return user is op or self.is_read(value, user)


# Operations that choose between something and zero, by the form in which they print --------------


@dataclass(frozen=True, slots=True)
class Choice:
    """`np.where(test, kept, 0.0)` or `kept if test else 0.0`; or the other way round if `kept` is
    not the first. form: with a hole for `kept`, whose number is `place`.
    """

    op: Apply
    form: gast.expr
    place: int
    kept: Value
    first: bool

    @property
    def test(self) -> Value | None:
        """The test, where that is an operand."""
        node = self.form.args[0] if isinstance(self.form, gast.Call) else self.form.test
        return self.op.operands[int(node.id)] if is_hole(node) else None

    def of(self, builder: Builder, value: Value, kind: Kind | None = None) -> Value:
        """The same choice of another value."""
        operands = list(self.op.operands)
        operands[self.place : self.place + 1] = [value]
        form = self.form
        application = Application(tuple(form.args) if isinstance(form, gast.Call) else (form,))
        made = builder.apply(self.op.primitive, application, form, operands, kind)
        if isinstance(made.op, Apply):
            made.op.gates = self.op.gates
        return made


def choice_of(op: Operation | None) -> Choice | None:
    """An operation as a choice between something and zero; None for others."""
    if not isinstance(op, Apply):
        return None
    form = op.form
    if op.primitive.function is np.where and isinstance(form, gast.Call) and len(form.args) == 3:
        ends = form.args[1:]
    elif isinstance(form, gast.IfExp):
        ends = [form.body, form.orelse]
    else:
        return None
    zeros = [isinstance(end, gast.Constant) and end.value == 0 for end in ends]
    if sum(zeros) != 1:
        return None
    side = zeros.index(False)
    kept = ends[side]
    if is_hole(kept):
        uses = [node for node in gast.walk(form) if is_hole(node) and node.id == kept.id]
        number = int(kept.id)
        return Choice(op, form, number, op.operands[number], not side) if len(uses) == 1 else None
    if not isinstance(kept, gast.Constant):
        return None
    number = len(op.operands)
    ends[side] = hole(number)
    if isinstance(form, gast.Call):
        form = gast.Call(form.func, [form.args[0], *ends], form.keywords)
    else:
        form = gast.IfExp(form.test, *ends)
    return Choice(op, form, number, constant(kept.value), not side)


def is_hole(node: gast.AST) -> bool:
    """Whether a part of a form stands for an operand."""
    return isinstance(node, gast.Name) and node.id.isdigit()
