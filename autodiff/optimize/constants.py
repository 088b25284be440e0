"""The constants of a product become one, where it costs least."""

from __future__ import annotations

import gast

from autodiff.optimize import literals
from autodiff.optimize.change import changed, map_inner
from autodiff.optimize.effects import effects
from autodiff.optimize.factors import Factors, factors_of, joined
from autodiff.optimize.facts import Facts
from autodiff.optimize.sections import map_reverse
from autodiff.syntax.make import make
from autodiff.syntax.names import reads

_LEFT_ALONE = (gast.Name, gast.Constant, gast.FunctionDef, gast.ClassDef, gast.Lambda)


def constants(tree: gast.FunctionDef, facts: Facts) -> gast.FunctionDef:
    """Multiply the constants of each product of the reverse sweep with each other.

        (-y_bar * 0.5)[:, None] * (2 * a)      becomes     -y_bar[:, None] * a
        s * np.exp(a) * 2                                  2 * s * np.exp(a)     s a number
        2 * np.sin(s) * s                                  2 * s * np.sin(s)
        1.0 / a * b                                        b / a
        2 * (1.0 / n) * a                                  2.0 / n * a           n a number
        1.0 * len(x) / a, a - 1.0 * len(x)                 len(x) / a, a - len(x)

    The first two and the fifth save a pass over an array, the third works on fewer numbers of
    NumPy's. The last bit may differ; the forward sweep stays as it is.
    """
    return map_reverse(_Constants(facts).part, tree, facts)


