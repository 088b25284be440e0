"""Simpler expressions of exactly the same value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from autodiff.instantiate import numerals as literals
from autodiff.syntax.change import changed, unchanged
from autodiff.syntax.make import SIGNS, make
from autodiff.syntax.names import reads

Test = Callable[[gast.expr], bool]


def simplify(expression: gast.expr, inexact: Test) -> gast.expr:
    """The expression with constants computed and neutral operations dropped.

    The result may be a part of the expression, hence an alias where there was a new array:
    `1.0 * y_bar` becomes `y_bar`. Whoever updates results in place asks for ownership afterwards.
    """
    return Simplifier(inexact).visit(expression)


class Simplifier:
    """Simplifies from the leaves up; nodes that do not change are shared with the original.

    inexact: whether a value is certainly made of floats, on which signs and ones are exact.
    """

    def __init__(self, inexact: Test) -> None:
        self.inexact = inexact

    def visit(self, node: gast.expr) -> gast.expr:
        """The simplified expression; names, constants and what is opaque stay as they are."""
        form = _FORMS.get(node.__class__)
        return node if form is None else form(self, node)

    def fields(self, node: gast.expr, *fields: str) -> gast.expr:
        new: dict[str, object] | None = None
        for field in fields:
            value = getattr(node, field)
            if value.__class__ is list:
                result: object = self.items(value)
            else:
                form = _FORMS.get(value.__class__)
                result = value if form is None else form(self, value)
            if result is not value:
                new = new or {}
                new[field] = result
        return node if new is None else changed(node, **new)

    def sides(self, node: gast.BinOp) -> gast.BinOp:
        left, right = node.left, node.right
        if left.__class__ in _FORMS:
            left = self.visit(left)
        if right.__class__ in _FORMS:
            right = self.visit(right)
        if left is node.left and right is node.right:
            return node
        result: gast.BinOp = changed(node, left=left, right=right)
        return result

    def items(self, nodes: list[gast.expr]) -> list[gast.expr]:
        new = [self.visit(node) for node in nodes]
        return nodes if unchanged(new, nodes) else new

    def choice(self, node: gast.IfExp) -> gast.expr:
        node = self.fields(node, "test", "body", "orelse")
        test = self.test(node.test)
        if test is not node.test:
            node = changed(node, test=test)
        if isinstance(node.test, gast.Constant):
            chosen: gast.expr = node.body if node.test.value else node.orelse
            masked = getattr(node, "masks", False) and literals.number(chosen) == 0
            return node if masked else chosen  # what lies behind may be infinite
        return node

    def binary(self, node: gast.BinOp) -> gast.expr:
        node = self.sides(node)
        left, right, op = node.left, node.right, node.op.__class__
        a = literals.number(left) if left.__class__ in literals.SPELLED else None
        b = literals.number(right) if right.__class__ in literals.SPELLED else None
        if a is not None and b is not None:
            return literals.arithmetic(op, a, b) or node
        new: gast.expr | None = None
        if op is gast.Mult:
            if a is not None:
                new = self.times(a, right)
            elif b is not None:
                new = self.times(b, left)
        elif op is gast.Div and b is not None:
            new = self.times(b, left)
        elif op is gast.Pow and b == 1 and (isinstance(b, int) or self.inexact(left)):
            new = left
        elif op is gast.Add:
            new = self.opposite(node, gast.Sub)
        elif op is gast.Sub:
            if b == 0 and not literals.negative(right) and self.inexact(left):
                new = left
            else:
                new = self.opposite(node, gast.Add)
        elif op is gast.BitAnd or op is gast.BitOr:
            new = known_mask(node)
        return new or node

    def times(self, factor: int | float, other: gast.expr) -> gast.expr | None:
        """`other` times 1 or -1 (or divided by it)."""
        exact = self.inexact(other)
        if factor == 1 and exact:
            return other
        if factor == -1 and exact:
            return self.unary(make(gast.UnaryOp, op=gast.USub(), operand=other))
        return None

    def opposite(self, node: gast.BinOp, op: type) -> gast.expr | None:
        """`a + -b` as `a - b`, `a - -b` as `a + b`."""
        if node.right.__class__ is gast.Name:  # as a rule
            return None
        positive = without_sign(node.right, self.inexact)
        return None if positive is None else changed(node, op=SIGNS[op], right=positive)

    def unary(self, node: gast.UnaryOp) -> gast.expr:
        operand = node.operand
        if isinstance(node.op, gast.Not) and isinstance(operand, gast.Constant):
            return make(gast.Constant, value=not operand.value, kind=None)
        if isinstance(node.op, gast.USub) and isinstance(operand, gast.Constant):
            value = literals.number(operand)
            if value is not None and value < 0:  # a constant that a kind told, not the text
                return make(gast.Constant, value=-value, kind=None)
        if isinstance(node.op, gast.USub) and isinstance(operand, gast.UnaryOp):
            if isinstance(operand.op, gast.USub):
                inner = operand.operand
                if literals.number(inner) is not None or self.inexact(inner):
                    return inner
        if isinstance(node.op, gast.USub) and isinstance(operand, gast.BinOp):
            return without_sign(operand, self.inexact) or node
        return node

    def compare(self, node: gast.Compare) -> gast.expr:
        if len(node.ops) == 1:
            return literals.comparison(type(node.ops[0]), node.left, node.comparators[0]) or node
        return node

    def boolean(self, node: gast.BoolOp) -> gast.expr:
        """A constant that lets evaluation go on is dropped; what follows one that ends it, too."""
        goes_on = isinstance(node.op, gast.And)
        kept: list[gast.expr] = []
        for value in node.values[:-1]:
            if not isinstance(value, gast.Constant):
                kept.append(value)
            elif bool(value.value) is not goes_on:
                kept.append(value)
                break
        else:
            kept.append(node.values[-1])
        if len(kept) == len(node.values):
            return node
        return kept[0] if len(kept) == 1 else changed(node, values=kept)

    def test(self, node: gast.expr) -> gast.expr:
        """`n == 1 and True` as `n == 1`, where it only decides."""
        if not isinstance(node, gast.BoolOp) or not isinstance(node.values[-1], gast.Constant):
            return node
        *others, last = node.values
        if bool(last.value) is isinstance(node.op, gast.And):
            return others[0] if len(others) == 1 else changed(node, values=others)
        return node


_FORMS: dict[type, Callable[[Simplifier, Any], gast.expr]] = {
    gast.BinOp: Simplifier.binary,
    gast.UnaryOp: lambda s, node: s.unary(s.fields(node, "operand")),
    gast.Compare: lambda s, node: s.compare(s.fields(node, "left", "comparators")),
    gast.BoolOp: lambda s, node: s.boolean(s.fields(node, "values")),
    gast.IfExp: Simplifier.choice,
    gast.Call: lambda s, node: s.fields(node, "func", "args", "keywords"),
    gast.Subscript: lambda s, node: s.fields(node, "value", "slice"),
    gast.Attribute: lambda s, node: s.fields(node, "value"),
    **dict.fromkeys((gast.Tuple, gast.List, gast.Set), lambda s, node: s.fields(node, "elts")),
    gast.Slice: lambda s, node: s.fields(node, "lower", "upper", "step"),
    **dict.fromkeys((gast.keyword, gast.Starred), lambda s, node: s.fields(node, "value")),
    gast.Dict: lambda s, node: s.fields(node, "values"),
}


_SIGNED = (gast.UnaryOp, gast.BinOp, gast.Constant)


def without_sign(expression: gast.expr, signed: Callable[[gast.expr], bool]) -> gast.expr | None:
    """The `e` for which an expression is exactly `-e`; None without a sign to drop (`-a * b`)."""
    cls = expression.__class__
    if cls is gast.UnaryOp and isinstance(expression.op, gast.USub):
        operand = expression.operand
        number = literals.number(operand)
        if number is not None:
            return operand if number != 0 else None
        return operand if signed(operand) else None
    if cls is gast.Constant:  # the normal form has such constants
        value = literals.number(expression)
        return literals.literal(-value) if value is not None and value < 0 else None
    if cls is gast.BinOp and isinstance(expression.op, (gast.Mult, gast.Div)):
        for side in ("left", "right"):
            part = getattr(expression, side)
            positive = without_sign(part, signed) if part.__class__ in _SIGNED else None
            if positive is not None and signed(expression):
                result: gast.expr = changed(expression, **{side: positive})
                return result
    return None


def known_mask(node: gast.BinOp) -> gast.expr | None:
    """A conjunction or disjunction of comparisons without the constant in it; None without one.

    What goes has to have the shape of what stays: it reads nothing else.

    >>> import ast
    >>> node = gast.parse("(z > 0) | (z == 0) & False", mode="eval").body
    >>> ast.unparse(gast.gast_to_ast(known_mask(node)))
    'z > 0'
    """
    if isinstance(node.op, gast.BitAnd) and _is_mask(node.left) and _is(node.right, True):
        kept: gast.expr = node.left
        return kept
    if not isinstance(node.op, gast.BitOr) or not isinstance(node.right, gast.BinOp):
        return None
    right = node.right
    empty = isinstance(right.op, gast.BitAnd) and _is(right.right, False) and _is_mask(right.left)
    if empty and _is_mask(node.left) and reads(right.left) <= reads(node.left):
        kept = node.left
        return kept
    return None


def _is(node: gast.expr, value: bool) -> bool:
    return isinstance(node, gast.Constant) and node.value is value


def _is_mask(node: gast.expr) -> bool:
    """Whether an expression compares names with numbers: all of it is bool."""
    if isinstance(node, gast.BinOp) and isinstance(node.op, (gast.BitAnd, gast.BitOr)):
        return _is_mask(node.left) and _is_mask(node.right)
    if not isinstance(node, gast.Compare):
        return False
    atoms = (gast.Name, gast.Constant, gast.Attribute)
    return all(isinstance(part, atoms) for part in (node.left, *node.comparators))
