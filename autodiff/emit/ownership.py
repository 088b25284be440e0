"""Whether `x = x + e` may print as `x += e`: whether nobody else can see the array that x is."""

from __future__ import annotations

import operator

import numpy as np

from autodiff.analysis.kind import Array
from autodiff.core.function import ends, place_of
from autodiff.core.operation import Apply, Load, Operation, Store
from autodiff.core.value import Value
from autodiff.dataflow.uses import User
from autodiff.emit.places import Places

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
        return self.is_handed(init, loop) and self.is_handed(following, loop.body)

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
