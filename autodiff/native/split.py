"""Loops that add to neighbours become loops that each add to one, which LLVM vectorises."""

from __future__ import annotations

from collections import Counter
from typing import Any

import gast

from autodiff.kinds.kind import Scalar
from autodiff.native.native_kinds import NativeKinds, is_range, literal
from autodiff.syntax.change import blocks, changed
from autodiff.syntax.comment import is_comment
from autodiff.syntax.names import reads
from autodiff.syntax.sections import replace_in_reverse
from autodiff.syntax.walk import same, walk

_MOST = 4
"""So many loops, at most, instead of one: numbers are computed again in each."""
_SIGNS = (gast.Add, gast.Sub, gast.Mult)


def split(tree: gast.FunctionDef, known: NativeKinds) -> gast.FunctionDef:
    """What a loop of the reverse sweep adds to several places of one array, in loops of their own.

        for i in range(1, n):                  for i in range(1, n):
            a = c * w_bar[i]                       a = c * w_bar[i]
            u_bar[i - 1] += a                      u_bar[i - 1] += a
            u_bar[i] -= a * u[i]               for i in range(1, n):
                                                   a = c * w_bar[i]
                                                   u_bar[i] -= a * u[i]

    The next iteration of the first one waits for what this one has stored. Only where numbers are
    sums and products, which cost less than that; the order of sums differs.

    What is added to a number goes with one of them, where it needs the fewest statements: a sum
    takes its terms one by one, and the processor has time for an element meanwhile.
    """

    def code(node: gast.stmt) -> list[gast.stmt] | None:
        return _Loop(node, known).code() if is_flat(node) else None

    return replace_in_reverse(code, tree)


def is_flat(node: gast.stmt) -> bool:
    """Whether it is a loop upwards over a range, without blocks inside."""
    if not isinstance(node, gast.For) or not is_range(node.iter) or len(node.iter.args) > 2:
        return False
    return not any(blocks(inner) for inner in node.body)


