"""Operators, comparisons, and expressions that stay as they are."""

from __future__ import annotations

import operator as functions
from typing import Any

import gast

from autodiff.core import Apply, NotYet, Raises, Unseen, Value, constant
from autodiff.kinds.kind import Array, Kind, Numeric, Record, Scalar, Sequence, Static, Text
from autodiff.kinds.operation import BINARY, UNARY
from autodiff.lower.entries import members, outer
from autodiff.lower.entries.boxes import boxed, called, special
from autodiff.lower.entries.entry import Box, DictView, Entry, Outer, Pack
from autodiff.lower.entries.listed import is_range
from autodiff.lower.entries.lists import memory_of
from autodiff.lower.entries.spoken import seen
from autodiff.lower.entries.truth import truth
from autodiff.lower.entries.untouched import untouched
from autodiff.lower.expression import parts
from autodiff.lower.expression.foreign_operands import worded
from autodiff.lower.expression.wholes import Wholes
from autodiff.lower.flow import opaque
from autodiff.primitives import (
    SYNTAX,
    Application,
    argument,
    hole,
    is_integer,
    is_opaque,
    primitive_of,
    written,
)
from autodiff.primitives.asked import kind_of
from autodiff.rules import registry
from autodiff.rules.home import hashable

_FUNCTIONS = {function: own for own, function in BINARY.items()}


def between(function: Any, node: gast.Call) -> gast.BinOp | None:
    """`operator.add(x, y)` as `x + y`; None for what is no operator between two operands."""
    own = _FUNCTIONS.get(function) if hashable(function) else None
    if own is None or len(node.args) != 2 or node.keywords:
        return None
    if any(isinstance(each, gast.Starred) for each in node.args):
        return None
    return gast.BinOp(node.args[0], own(), node.args[1])


_REFLECTED = (
    "an array meets an object on its right",
    "NumPy asks the object for each element, one after the other",
    "give its class `__array_ufunc__ = None`, or put the object on the left",
)


