"""A product that is turned is a product of what is turned; what is turned twice is itself."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import gast

from autodiff.optimize.change import map_parts
from autodiff.optimize.changing import Changes
from autodiff.optimize.facts import Facts
from autodiff.optimize.permuted import FORMS, Turned, turned, undoes
from autodiff.optimize.sections import map_reverse
from autodiff.syntax.names import name
from autodiff.syntax.quote import quote
from autodiff.syntax.walk import clone, of_class, statements

_SCOPES = (gast.FunctionDef, gast.ClassDef, gast.Lambda)
_NUMPY = ("np", "numpy")


def transposes(tree: gast.FunctionDef, facts: Facts) -> gast.FunctionDef:
    """In the reverse sweep, write products of matrices, and of stacks of them, as by hand.

        K_T = K.T                                   K_T = K.T
        Q_bar = S_bar @ K_T.T         becomes       Q_bar = S_bar @ K
        K_bar = (Q.T @ S_bar).T                     K_bar = S_bar.T @ Q
        A_bar = np.outer(u, v).T                    A_bar = np.outer(v, u)

    The last bit may differ: a product is summed in another order, perhaps.
    """
    if not any(node.attr in FORMS for node in of_class(tree, gast.Attribute)):
        return tree
    return map_reverse(_Transposes(tree, facts).part, tree, facts)


class _Transposes:
    def __init__(self, tree: gast.FunctionDef, facts: Facts) -> None:
        self.tree = tree
        self.facts = facts

    @cached_property
    def named(self) -> dict[str, Turned]:
        """The names of what is another variable turned, both of which are bound just once."""
        bound = Changes(self.tree, self.facts).bound
        found: dict[str, Turned] = {}
        for node in statements(self.tree.body):
            if isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name):
                own = turned(node.value, self.facts)
                if own is not None and isinstance(own.array, gast.Name):
                    if bound[node.targets[0].id] == 1 and bound[own.array.id] <= 1:
                        found[node.targets[0].id] = own
        return found

    def part(self, node: Any) -> Any:
        if isinstance(node, _SCOPES):
            return node
        new = map_parts(self.part, node)
        own = turned(new, self.facts) if isinstance(new, gast.expr) else None
        return new if own is None else self.simpler(own) or new

    def simpler(self, own: Turned) -> gast.expr | None:
        """What is turned without a transposition of a product, or of what is turned."""
        inner = own.array
        back = self.back(inner, own.axes)
        if back is not None:
            return back
        rank = len(own.axes)
        exchanged = (*range(rank - 2), rank - 1, rank - 2)
        if rank < 2 or own.axes != exchanged:
            return None
        if isinstance(inner, gast.BinOp) and isinstance(inner.op, gast.MatMult):
            left, right = self.back(inner.left, exchanged), self.back(inner.right, exchanged)
            if any(len(self.facts.shape(side) or ()) != rank for side in (inner.left, inner.right)):
                return None
            if left is None and right is None:
                return None
            text = "x.T" if rank == 2 else f"x.swapaxes({rank - 2}, {rank - 1})"
            left = left or quote(text, x=inner.left)
            return quote("b @ a", a=left, b=right or quote(text, x=inner.right))
        function = inner.func if isinstance(inner, gast.Call) else None
        if isinstance(function, gast.Attribute) and function.attr == "outer":
            module = function.value
            if isinstance(module, gast.Name) and module.id in _NUMPY and len(inner.args) == 2:
                return quote("f(b, a)", f=function, a=inner.args[0], b=inner.args[1])
        return None

    def back(self, node: gast.expr, axes: tuple[int, ...]) -> gast.expr | None:
        """What an expression is, if these axes undo how it was turned; else None."""
        own = self.named.get(node.id) if isinstance(node, gast.Name) else turned(node, self.facts)
        if own is None or not undoes(axes, own.axes):
            return None
        return name(own.array.id) if isinstance(node, gast.Name) else clone(own.array)
