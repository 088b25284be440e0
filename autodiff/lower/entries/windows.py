"""What stands in brackets.

`np.r_[...]` and `np.c_[...]`: what stands in the brackets, joined by functions of NumPy.

np.r_[x, 0.0, 1:5]              np.hstack((x, 0.0, np.arange(1, 5)))
"""

from __future__ import annotations

from typing import Any

import gast
import numpy as np

from autodiff.core import Again, At, Limit, NotYet, Part, Raises, Span, Value, Window, constant
from autodiff.dataflow.integers import least
from autodiff.kinds.joined import joining_function
from autodiff.kinds.kind import Record, Scalar, Text, is_inexact, number, record
from autodiff.lower.entries.above import Containers, Values
from autodiff.lower.entries.boxes import called
from autodiff.lower.entries.entry import Box, Entry, Outer, Pack
from autodiff.lower.entries.outer import read_now
from autodiff.lower.recipes import array_recipes
from autodiff.primitives import primitive_of, written
from autodiff.primitives.refused_types import is_sure


def window_of(expressions: Containers, node: gast.expr) -> tuple[Window, list[Value]]:
    """What stands in brackets, and its operands."""
    return window_from(expressions, expressions.entry(node))


def window_from(expressions: Containers, index: Entry) -> tuple[Window, list[Value]]:
    """The window that an entry stands for as an index: a tuple is an index for several axes."""
    operands: list[Value] = []

    def limit(entry: Entry) -> Limit:
        value = expressions.loaded(expressions.as_value(entry))
        if type(value.constant) is int:
            return int(value.constant)
        if value.is_constant and value.constant is None:
            return None
        broken = isinstance(value.kind, Scalar) and is_inexact(value.kind)
        if broken and not is_sure(value):
            raise NotYet("an index of unknown kind")
        if broken or isinstance(value.kind, Text) or isinstance(value.constant, str):
            raise Raises(TypeError, "a slice by what is no whole number")
        operands.append(value)
        return At(len(operands) - 1)

    def axis(entry: Entry) -> Part:
        if several and isinstance(entry, Outer) and entry.cls is tuple:
            entry = read_now(expressions, entry)
        if isinstance(entry, Pack) and entry.cls is slice:
            low, high, step = map(limit, entry.items)
            return Span(low, high, step)
        if several and (isinstance(entry, Pack) or is_tuple(entry)):  # taken for an array
            items = [expressions.loaded(expressions.as_value(part)) for part in tuple_of(entry)]
            value = expressions.builder.display(list, tuple(range(len(items))), items)
        else:
            value = expressions.loaded(expressions.as_value(entry))
        if several and isinstance(value.kind, Record) and value.kind.cls is not list:
            raise NotYet("an index with a tuple in it")
        if value.is_constant and (value.constant is None or value.constant is Ellipsis):
            return value.constant
        if type(value.constant) is int:
            return int(value.constant)
        operands.append(value)
        return At(len(operands) - 1)

    several = is_tuple(index) or isinstance(index, Pack) and index.cls is not slice
    if several:
        return Window(tuple(map(axis, tuple_of(index))), several=True), operands
    return Window((axis(index),)), operands


def masking(expressions: Containers, value: Value) -> Value:
    """A truth value, as what has no axis gives it, is a mask of no axis; others are as they are."""
    if not isinstance(value.kind, Scalar) or value.kind.type != "bool":
        return value
    return expressions.builder.call("np.asarray", np.asarray, value)


def is_tuple(entry: Entry) -> bool:
    """Whether an entry is a constant that is a tuple."""
    return isinstance(entry, Value) and isinstance(entry.constant, tuple)


def tuple_of(entry: Entry) -> tuple[Entry, ...]:
    """The items of a tuple."""
    if isinstance(entry, Pack):
        return entry.items
    assert isinstance(entry, Value)
    return tuple(map(constant, entry.constant))