class Operators(Wholes):
    """Lowers operators."""

    def of_BinOp(self, node: gast.BinOp) -> Entry:
        left, right = self.entry(node.left), self.entry(node.right)
        try:
            return self.combined(node.op, left, right)
        except NotYet as reason:
            raise worded(reason, (left, node.left), (right, node.right)) from None

    def combined(self, operator: gast.operator, left: Entry, right: Entry) -> Entry:
        """An operator between two entries: of objects, the method that they have for it."""
        word = OPERATORS.get(type(operator), "")
        asked = [(left, f"__{word}__", right), (right, f"__r{word}__", left)]
        if isinstance(left, (Box, Pack)) and isinstance(right, (Box, Pack)):
            if right.cls is left.cls:
                del asked[1]
            elif issubclass(right.cls, left.cls) and self.differ(left, right, f"__r{word}__"):
                asked.reverse()  # a subclass with a method of its own is asked first
        found = members.combined(self, word, left, right)
        if found is not None:
            return found
        for receiver, own, other in asked:
            method = special(self, receiver, own)
            if method is not None:
                plain = not isinstance(other, (Outer, Box)) and not is_opaque(other)
                if isinstance(receiver, Outer) and plain and registry.rule_for(method):
                    return self.by_rule(operator, method, left, right, receiver)
                if receiver is right:
                    self.reflected(left, right)
                found = called(self, method, receiver, other)
                if not (isinstance(found, Value) and found.constant is NotImplemented):
                    return found
        if isinstance(operator, gast.Mod) and isinstance(left, Value) and is_text(left):
            return self.formatted(operator, left, right)
        texts = [e for e in (left, right) if isinstance(e, Value) and is_text(e)]
        if isinstance(operator, gast.Add) and len(texts) == 2:
            if not all(each.is_constant for each in texts):
                return self.formatted(operator, *texts)
        if opaque.is_alone(left, right):
            return opaque.asked(self, lambda one, two: gast.BinOp(one, operator, two), left, right)
        if isinstance(left, Value) and isinstance(right, Value):
            known = of_constants(word, left, right)
            if known is not None:
                return known
        if any(isinstance(own, (Pack, Box, Outer)) or is_range(own) for own in (left, right)):
            return self.packed(operator, left, right)
        one, two = self.numeric(left), self.numeric(right)
        return self.builder.binary(operator, one, two)

    def by_rule(
        self, operator: gast.operator, method: Any, left: Entry, right: Entry, receiver: Outer
    ) -> Value:
        """An operator of an object of a library's, whose method has a rule: it stays as it is."""
        operands: list[Value] = []
        sides = [
            argument(untouched(self, own) if own is receiver else self.numeric(own), operands)
            for own in (left, right)
        ]
        given = Application((sides[0], sides[1]) if receiver is left else (sides[1], sides[0]))
        kind = kind_of(primitive_of(method), given, operands)
        form = gast.BinOp(sides[0], operator, sides[1])
        return self.builder.apply(primitive_of(method), given, form, operands, kind)

    def reflected(self, left: Entry, right: Entry) -> None:
        """An array asks an object on its right for each element, where its class allows that."""
        cls, kind = getattr(right, "cls", object), getattr(left, "kind", None)
        asks = getattr(cls, "__array_ufunc__", ...) is not None
        if isinstance(kind, Array) and kind.shape != () and asks:
            if getattr(cls, "__array_priority__", -1.0) <= 0.0:  # that of arrays
                raise Unseen(self.builder.origin, *_REFLECTED)

    def formatted(self, operator: gast.operator, text: Value, entry: Entry) -> Value:
        """`text % values`, `text + text`."""
        several = isinstance(entry, Pack) and entry.cls is tuple
        operands = [seen(self, each) for each in (entry.items if several else (entry,))]  # type: ignore[union-attr]
        holes: list[gast.expr] = [hole(k) for k in range(len(operands))]
        right = gast.Tuple(elts=holes, ctx=gast.Load()) if several else holes[0]
        left = written(text.constant) if text.is_constant else hole(len(operands))
        if not text.is_constant:
            operands.append(text)
        form = gast.BinOp(left, operator, right)
        value = self.builder.apply(SYNTAX, Application((form,)), form, operands, Text())
        assert isinstance(value.op, Apply)
        value.op.reads = value.op.raises = True
        return value

    def differ(self, left: Box | Pack, right: Box | Pack, method: str) -> bool:
        """Whether the classes of two objects have different methods of a name."""
        return special(self, left, method) is not special(self, right, method)

    def updated(self, operator: gast.operator, old: Entry, value: Entry) -> Entry:
        """`old op= value` of what is no array: an object may have a method that changes it."""
        method = special(self, old, f"__i{OPERATORS.get(type(operator), '')}__")
        if method is not None:
            found = called(self, method, old, value, stores=True)
            if isinstance(found, Value) and found.constant is NotImplemented:
                raise NotYet("an update that its object does not implement")
            return found
        if opaque.is_alone(old, value) and is_opaque(old):
            return self.opaque(getattr(functions, f"i{OPERATORS[type(operator)]}"), old, value)
        made = self.combined(operator, old, value)
        if isinstance(old, Value) and isinstance(old.kind, Numeric) and isinstance(made, Value):
            made.op.renews = True  # type: ignore[union-attr]
        return made

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
        if isinstance(operator, gast.BitOr) and isinstance(left, Box) and isinstance(right, Box):
            if left.cls is dict and right.cls is dict:
                return parts.merged(self, left, right)
        if isinstance(operator, gast.Mult):
            for own, other in ((one, right), (two, left)):
                if own is not None and isinstance(other, Value) and is_integer(other.kind):
                    return parts.repeated(self, own, other)
        cls = _row_class(left)
        if isinstance(operator, gast.Add) and cls is not None and cls is _row_class(right):
            return parts.joined(self, left, right, cls)
        if not isinstance(operator, (gast.Add, gast.Mult, gast.BitOr, gast.Mod)):
            if all(_row_class(side) or _is_python(side) for side in (left, right)):
                raise Raises(TypeError, "an operator on a list")
        first, second = self.beside(left, right, operator), self.beside(right, left, operator)
        return self.builder.binary(operator, first, second)

    def beside(self, entry: Entry, other: Entry, operator: gast.operator) -> Value:
        """An operand: beside an array a list of numbers is an array, and beside a number of NumPy's
        unless that repeats it; in a product of matrices a tuple is, too.
        """
        kind = other.kind if isinstance(other, Value) else None
        numpy = isinstance(kind, Scalar) and kind.dtype not in (None, "?")
        made = [list, tuple] if numpy and not isinstance(operator, gast.Mult) else []
        if isinstance(kind, Array):
            made = [list, tuple] if isinstance(operator, gast.MatMult) else [list]
        if isinstance(entry, (Box, Outer, Pack)) and entry.cls in made:
            return parts.as_array(self, entry)
        if isinstance(kind, Array) and is_range(entry):
            return parts.as_array(self, entry)
        return self.numeric(entry)

    def listed(self, entry: Entry) -> list[Entry] | None:
        """The items of a list or tuple; None for anything else."""
        if isinstance(entry, Pack) and entry.cls is slice:
            return None
        if isinstance(entry, (Pack, DictView)):
            return list(entry.items)
        if isinstance(entry, Outer) and entry.cls in (list, tuple):
            long = isinstance(self.frame.kind(entry.object), Sequence)
            return None if long else outer.items(self, entry)
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
        if not isinstance(value.kind, (Array, Scalar, Numeric)) and (
            not (isinstance(value.kind, Record) and value.kind.cls is tuple)
        ):
            if value.kind == Static(None):
                raise Raises(TypeError, "an operator on None")
            raise NotYet(f"an operator on {word(value.kind)}")
        return value

    def of_UnaryOp(self, node: gast.UnaryOp) -> Entry:
        if isinstance(node.op, gast.Not):
            test = truth(self, self.entry(node.operand))
            return (
                constant(not test.constant)
                if test.is_constant
                else self.builder.unary(node.op, test)
            )
        given = self.entry(node.operand)
        own = UNARY[type(node.op)].__name__
        if (known := members.combined(self, own, given)) is not None:
            return known
        method = special(self, given, f"__{own}__")
        if method is not None:
            return called(self, method, given)
        if is_opaque(given):
            return opaque.asked(self, lambda own: gast.UnaryOp(node.op, own), given)
        operand = self.loaded(self.as_value(given))
        if not isinstance(operand.kind, (Array, Scalar, Numeric)):
            raise NotYet(f"an operator on {word(operand.kind)}")
        return self.builder.unary(node.op, operand)


