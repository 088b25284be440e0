"""Numbers that stay the same through all loops of a function."""

from __future__ import annotations

from collections import Counter

import gast

from autodiff.optimize import literals
from autodiff.optimize.effects import outer_names
from autodiff.optimize.facts import Facts
from autodiff.syntax.names import parameters, writes
from autodiff.syntax.walk import statements

_SAFE = (gast.Add, gast.Sub, gast.Mult)
_LOOPS = (gast.For, gast.While)


class Invariant:
    """Tells which expressions are the same in every iteration of the function's loops.

    Those of floats alone that are parameters, or set once before the first loop.
    """

    def __init__(self, tree: gast.FunctionDef, facts: Facts) -> None:
        self.facts = facts
        places = parameters(tree.args)  # at which names are bound
        for node in statements(tree.body):
            inner = isinstance(node, gast.FunctionDef)
            if inner:
                places += parameters(node.args)
            elif isinstance(node, gast.For):
                places += writes(node.target)
            elif not isinstance(node, (gast.While, gast.If)):
                places += facts.effects[node].writes
        bound = Counter(places)
        once = set(parameters(tree.args))
        for node in tree.body:
            if isinstance(node, (*_LOOPS, gast.FunctionDef)):
                break
            if isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name):
                once.add(node.targets[0].id)
        self.single = {name for name, count in bound.items() if count == 1} - outer_names(tree)
        self.fixed = once & self.single

    def may_hold(self, node: gast.stmt) -> bool:
        """Whether a statement reads any name that stays the same; most do not."""
        return not self.fixed.isdisjoint(self.facts.effects[node].loads)

    def __call__(self, node: gast.expr) -> bool:
        """Whether the expression is invariant, and raises nothing where no iteration runs."""
        cls = node.__class__
        if cls is gast.Name:
            return node.id in self.fixed and self.facts.double(node)
        if cls is gast.BinOp:
            if not (self(node.left) and self(node.right)):
                return False
            if isinstance(node.op, gast.Div):
                return bool(literals.number(node.right)) or self.is_numpy(node.right)
            if isinstance(node.op, gast.Pow):
                return literals.number(node.right) == 2 and self.is_numpy(node.left)
            return isinstance(node.op, _SAFE)
        if literals.number(node) is not None:
            return True
        return cls is gast.UnaryOp and isinstance(node.op, gast.USub) and self(node.operand)

    def is_numpy(self, node: gast.expr) -> bool:
        """Whether a number is one of NumPy's, which raises nothing where Python's do."""
        return self.facts.double(node) and not self.facts.native(node)
