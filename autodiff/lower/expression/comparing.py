"""Comparisons: of numbers and arrays, of objects, by identity, of what containers hold."""

from __future__ import annotations

import operator as _operator
from types import FunctionType
from typing import Any

import gast
import numpy as np

from autodiff.core import ABSENT, NOTHING, NotYet, Raises, Value, constant
from autodiff.frontend.source import has_text
from autodiff.kinds.kind import (
    Array,
    Kind,
    Mapping,
    Numeric,
    Record,
    Scalar,
    Sequence,
    Static,
    Text,
    is_number,
    is_text,
    number,
)
from autodiff.lower.entries import members, outer
from autodiff.lower.entries.alternatives import chosen_by, known_key
from autodiff.lower.entries.behind import compares
from autodiff.lower.entries.boxes import called, special
from autodiff.lower.entries.entry import Box, DictView, Entry, Outer, Pack
from autodiff.lower.entries.found_later import is_found_later
from autodiff.lower.entries.listings import is_empty
from autodiff.lower.entries.lists import as_memory, fits, is_key, memory_of, wanted
from autodiff.lower.entries.truth import identity, truth
from autodiff.lower.entries.wording import not_compared
from autodiff.lower.expression.answered import are_equal, compared_now, is_compared, orders, release
from autodiff.lower.expression.containers import Containers
from autodiff.lower.expression.operators import word
from autodiff.lower.flow import opaque
from autodiff.lower.flow.heap import Mark
from autodiff.lower.recipes import container_recipes as recipes
from autodiff.primitives import OPAQUE, Application, hole, primitive_of

_WORDS = {
    gast.Eq: ("__eq__", "__eq__"),
    gast.NotEq: ("__ne__", "__ne__"),
    gast.Lt: ("__lt__", "__gt__"),
    gast.LtE: ("__le__", "__ge__"),
    gast.Gt: ("__gt__", "__lt__"),
    gast.GtE: ("__ge__", "__le__"),
}
"""The methods that answer, of the left and of the right side."""


def is_written(entry: Entry) -> bool:
    """Whether an entry is a constant text, a number or `None`."""
    known = isinstance(entry, Value) and entry.is_constant
    return known and isinstance(entry.constant, (str, int, type(None)))  # type: ignore[union-attr]


def is_object(entry: Entry) -> bool:
    """Whether an entry is an object of a class of the user's."""
    return isinstance(entry, Box) and not entry.indexed


def of_objects(
    expressions: Comparisons, operator: gast.cmpop, left: Entry, right: Entry
) -> Entry | None:
    """A comparison that a class of the user's answers; None if there is none."""
    own, other = _WORDS[type(operator)]
    asked = [(left, own, right), (right, other, left)]
    if isinstance(left, (Box, Pack)) and isinstance(right, (Box, Pack)):
        if right.cls is not left.cls and issubclass(right.cls, left.cls):
            asked.reverse()
    for receiver, own_word, argument in asked:
        found = answered(expressions, receiver, own_word, argument)
        if found is not None:
            return found
    if not is_object(left) and not is_object(right):
        return None
    if not isinstance(operator, (gast.Eq, gast.NotEq)):
        raise Raises(TypeError, "a comparison of objects")
    silent = (each for each in (left, right) if special(expressions, each, "__eq__") is None)
    if any(map(compares, silent)):
        raise NotYet("a comparison of objects")
    same = gast.Is() if isinstance(operator, gast.Eq) else gast.IsNot()
    return identity(expressions, same, left, right)


def answered(expressions: Comparisons, receiver: Entry, word: str, other: Entry) -> Entry | None:
    """What a method of an object says; None if there is none, or it does not know."""
    method = special(expressions, receiver, word)
    if method is None and word == "__ne__":
        found = answered(expressions, receiver, "__eq__", other)
        return None if found is None else negated(expressions, found)
    if method is None:
        return None
    if isinstance(method, FunctionType) and not has_text(method):
        raise NotYet("a comparison of objects")  # of fields, which `dataclass` wrote
    found = called(expressions, method, receiver, other)
    unknown = isinstance(found, Value) and found.constant is NotImplemented
    return None if unknown else found


