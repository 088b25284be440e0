"""Comparisons: of numbers and arrays, of objects, by identity, of what containers hold."""

from __future__ import annotations

import operator as _operator

import gast
import numpy as np

from autodiff.analysis.kind import (
    Array,
    Kind,
    Numeric,
    Record,
    Scalar,
    Sequence,
    Static,
    is_number,
    is_text,
    number,
)
from autodiff.core.notyet import NotYet
from autodiff.core.value import Value, constant
from autodiff.lower.entries.entry import Box, Entry, Outer, Pack
from autodiff.lower.entries.truth import identity
from autodiff.lower.expression.comparing import compared, membership, of_objects
from autodiff.lower.expression.containers import Containers
from autodiff.lower.expression.operators import word
from autodiff.lower.expression.values import CONSTANTS
from autodiff.lower.flow import opaque
from autodiff.primitives.form import hole
from autodiff.primitives.primitive import Application
from autodiff.primitives.table import primitive_of


class Comparisons(Containers):
    """Lowers comparisons."""

    def of_Compare(self, node: gast.Compare) -> Entry:
        if len(node.ops) > 1:
            return self.whole(node)
        operator = node.ops[0]
        left, right = self.entry(node.left), self.entry(node.comparators[0])
        if isinstance(operator, (gast.Is, gast.IsNot)):
            return identity(self, operator, left, right)
        if isinstance(operator, (gast.In, gast.NotIn)):
            held = membership(self, operator, left, right)
            if held is None:
                raise NotYet("a test of membership")
            return held
        return self.compare(operator, left, right)

    def compare(self, operator: gast.cmpop, left: Entry, right: Entry) -> Entry:
        """`left < right`."""
        answer = of_objects(self, operator, left, right)
        if answer is not None:
            return answer
        classes = {class_of(side) for side in (left, right)}
        if isinstance(operator, (gast.Eq, gast.NotEq)) and len(classes - {None}) > 1:
            return constant(isinstance(operator, gast.NotEq))
        if opaque.is_alone(left, right):
            return opaque.asked(
                self, lambda *sides: gast.Compare(sides[0], [operator], [sides[1]]), left, right
            )
        one, two = self.loaded(self.as_value(left)), self.loaded(self.as_value(right))
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

    def mask(self, entry: Entry, converts: bool = False) -> Value:
        """A mask: a list of truth values is one. converts: so is what is not zero."""
        value = self.loaded(self.as_value(entry))
        if isinstance(value.kind, (Record, Sequence)):
            value = self.builder.call("np.array", np.array, value)
        if isinstance(value.kind, Array) and value.kind.dtype == "bool":
            return value
        if isinstance(value.kind, Array) and converts:
            return self.builder.call("np.not_equal", np.not_equal, value, constant(0))
        raise NotYet("a mask that does not hold truth values")

    def compared(self, one: Kind, two: Kind) -> Kind | None:
        """Comparisons of numbers are truth values; others are asked about."""
        if is_number(one) and is_number(two):
            numpy = isinstance(one, Scalar) and one.dtype or isinstance(two, Scalar) and two.dtype
            return number("bool", "?" if numpy else None)
        if isinstance(one, Array) or isinstance(two, Array):
            return None
        if isinstance(one, Numeric) or isinstance(two, Numeric):
            return Numeric()
        if compared(one, two):
            return number("bool")
        raise NotYet(f"a comparison of {word(one)}")


def class_of(entry: Entry) -> type | None:
    """The class of a container or of what is none and no array; None if it is not known."""
    if isinstance(entry, (Pack, Box, Outer)):
        return next((cls for cls in (tuple, list, dict) if issubclass(entry.cls, cls)), None)
    known = isinstance(entry, Value) and (is_text(entry.kind) or entry.kind == Static(None))
    plain = isinstance(entry, Value) and isinstance(entry.kind, Scalar) and entry.kind.dtype is None
    return object if known or plain else None


_COMPARISONS = {
    gast.Lt: _operator.lt,
    gast.LtE: _operator.le,
    gast.Gt: _operator.gt,
    gast.GtE: _operator.ge,
    gast.Eq: _operator.eq,
    gast.NotEq: _operator.ne,
}