class _Loop:
    def __init__(self, loop: gast.stmt, known: NativeKinds) -> None:
        self.loop = loop
        self.known = known
        self.places = known.memory
        self.counter = loop.target.id
        self.body = [node for node in loop.body if not is_comment(node)]

    def code(self) -> list[gast.stmt] | None:
        """The loops; None where one is better, or all that is certain."""
        if not self.is_plain():
            return None
        target = self.neighbours()
        if len(target) < 2 or len(target) > _MOST or not self.stores_are_own(target[0]):
            return None
        parts = [[node for node in self.body if _adds_to(node, index)] for index in target[:-1]]
        totals = [node for node in self.body if _is_total(node)]
        if totals:
            place = min(range(len(parts)), key=lambda k: len(self.before([*totals, *parts[k]])))
            parts[place] = [*totals, *parts[place]]
        taken = {id(node) for own in parts for node in own}
        rest = [node for node in self.loop.body if id(node) not in taken]
        bodies = [[*self.before(own), *own] for own in parts]
        return [changed(self.loop, body=body) for body in [*bodies, rest]]

    def is_plain(self) -> bool:
        """Whether statements set numbers once, before they are read, or add and store them."""
        bound: set[str] = set()
        every = Counter(node.targets[0].id for node in self.body if _is_number(node))
        for node in self.body:
            target = _target(node)
            if target is None or not isinstance(self.known.of(target), Scalar):
                return False
            if reads(node) & (every.keys() - bound) or not self.is_sum(node.value):
                return False
            if isinstance(node, gast.AugAssign) and isinstance(target, gast.Name):
                if every[target.id] or target.id in self.read():
                    return False
            elif isinstance(target, gast.Subscript):
                if not isinstance(target.value, gast.Name) or not self.is_index(target.slice):
                    return False
            elif every[target.id] > 1:
                return False
            else:
                bound.add(target.id)
        return not reads(self.loop.iter) & (bound | {self.counter}) and self.counter not in bound

    def read(self) -> set[str]:
        """The names in values and indices."""
        found: set[str] = set().union(*(reads(node.value) for node in self.body))
        targets = [_target(node) for node in self.body]
        return found.union(*(reads(t.slice) for t in targets if isinstance(t, gast.Subscript)))

    def is_sum(self, node: gast.AST) -> bool:
        """Whether an expression is made of sums and products of numbers and elements."""
        if isinstance(node, (gast.Name, gast.Constant)):
            return isinstance(self.known.of(node), Scalar)
        if isinstance(node, gast.Subscript):
            base = node.value
            return isinstance(base, gast.Name) and self.is_index(node.slice)
        if isinstance(node, gast.BinOp) and isinstance(node.op, gast.Pow):
            return literal(node.right, ...) == 2 and self.is_sum(node.left)
        if isinstance(node, gast.UnaryOp):
            return isinstance(node.op, gast.USub) and self.is_sum(node.operand)
        if not isinstance(node, gast.BinOp) or not isinstance(node.op, _SIGNS):
            return False
        return self.is_sum(node.left) and self.is_sum(node.right)

    def is_index(self, index: gast.expr) -> bool:
        """Whether elements of successive iterations lie side by side, or are one."""
        *outer, last = index.elts if isinstance(index, gast.Tuple) and index.elts else [index]
        plain = (gast.Name, gast.Constant, gast.BinOp, gast.operator, gast.expr_context)
        for part in walk([*outer, last]):
            if not isinstance(part, plain):
                return False
            if isinstance(part, gast.BinOp) and not isinstance(part.op, (gast.Add, gast.Sub)):
                return False
            if isinstance(part, gast.BinOp) and self.counter in reads(part.right):
                if not isinstance(part.op, gast.Add):
                    return False
        bound = {node.targets[0].id for node in self.body if _is_number(node)}
        return not any(self.counter in reads(part) for part in outer) and not reads(index) & bound

    def neighbours(self) -> list[gast.Subscript]:
        """The places of one array that are added to, where it is neither read nor set."""
        for node in self.body:
            target = _target(node)
            if not isinstance(node, gast.AugAssign) or not isinstance(target, gast.Subscript):
                continue
            group = self.places.group(target.value.id)
            added = [other for other in self.body if self.adds_to(other, group)]
            names = [part for part in self.memory_read() if self.places.group(part.id) == group]
            if len(names) != len(added):
                continue
            found: list[gast.Subscript] = []
            for other in added:
                if not any(same(other.target, one) for one in found):
                    found.append(other.target)
            if len(found) > 1 and all(self.counter in reads(one.slice) for one in found):
                return found
        return []

    def adds_to(self, node: gast.stmt, group: object) -> bool:
        if not isinstance(node, gast.AugAssign) or not isinstance(node.op, (gast.Add, gast.Sub)):
            return False
        if not isinstance(node.target, gast.Subscript):
            return False
        return bool(self.places.group(node.target.value.id) == group)

    def memory_read(self) -> list[gast.Name]:
        """The names of arrays in the body, as often as they stand there."""
        names = [part for part in walk(self.body) if isinstance(part, gast.Name)]
        return [n for n in names if not isinstance(self.known.of(n), Scalar)]

    def stores_are_own(self, added: gast.Subscript) -> bool:
        """Whether what else is stored to is one element in each iteration, and read before."""
        group = self.places.group(added.value.id)
        stored: set[Any] = set()
        for node in self.body:
            read = [n for n in walk(node.value) if isinstance(n, gast.Name)]
            if any(self.places.group(n.id) in stored for n in read if n.id not in self.numbers()):
                return False
            target = _target(node)
            if isinstance(target, gast.Subscript):
                own = self.places.group(target.value.id)
                if own != group:
                    stored.add(own)
        for own in stored:
            found = [
                part
                for part in walk(self.body)
                if isinstance(part, gast.Subscript)
                and self.places.group(part.value.id) == own  # plain: bases are names
            ]
            first = found[0]
            alike = all(same(part.slice, first.slice) for part in found)
            if not alike or len({part.value.id for part in found}) > 1:
                return False
            if not self.is_own(first.slice):
                return False
        return True

    def is_own(self, index: gast.expr) -> bool:
        """Whether each iteration has an index of its own: the counter, shifted, never negative."""
        last = index.elts[-1] if isinstance(index, gast.Tuple) else index
        arguments = self.loop.iter.args
        first = 0 if len(arguments) == 1 else literal(arguments[0], ...)
        shift, base = 0, last
        if isinstance(last, gast.BinOp):
            shift, base = literal(last.right, ...), last.left
            if type(shift) is not int or shift < 0:
                return False
            shift = -shift if isinstance(last.op, gast.Sub) else shift
        own = isinstance(base, gast.Name) and base.id == self.counter
        return own and type(first) is int and first + shift >= 0

    def numbers(self) -> set[str]:
        return {self.counter, *(n.targets[0].id for n in self.body if _is_number(n))}

    def before(self, own: list[gast.stmt]) -> list[gast.stmt]:
        """The statements that set the numbers which some statements need."""
        wanted = set().union(*(reads(node) for node in own))
        found: list[gast.stmt] = []
        for node in reversed(self.body):
            if _is_number(node) and node.targets[0].id in wanted:
                wanted |= reads(node.value)
                found.append(node)
        return found[::-1]


def _target(node: gast.stmt) -> gast.expr | None:
    if isinstance(node, gast.AugAssign):
        return node.target if isinstance(node.op, (gast.Add, gast.Sub)) else None
    return node.targets[0] if isinstance(node, gast.Assign) else None


def _is_number(node: gast.stmt) -> bool:
    return isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name)


def _is_total(node: gast.stmt) -> bool:
    """Whether a statement adds to a number."""
    return isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Name)


def _adds_to(node: gast.stmt, target: gast.expr) -> bool:
    return isinstance(node, gast.AugAssign) and same(node.target, target)
