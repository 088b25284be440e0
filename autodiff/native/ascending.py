"""Loops of the reverse sweep whose iterations may run in any order run upwards."""

from __future__ import annotations

from collections import Counter
from functools import cache

import gast

from autodiff.kinds.kind import Scalar, Static
from autodiff.native.aliasing import Memory, memory
from autodiff.native.native_kinds import NativeKinds, is_range, literal
from autodiff.native.trips import trips_of
from autodiff.native.vocabulary import CHEAP, ELEMENTWISE, MATH
from autodiff.syntax.change import blocks, changed
from autodiff.syntax.comment import is_comment
from autodiff.syntax.names import name, reads, substitute, writes
from autodiff.syntax.quote import quote, quote_statements
from autodiff.syntax.sections import replace_in_reverse
from autodiff.syntax.walk import children, same, walk

_PURE = (*CHEAP, *ELEMENTWISE, *MATH, len)


def ascending(tree: gast.FunctionDef, known: NativeKinds) -> gast.FunctionDef:
    """LLVM makes better code of these, above all where they need not count what they pop.

        for i in range(n - 1, 0, -1):          count -= len(range(1, n))
            count -= 1                         for i in range(1, n):
            kept = tape[count]                     kept = tape[count + (i - 1)]
            u[i] = kept                            u[i] = kept
            w_bar[i] += 2.0 * u_bar[i]             w_bar[i] += 2.0 * u_bar[i]

    Each iteration stores to elements that no other one reads or stores to, or adds to elements that
    none reads. So only the order of sums differs; the forward sweep keeps the primal's.
    """
    places = cache(lambda: memory(tree, known))

    def code(node: gast.stmt) -> list[gast.stmt] | None:
        return _Loop(node, tree, known, places()).code() if _counts_down(node) else None

    return replace_in_reverse(code, tree)


def _counts_down(node: gast.stmt) -> bool:
    """Whether it is a loop over `range(a, b, -1)`, down to 0 at most, with no blocks inside but
    those of an `if` without `else`."""
    if not isinstance(node, gast.For) or not is_range(node.iter) or len(node.iter.args) != 3:
        return False
    down = literal(node.iter.args[2], ...) == -1
    last = literal(node.iter.args[1], ...)
    return down and _is_flat(node.body) and type(last) is int and last >= -1


def _is_flat(body: list[gast.stmt]) -> bool:
    return all(
        _is_flat(node.body) and not node.orelse if isinstance(node, gast.If) else not blocks(node)
        for node in body
    )