def ends_of(expressions: Containers, items: Value, limits: Pack) -> list[Value]:
    """The numbers that a slice of a list that is memory stands for: those of `range`."""
    low, high, step = (expressions.loaded(expressions.as_value(each)) for each in limits.items)
    builder, whole = expressions.builder, number("int")
    if step.constant in (None, 1) and all(is_known(limit) for limit in (low, high)):
        length = builder.look("len(_0)", whole, items, primitive=primitive_of(len))
        first, stop = constant(0) if low.constant is None else low, length
        if (least(first) or 0) < 0:
            first = builder.look("max(_0 + _1, 0)", whole, length, low)
        if high.constant is not None:
            text = "min(_1, _0)" if (least(high) or 0) >= 0 else "_0 + _1"
            stop = builder.look(text, whole, length, high)
        return [first, stop]
    ends = builder.look(
        "slice(_0, _1, _2).indices(len(_3))", record(*[whole] * 3), low, high, step, items
    )
    found = [builder.item(ends, k, whole) for k in range(2)]
    return found if step.constant in (None, 1) else [*found, step]


def is_known(limit: Value) -> bool:
    """Whether the sign of a limit of a slice is known."""
    return limit.constant is None or least(limit) is not None


def constant_slice(expressions: Containers, index: gast.expr) -> gast.Slice | None:
    """A slice that a variable holds, as if it were written out; None for another index."""
    entry = None if isinstance(index, gast.Slice) else expressions.entry(index)
    limits: list[Any] = []
    if isinstance(entry, Pack) and entry.cls is slice:
        limits = [item.constant if isinstance(item, Value) else ... for item in entry.items]
    elif isinstance(entry, Value) and isinstance(entry.constant, slice):
        limits = [entry.constant.start, entry.constant.stop, entry.constant.step]
    if not all(limit is None or type(limit) is int for limit in limits):
        raise Again("a slice of a container that is found at run time")
    return gast.Slice(*map(written, limits)) if limits else None


def indices(maker: Any, entry: Entry) -> Entry:
    """`np.s_[...]` is what stands in the brackets, `np.index_exp[...]` a tuple of it."""
    is_plural = isinstance(entry, Pack) and entry.cls is tuple
    return Pack((entry,)) if maker.maketuple and not is_plural else entry


def joined_by_index(expressions: Values, maker: Outer, index: Entry) -> Entry:
    """What it makes of an index."""
    several = isinstance(index, Pack) and index.cls is tuple
    parts = [
        part_of_index(expressions, each) for each in (tuple_of(index) if several else (index,))
    ]
    kinds = [each.kind if isinstance(each, Value) else None for each in parts]
    places = gast.Subscript(None, gast.Tuple(elts=list(range(len(parts))), ctx=None), None)
    function = joining_function(places, Record(maker.cls, (), ()), kinds.__getitem__)
    if function is None:
        raise NotYet.saying(
            "arrays of unknown form that are joined by an index",
            "arrays are joined by what stands in brackets, and how is not known",
            "their numbers of axes are only known at run time, or a text says how",
            "write it with np.concatenate, np.stack or np.column_stack",
        )
    return called(expressions, function, *parts)


def part_of_index(expressions: Values, entry: Entry) -> Entry:
    """A part of the index as an array or a number."""
    if isinstance(entry, Box):
        return called(expressions, array_recipes.as_row, entry)
    if not isinstance(entry, Pack) or entry.cls is not slice:
        return entry
    first, stop, step = entry.items
    first, step = (
        constant(default) if isinstance(limit, Value) and limit.constant is None else limit
        for limit, default in ((first, 0), (step, 1))
    )
    counted = isinstance(step, Value) and isinstance(step.constant, complex)
    if counted:
        step = constant(int(abs(step.constant)))  # type: ignore[union-attr]
    recipe = array_recipes.spread_out if counted else array_recipes.stepped
    return called(expressions, recipe, first, stop, step)