class _Constants:
    def __init__(self, facts: Facts) -> None:
        self.facts = facts

    def part(self, node: gast.AST) -> gast.AST:
        if node.__class__ in _LEFT_ALONE:
            return node
        if node.__class__ is gast.BinOp and isinstance(node.op, (gast.Mult, gast.Div)):
            factors = factors_of(node)
            new = self.product(node, factors) or self.quotient(node, factors)
            new = new or self.natives_first(factors) or self.counted(factors)
            if new is not None:
                return self.part(new)
        elif node.__class__ is gast.BinOp and isinstance(node.op, (gast.Add, gast.Sub)):
            left = self.whole(node.left, node.right)
            right = self.whole(node.right, left)  # one of the two stays a float
            if left is not node.left or right is not node.right:
                node = changed(node, left=left, right=right)
        result: gast.AST = map_inner(self.part, node)
        return result

    def product(self, node: gast.BinOp, factors: Factors) -> gast.expr | None:
        """The product with one constant; None where that saves nothing."""
        found: list[float] = []
        rest: Factors = []
        if all(factor.__class__ is gast.Name for _, factor in factors):
            return None
        for op, factor in factors:
            number = literals.number(factor)
            if op is gast.Div:
                if number is not None and number and literals.is_short(1 / number):
                    found.append(1 / number)
                else:
                    rest.append((op, self.divisor(factor, found)))
            else:
                rest += [(op, part) for part in self.stripped(factor, found)]
        scales = [number for number in found if abs(number) != 1]
        if not scales or not rest:
            return None
        if rest[0][0] is gast.Div:
            return self.fraction(found, rest)
        if len(scales) < 2 and not self.is_late(node, rest):
            return None
        if not self.facts.signed(joined(rest)):
            return None
        constant: float = 1
        for number in found:
            constant *= number
        if not literals.is_short(constant):
            return None
        first = rest[0][1]
        if constant == -1:
            first = make(gast.UnaryOp, op=gast.USub(), operand=first)
        elif constant != 1:
            scaled = literals.literal(constant)
            first = make(gast.BinOp, left=scaled, op=gast.Mult(), right=first)
        return joined([(gast.Mult, first), *rest[1:]])

    def divisor(self, factor: gast.expr, found: list[float]) -> gast.expr:
        """A divisor without its constants, as far as one over them is exact."""
        kept: Factors = []
        inverse: list[float] = []
        for op, part in factors_of(factor):
            number = literals.number(part) if op is gast.Mult else None
            if number and literals.is_short(1 / number):
                inverse.append(1 / number)
            else:
                kept.append((op, part))
        if not inverse or not kept or kept[0][0] is gast.Div:
            return factor
        found.extend(inverse)
        return joined(kept)

    def fraction(self, found: list[float], rest: Factors) -> gast.expr | None:
        """Constants, divided by a number and then what they are multiplied with."""
        whole: float = 1
        for number in found:
            whole *= number
        if len(found) < 2 or not self.facts.scalar(rest[0][1]) or not literals.is_short(whole):
            return None
        return joined([(gast.Mult, literals.literal(whole)), *rest])

    def quotient(self, node: gast.BinOp, factors: Factors) -> gast.expr | None:
        """The product without a reciprocal in front: another factor is divided in its place."""
        one, *rest = factors
        if one[1].__class__ is not gast.Constant or literals.number(one[1]) != 1:
            return None
        shape = self.facts.shape(node)
        if not shape or not self.facts.wide(node):
            return None
        if rest[0][0] is not gast.Div or self.facts.shape(rest[0][1]) != shape:
            return None
        for place, (op, factor) in enumerate(rest):
            if op is gast.Mult and self.facts.shape(factor) == shape and self.facts.wide(factor):
                return joined([(op, factor), *rest[:place], *rest[place + 1 :]])
        return None

    def natives_first(self, factors: Factors) -> gast.expr | None:
        """The product of numbers with Python's own before NumPy's, with which it takes longer."""
        if len(factors) < 3 or any(op is gast.Div for op, _ in factors):
            return None
        values = [factor for _, factor in factors]
        if not all(map(self.facts.scalar, values)):
            return None
        native = list(map(self.facts.native, values))
        if native.count(True) < 2 or native == sorted(native, reverse=True):
            return None
        if any(effects(value, self.facts).calls for value in values):
            return None
        return joined(sorted(factors, key=lambda factor: not self.facts.native(factor[1])))

    def counted(self, factors: Factors) -> gast.expr | None:
        """The quotient without a one before an integer: what divides it makes it a float."""
        one, *rest = factors
        if one[1].__class__ is not gast.Constant or literals.number(one[1]) != 1:
            return None
        if len(rest) < 2 or rest[0][0] is gast.Div:
            return None
        divided = rest[1][0] is gast.Div and self.facts.signed(rest[1][1])
        return joined(rest) if divided and self.facts.native(rest[0][1]) else None

    def whole(self, term: gast.expr, other: gast.expr) -> gast.expr:
        """`1.0 * n`, n an integer of Python's, as `n`, where a float is added."""
        if term.__class__ is gast.BinOp and isinstance(term.op, gast.Mult):
            one = literals.number(term.left) == 1
            if one and self.facts.native(term.right) and self.facts.signed(other):
                return term.right
        return term

    def stripped(self, factor: gast.expr, found: list[float]) -> list[gast.expr]:
        """A factor without its constants, which are `found`; nothing if it is one."""
        if factor.__class__ is gast.Name:
            return [factor]
        number = literals.number(factor)
        if number is not None:
            found.append(number)
            return []
        if isinstance(factor, gast.UnaryOp) and isinstance(factor.op, gast.USub):
            if self.facts.signed(factor.operand):
                found.append(-1)
                return [factor.operand]
        if isinstance(factor, gast.Subscript) and _only_adds_axes(factor.slice):
            inner: Factors = []
            own: list[float] = []
            for op, part in factors_of(factor.value):
                if op is gast.Div:
                    inner.append((op, self.divisor(part, own)))
                else:
                    inner.extend((op, piece) for piece in self.stripped(part, own))
            if inner and inner[0][0] is gast.Mult and self.facts.shape(joined(inner)):
                found.extend(own)
                return [changed(factor, value=joined(inner))]
        return [factor]

    def is_late(self, node: gast.BinOp, rest: Factors) -> bool:
        """Whether the only constant scales a whole array that a smaller factor comes before."""
        first = rest[0][1]
        if len(rest) < 2 or literals.number(_leftmost(node)) is not None:
            return False
        smaller = isinstance(first, gast.Subscript) and _only_adds_axes(first.slice)
        return (smaller or self.facts.double(first)) and self.facts.shape(node) is not None


def _leftmost(node: gast.expr) -> gast.expr:
    while isinstance(node, gast.BinOp) and isinstance(node.op, (gast.Mult, gast.Div)):
        node = node.left
    return node


def _only_adds_axes(index: gast.expr) -> bool:
    parts = index.elts if isinstance(index, gast.Tuple) else [index]
    return any(_is(part, None) for part in parts) and all(
        _is(part, None)
        or _is(part, Ellipsis)
        or (isinstance(part, gast.Slice) and not reads(part) and part.lower is part.upper is None)
        for part in parts
    )


def _is(node: gast.expr, value: object) -> bool:
    return isinstance(node, gast.Constant) and node.value is value
