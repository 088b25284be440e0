"""A product that is turned is a product of what is turned; what is turned twice is itself."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import gast

from autodiff.optimize.change import map_parts
from autodiff.optimize.changing import Changes
from autodiff.optimize.facts import Facts
from autodiff.optimize.sections import map_reverse
from autodiff.syntax.names import name
from autodiff.syntax.quote import quote
from autodiff.syntax.walk import clone, of_class, statements

_SCOPES = (gast.FunctionDef, gast.ClassDef, gast.Lambda)
_NUMPY = ("np", "numpy")


def transposes(tree: gast.FunctionDef, facts: Facts) -> gast.FunctionDef:
    """In the reverse sweep, write products of matrices as by hand.

        K_T = K.T                                   K_T = K.T
        Q_bar = S_bar @ K_T.T         becomes       Q_bar = S_bar @ K
        K_bar = (Q.T @ S_bar).T                     K_bar = S_bar.T @ Q
        A_bar = np.outer(u, v).T                    A_bar = np.outer(v, u)

    The last bit may differ: a product is summed in another order, perhaps.
    """
    if not any(node.attr == "T" for node in of_class(tree, gast.Attribute)):
        return tree
    return map_reverse(_Transposes(tree, facts).part, tree, facts)


class _Transposes:
    def __init__(self, tree: gast.FunctionDef, facts: Facts) -> None:
        self.tree = tree
        self.facts = facts

    @cached_property
    def turned(self) -> dict[str, str]:
        """The names of what is another variable turned, both of which are bound just once."""
        bound = Changes(self.tree, self.facts).bound
        return {
            node.targets[0].id: node.value.value.id
            for node in statements(self.tree.body)
            if isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name)
            if self.is_turned(node.value) and isinstance(node.value.value, gast.Name)
            if bound[node.targets[0].id] == 1 and bound[node.value.value.id] <= 1
        }

    def part(self, node: Any) -> Any:
        if isinstance(node, _SCOPES):
            return node
        new = map_parts(self.part, node)
        return (self.simpler(new.value) or new) if self.is_turned(new) else new

    def is_turned(self, node: gast.AST) -> bool:
        """Whether an expression is `x.T` of what is certainly an array."""
        if not isinstance(node, gast.Attribute) or node.attr != "T":
            return False
        return isinstance(node.ctx, gast.Load) and self.facts.shape(node.value) is not None

    def simpler(self, inner: gast.expr) -> gast.expr | None:
        """What `inner.T` is without a transposition of a product, or of what is turned."""
        back = self.back(inner)
        if back is not None:
            return back
        if isinstance(inner, gast.BinOp) and isinstance(inner.op, gast.MatMult):
            left, right = self.back(inner.left), self.back(inner.right)
            if not self.is_matrix(inner.left) or not self.is_matrix(inner.right):
                return None
            if left is None and right is None:
                return None
            left = left or quote("x.T", x=inner.left)
            return quote("b @ a", a=left, b=right or quote("x.T", x=inner.right))
        function = inner.func if isinstance(inner, gast.Call) else None
        if isinstance(function, gast.Attribute) and function.attr == "outer":
            module = function.value
            if isinstance(module, gast.Name) and module.id in _NUMPY and len(inner.args) == 2:
                return quote("f(b, a)", f=function, a=inner.args[0], b=inner.args[1])
        return None

    def back(self, node: gast.expr) -> gast.expr | None:
        """What a turned expression is the transposition of; None for all others."""
        if isinstance(node, gast.Name):
            own = self.turned.get(node.id)
            return None if own is None else name(own)
        return clone(node.value) if self.is_turned(node) else None

    def is_matrix(self, node: gast.expr) -> bool:
        return len(self.facts.shape(node) or ()) == 2