def negated(expressions: Comparisons, entry: Entry) -> Entry:
    """`not entry`."""
    test = truth(expressions, entry)
    if test.is_constant:
        return constant(not test.constant)
    return expressions.builder.unary(gast.Not(), test)


def membership(
    expressions: Comparisons, operator: gast.cmpop, item: Entry, container: Entry
) -> Entry | None:
    """`item in container`, of a container whose keys or items are known; None for others."""
    found = members.combined(expressions, "contains", container, item)
    if found is None and (method := special(expressions, container, "__contains__")) is not None:
        found = called(expressions, method, container, item)
    if found is not None:
        test = truth(expressions, found)
        return negated(expressions, test) if isinstance(operator, gast.NotIn) else test
    if isinstance(container, Outer):
        held = outer.holds(expressions, container, members.known_of(item))
        if held is not None:
            return constant(held is isinstance(operator, gast.In))
        container = outer.read_now(expressions, container)
    text, whole = members.known_of(item), members.known_of(container)
    if isinstance(text, str) and isinstance(whole, str):
        return constant((text in whole) is isinstance(operator, gast.In))
    if isinstance(container, DictView):
        container = container.box if container.what == "keys" else Pack(container.items)
    if not isinstance(container, (Box, Pack)) or is_object(container):
        return None
    memory = memory_of(container) if isinstance(container, Box) else None
    if memory is None and isinstance(container, Box) and is_found_later(item):
        memory = as_memory(expressions, container) if fits(container) else None
    if memory is not None:
        return among(expressions, operator, item, memory)
    items = expressions.parts(container)
    wanted = isinstance(operator, gast.In)
    if isinstance(item, Box) or any(isinstance(each, Box) for each in items):
        found = called(expressions, recipes.is_among, Pack(tuple(items)), item)
        return found if wanted else negated(expressions, found)
    known, key = [known_key(each) for each in items], known_key(item)
    if NOTHING in known:
        raise NotYet("a test of membership")
    if not known or key is not ABSENT and ABSENT not in known:
        return constant((key in known) is wanted)
    plain = all(isinstance(v, Value) and (v.is_number or type(v.constant) is str) for v in items)
    if not plain or not isinstance(item, Value) or not (item.is_number or is_text(item.kind)):
        raise NotYet("a test of membership")
    others, word = ", ".join(f"_{k + 1}" for k in range(len(items))), "in" if wanted else "not in"
    every = map(expressions.as_value, [item, *items])
    return expressions.builder.look(f"_0 {word} ({others},)", number("bool"), *every)


def among(expressions: Comparisons, operator: gast.cmpop, item: Entry, memory: Value) -> Value:
    """`item in container`, of one that is memory and holds numbers and texts, or has such keys."""
    own = wanted(expressions, item)
    if is_empty(expressions.unit, memory):
        return constant(isinstance(operator, gast.NotIn))
    table = isinstance(memory.kind, Mapping)
    plain = table or isinstance(memory.kind, Sequence) and is_key(memory.kind.item)
    if not plain or not is_key(own.kind):
        raise NotYet("a test of membership")
    text = "_0 in _1" if isinstance(operator, gast.In) else "_0 not in _1"
    return expressions.builder.look(text, number("bool"), own, memory)


