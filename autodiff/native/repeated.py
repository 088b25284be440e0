"""Numbers that one iteration of the reverse sweep computes twice."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TypeAlias

import gast

from autodiff.kinds.kind import Array, Scalar
from autodiff.native.memory import Memory, memory
from autodiff.native.values import NativeKinds
from autodiff.native.vocabulary import CHEAP, ELEMENTWISE, MATH
from autodiff.syntax.change import changed, map_blocks
from autodiff.syntax.comment import is_comment
from autodiff.syntax.memo import Memo
from autodiff.syntax.names import rename, writes
from autodiff.syntax.sections import reverse_sweep
from autodiff.syntax.walk import children, statements, walk
from autodiff.syntax.windows import root

_PURE = (*CHEAP, *ELEMENTWISE, *MATH)
_Table: TypeAlias = dict[object, tuple[str, set[str]]]
_PARTS = (gast.BinOp, gast.UnaryOp, gast.operator, gast.unaryop, gast.expr_context)


def repeated(tree: gast.FunctionDef, known: NativeKinds) -> gast.FunctionDef:
    """What is computed again after a pop is not computed once more further down.

        w = w_tape[count]                      w = w_tape[count]
        c_2 = observed[p, 0]                   c = observed[p, 0]
        x = points[c_2] / w                    x = points[c] / w
        c = observed[p, 0]           becomes   c_bar[c] += x
        c_bar[c] += x

    The names are bound once in the loop and mean nothing after it; what the expression reads is not
    changed between. The name of the later statement stays where the earlier has no other use.
    """
    places = memory(tree, known)
    start = reverse_sweep(tree.body)
    body = list(tree.body[:start])
    for position in range(start, len(tree.body)):
        node = tree.body[position]
        if isinstance(node, (gast.For, gast.While)):
            rest = _mentions(tree.body[position:])
            node = _loop(node, _Reader(known, places, rest))
        body.append(node)
    result: gast.FunctionDef = changed(tree, body=body)
    return result


def _loop(node: gast.stmt, reader: _Reader) -> gast.stmt:
    def block(body: list[gast.stmt]) -> list[gast.stmt]:
        return [
            _loop(inner, reader) if isinstance(inner, (gast.For, gast.While)) else inner
            for inner in body
        ]

    outer: gast.stmt = map_blocks(block, node)
    return changed(outer, body=reader.once(outer.body))  # type: ignore[no-any-return]


@dataclass(slots=True)
class _Reader:
    known: NativeKinds
    places: Memory
    rest: Counter[str]
    """How often each name is mentioned from the outermost loop on."""

    def once(self, body: list[gast.stmt]) -> list[gast.stmt]:
        """The body of a loop, without numbers that it has computed already."""
        inside = _mentions(body)
        bound = Counter(n for node in statements(body) for n in writes([node]))
        table: _Table = {}
        result: list[gast.stmt] = []
        seen: Counter[str] = Counter()
        todo = list(body)
        while todo:
            node = todo.pop(0)
            own = self.number(node)
            key = None if own is None else gast.dump(node.value)
            if own is not None and key in table:
                other, _ = table[key]
                alone = bound[own] == bound[other] == 1 and not seen[own]
                if alone and inside[own] == self.rest[own]:
                    kept = own if inside[other] == self.rest[other] else other
                    names = {n: kept for n in (own, other) if n != kept}
                    result, todo = self.renamed(result, names), self.renamed(todo, names)
                    before, inside = inside, _mentions([*result, *todo])
                    for one in {own, other, *_names(node)}:
                        self.rest[one] += inside[one] - before[one]
                    seen = _mentions(result)
                    bound[kept] = 1
                    holders = {kept if held == other else held for held, _ in table.values()}
                    table = self.table(result, holders)
                    continue
            result.append(node)
            seen += _mentions([node])
            self.forget(node, table)
            if own is not None and key is not None and own not in _names(node.value):
                table.setdefault(key, (own, _names(node.value)))
        if len(result) == len(body):
            return body
        after = [*result[1:], None]
        return [n for n, follows in zip(result, after) if not (_heads(n) and _heads(follows))]

    def renamed(self, body: list[gast.stmt], names: dict[str, str]) -> list[gast.stmt]:
        """The statements with names in place of others, as far as they mention them."""
        result: list[gast.stmt] = []
        for node in body:
            new = node
            if not _names(node).isdisjoint(names):
                new = rename(node, names)  # type: ignore[assignment]
                self.known.remember_copies(node, new)
            result.append(new)
        return result

    def table(self, body: list[gast.stmt], holders: set[str]) -> _Table:
        """What names hold, as the statements say it now."""
        found: _Table = {}
        for node in body:
            own = self.number(node)
            if own is not None and own in holders and isinstance(node, gast.Assign):
                found[gast.dump(node.value)] = own, _names(node.value)
        return found

    def number(self, node: gast.stmt) -> str | None:
        """The name that a statement sets to a number which nothing else tells apart."""
        if not isinstance(node, gast.Assign) or hasattr(node, "site"):
            return None
        target = node.targets[0]
        if not isinstance(target, gast.Name) or isinstance(node.value, (gast.Name, gast.Constant)):
            return None
        return target.id if self.is_pure(node.value) else None

    def is_pure(self, node: gast.AST) -> bool:
        if isinstance(node, gast.Subscript):
            base = isinstance(self.known.of(node.value), Array)
            parts = node.slice.elts if isinstance(node.slice, gast.Tuple) else [node.slice]
            element = isinstance(self.known.of(node), Scalar)
            plain = base and element and isinstance(node.value, gast.Name)
            return plain and all(map(self.is_pure, parts))
        if isinstance(node, gast.Call):
            called = self.known.called(node)
            listed = any(called is pure for pure in _PURE)
            return listed and not node.keywords and all(map(self.is_pure, node.args))
        if isinstance(node, gast.Name):
            return isinstance(self.known.of(node), Scalar)
        if isinstance(node, gast.Constant):
            return True
        return isinstance(node, _PARTS) and all(map(self.is_pure, children(node)))

    def forget(self, node: gast.stmt, table: _Table) -> None:
        """Drop what a statement may change: names, and memory that is stored into."""
        changed_names = writes([node])
        stored = [
            root(part)
            for part in walk(node)
            if isinstance(part, (gast.Subscript, gast.Attribute))
            and isinstance(part.ctx, gast.Store)
        ]
        called = [self.known.called(part) for part in walk(node) if isinstance(part, gast.Call)]
        users = not all(any(own is pure for pure in (*_PURE, len, range)) for own in called)
        groups = {self.places.group(s) for s in stored if s}
        for key, (holder, names) in list(table.items()):
            clashes = holder in changed_names or not changed_names.isdisjoint(names)
            if not clashes and (groups or users):
                arrays = [n for n in names if isinstance(self.known.names.get(n), Array)]
                shared = any(self.places.group(n) in groups for n in arrays)
                clashes = shared or users and bool(arrays)
            if clashes:
                del table[key]


def _heads(node: gast.stmt | None) -> bool:
    """Whether it is a comment, as there is one before what belongs to a statement, or nothing."""
    return node is None or is_comment(node)


def _names(node: gast.AST) -> set[str]:
    return {*_OWN[node]}


def _mentions(body: list[gast.stmt]) -> Counter[str]:
    found: Counter[str] = Counter()
    for node in body:
        for identifier, times in _OWN[node].items():
            found[identifier] += times
    return found


_OWN = Memo(lambda node: Counter(part.id for part in walk(node) if isinstance(part, gast.Name)))
"""How often each name is mentioned in a node."""
