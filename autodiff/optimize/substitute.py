"""A temporary that is used once is folded into its use."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import gast

from autodiff.optimize.change import (
    PLAIN,
    Block,
    blocks,
    changed,
    is_inert,
    is_straight,
    map_blocks,
    unchanged,
)
from autodiff.optimize.effects import Effects, is_generated, of_block
from autodiff.optimize.evaluation import Move, put
from autodiff.optimize.facts import Facts
from autodiff.optimize.measure import fits
from autodiff.optimize.ownership import own_buffers
from autodiff.optimize.tape import is_pop
from autodiff.syntax.names import parameters
from autodiff.syntax.walk import of_class
from autodiff.syntax.windows import root


def substitute(tree: gast.FunctionDef, facts: Facts) -> gast.FunctionDef:
    """Fold a temporary into the one statement that reads it, if that computes the same.

    >>> import ast, gast, textwrap
    >>> from autodiff.optimize.facts import Facts
    >>> tree = gast.parse(textwrap.dedent('''
    ...     def f(a, x):
    ...         t = a + x
    ...         u = a[0]
    ...         a[0] = t
    ...         return u
    ... ''')).body[0]
    >>> print(ast.unparse(gast.gast_to_ast(substitute(tree, Facts(frozenset("tu"))))))
    def f(a, x):
        u = a[0]
        a[0] = a + x
        return u
    """
    usage = _Usage(facts)
    usage.function(tree)
    if not any(
        name not in usage.spoiled for found in usage.matches.values() for name, _, _ in found
    ):
        return tree
    return _Substitute(facts, usage, tree).function(tree, 1)


@dataclass(slots=True)
class _Usage:
    """Which reads belong to which assignment.

    A name is spoiled unless every read of it follows an assignment in the same block, is the only
    read of that assignment, and nothing between the two may assign it.
    """

    facts: Facts
    matches: dict[int, list[tuple[str, int, int]]] = field(default_factory=dict)
    """By the `id` of a block: name, place of the assignment, place of the read."""
    spoiled: set[str] = field(default_factory=set)
    written: set[str] = field(default_factory=set)
    """All names that the function assigns: memory behind other names is nobody's here."""

    def function(self, tree: gast.FunctionDef) -> None:
        self.written.update(parameters(tree.args))
        self.block(tree.body)

    def block(self, statements: Block) -> None:
        facts = self.facts
        temporaries = facts.temporaries
        fresh: dict[str, int] = {}
        matches: list[tuple[str, int, int]] = []
        for place, node in enumerate(statements):
            known = facts.effects[node]
            inner: list[Block] = [] if node.__class__ in PLAIN else blocks(node)
            header = _header(node, facts) if inner else known
            for name, count in header.loads.items():
                if name in temporaries:
                    start = fresh.pop(name, None)
                    if start is None or count > 1 or not _may_take(node):
                        self.spoiled.add(name)
                    else:
                        matches.append((name, start, place))
            if inner and is_generated(node, facts):
                self.function(node)
            elif inner and not isinstance(node, (gast.FunctionDef, gast.ClassDef)):
                for part in inner:
                    self.block(part)
            self.written |= known.writes
            for name in known.writes:
                fresh.pop(name, None)
            if isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Name):
                self.spoiled.add(node.target.id)
            elif isinstance(node, gast.Assign):
                for target in node.targets:
                    if target.__class__ is gast.Name:  # as a rule
                        if target.id in temporaries:
                            fresh[target.id] = place
                    else:
                        for name in _targets(target) & temporaries:
                            fresh[name] = place
        if matches:
            self.matches[id(statements)] = matches


def _header(node: gast.stmt, facts: Facts) -> Effects:
    """What a compound statement reads before it enters a block."""
    if isinstance(node, (gast.If, gast.While)):
        return facts.effects[node.test]
    if isinstance(node, gast.For):
        return facts.effects[node.iter]
    if isinstance(node, gast.With):
        return of_block([item.context_expr for item in node.items], facts)
    if isinstance(node, gast.Try):
        types = [handler.type for handler in node.handlers if handler.type is not None]
        return of_block(types, facts)
    return facts.effects[node]


def _may_take(node: gast.stmt) -> bool:
    """Whether an expression may move into a statement: it is evaluated exactly once there."""
    return isinstance(
        node, (gast.Assign, gast.AugAssign, gast.Expr, gast.Return, gast.If, gast.For)
    )