class _Loop:
    def __init__(
        self,
        loop: gast.stmt,
        tree: gast.FunctionDef,
        known: NativeKinds,
        places: Memory,
    ) -> None:
        self.loop = loop
        self.tree = tree
        self.known = known
        self.places = places
        self.counter = loop.target.id
        self.first = literal(loop.iter.args[1], ...) + 1
        """The smallest number of the counter."""
        self.counts: list[str] = []

    def code(self) -> list[gast.stmt] | None:
        """The loop upwards; None where the order of its iterations may matter."""
        if not all(map(self.is_plain, _flat(self.loop.body))) or not self.is_free():
            return None
        start, *_ = self.loop.iter.args
        after = start.left if _is_one_less(start) else quote("a + 1", a=start)
        lowest = gast.Constant(value=self.first, kind=None)
        own = {count: self.place(count) for count in self.counts}
        trips = self.trips(after)
        before = [
            statement
            for count in self.counts
            for statement in quote_statements("c -= n", c=count, n=trips)
        ]
        kept = [node for node in self.loop.body if self.counted(node) is None]
        kept = [substitute(node, own) for node in kept]  # type: ignore[misc]
        text = "range(n)" if self.first == 0 else "range(low, n)"
        upwards = quote(text, low=lowest, n=after)
        return [*before, changed(self.loop, iter=upwards, body=kept)]

    def trips(self, after: gast.expr) -> gast.expr:
        """How many numbers the counter has from the smallest to the one before this."""
        last = literal(after, ...)
        if type(last) is int:
            return gast.Constant(value=max(last - self.first, 0), kind=None)
        if self.first == 0:
            return trips_of(quote("range(n)", n=after))
        low = gast.Constant(value=self.first, kind=None)
        return quote("len(range(low, n))", low=low, n=after)

    def place(self, count: str) -> gast.expr:
        """Where in a tape the number lies that was pushed in an iteration."""
        if self.first == 0:
            return quote("c + i", c=count, i=self.counter)
        low = gast.Constant(value=self.first, kind=None)
        return quote("c + (i - low)", c=count, i=self.counter, low=low)

    def is_plain(self, node: gast.stmt) -> bool:
        """Whether a statement assigns or adds to one name or element, and calls what is pure."""
        if isinstance(node, gast.If):
            return self.is_pure(node.test)
        if isinstance(node, gast.AugAssign):
            if not isinstance(node.op, (gast.Add, gast.Sub)):
                return False
            target = node.target
        elif isinstance(node, gast.Assign):
            [target] = node.targets
        else:
            return False
        if isinstance(target, gast.Subscript):
            if not isinstance(target.value, gast.Name):
                return False
        elif not isinstance(target, gast.Name) or target.id == self.counter:
            return False
        return isinstance(self.known.of(target), Scalar) and self.is_pure(node)

    def is_pure(self, node: gast.AST) -> bool:
        for part in walk(node):
            if isinstance(part, gast.Call):
                called = self.known.called(part)
                if part.keywords or not any(called is other for other in _PURE):
                    return False
        return True

    def is_free(self) -> bool:
        """Whether no iteration reads what another one stores."""
        body = [node for node in _flat(self.loop.body) if not isinstance(node, gast.If)]
        bound = Counter(n for node in body for n in _bound(node))
        if reads(self.loop.iter) & bound.keys():
            return False
        for node in self.loop.body:
            count = self.counted(node)
            if count is not None and bound[count] == 1:
                self.counts.append(count)
        given: set[str] = set()
        if not self.is_given(self.loop.body, given, bound, body):
            return False
        if not all(self.counts_only_pop(count) for count in self.counts):
            return False
        local = {n for node in body for n in _bound(node) if isinstance(node, gast.Assign)}
        if _strangers(self.tree.body, {*local, self.counter}, self.loop):
            return False
        return self.stores_are_free(body, set(bound))

    def is_given(
        self,
        block: list[gast.stmt],
        given: set[str],
        bound: Counter[str],
        body: list[gast.stmt],
    ) -> bool:
        """Whether a block reads of what the loop binds only what this iteration has: `given`."""
        for node in block:
            if is_comment(node):
                continue
            if isinstance(node, gast.If):
                if reads(node.test) & bound.keys() - given - {self.counter}:
                    return False
                if not self.is_given(node.body, set(given), bound, body):
                    return False
                continue
            target = node.target if isinstance(node, gast.AugAssign) else node.targets[0]
            if self.counted(node) in self.counts:
                given.add(target.id)
                continue
            read = reads(node.value) | (reads(target.slice) if _is_element(target) else set())
            if read & bound.keys() - given - {self.counter}:
                return False
            if isinstance(target, gast.Name) and isinstance(node, gast.AugAssign):
                if target.id not in given and not self.only_added_to(target.id, body):
                    return False
            elif isinstance(target, gast.Name):
                given.add(target.id)
        return True

    def counted(self, node: gast.stmt) -> str | None:
        """The name that a statement counts down by 1."""
        if isinstance(node, gast.AugAssign) and isinstance(node.op, gast.Sub):
            if isinstance(node.target, gast.Name) and literal(node.value, ...) == 1:
                kind = self.known.of(node.target)
                if isinstance(kind, Scalar) and kind.type == "int":
                    return str(node.target.id)
        return None

    def counts_only_pop(self, count: str) -> bool:
        """Whether a name is counted down before all that reads it in the body."""
        body = [node for node in self.loop.body if not is_comment(node)]
        places = [k for k, node in enumerate(body) if count in reads(node)]
        return self.counted(body[places[0]]) == count

    def only_added_to(self, total: str, body: list[gast.stmt]) -> bool:
        if any(total in reads(n.test) for n in _flat(self.loop.body) if isinstance(n, gast.If)):
            return False
        for node in body:
            if total in reads(node.value):
                return False
            target = node.target if isinstance(node, gast.AugAssign) else node.targets[0]
            if _is_element(target) and total in reads(target.slice):
                return False
            if isinstance(node, gast.Assign) and isinstance(target, gast.Name):
                if target.id == total:
                    return False
        return True

    def stores_are_free(self, body: list[gast.stmt], bound: set[str]) -> bool:
        """Whether each memory that is stored to is added to alone, or by place."""
        added: dict[int, gast.expr] = {}
        stored: set[str] = set()
        for node in body:
            target = node.target if isinstance(node, gast.AugAssign) else node.targets[0]
            if _is_element(target):
                stored.add(self.places.group(target.value.id))
                if isinstance(node, gast.AugAssign):
                    added[id(target)] = target
        for group in stored:
            found: list[gast.Subscript] = []
            for part in walk(self.loop.body):
                if isinstance(part, gast.Subscript) and isinstance(part.value, gast.Name):
                    if self.places.group(part.value.id) == group:
                        found.append(part)
            names = [
                part
                for part in walk(self.loop.body)
                if isinstance(part, gast.Name)
                and not isinstance(self.known.of(part), (Scalar, Static))
                and self.places.group(part.id) == group
            ]
            if len(names) != len(found) + self.lengths(group):
                return False
            if all(id(part) in added for part in found):
                continue
            first = found[0]
            alike = all(same(part.slice, first.slice) for part in found)
            one = len({part.value.id for part in found}) == 1
            if not alike or not one or not self.is_own(first.slice, bound):
                return False
        return True

    def lengths(self, group: str) -> int:
        """How often only the length of memory is asked for."""
        return sum(
            self.known.called(part) is len
            and isinstance(part.args[0], gast.Name)
            and self.places.group(part.args[0].id) == group
            for part in walk(self.loop.body)
        )

    def is_own(self, index: gast.expr, bound: set[str]) -> bool:
        """Whether each iteration has an index of its own: the counter, plus what makes it no
        negative number; beside it, what no iteration changes."""
        parts = index.elts if isinstance(index, gast.Tuple) else [index]
        own = [part for part in parts if self.counter in reads(part)]
        if len(own) != 1 or any(reads(part) & bound for part in parts):
            return False
        [part] = own
        if isinstance(part, gast.Name):
            return True
        if not isinstance(part, gast.BinOp) or not same(part.left, name(self.counter)):
            return False
        shift = literal(part.right, ...)
        if type(shift) is not int or shift < 0:
            return False
        if isinstance(part.op, gast.Sub):
            return bool(shift <= self.first)
        return bool(isinstance(part.op, gast.Add))


