"""What nobody reads is not computed."""

from __future__ import annotations

from collections.abc import Mapping

import gast

from autodiff.optimize.buffers import unread_buffers
from autodiff.optimize.change import (
    Block,
    changed,
    filled,
    has_code,
    is_straight,
    unchanged,
)
from autodiff.optimize.effects import Effects, effects, is_generated, outer_names
from autodiff.optimize.facts import Facts
from autodiff.optimize.tape import Pair, is_pop, is_push, pairs, popping, pushing
from autodiff.optimize.tidy import tidy
from autodiff.optimize.unread_functions import unread_functions
from autodiff.syntax.names import parameters
from autodiff.syntax.windows import root


def dead_code(tree: gast.FunctionDef, facts: Facts) -> gast.FunctionDef:
    """Remove assignments to names that are never read afterwards, and what becomes empty by that.

    A value that nobody reads after its pop is not pushed either. What might have an effect stays.

    >>> import ast, gast, textwrap
    >>> from autodiff.optimize.facts import Facts
    >>> tree = gast.parse(textwrap.dedent('''
    ...     def f(x):
    ...         y = 2 * x
    ...         for i in x:
    ...             z = y * i
    ...         return y
    ... ''')).body[0]
    >>> print(ast.unparse(gast.gast_to_ast(dead_code(tree, Facts()))))
    def f(x):
        y = 2 * x
        return y
    """
    tree = unread_functions(tree)
    return _DeadCode(facts, pairs(tree)).function(tree)