def _targets(target: gast.expr) -> set[str]:
    if isinstance(target, gast.Name):
        return {target.id}
    if isinstance(target, (gast.Tuple, gast.List)):
        return set().union(*[_targets(item) for item in target.elts])
    return set()


class _Substitute:
    def __init__(self, facts: Facts, usage: _Usage, tree: gast.FunctionDef) -> None:
        self.facts = facts
        self.usage = usage
        self.tree = tree

    @cached_property
    def own(self) -> frozenset[str]:
        """Names of memory that is reached by no other name, before anything is moved or after."""
        return own_buffers(self.tree, self.facts)

    def function(self, tree: gast.FunctionDef, indent: int) -> gast.FunctionDef:
        body = self.block(tree.body, indent, True)
        result: gast.FunctionDef = tree if body is tree.body else changed(tree, body=body)
        return result

    def block(self, statements: Block, indent: int, straight: bool) -> Block:
        """The block with temporaries folded, from the last to the first.

        In this order what is left between an assignment and its use is as little as possible, so
        that even calls with effects fold, in their order: `t = f(x); u = g(x); y = t + u`.
        """
        kept: list[gast.stmt | None] = list(statements)
        moved: dict[int, int] = {}
        matches = self.usage.matches.get(id(statements), ())
        for name, start, end in sorted(matches, key=lambda match: -match[1]):
            node = statements[start]
            if name in self.usage.spoiled or is_pop(node) or not _is_definition(node, name):
                continue
            while end in moved:
                end = moved[end]
            new = self.folded(name, kept[start:end], kept[end], indent, straight)
            if new is not None:
                kept[start], kept[end] = None, new
                moved[start] = end
        result = [
            node if node.__class__ in PLAIN else self.inside(node, indent)
            for node in kept
            if node is not None
        ]
        if unchanged(result, statements):
            return statements
        return result

    def inside(self, node: gast.stmt, indent: int) -> gast.stmt:
        if isinstance(node, (gast.FunctionDef, gast.ClassDef)):
            return self.function(node, indent + 1) if is_generated(node, self.facts) else node
        straight = is_straight(node)
        result: gast.stmt = map_blocks(lambda b: self.block(b, indent + 1, straight), node)
        return result

    def folded(
        self,
        name: str,
        before: list[gast.stmt | None],
        use: gast.stmt | None,
        indent: int,
        straight: bool,
    ) -> gast.stmt | None:
        """The statement `use` with the value assigned by the first of `before`, if allowed."""
        definition, *between = before
        if definition is None or use is None:
            return None
        value = definition.value
        moving = self.facts.effects[value]
        if moving.writes:
            return None
        if moving.looks and self.is_view(value):
            moving = moving._replace(looks=False)  # it shows what is there when it is read
        for node in between:
            if node is None or is_inert(node):
                continue
            if not straight or not self.passes(moving, node):
                return None
        new = put(Move(name, value, moving, self.usage.written), use, self.facts)
        return new if new is not None and fits(new, indent) else None

    def is_view(self, value: gast.expr) -> bool:
        """Whether an expression is a window of an array, `u[1:-1]`, taken by names and numbers."""
        if not isinstance(value, gast.Subscript) or not isinstance(value.value, gast.Name):
            return False
        if not self.facts.shape(value.value):  # what stands in a list may be replaced
            return False
        if not self.facts.shape(value) or self.facts.picks(value):
            return False
        return not of_class(value.slice, gast.Subscript, gast.Attribute, gast.Call)

    def passes(self, moving: Effects, node: gast.stmt) -> bool:
        """Whether an expression gives the same before and after a statement."""
        known = self.facts.effects[node]
        if moving.commutes(known, self.usage.written):
            return True
        if not known.stores or known.calls or not isinstance(node, (gast.Assign, gast.AugAssign)):
            return False
        targets = node.targets if isinstance(node, gast.Assign) else [node.target]
        if any(root(target) not in self.own for target in targets):
            return False
        return moving.commutes(known._replace(stores=False), self.usage.written) and not any(
            root(target) in moving.loads for target in targets
        )


def _is_definition(node: gast.stmt, name: str) -> bool:
    return (
        isinstance(node, gast.Assign)
        and isinstance(node.targets[0], gast.Name)
        and node.targets[0].id == name
    )
