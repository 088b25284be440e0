"""Memory that nobody reads any more is not stored to."""

from __future__ import annotations

from typing import Any

import gast

from autodiff.optimize.change import Block, changed, filled, is_straight, unchanged
from autodiff.optimize.effects import is_generated
from autodiff.optimize.facts import Facts
from autodiff.optimize.ownership import own_buffers
from autodiff.optimize.tape import is_pop
from autodiff.optimize.tidy import tidy
from autodiff.syntax.content import content_reads
from autodiff.syntax.names import all_names, name
from autodiff.syntax.walk import of_class
from autodiff.syntax.windows import root

_STORES = (gast.Assign, gast.AugAssign)


def dead_stores(tree: gast.FunctionDef, facts: Facts) -> gast.FunctionDef:
    """Leave out stores into arrays of which nobody reads an element afterwards.

        a_bar[0] += x_bar[-1]                   a_bar[0] += x_bar[-1]
        x_bar[-1] = 0.0                         return a_bar
        return a_bar

        u = u0.copy()                           u = u0.copy()
        for _ in range(n):                      for _ in range(n):
            u[1:] += u[:-1]                         pass
        u_bar = np.ones_like(u)                 u_bar = np.ones_like(u)

    Arrays whose memory no other name reaches. Shape and dtype may be read; `dead_code` does away
    with what was only computed for these stores.
    """
    targets = [target for node in of_class(tree, *_STORES) for target in _slots(node)]
    stored = {base for base in map(root, targets) if base is not None}
    if not stored:
        return tree  # as a rule, of functions of numbers
    own = {n for n in stored & own_buffers(tree, facts) if facts.shape(name(n)) is not None}
    return _DeadStores(facts, frozenset(own)).function(tree) if own else tree


def _slots(node: Any) -> list[gast.expr]:
    """What a statement stores to that is no name."""
    targets = [node.target] if node.__class__ is gast.AugAssign else node.targets
    return [target for target in targets if target.__class__ is gast.Subscript]


class _DeadStores:
    """Walks backwards with the names that are live, and those of `own` whose elements are.

    As in `dead_code`, a loop starts with the smallest sets. What is computed for a dead name reads
    nothing, so arrays that are only read to update each other are found.
    """

    def __init__(self, facts: Facts, own: frozenset[str]) -> None:
        self.facts = facts
        self.own = own
        self.live: set[str] = set()
        self.full: set[str] = set()
        """Names whose elements are read; those that are always live are in no set."""
        self.always: set[str] = set()
        self.jump: tuple[set[str], set[str]] = set(), set()

    def function(self, tree: gast.FunctionDef) -> gast.FunctionDef:
        outer = self.live, self.full, self.always, self.jump
        self.live, self.full, self.jump = set(), set(), (set(), set())
        held = [self.facts.effects[node].held for node in tree.body]
        self.always = self.always.union(*held)
        body = self.block(tree.body)
        self.live, self.full, self.always, self.jump = outer
        result: gast.FunctionDef = tree if body is tree.body else changed(tree, body=body)
        return result

    def block(self, statements: Block) -> Block:
        kept = [self.statement(node) for node in reversed(statements)]
        kept.reverse()
        return statements if unchanged(kept, statements) else tidy(statements, kept)

    def statement(self, node: Any) -> gast.stmt | None:
        cls = node.__class__
        if cls is gast.Assign or cls is gast.AugAssign:
            return self.assign(node)
        if cls is gast.If:
            return self.branch(node)
        if (cls is gast.For or cls is gast.While) and not node.orelse:
            return self.loop(node)
        if cls is gast.Break or cls is gast.Continue:
            self.live, self.full = self.live | self.jump[0], self.full | self.jump[1]
        elif is_generated(node, self.facts):
            inner = self.function(node)
            self.read(inner)
            return inner
        elif cls is gast.With and is_straight(node):
            body = self.block(node.body)
            for item in node.items:
                self.read(item.context_expr)
            return node if body is node.body else changed(node, body=filled(body))
        elif cls in (gast.Expr, gast.Return, gast.Pass):
            self.read(node)
        else:
            names = all_names(node)
            self.live |= names
            self.full |= names
        return node

    def read(self, node: gast.AST) -> None:
        self.live.update(self.facts.effects[node].loads)
        self.full |= content_reads(node) & self.own

    def assign(self, node: Any) -> gast.stmt | None:
        known = self.facts.effects[node]
        target = node.target if node.__class__ is gast.AugAssign else node.targets[0]
        if target.__class__ is gast.Name:
            own = target.id
            if node.__class__ is gast.AugAssign:
                if own in self.own and own not in self.full and not known.calls:
                    return None  # arrays keep their shape
            elif known.writes == {own} and len(node.targets) == 1:
                if own not in self.live and own not in self.always and not known.calls:
                    return node  # which `dead_code` leaves out
                self.live.discard(own)
                self.full.discard(own)
            self.read(node)
            return node
        base = root(target)
        if target.__class__ is not gast.Subscript or base not in self.own or is_pop(node):
            self.read(node)
            return node
        if base not in self.full and not known.calls:
            return None
        whole = node.__class__ is gast.Assign and _is_whole(target)
        if whole and base not in content_reads(node.value):
            self.full.discard(base)
            self.live.update(known.loads)
            self.full |= content_reads(node.value) & self.own
        else:
            self.read(node)
        return node

    def branch(self, node: gast.If) -> gast.stmt:
        live, full = set(self.live), set(self.full)
        body = self.block(node.body)
        after = self.live, self.full
        self.live, self.full = live, full
        orelse = self.block(node.orelse)
        self.live, self.full = self.live | after[0], self.full | after[1]
        self.read(node.test)
        if body is node.body and orelse is node.orelse:
            return node
        return changed(node, body=filled(body), orelse=orelse)

    def loop(self, node: gast.For | gast.While) -> gast.stmt:
        outer = self.jump
        self.read(node.iter if isinstance(node, gast.For) else node.test)
        live, full = set(self.live), set(self.full)
        while True:
            self.jump = live, full
            self.live, self.full = set(live), set(full)
            body = self.block(node.body)
            if self.live <= live and self.full <= full:
                break
            live, full = live | self.live, full | self.full
        self.jump = outer
        self.live, self.full = live, full
        return node if body is node.body else changed(node, body=filled(body))


def _is_whole(target: gast.Subscript) -> bool:
    """Whether all elements are stored to, `x[...]` or `x[:]`."""
    index = target.slice
    if not isinstance(target.value, gast.Name):
        return False
    if isinstance(index, gast.Slice):
        return index.lower is None and index.upper is None and index.step is None
    return isinstance(index, gast.Constant) and index.value is ...
