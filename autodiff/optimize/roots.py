"""A number divided by its square root is the root."""

from __future__ import annotations

import math
from typing import Any

import gast

from autodiff.optimize import literals
from autodiff.optimize.change import changed, map_inner
from autodiff.optimize.effects import effects
from autodiff.optimize.factors import Factors, factors_of, joined, merged
from autodiff.optimize.facts import Facts
from autodiff.optimize.reuse import Reuse, Table
from autodiff.syntax.fresh import called
from autodiff.syntax.names import reads, writes
from autodiff.syntax.walk import of_class

_ARITHMETIC = (gast.BinOp, gast.UnaryOp)
_MODULES = ("np", "numpy", "math")


def roots(tree: gast.FunctionDef, facts: Facts) -> gast.FunctionDef:
    """In adjoints, what is divided by a root that a variable holds, and is its square, is the root.

        s = np.sqrt(x)                                  s = np.sqrt(x)
        x_bar = y_bar * s                becomes        x_bar = y_bar * s
        x_bar += y_bar * x / (2 * s)                    x_bar += 0.5 * y_bar * s

    A division less; and at 0, where `x / s` is NaN or an error, this is the limit. For infinity and
    NaN, which a negative number has for its root, it is the same or the limit, too. The last bit
    may differ, so values of the primal stay, also those that are computed once more.
    """
    roots_in = _Roots(tree, facts)
    return roots_in.function() if roots_in.are_any() else tree


class _Roots(Reuse):
    def are_any(self) -> bool:
        """Whether there is a root, and a division."""
        found = any(self.is_worth_it(call) for call in of_class(self.tree, gast.Call))
        return found and any(
            isinstance(node.op, gast.Div) for node in of_class(self.tree, gast.BinOp)
        )

    def is_worth_it(self, node: gast.AST) -> bool:
        """Whether it is a root; only these are held here."""
        if not isinstance(node, gast.Call) or len(node.args) != 1 or node.keywords:
            return False
        func = node.func
        if not isinstance(func, gast.Attribute) or called(node) != "sqrt":
            return False
        if not isinstance(func.value, gast.Name) or func.value.id not in _MODULES:
            return False
        if func.value.id == "math" and not self.facts.double(node.args[0]):
            return False  # a float of 64 bits, of a number that may have fewer
        known = effects(node, self.facts)
        return self.facts.pure(node) and self.facts.signed(node) and not known.calls

    def is_element(self, node: gast.stmt) -> bool:
        return False

    def may_repeat(self, node: gast.stmt) -> bool:
        """Whether a statement is one of an adjoint: it may differ in the last bit."""
        if isinstance(node, gast.Return):
            return True
        names = reads(node) | writes(node)
        return any(n.endswith("_bar") and n in self.facts.temporaries for n in names)

    def replaced(self, node: Any, table: Table) -> gast.stmt:
        value = node.value
        if isinstance(node, gast.Return) and isinstance(value, gast.Tuple):
            exact = self.facts.exact and len(value.elts) == 2
            elts = [
                e if exact and k == self.facts.place else self.part(e, table, False)
                for k, e in enumerate(value.elts)
            ]
            new = value if elts == value.elts else changed(value, elts=elts)
        elif value is None or isinstance(node, gast.Return) and self.facts.exact:
            return node
        else:
            new = self.part(value, table, isinstance(node, gast.AugAssign))
        return node if new is value else changed(node, value=new)

    def part(self, node: Any, table: Table, operand: bool) -> Any:
        """Arithmetic with roots for quotients; tests and arguments of calls stay as they are."""
        if not isinstance(node, _ARITHMETIC):
            return node
        new = self.quotient(node, table)
        is_new = operand or not isinstance(new, gast.Name) or self.facts.scalar(new)
        if new is not None and is_new:  # else an array would have another name
            return self.part(new, table, operand)
        return map_inner(lambda child: self.part(child, table, True), node)

    def quotient(self, node: gast.expr, table: Table) -> gast.expr | None:
        """A product without one of its divisors; None where there is no such root among them."""
        if not isinstance(node, gast.BinOp) or not isinstance(node.op, (gast.Mult, gast.Div)):
            return None
        factors = factors_of(node)
        for place, (op, divisor) in enumerate(factors):
            parts = factors_of(divisor) if op is gast.Div else []
            for part, (inner, root) in enumerate(parts):
                square = self.square(root, table) if inner is gast.Mult else None
                keys = [self.key(f, table) if o is gast.Mult else None for o, f in factors]
                if square is None or square not in keys:
                    continue
                rest = list(factors)
                rest[place : place + 1] = _divided([*parts[:part], *parts[part + 1 :]])
                rest[rest.index(factors[keys.index(square)])] = (gast.Mult, root)
                return joined(merged(rest))
        return None

    def square(self, divisor: gast.expr, table: Table) -> Any:
        """The key of that whose root a variable holds."""
        if not isinstance(divisor, gast.Name):
            return None
        for key, held in table.items():
            if held.holder == divisor.id and key[0] is gast.Call:
                return key[3]
        return None


def _divided(parts: Factors) -> Factors:
    """What is left of a divisor, with powers of 2 as the factors that they are."""
    numbers: Factors = []
    divisors: Factors = []
    others: Factors = []
    for op, factor in parts:
        value = literals.number(factor) if op is gast.Mult else None
        if value and abs(math.frexp(value)[0]) == 0.5 and literals.is_short(1 / value):
            numbers.append((gast.Mult, literals.literal(1 / value)))
        elif op is gast.Mult:
            divisors.append((gast.Mult, factor))
        else:
            others.append((gast.Mult, factor))
    below: Factors = [(gast.Div, joined(divisors))] if divisors else []
    return [*numbers, *others, *below]
