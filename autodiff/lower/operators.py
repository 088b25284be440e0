"""Operators, comparisons, and expressions that stay as they are."""

from __future__ import annotations

import operator as _operator
from typing import Any

import gast

from autodiff.analysis.kind import (
    Array,
    Kind,
    Numeric,
    Record,
    Scalar,
    is_number,
    is_text,
    number,
)
from autodiff.core.notyet import NotYet
from autodiff.core.value import ABSENT, Value, constant
from autodiff.lower import outer
from autodiff.lower.boxes import boxed, called, special
from autodiff.lower.entry import Bound, Box, Closure, DictView, Entry, Outer, Pack
from autodiff.lower.lists import memory_of
from autodiff.lower.values import CONSTANTS
from autodiff.lower.wholes import Wholes
from autodiff.primitives.form import hole, written
from autodiff.primitives.primitive import Application
from autodiff.primitives.table import SYNTAX, primitive_of


class Operators(Wholes):
    """Lowers operators."""

    def of_BinOp(self, node: gast.BinOp) -> Entry:
        left, right = self.entry(node.left), self.entry(node.right)
        return self.combined(node.op, left, right)

    def combined(self, operator: gast.operator, left: Entry, right: Entry) -> Entry:
        """An operator between two entries: of objects, the method that they have for it."""
        word = OPERATORS.get(type(operator), "")
        asked = [(left, f"__{word}__", right), (right, f"__r{word}__", left)]
        if isinstance(left, (Box, Pack)) and isinstance(right, (Box, Pack)):
            if right.cls is left.cls:
                del asked[1]
            elif issubclass(right.cls, left.cls) and self.differ(left, right, f"__r{word}__"):
                asked.reverse()  # a subclass with a method of its own is asked first
        for receiver, own, other in asked:
            method = special(self, receiver, own)
            if method is not None:
                found = called(self, method, [receiver, other])
                if not (isinstance(found, Value) and found.constant is NotImplemented):
                    return found
        if isinstance(left, (Pack, Box, Outer)) or isinstance(right, (Pack, Box, Outer)):
            return self.packed(operator, left, right)
        one, two = self.numeric(left), self.numeric(right)
        return self.builder.binary(operator, one, two)

    def differ(self, left: Box | Pack, right: Box | Pack, method: str) -> bool:
        """Whether the classes of two objects have different methods of a name."""
        return special(self, left, method) is not special(self, right, method)

    def updated(self, operator: gast.operator, old: Entry, value: Entry) -> Entry:
        """`old op= value` of what is no array: an object may have a method that changes it."""
        method = special(self, old, f"__i{OPERATORS.get(type(operator), '')}__")
        if method is not None:
            found = called(self, method, [old, value])
            if isinstance(found, Value) and found.constant is NotImplemented:
                raise NotYet("an update that its object does not implement")
            return found
        return self.combined(operator, old, value)

    def packed(self, operator: gast.operator, left: Entry, right: Entry) -> Entry:
        """Tuples and lists that are joined or repeated; beside arrays they are arrays."""
        sides = [self.listed(side) for side in (left, right)]
        one, two = sides
        if isinstance(operator, gast.Add) and one is not None and two is not None:
            if type(left) is type(right):
                return self.joined(left, [*one, *two])
        if isinstance(operator, gast.Mult):
            for own, side, other in ((one, left, right), (two, right, left)):
                if own is not None and isinstance(other, Value) and type(other.constant) is int:
                    return self.joined(side, own * other.constant)
        return self.builder.binary(operator, self.numeric(left), self.numeric(right))

    def listed(self, entry: Entry) -> list[Entry] | None:
        """The items of a list or tuple; None for anything else."""
        if isinstance(entry, (Pack, DictView)):
            return list(entry.items)
        if isinstance(entry, Outer) and entry.cls in (list, tuple):
            return outer.items(self, entry)
        if not isinstance(entry, Box) or entry.cls is not list or memory_of(entry) is not None:
            return None
        return list(entry.slots.values())

    def joined(self, like: Entry, items: list[Entry]) -> Entry:
        """A new list or tuple of items."""
        if isinstance(like, Pack):
            return Pack(tuple(items))
        return boxed(self.unit, list, dict(enumerate(items)))

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
        if (
            isinstance(left, Box)
            and not left.indexed
            or isinstance(right, Box)
            and not right.indexed
        ):
            raise NotYet("a comparison of objects")
        if isinstance(operator, (gast.In, gast.NotIn)) and isinstance(right, (Box, Pack)):
            return self.membership(operator, left, right)
        one, two = self.loaded(self.as_value(left)), self.loaded(self.as_value(right))
        if isinstance(operator, (gast.In, gast.NotIn)):
            raise NotYet("a test of membership")
        if one.is_constant and two.is_constant and isinstance(one.constant, CONSTANTS):
            if isinstance(two.constant, CONSTANTS) and isinstance(operator, (gast.Eq, gast.NotEq)):
                return constant((one.constant == two.constant) is isinstance(operator, gast.Eq))
        function = _COMPARISONS[type(operator)]
        if all(isinstance(side.constant, (int, float)) for side in (one, two)):
            return constant(function(one.constant, two.constant))
        form = gast.Compare(left=hole(0), ops=[operator], comparators=[hole(1)])
        kind = self.compared(one.kind, two.kind)
        return self.builder.apply(
            primitive_of(function), Application((hole(0), hole(1))), form, [one, two], kind
        )

    def membership(self, operator: gast.cmpop, item: Entry, container: Box | Pack) -> Entry:
        """`key in d`, of a container whose keys or items are known."""
        if isinstance(container, Box) and container.cls is dict:
            known: list[Any] = list(container.slots)
        else:
            items = container.items if isinstance(container, Pack) else container.slots.values()
            known = [each.constant if isinstance(each, Value) else ... for each in items]
        if not isinstance(item, Value) or ABSENT in known or ... in known:
            raise NotYet("a test of membership")
        plain = isinstance(container, Pack) and all(isinstance(k, (int, float, str)) for k in known)
        if not item.is_constant and isinstance(item.kind, Scalar) and plain:
            form = gast.Compare(left=hole(0), ops=[operator], comparators=[written(tuple(known))])
            kind = number("bool")
            return self.builder.apply(SYNTAX, Application((form,)), form, [item], kind)
        if not item.is_constant:
            raise NotYet("a test of membership")
        return constant((item.constant in known) is isinstance(operator, gast.In))

    def compared(self, one: Kind, two: Kind) -> Kind | None:
        """Comparisons of numbers are truth values; others are asked about."""
        if is_number(one) and is_number(two):
            numpy = isinstance(one, Scalar) and one.dtype or isinstance(two, Scalar) and two.dtype
            return number("bool", "?" if numpy else None)
        if isinstance(one, Array) or isinstance(two, Array):
            return None
        if isinstance(one, Numeric) or isinstance(two, Numeric):
            return Numeric()
        if is_text(one) and is_text(two):
            return number("bool")
        raise NotYet(f"a comparison of {word(one)}")

    def identity(self, operator: gast.cmpop, left: Entry, right: Entry) -> Entry:
        """`x is None`, where kinds tell."""
        for one, other in ((left, right), (right, left)):
            if isinstance(one, Value) and one.is_constant and one.constant is None:
                if isinstance(other, (Pack, Box, Outer, Closure, Bound)):
                    return constant(isinstance(operator, gast.IsNot))
                if isinstance(other, Value) and other.is_constant:
                    return constant((other.constant is None) is isinstance(operator, gast.Is))
                if isinstance(other, Value) and isinstance(other.kind, (Array, Scalar, Record)):
                    return constant(isinstance(operator, gast.IsNot))
        raise NotYet("a test of identity")


OPERATORS = {
    gast.Add: "add",
    gast.Sub: "sub",
    gast.Mult: "mul",
    gast.Div: "truediv",
    gast.Pow: "pow",
    gast.MatMult: "matmul",
    gast.FloorDiv: "floordiv",
    gast.Mod: "mod",
    gast.BitOr: "or",
    gast.BitAnd: "and",
    gast.BitXor: "xor",
    gast.LShift: "lshift",
    gast.RShift: "rshift",
}
"""The words of the special methods of operators."""


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