class Comparisons(Containers):
    """Lowers comparisons."""

    def of_Compare(self, node: gast.Compare) -> Entry:
        sides = [node.left, *node.comparators]
        tuples = any(isinstance(side, gast.Tuple) for side in sides)
        known = [release(self, side) for side in sides] if tuples else [None]
        if None not in known and all(type(op) in _COMPARISONS for op in node.ops):
            pairs: Any = zip(node.ops, known, known[1:])
            return constant(all(_COMPARISONS[type(op)](*pair) for op, *pair in pairs))
        if len(node.ops) > 1:
            return self.chained(node)
        [operator], [other] = node.ops, node.comparators
        left = self.entry(node.left)
        right = self.among(left, other.elts) if isinstance(other, gast.Set) else self.entry(other)
        if isinstance(operator, (gast.Is, gast.IsNot)):
            return identity(self, operator, left, right)
        if isinstance(operator, (gast.In, gast.NotIn)):
            held = membership(self, operator, left, right)
            if held is None and (opaque.may_carry(left) or opaque.may_carry(right)):
                raise NotYet("a test of membership")
            return self.at_run_time(operator, left, right) if held is None else held
        return self.compare(operator, left, right)

    def among(self, item: Entry, nodes: list[gast.expr]) -> Entry:
        """A set of constants as a tuple: which of them something is, is all that is asked of it.
        What has no hash is an error there.
        """
        found = self.entry(gast.Tuple(nodes, gast.Load()))
        hashed = isinstance(item, Value) and isinstance(item.kind, (Scalar, Text))
        hashed = hashed or is_written(item)
        if not hashed or not isinstance(found, Pack) or not all(map(is_written, found.items)):
            raise NotYet("expression Set")
        return found

    def chained(self, node: gast.Compare) -> Entry:
        """`a < b < c`: one step, or `a < b and b < c` of what is evaluated once."""
        mark = Mark(self.frame)
        try:
            return self.whole(node)
        except NotYet:
            if self.trusts:
                raise
            mark.back()
        first, rest = node.comparators[0], node.comparators[1:]
        with self.named(self.entry(node.left)) as left, self.named(self.entry(first)) as middle:
            one = gast.Compare(left=left, ops=node.ops[:1], comparators=[middle])
            other = gast.Compare(left=middle, ops=node.ops[1:], comparators=rest)
            return self.of_BoolOp(gast.BoolOp(op=gast.And(), values=[one, other]))

    def compare(self, operator: gast.cmpop, left: Entry, right: Entry) -> Entry:
        """`left < right`."""
        if (answer := of_objects(self, operator, left, right)) is not None:
            return answer
        classes = {class_of(side) for side in (left, right)}
        if isinstance(operator, (gast.Eq, gast.NotEq)) and len(classes - {None}) > 1:
            return constant(isinstance(operator, gast.NotEq))
        if (known := compared_now(operator, left, right)) is not None:
            return known
        if all(isinstance(side, Box) and side.cls is dict for side in (left, right)):
            found = called(self, recipes.have_the_same, left, right)
            return found if isinstance(operator, gast.Eq) else negated(self, found)
        if opaque.is_alone(left, right) or bool(orders(left)) != bool(orders(right)):
            return self.at_run_time(operator, left, right)
        one, two = (self.loaded(self.as_value(side)) for side in (left, right))
        function, decided = _COMPARISONS[type(operator)], self.unit.facts.decided
        if (known := chosen_by(self.builder, function, decided(one), decided(two))) is not None:
            return known
        equal = are_equal(one, two) if isinstance(operator, (gast.Eq, gast.NotEq)) else None
        if equal is not None:
            return constant(equal is isinstance(operator, gast.Eq))
        form = gast.Compare(left=hole(0), ops=[operator], comparators=[hole(1)])
        kind = self.compared(one.kind, two.kind)
        return self.builder.apply(
            primitive_of(function), Application((hole(0), hole(1))), form, [one, two], kind
        )

    def at_run_time(self, operator: gast.cmpop, left: Entry, right: Entry) -> Value:
        """A comparison of what nothing is known of, and that carries no derivative."""
        kind = number("bool") if isinstance(operator, (gast.In, gast.NotIn)) else OPAQUE
        return opaque.asked(
            self, lambda a, b: gast.Compare(a, [operator], [b]), left, right, kind=kind
        )

    def mask(self, entry: Entry, converts: bool = False) -> Value:
        """A mask: a list of truth values is one, or a single one. converts: so is what is not 0."""
        value = self.loaded(self.as_value(entry))
        if getattr(value.kind, "type", "") == "bool" or isinstance(value.kind, (Record, Sequence)):
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
        if is_compared(one, two):
            return number("bool")
        if {type(one), type(two)} == {Scalar, Static} and Static(None) in (one, two):
            raise Raises(TypeError, "a comparison of None and a number")
        raise not_compared(word(one), word(two))


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