def _is_one_less(node: gast.expr) -> bool:
    if not isinstance(node, gast.BinOp) or not isinstance(node.op, gast.Sub):
        return False
    return bool(literal(node.right, ...) == 1)


def _flat(body: list[gast.stmt]) -> list[gast.stmt]:
    """All statements of a body and of the branches in it, each `if` before its own."""
    found: list[gast.stmt] = []
    for node in body:
        if not is_comment(node):
            found.append(node)
            found.extend(_flat(node.body) if isinstance(node, gast.If) else ())
    return found


def _is_element(target: gast.expr) -> bool:
    return isinstance(target, gast.Subscript)


def _bound(node: gast.stmt) -> set[str]:
    """The names that a statement assigns, not those of arrays that it stores to."""
    target = node.target if isinstance(node, gast.AugAssign) else node.targets[0]
    return writes(target) if isinstance(target, gast.Name) else set()


def _strangers(
    body: list[gast.stmt], names: set[str], loop: gast.stmt, given: frozenset[str] = frozenset()
) -> set[str]:
    """Those of the names of which a read, wherever, may not come after an assignment in its block
    or around it that the loop cannot have replaced."""
    found: set[str] = set()
    for node in body:
        inner = blocks(node)
        if not inner:
            found |= (_read(node) & names) - given
            if not isinstance(node, gast.AugAssign):
                given = given | (writes(node) & names)
            continue
        heads = [part for part in children(node) if isinstance(part, gast.expr)]
        head_reads = set().union(*(reads(part) for part in heads if part is not _target(node)))
        found |= (head_reads & names) - given
        around = node is loop or any(part is loop for part in walk(node))
        start = frozenset() if around else given
        if isinstance(node, gast.For) and node.target.id in names:
            start = start | {node.target.id}
        for part in inner:
            found |= _strangers(part, names, loop, start)
        if around:
            given = frozenset()
    return found


def _read(node: gast.stmt) -> set[str]:
    if isinstance(node, gast.AugAssign):
        return reads(node) | writes(node.target)
    return reads(node)


def _target(node: gast.stmt) -> gast.expr | None:
    return node.target if isinstance(node, gast.For) else None
