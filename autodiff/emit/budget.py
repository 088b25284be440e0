"""How wide and how deep the statements become while operations are printed inside of others."""

from __future__ import annotations

from dataclasses import dataclass

import gast

from autodiff.core.operation import Access, Apply, Block, Operation, Store
from autodiff.core.value import Value
from autodiff.dataflow.uses import User
from autodiff.optimize.measure import DEPTH, WIDTH, measure
from autodiff.primitives.builder import index_node
from autodiff.primitives.form import filled
from autodiff.syntax.names import name

_NAME = 8
"""About so long is a name whose hint is not known."""
_COMMA = 2


@dataclass(slots=True)
class Size:
    """Columns, and operators inside each other."""

    width: int
    depth: int = 0


class Budget:
    """The room that is left in each statement of the reverse sweep.

    `fits` asks whether an operation may print inside of a statement, `spend` puts it there. What the
    user wrote in one statement stands in one statement, however wide: only what the compiler made
    has a budget.
    """

    def __init__(self) -> None:
        self.spent: dict[User, Size] = {}
        self.depths: dict[Value, int] = {}

    def fits(self, value: Value, root: User, user: User) -> bool:
        """Whether the operation of a value may print in the statement of `root`, inside `user`."""
        own, used = size(value.op), self.of(root)
        depth = self.depth(user) + own.depth
        return used.width + own.width - length(value) <= WIDTH and depth <= DEPTH

    def spend(self, value: Value, root: User, user: User) -> None:
        """The operation of a value prints in the statement of `root`, inside `user`."""
        own, used = size(value.op), self.of(root)
        used.width += own.width - length(value)
        self.depths[value] = self.depth(user) + own.depth

    def of(self, root: User) -> Size:
        """What a statement takes already."""
        found = self.spent.get(root)
        if found is None:
            found = self.spent[root] = self.initial(root)
        return found

    def initial(self, root: User) -> Size:
        """What a statement takes in which nothing prints inside."""
        indent = 4 * _depth(root)
        if isinstance(root, Block):
            return Size(indent + 7)
        own = size(root)
        target = _COMMA + sum(length(value) + _COMMA for value in root.results)
        return Size(indent + target + own.width, own.depth)

    def depth(self, user: User) -> int:
        """How deep an operand of a user stands in its statement."""
        if isinstance(user, Operation) and user.results and user.results[0] in self.depths:
            return self.depths[user.results[0]]
        return size(user).depth if isinstance(user, Apply) else 0


def length(value: Value) -> int:
    """About how long a name is."""
    return len(value.hint) if value.hint else _NAME


def spelled(value: Value) -> gast.expr:
    """An operand of about the length that it will have."""
    text = repr(value.constant) if value.is_constant else "x" * length(value)
    return name(text)


def size(op: User | None) -> Size:
    """What an operation takes when its operands are names."""
    if isinstance(op, Apply):
        return Size(*measure(filled(op.form, lambda number: spelled(op.operands[number]))))
    if isinstance(op, Access):
        base = spelled(op.base)
        if op.window is not None:
            index = index_node(op.window, [spelled(value) for value in op.index])
            base = gast.Subscript(value=base, slice=index, ctx=gast.Load())
        width, depth = measure(base)
        return Size(width + (length(op.value) if isinstance(op, Store) else 0), depth)
    if isinstance(op, Operation):
        return Size(sum(length(value) + _COMMA for value in op.operands))
    return Size(0)


def _depth(user: User) -> int:
    """How far a statement is indented."""
    block = user if isinstance(user, Block) else user.block
    count = 1
    while block is not None and block.parent is not None:
        count, block = count + 1, block.parent.block
    return count