class _DeadCode:
    """Walks backwards with the set of live names; loops are walked until the set is stable.

    The walk starts a loop with the smallest set, so that names which are only read to compute
    each other are found dead. Only what the last walk over a statement decides counts.
    """

    def __init__(self, facts: Facts, tape_pairs: dict[str, Pair]) -> None:
        self.facts = facts
        self.pairs = tape_pairs
        self.kept: dict[str, list[int]] = {}
        """Of each pair whose pop was walked: which of its values are needed."""
        self.always: set[str] = set()
        """Names that are live everywhere: others may read them at any time."""
        self.unread: frozenset[str] = frozenset()
        self.jump: set[str] = set()
        """What is live where `break` and `continue` go."""

    def function(self, tree: gast.FunctionDef) -> gast.FunctionDef:
        outer = self.always, self.unread, self.jump
        parts = [self.facts.effects[statement] for statement in tree.body]
        declared = outer_names(tree)
        self.jump = set()
        self.unread = unread_buffers(tree.body, self.facts) - declared - set(parameters(tree.args))
        nested = {i for i, s in enumerate(tree.body) if is_generated(s, self.facts)}
        always = declared.union(*[p.held for i, p in enumerate(parts) if i not in nested])
        # a nested function is optimised before what it holds is asked for
        new: Block = list(tree.body)
        live: set[str] = set()
        end = len(new)
        for start in sorted(nested, reverse=True):
            self.always = always.union(*[parts[i].held for i in nested if i <= start])
            tail, live = self.block(new[start + 1 : end], live)
            definition = self.function(new[start])
            held = self.facts.effects[definition]
            always |= held.held
            live = (live | set(held.loads)) - {definition.name}
            new[start:end] = [definition, *tail]
            end = start
        self.always = always
        head, live = self.block(new[:end], live)
        new[:end] = head
        self.always, self.unread, self.jump = outer
        if unchanged(new, tree.body):
            return tree
        result: gast.FunctionDef = changed(tree, body=filled(new))
        return result

    def block(self, statements: Block, live: set[str]) -> tuple[Block, set[str]]:
        """The block without its dead code, and what is live before it."""
        kept: list[gast.stmt | None] = []
        live = set(live)  # which statements may bring up to date
        for statement in reversed(statements):
            if statement.__class__ is gast.Assign:  # most of all
                new, live = self.assign(statement, live)
            else:
                new, live = self.statement(statement, live)
            kept.append(new)
        kept.reverse()
        if unchanged(kept, statements):
            return statements, live
        return tidy(statements, kept), live

    def dead(self, name: str, live: set[str]) -> bool:
        return name not in live and name not in self.always

    def statement(self, node: gast.stmt, live: set[str]) -> tuple[gast.stmt | None, set[str]]:
        cls = node.__class__
        if cls is gast.AugAssign:
            return self.update(node, live)
        if cls is gast.Expr:
            if node.value.__class__ is gast.Constant:  # a comment, or a docstring
                return node, live
            return self.expression(node, live)
        if cls is gast.Pass:
            return node, live
        if cls is gast.If:
            return self.branch(node, live)
        if (cls is gast.For or cls is gast.While) and not node.orelse:
            return self.loop(node, live)
        known = self.facts.effects[node]
        if isinstance(node, (gast.Break, gast.Continue)):
            return node, live | self.jump
        if isinstance(node, gast.FunctionDef):
            unused = self.dead(node.name, live) and not known.calls
            if unused and is_generated(node, self.facts):
                return None, live
            return node, _with(live, known.loads)
        if isinstance(node, gast.With) and is_straight(node):
            return self.within(node, live)
        return node, _with(live, known.loads)

    def assign(self, node: gast.Assign, live: set[str]) -> tuple[gast.stmt | None, set[str]]:
        known = self.facts.effects[node]
        if "site" in node.__dict__ and is_pop(node):
            return self.pop(node, known, live)
        target = node.targets[0]
        if target.__class__ is gast.Name and len(node.targets) == 1:  # most of the time
            if target.id in live:
                live.discard(target.id)
                live.update(known.loads)
                return node, live
            if target.id not in self.always and not known.calls and len(known.writes) == 1:
                return None, live
            return node, _with(live, known.loads)
        names = _names(node.targets)
        if names is None:
            if root(node.targets[0]) in self.unread and not known.calls:
                return None, live
            return node, _with(live, known.loads)
        if names.isdisjoint(live) and names.isdisjoint(self.always):
            if not known.calls and known.writes == names:
                return None, live
        return node, _before(live, names, known.loads)

    def update(self, node: gast.AugAssign, live: set[str]) -> tuple[gast.stmt | None, set[str]]:
        known = self.facts.effects[node]
        target = node.target
        if not known.calls:
            if self.unread and root(target) in self.unread:
                return None, live
            if target.__class__ is gast.Name and self.dead(target.id, live):
                if len(known.writes) == 1 and self.facts.scalar(target):
                    return None, live
        return node, live if live.issuperset(known.loads) else live.union(known.loads)

    def expression(self, node: gast.Expr, live: set[str]) -> tuple[gast.stmt | None, set[str]]:
        known = self.facts.effects[node]
        if is_push(node):
            return self.push(node, known, live)
        if known.droppable:
            return None, live
        return node, _with(live, known.loads)

    def pop(
        self, node: gast.Assign, known: Effects, live: set[str]
    ) -> tuple[gast.stmt | None, set[str]]:
        pair = self.pairs.get(node.site)
        before = _before(live, _names(node.targets) or set(), known.loads)
        if pair is None or pair.pop is not node:
            return node, before
        kept = [
            number
            for number, (value, target) in enumerate(zip(pair.values, pair.targets))
            if not self.facts.effects[value].droppable or not self.unneeded(target, live)
        ]
        self.kept[node.site] = kept
        if not kept:
            return None, live
        if len(kept) == len(pair.targets):
            return node, before
        node = popping(node, [pair.targets[number] for number in kept])
        known = self.facts.effects[node]
        return node, _before(live, _names(node.targets) or set(), known.loads)

    def unneeded(self, target: gast.expr, live: set[str]) -> bool:
        if isinstance(target, gast.Name):
            return self.dead(target.id, live)
        return root(target) in self.unread and self.facts.effects[target].droppable

    def push(
        self, node: gast.Expr, known: Effects, live: set[str]
    ) -> tuple[gast.stmt | None, set[str]]:
        pair = self.pairs.get(node.site)
        if pair is None or pair.push is not node:
            return node, _with(live, known.loads)
        kept = self.kept.get(node.site)
        if kept is None:
            return node, _with(live, known.loads)
        if not kept:
            return None, live
        if len(kept) < len(pair.values):
            node = pushing(node, [pair.values[number] for number in kept])
            known = self.facts.effects[node]
        return node, _with(live, known.loads)

    def branch(self, node: gast.If, live: set[str]) -> tuple[gast.stmt | None, set[str]]:
        body, before_body = self.block(node.body, live)
        orelse, before_orelse = self.block(node.orelse, live)
        test = self.facts.effects[node.test]
        if not has_code(body) and not has_code(orelse):
            if test.droppable:
                return None, live
            orelse = []
        before = before_body | before_orelse | set(test.loads)
        if not has_code(body) and has_code(orelse):
            return changed(node, test=_negated(node.test), body=orelse, orelse=[]), before
        if body is node.body and orelse is node.orelse:
            return node, before
        orelse = orelse if has_code(orelse) else []
        return changed(node, body=filled(body), orelse=orelse), before

    def loop(
        self, node: gast.For | gast.While, live: set[str]
    ) -> tuple[gast.stmt | None, set[str]]:
        is_for = isinstance(node, gast.For)
        header = effects(node.iter if is_for else node.test, self.facts)
        target = (_names([node.target]) or set()) if is_for else set()
        entry = set(live) if is_for else live | set(header.loads)
        outer = self.jump
        while True:
            self.jump = entry
            body, before = self.block(node.body, entry)
            if is_for:
                before = before - target
            if before <= entry:
                break
            entry = entry | before
        self.jump = outer
        if header.droppable and self.is_idle(body, node.target if is_for else None, live):
            return None, live
        new = node if body is node.body else changed(node, body=filled(body))
        return new, entry | set(header.loads)

    def is_idle(self, body: Block, target: gast.expr | None, live: set[str]) -> bool:
        """Whether nobody notices if a loop runs of which this is left."""
        for node in body if target is None else [target, *body]:
            known = self.facts.effects[node]
            if known.calls or known.tapes or known.stores and has_code(body):
                return False
            if not all(self.dead(name, live) for name in known.writes):
                return False
        return True

    def within(self, node: gast.With, live: set[str]) -> tuple[gast.stmt, set[str]]:
        known = self.facts.effects[node]
        body, before = self.block(node.body, live)
        new = node if body is node.body else changed(node, body=filled(body))
        return new, before | set(known.loads)


def _before(live: set[str], written: set[str], loads: Mapping[str, int]) -> set[str]:
    """What is live before a statement; most statements change nothing about that."""
    return _with(live if live.isdisjoint(written) else live - written, loads)


def _with(live: set[str], loads: Mapping[str, int]) -> set[str]:
    return live if live.issuperset(loads) else live.union(loads)


def _names(targets: list[gast.expr]) -> set[str] | None:
    """The names that are bound, or None if memory is written."""
    if len(targets) == 1 and targets[0].__class__ is gast.Name:
        return {targets[0].id}
    found: set[str] = set()
    for target in targets:
        if isinstance(target, gast.Name):
            found.add(target.id)
        elif isinstance(target, (gast.Tuple, gast.List)):
            inner = _names(target.elts)
            if inner is None:
                return None
            found |= inner
        else:
            return None
    return found


def _negated(test: gast.expr) -> gast.expr:
    if isinstance(test, gast.UnaryOp) and isinstance(test.op, gast.Not):
        return test.operand
    return gast.UnaryOp(op=gast.Not(), operand=test)
