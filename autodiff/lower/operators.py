"""Operators, comparisons, and expressions that stay as they are."""

from __future__ import annotations

import operator as _operator

import gast

from autodiff.analysis.kind import (
    UNKNOWN,
    Array,
    Kind,
    Numeric,
    Record,
    Scalar,
    Static,
    is_number,
    number,
)
from autodiff.core.notyet import NotYet
from autodiff.core.value import Value, constant
from autodiff.lower.entry import Bound, Closure, Entry, Pack
from autodiff.lower.values import CONSTANTS, Values
from autodiff.primitives.form import hole
from autodiff.primitives.primitive import Application
from autodiff.primitives.table import SYNTAX, primitive_of
from autodiff.syntax.names import name
from autodiff.syntax.walk import map_children


class Operators(Values):
    """Lowers operators."""

    def of_BinOp(self, node: gast.BinOp) -> Entry:
        left, right = self.entry(node.left), self.entry(node.right)
        if isinstance(left, Pack) or isinstance(right, Pack):
            return self.packed(node.op, left, right)
        one, two = self.numeric(left), self.numeric(right)
        return self.builder.binary(node.op, one, two)

    def packed(self, operator: gast.operator, left: Entry, right: Entry) -> Entry:
        """Tuples that are joined or repeated."""
        if isinstance(operator, gast.Add) and isinstance(left, Pack) and isinstance(right, Pack):
            return Pack(left.items + right.items)
        if isinstance(operator, gast.Mult):
            for one, other in ((left, right), (right, left)):
                if (
                    isinstance(one, Pack)
                    and isinstance(other, Value)
                    and type(other.constant) is int
                ):
                    return Pack(one.items * other.constant)
        one, two = (
            side if isinstance(side, Value) else self.as_value(side) for side in (left, right)
        )
        return self.builder.binary(operator, self.numeric(one), self.numeric(two))

    def numeric(self, entry: Entry) -> Value:
        """An operand of an operator: a number or an array."""
        value = self.loaded(self.as_value(entry))
        if not isinstance(value.kind, (Array, Scalar, Numeric)) and not _is_listed(value.kind):
            raise NotYet(f"an operator on {word(value.kind)}")
        return value

    def of_UnaryOp(self, node: gast.UnaryOp) -> Entry:
        operand = self.content(node.operand)
        if isinstance(node.op, gast.Not):
            if operand.is_constant:
                return constant(not operand.constant)
        elif not isinstance(operand.kind, (Array, Scalar, Numeric)):
            raise NotYet(f"an operator on {word(operand.kind)}")
        return self.builder.unary(node.op, operand)

    def of_Compare(self, node: gast.Compare) -> Entry:
        if len(node.ops) > 1:
            return self.whole(node)
        operator = node.ops[0]
        left, right = self.entry(node.left), self.entry(node.comparators[0])
        if isinstance(operator, (gast.Is, gast.IsNot)):
            return self.identity(operator, left, right)
        one, two = self.loaded(self.as_value(left)), self.loaded(self.as_value(right))
        if isinstance(operator, (gast.In, gast.NotIn)):
            raise NotYet("a test of membership")
        if one.is_constant and two.is_constant and isinstance(one.constant, CONSTANTS):
            if isinstance(two.constant, CONSTANTS) and isinstance(operator, (gast.Eq, gast.NotEq)):
                return constant((one.constant == two.constant) is isinstance(operator, gast.Eq))
        form = gast.Compare(left=hole(0), ops=[operator], comparators=[hole(1)])
        function = _COMPARISONS[type(operator)]
        kind = self.compared(one.kind, two.kind)
        return self.builder.apply(
            primitive_of(function), Application((hole(0), hole(1))), form, [one, two], kind
        )

    def compared(self, one: Kind, two: Kind) -> Kind | None:
        """Comparisons of numbers are truth values; others are asked about."""
        if is_number(one) and is_number(two):
            numpy = isinstance(one, Scalar) and one.dtype or isinstance(two, Scalar) and two.dtype
            return number("bool", "?" if numpy else None)
        if isinstance(one, Array) or isinstance(two, Array):
            return None
        if isinstance(one, Numeric) or isinstance(two, Numeric):
            return Numeric()
        raise NotYet(f"a comparison of {word(one)}")

    def identity(self, operator: gast.cmpop, left: Entry, right: Entry) -> Entry:
        """`x is None`, where kinds tell."""
        for one, other in ((left, right), (right, left)):
            if isinstance(one, Value) and one.is_constant and one.constant is None:
                if isinstance(other, (Pack, Closure, Bound)):
                    return constant(isinstance(operator, gast.IsNot))
                if isinstance(other, Value) and other.is_constant:
                    return constant((other.constant is None) is isinstance(operator, gast.Is))
                if isinstance(other, Value) and isinstance(other.kind, (Array, Scalar, Record)):
                    return constant(isinstance(operator, gast.IsNot))
        raise NotYet("a test of identity")

    def of_BoolOp(self, node: gast.BoolOp) -> Entry:
        return self.whole(node)

    def of_JoinedStr(self, node: gast.JoinedStr) -> Entry:
        return self.whole(node)

    def of_IfExp(self, node: gast.IfExp) -> Entry:
        return self.whole(node)

    def whole(self, node: gast.expr, kind: Kind | None = None) -> Value:
        """An expression that stays as it is: it may leave parts out, so it is one step."""
        operands: list[Value] = []

        def visit(part: gast.AST) -> gast.AST:
            if isinstance(part, gast.Name) and isinstance(part.ctx, gast.Load):
                if self.frame.holder(part.id) is None:
                    found = self.frame.lookup(part.id)
                    return name(self.frame.spelled(part.id, found))
                operands.append(self.as_value(self.of_Name(part)))
                return hole(len(operands) - 1)
            if isinstance(
                part, (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp, gast.Lambda)
            ):
                raise NotYet("a comprehension in an expression that stays whole")
            if isinstance(part, gast.Call) and self.static(part.func) is None:
                raise NotYet("a call in an expression that stays whole")
            if isinstance(part, gast.Call) and not primitive_of(self.static(part.func)).pure:
                raise NotYet("a call in an expression that stays whole")
            return map_children(visit, part)

        form = visit(node)
        kind = kind or self.truth(node) or UNKNOWN
        value = self.builder.apply(SYNTAX, Application((form,)), form, operands, kind)
        op = value.op
        assert op is not None
        op.reads = op.raises = True  # type: ignore[attr-defined]
        if kind == UNKNOWN:
            raise NotYet(f"expression {type(node).__name__}")
        return value

    def truth(self, node: gast.expr) -> Kind | None:
        """The kind of a test of numbers; None where it may be something else."""
        if isinstance(node, gast.Compare):
            return number("bool", "?")
        if isinstance(node, gast.BoolOp):
            return number("bool", "?") if all(map(self.truth, node.values)) else None
        if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.Not):
            return number("bool")
        if isinstance(node, gast.JoinedStr):
            return Static("")
        if isinstance(node, gast.Name):
            entry = self.of_Name(node)
            return entry.kind if isinstance(entry, Value) and is_number(entry.kind) else None
        return None


def _is_listed(kind: Kind) -> bool:
    return isinstance(kind, Record) and kind.cls is tuple


def word(kind: Kind) -> str:
    if isinstance(kind, Record):
        return kind.cls.__name__
    return type(kind).__name__.lower()


_COMPARISONS = {
    gast.Lt: _operator.lt,
    gast.LtE: _operator.le,
    gast.Gt: _operator.gt,
    gast.GtE: _operator.ge,
    gast.Eq: _operator.eq,
    gast.NotEq: _operator.ne,
}
