"""What an expression reads, binds and does."""

from __future__ import annotations

from collections.abc import Set
from typing import TYPE_CHECKING

import gast

from autodiff.syntax import names
from autodiff.syntax.walk import children, walk

if TYPE_CHECKING:
    from autodiff.optimize.facts import Facts

_INNER = (gast.Lambda, gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)
_PLAIN = (gast.Name, gast.Constant, gast.Load, gast.Store)
_LATE = (gast.Lambda, gast.GeneratorExp)
_NUMBERS = frozenset((int, float, complex, bool))


def of_numbers(node: gast.BinOp, numbers: Set[str], loads: dict[str, int]) -> bool:
    """Whether an expression is arithmetic on numbers alone, which does nothing but read them.

    How often each name is read is added to `loads`.
    """
    for side in (node.left, node.right):
        cls = side.__class__
        if cls is gast.Name:
            if side.id not in numbers:
                return False
            loads[side.id] = loads.get(side.id, 0) + 1
        elif cls is gast.BinOp:
            if not of_numbers(side, numbers, loads):
                return False
        elif cls is not gast.Constant or side.value.__class__ not in _NUMBERS:
            return False
    return True


class Scan:
    """Walks one expression (or the expressions of one statement) and adds up its effects."""

    __slots__ = (
        *("facts", "loads", "writes", "held", "callees"),
        *("looks", "stores", "calls"),
    )

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.loads: dict[str, int] = {}
        self.writes: set[str] = set()
        self.held: set[str] = set()
        self.callees: set[str] = set()
        self.looks = self.stores = self.calls = False

    def load(self, name: str, times: int = 1) -> None:
        self.loads[name] = self.loads.get(name, 0) + times

    def rebind(self, target: gast.Name) -> None:
        """`x += ...`: a new number, or memory changed in place."""
        self.load(target.id)
        self.writes.add(target.id)
        if not self.facts.scalar(target):
            self.looks = self.stores = True

    def top(self, node: gast.AST) -> None:
        """A whole value: a bare name passes on a reference and does not look at the memory.

        Neither does a part of a dict that nobody changes; an operator on it looks at the array.
        """
        cls = node.__class__
        if cls is gast.Name:
            if node.ctx.__class__ is gast.Load:
                self.loads[node.id] = self.loads.get(node.id, 0) + 1
            else:
                self.writes.add(node.id)
        elif cls is gast.Tuple or cls is gast.List:
            for item in node.elts:
                self.top(item)
        elif cls is gast.Subscript and self.facts.fixed(node):
            self.load(node.value.id)
        else:
            self.visit(node)

    def test(self, node: gast.expr) -> None:
        """A value that is asked whether it is true."""
        self.visit(node)
        if self.facts.decides(node):
            self.runs()

    def runs(self) -> None:
        """Code that may do anything."""
        self.looks = self.stores = self.calls = True

    def visit(self, node: gast.AST) -> bool:
        """Add what an expression does; whether it is a number, so that operators run nothing."""
        cls = node.__class__
        if cls is gast.Name:
            identifier = node.id
            if node.ctx.__class__ is not gast.Load:
                self.writes.add(identifier)
                return False
            loads = self.loads
            loads[identifier] = loads.get(identifier, 0) + 1
            if identifier in self.facts.numbers:
                return True
            if not self.looks and not self.facts.scalar(node):
                self.looks = True
            return False
        if cls is gast.Constant:
            return node.value.__class__ in _NUMBERS
        if cls is gast.BinOp:
            numbers, loads = self.facts.numbers, self.loads
            of_numbers = True
            for side in (node.left, node.right):
                if side.__class__ is gast.Name and side.id in numbers:  # most of all
                    loads[side.id] = loads.get(side.id, 0) + 1
                elif not self.visit(side):
                    of_numbers = False
            if of_numbers:
                return True
        elif cls is gast.UnaryOp and self.visit(node.operand):
            return True
        if self.facts.runs(node):
            self.runs()
        if cls is gast.Call:
            self.call(node)
        elif cls is gast.Attribute or cls is gast.Subscript:
            self.access(node)
        elif cls in _INNER:
            self.inner(node)
        elif cls is gast.NamedExpr:
            self.visit(node.value)
            self.writes.add(node.target.id)
        elif cls is not gast.BinOp and cls is not gast.UnaryOp:
            if isinstance(node, (gast.Yield, gast.YieldFrom, gast.Await)):
                self.calls = True
            for child in children(node):
                self.visit(child)
        return False

    def call(self, node: gast.Call) -> None:
        root = node.func
        while isinstance(root, gast.Attribute):
            root = root.value
        if not isinstance(root, gast.Name):
            self.visit(node.func)
        else:
            self.load(root.id)
            if root is not node.func:
                self.callees.add(root.id)
                if self.facts.shape(node.func.value) is not None:  # a method of an array
                    self.looks = True
        if not self.facts.pure(node):
            self.runs()
        for argument in node.args:
            self.visit(argument)
        for keyword in node.keywords:
            self.visit(keyword.value)

    def access(self, node: gast.Attribute | gast.Subscript) -> None:
        if not isinstance(node.ctx, gast.Load):
            self.stores = True
        elif isinstance(node, gast.Attribute) and isinstance(node.value, gast.Name):
            # a number in a module (`np.pi`) stays; one in a local object may be assigned
            self.load(node.value.id)
            self.callees.add(node.value.id)
            if not self.facts.scalar(node):
                self.looks = True
            return
        else:
            self.looks = True
        self.visit(node.value)
        if isinstance(node, gast.Subscript):
            self.visit(node.slice)

    def inner(self, node: gast.AST) -> None:
        """A comprehension or lambda; what it reads is counted twice, so that nothing moves in."""
        free = names.reads(node) | names.captured(node)
        for name in free:
            self.load(name, 2)
        self.writes |= names.writes(node)
        self.looks = True
        if isinstance(node, _LATE):
            self.held |= free
        for child in walk(node):
            if child.__class__ not in _PLAIN and self.facts.runs(child):
                self.calls = self.stores = True
            if isinstance(child, _LATE):
                self.held |= names.reads(child)
            if isinstance(child, gast.Call) and not self.facts.pure(child):
                self.calls = self.stores = True