OPERATORS = {cls: function.__name__.strip("_") for cls, function in BINARY.items()}
"""The words of the special methods of operators."""


def of_constants(word: str, left: Value, right: Value) -> Value | None:
    """An operator beside a constant that is no number; None for what is found at run time."""
    given = left.constant, right.constant
    if not any(isinstance(each, (str, bytes, type(None))) for each in given):
        return None
    if None in given and any(isinstance(each.kind, Scalar) for each in (left, right)):
        raise Raises(TypeError, "an operator on None and a number")
    if not all(isinstance(each, (str, bytes, type(None), int, float)) for each in given):
        return None
    try:
        return constant(getattr(functions, f"__{word}__")(*given))
    except (TypeError, ValueError) as error:
        raise Raises(type(error), str(error)) from None


def _row_class(entry: Entry) -> type | None:
    """`list` or `tuple`, None for what is neither."""
    if not isinstance(entry, (Box, Pack)):
        return None
    return entry.cls if entry.cls in (list, tuple) else None


def _is_python(entry: Entry) -> bool:
    """Whether an entry is a number of Python's."""
    kind = entry.kind if isinstance(entry, Value) else None
    return isinstance(kind, Scalar) and kind.dtype is None


def word(kind: Kind) -> str:
    if isinstance(kind, Record):
        return kind.cls.__name__
    return type(kind).__name__.lower()


def is_text(value: Value) -> bool:
    """Whether a value is a text."""
    return isinstance(value.constant if value.is_constant else value.kind, (str, Text))
