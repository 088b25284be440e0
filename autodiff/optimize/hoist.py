"""What is the same in every iteration is computed before the loop."""

from __future__ import annotations

from typing import Any

import gast

from autodiff.normalize.anf import hint
from autodiff.optimize.change import Block, changed, map_inner, map_parts, unchanged
from autodiff.optimize.effects import is_generated
from autodiff.optimize.facts import Facts
from autodiff.optimize.invariant import Invariant
from autodiff.syntax.make import make
from autodiff.syntax.names import Names, all_names, name, reads, store
from autodiff.syntax.walk import same

_LOOPS = (gast.For, gast.While)
_LEFT_ALONE = (
    *(gast.Name, gast.Constant),
    *(gast.FunctionDef, gast.ClassDef, gast.Lambda),
    *(gast.GeneratorExp, gast.ListComp, gast.SetComp, gast.DictComp),
)


def hoist(tree: gast.FunctionDef, facts: Facts) -> gast.FunctionDef:
    """Compute products and sums of floats that no iteration changes once, for both sweeps.

        for _ in range(n):                     h_over_2 = h / 2
            x = x + h / 2 * v                  for _ in range(n):
            ...                                    x = x + h_over_2 * v
        for _ in range(n):                         ...
            v_bar = x_bar * (h / 2)            for _ in range(n):
                                                   v_bar = x_bar * h_over_2
    """
    return _Hoist(tree, facts).function(tree)


class _Hoist:
    def __init__(self, tree: gast.FunctionDef, facts: Facts) -> None:
        self.facts = facts
        self.invariant = Invariant(tree, facts)
        self.tree = tree
        self.names: Names | None = None
        self.known: list[tuple[gast.expr, str]] = []
        self.waiting: Block = []
        self.renamed: dict[str, str] = {}

    def function(self, tree: gast.FunctionDef) -> gast.FunctionDef:
        """The function with what its own loops repeat set before them."""
        if not self.invariant.fixed:
            return tree
        body: Block = []
        for node in tree.body:
            if isinstance(node, _LOOPS):
                node = self.loop(node)
            elif isinstance(node, gast.FunctionDef) and is_generated(node, self.facts):
                node = self.function(node)
            body.extend([*self.waiting, node])
            self.waiting = []
        if unchanged(body, tree.body):
            return tree
        if self.renamed:
            body = [self.rename(node) for node in body]
        result: gast.FunctionDef = changed(tree, body=body)
        return result

    def loop(self, node: gast.stmt) -> gast.stmt:
        if isinstance(node, gast.For):
            result: gast.stmt = map_parts(
                lambda part: part if part is node.iter else self.part(part), node
            )
        else:
            result = map_inner(self.part, node)
        return result

    def part(self, node: gast.AST) -> gast.AST:
        if node.__class__ in _LEFT_ALONE:
            return node
        if isinstance(node, gast.stmt) and not self.invariant.may_hold(node):
            return node
        if node.__class__ is gast.BinOp and self.invariant(node) and reads(node):
            if self.facts.double(node):
                return name(self.held(node))
        result: gast.AST = map_inner(self.part, node)
        if result is not node and isinstance(result, gast.Assign):
            self.note(result)
        return result

    def note(self, node: gast.Assign) -> None:
        """A temporary that is another name for what is held: that one is read in its place."""
        target, value = node.targets[0], node.value
        if not isinstance(target, gast.Name) or not isinstance(value, gast.Name):
            return
        if target.id in self.facts.temporaries and target.id in self.invariant.single:
            self.renamed[target.id] = value.id

    def rename(self, node: gast.AST) -> Any:
        if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Load):
            return name(self.renamed[node.id]) if node.id in self.renamed else node
        if isinstance(node, gast.stmt):
            if self.renamed.keys().isdisjoint(self.facts.effects[node].loads):
                return node
        return map_parts(self.rename, node)

    def held(self, node: gast.BinOp) -> str:
        """The name of the variable that holds an invariant value."""
        for value, known in self.known:
            if same(value, node) or _is_swapped(value, node):
                return known
        if self.names is None:
            self.names = Names(all_names(self.tree))
        new = self.names.fresh(_hint(node))
        while new in self.facts.taken and not self.is_alike(new, node):
            new = self.names.fresh(_hint(node))
        self.known.append((node, new))
        self.waiting.append(make(gast.Assign, targets=[store(new)], value=node))
        return new


    def is_alike(self, own: str, node: gast.BinOp) -> bool:
        """Whether what is told of a name that is in use no more holds for a value, too."""
        facts = self.facts
        tests = facts.scalar, facts.inexact, facts.signed, facts.double, facts.native
        return all(test(name(own)) is test(node) for test in tests)


def _is_swapped(value: gast.expr, node: gast.BinOp) -> bool:
    """`a * b` and `b * a` are the same number."""
    return (
        isinstance(value, gast.BinOp)
        and isinstance(value.op, (gast.Mult, gast.Add))
        and type(value.op) is type(node.op)
        and same(value.left, node.right)
        and same(value.right, node.left)
    )


def _hint(node: gast.BinOp) -> str:
    if isinstance(node.op, gast.Mult) and isinstance(node.left, gast.Constant):
        if node.left.value == 0.5 and isinstance(node.right, gast.Name):
            return f"half_{node.right.id}"
        return hint(changed(node, left=node.right, right=node.left))
    return hint(node)
