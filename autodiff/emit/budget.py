"""How wide and how deep the statements become while operations are printed inside of others."""

from __future__ import annotations

from dataclasses import dataclass

import gast

from autodiff.core import Access, Apply, Block, Load, Operation, Store, User, Users, Value, View
from autodiff.primitives import index_node, names_in
from autodiff.syntax.memo import Memo
from autodiff.syntax.names import name
from autodiff.syntax.walk import children

WIDTH = 90
DEPTH = 6
"""Inlining and renaming make a statement of the user's somewhat longer than it was."""
_NAME = 8
"""About so long is a name whose hint is not known."""
_COMMA = 2
_WIDEST = 4 * WIDTH
"""Of what is wider it does not matter what it consists of."""


@dataclass(slots=True)
class Size:
    """Columns, and operators inside each other."""

    width: int
    depth: int = 0


class Budget:
    """The room that is left in each statement of the reverse sweep. crosses: operations of the
    forward sweep may print there.

    `fits` asks whether an operation may print inside of a statement, `spend` puts it there. What
    the user wrote in one statement stands in one statement, however wide: only what the compiler
    made has a budget. room: how many lines it has.
    """

    def __init__(self, users: Users, crosses: bool, room: int = 1) -> None:
        self.users, self.crosses, self.room = users, crosses, room
        self.spent: dict[User, Size] = {}
        self.given: dict[Block, list[Value]] = {}
        for value, used in users.items():
            for user in dict.fromkeys(used):
                if isinstance(user, Block):
                    self.given.setdefault(user, []).append(value)
        self.depths: dict[Value, int] = {}
        self.reserved: set[Value] = set()
        self.trees: dict[tuple[Value, bool], tuple[Size, list[Value]]] = {}

    def fits(self, value: Value, root: User, user: User) -> bool:
        """Whether the operation of a value may print in the statement of `root`, inside `user`,
        with all that will print inside of it: if there is no room for that, the value gets a name,
        and its parts print in the statement that gives it. What has no good name of its own prints
        inside if there is room when its parts that have one get it; so does what is returned.
        """
        if value in self.reserved:
            return True
        return self.chosen(value, root, user) is not None

    def chosen(self, value: Value, root: User, user: User) -> tuple[Size, list[Value]] | None:
        """What of the tree of a value fits: all of it, or what stands above names; or None."""
        returned = isinstance(root, Block) and root.parent is None
        for whole in (True,) if value.hint and not returned else (True, False):
            found = self.tree(value, whole)
            width = self.of(root).width + found[0].width - length(value)
            deep = self.depth(user) + found[0].depth
            if width <= self.room * WIDTH and deep <= self.room * DEPTH:
                return found
        return None

    def spend(self, value: Value, root: User, user: User) -> None:
        """The operation of a value prints in the statement of `root`, inside `user`."""
        if value not in self.reserved:
            whole, parts = self.chosen(value, root, user) or self.tree(value, True)
            self.of(root).width += whole.width - length(value)
            self.reserved.update(parts)
        self.depths[value] = self.depth(user) + size(value.op).depth

    def tree(self, value: Value, whole: bool) -> tuple[Size, list[Value]]:
        """What the operation of a value takes with its operands inside, as far as these are used
        once; and these. Not `whole`: what has a good name is a name.
        """
        pending = [value]
        while pending:
            top = pending[-1]
            inner = self.inner(top, whole)
            missing = [part for part in inner if (part, whole) not in self.trees]
            if not missing or (top, whole) in self.trees:
                self.trees[top, whole] = self.trees.get((top, whole)) or self.grown(top, whole)
                pending.pop()
            pending += missing
        return self.trees[value, whole]

    def inner(self, value: Value, whole: bool) -> list[Value]:
        """The operands that print inside of the operation of a value."""
        op = value.op
        found = op.operands if op is not None else ()
        return [v for v in found if self.is_part(v, op) and (whole or not v.hint)]

    def grown(self, value: Value, whole: bool) -> tuple[Size, list[Value]]:
        """What an operation takes, where it is known what its parts take."""
        own = size(value.op)
        width, deepest = own.width, 0
        parts: list[Value] = []
        for part in self.inner(value, whole):
            inside, further = self.trees[part, whole]
            width += inside.width - length(part)
            deepest = max(deepest, inside.depth)
            parts += [part, *further]
        return Size(width, own.depth + deepest), parts if width < _WIDEST else []

    def is_part(self, operand: Value, user: Operation | None) -> bool:
        """Whether an operand probably prints inside of its user."""
        op = operand.op
        if not isinstance(op, (Apply, Load, View)) or user is None or op.block is not user.block:
            return False
        if operand.named and not op.reverse or len(self.users.get(operand, ())) != 1:
            return False
        return op.reverse == user.reverse or user.reverse and self.crosses

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
            return Size(indent + 7 + sum(length(v) + _COMMA for v in self.given.get(root, ())))
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


def spelled(value: Value) -> int:
    """About how long an operand will be."""
    return len(repr(value.constant)) if value.is_constant else length(value)


def _measured(form: gast.AST) -> tuple[int, int, list[int]]:
    """The width of a form without its operands, its depth, and the operands in it."""
    width, depth = measure(form)
    holes = [word for word in names_in(form) if word[0].isdigit()]
    return width - sum(map(len, holes)), depth, [int(word) for word in holes]


_FORMS = Memo(_measured)


def size(op: User | None) -> Size:
    """What an operation takes when its operands are names."""
    if isinstance(op, Apply):
        width, depth, holes = _FORMS[op.form]
        return Size(width + sum(spelled(op.operands[number]) for number in holes), depth)
    if isinstance(op, Access):
        base: gast.expr = name("x" * spelled(op.base))
        if op.window is not None:
            index = index_node(op.window, [name("x" * spelled(value)) for value in op.index])
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
    while block.parent is not None:
        count, block = count + 1, block.parent.block
    return count


_DEEPER = frozenset((gast.BinOp, gast.UnaryOp, gast.BoolOp, gast.Compare, gast.IfExp, gast.Call))


def measure(node: gast.AST) -> tuple[int, int]:
    """The width in columns and the number of operators and calls inside each other."""
    cls = node.__class__
    if cls is gast.Name:
        return len(node.id), 0
    if cls is gast.Constant:
        return len(repr(node.value)), 0
    found: tuple[int, int] = _MEASURES[node]
    return found


def _measure(node: gast.AST) -> tuple[int, int]:
    cls = node.__class__
    if cls is gast.BinOp:  # most of them
        left, right = node.left, node.right
        wide, deep = measure(left)
        width, depth = measure(right)
        nested = (left.__class__ is gast.BinOp) + (right.__class__ is gast.BinOp)
        return wide + width + 2 * _COMMA + nested, max(deep, depth) + 1
    width = depth = 0
    for part in children(node):
        wide, deep = measure(part)
        width += wide + _COMMA
        if deep > depth:
            depth = deep
    if cls is gast.Attribute:
        width += len(node.attr) - 1
    elif cls is gast.keyword:
        width += len(node.arg or "") - 1
    elif cls is gast.Slice:
        bounds = sum(part is not None for part in (node.lower, node.upper, node.step))
        width += 1 - _COMMA * bounds + (node.step is not None)
    elif cls is gast.Subscript:
        width -= _COMMA
    elif cls is gast.UnaryOp:
        width += _COMMA if node.op.__class__ is gast.Not else -1
    return width, depth + (cls in _DEEPER)


_MEASURES = Memo(_measure)
