"""Lists and tuples that a function is given where it works on arrays, or on items one by one."""

from __future__ import annotations

import contextlib
import math
import operator
from functools import partial
from typing import Any

import gast
import numpy as np

from autodiff.core import Apply, NotYet, Value, constant
from autodiff.kinds import kind as kinds
from autodiff.kinds.listed_operands import computes_with, is_list, is_spread
from autodiff.lower.entries import boxes
from autodiff.lower.entries.above import Arguments, Expressions
from autodiff.lower.entries.boxes import called
from autodiff.lower.entries.entry import Box, Entry, Pack
from autodiff.lower.entries.library import indexed
from autodiff.lower.entries.lists import memory_of
from autodiff.lower.recipes import array_recipes
from autodiff.lower.recipes import library_recipes as recipes
from autodiff.lower.recipes.container_recipes import BY_KEY, itself
from autodiff.primitives import is_opaque, primitive_of
from autodiff.primitives.containing import held_kind
from autodiff.rules import registry
from autodiff.rules.home import module_of
from autodiff.rules.template import Rule

_ITEMWISE = ("builtins", "math")
"""Modules whose functions go over the items of a list, as Python does."""
_FOLDING = {sum: gast.Add(), math.prod: gast.Mult()}
_JOINING = {operator.add: gast.Add(), operator.mul: gast.Mult(), operator.concat: gast.Add()}
"""Functions that are the operators by which lists are joined and repeated."""
_OF_LISTS = (*_ITEMWISE, "operator", "_operator")
"""Modules whose functions take a list as a list."""


def itemwise(expressions: Expressions, function: Any, arguments: Arguments) -> Entry | None:
    """`sum`, `max`, `sorted` ... of what is not all numbers: item by item, as Python does."""
    given = arguments.positional
    grouped = [isinstance(each, (Box, Pack)) for each in given]
    joining = _JOINING.get(function) if len(given) == 2 and any(grouped) else None
    if joining is not None:
        return expressions.combined(joining, *given)
    if module_of(function) not in _ITEMWISE or not given or is_of_numpy(function):
        return None
    fold, comparing = _FOLDING.get(function), BY_KEY.get(function)
    goes_on = function in recipes.OVER_ITEMS or function in recipes.OVER_LISTS and len(given) == 1
    if goes_on and isinstance(given[0], Box) and given[0].cls is dict:
        given[0] = indexed(expressions, given[0])
    over, *more = given
    if fold is None and more and any(grouped):
        if comparing is None and goes_over(function):
            return None  # its rule is that of lists
        if comparing is None:
            raise NotYet(f"{function.__name__} of lists")
        over = Pack(tuple(given))
    items = expressions.listed(over)
    starts = [*more, *(entry for _, entry in arguments.named)] if fold is not None else []
    plain = items is None and _is_row_of_numbers(over) or items and all(map(_is_number, items))
    if all(map(_is_number, starts)) and (plain or items == []) and function is not sorted:
        return None
    if comparing is not None and (items is not None or goes_one_by_one(over)):
        key = boxes.of_class(expressions, itself)
        return called(expressions, comparing, over, key, named=arguments.named)
    if fold is None and _is_table(over) and goes_over(function):
        raise NotYet(f"{function.__name__} of rows")
    if items is None and function is not math.prod:
        return None  # its rule is that of arrays of any shape
    if fold is None and module_of(function) == "math" and all(map(_is_of_no_axis, items or ())):
        number = partial(expressions.builder.call, "float", float)
        numbers = [number(expressions.loaded(expressions.as_value(each))) for each in items or ()]
        given[0] = boxes.boxed(expressions.unit, list, dict(enumerate(numbers)))
        return None
    if fold is None:
        raise NotYet(f"{function.__name__} of what are no numbers")
    if items is None:
        return called(expressions, recipes.product, over, *starts)
    total: Entry = starts[0] if starts else constant(0 if function is sum else 1)
    for item in items:
        total = expressions.combined(fold, total, item)
    return total


def goes_one_by_one(entry: Entry) -> bool:
    """Whether something that is no list of known parts has items that are compared."""
    if isinstance(entry, Value):
        return isinstance(entry.kind, kinds.Array) and bool(entry.kind.shape)
    return isinstance(entry, Box) and entry.indexed


def goes_over(function: Any) -> bool:
    """Whether a function of one argument looks at its items."""
    rule = registry.rule_for(function)
    return rule is not None and not rule.elementwise


def _is_of_no_axis(entry: Entry) -> bool:
    """Whether a function of numbers takes it for one."""
    kind = entry.kind if isinstance(entry, Value) else None
    return isinstance(kind, kinds.Scalar) or isinstance(kind, kinds.Array) and kind.shape == ()


def _is_table(entry: Entry) -> bool:
    kind = entry.kind if isinstance(entry, Value) else None
    return isinstance(kind, kinds.Array) and len(kind.shape) > 1


def _is_integer(entry: Entry) -> bool:
    kind = entry.kind if isinstance(entry, Value) else None
    return isinstance(kind, kinds.Scalar) and kind.type == "int"


def _is_number(entry: Entry) -> bool:
    return isinstance(entry, Value) and isinstance(entry.kind, kinds.Scalar)


def _is_row_of_numbers(entry: Entry) -> bool:
    value = memory_of(entry) if isinstance(entry, Box) else entry
    kind = value.kind if isinstance(value, Value) else None
    item = kind.item if isinstance(kind, kinds.Sequence) else None
    return isinstance(item, kinds.Scalar) or isinstance(kind, kinds.Array) and len(kind.shape) == 1


def as_operand(expressions: Expressions, function: Any, position: int | str, entry: Entry) -> Value:
    """An operand of a function: a list that its rule computes with is an array, as for NumPy."""
    if isinstance(entry, Box) and module_of(function) not in _OF_LISTS and is_nested(entry):
        entry = called(expressions, array_recipes.as_rows, entry)
    value = expressions.as_value(entry)
    if is_opaque(value):
        if primitive_of(function).memory != "new":
            raise NotYet("memory of something of which nothing is known")
        return expressions.loaded(value)
    if not (isinstance(entry, (Box, Pack)) or is_range(value)):
        return value
    if not is_list(value.kind):
        return value
    rule = registry.rule_for(function)
    if rule is None or module_of(function) in _OF_LISTS and not is_of_numpy(function):
        return value
    name = position if isinstance(position, str) else named(rule, position)
    axes = {isinstance(k, kinds.Array) and k.shape != () for k in kinds.parts_of(value.kind)}
    if len(axes) > 1 and isinstance(entry, (Box, Pack)):
        if not rule.has_slope(name) or any(map(_is_of_no_axis, parts(entry))):
            return value  # an array and a number: `(c, lower)`
        rows = [_as_row(expressions, own) for own in parts(entry)]
        return expressions.builder.display(entry.cls, tuple(range(len(rows))), rows)
    whole = isinstance(entry, Pack) and all(map(_is_integer, entry.items))
    if is_range(value) and rule.has_slope(name) and not is_spread(rule, name):
        return expressions.builder.call("np.array", np.array, value)
    if is_range(value) or whole or value.is_constant:
        if not (rule.has_slope(name) and computes_with(rule, name)):
            return value  # sizes, or places
    if not (rule.elementwise or computes_with(rule, name) or is_hidden(function, name, value.kind)):
        return value
    if not is_of_numbers(value.kind):
        ranks = {
            len(own.shape) if isinstance(own, kinds.Array) else 0 for own in numbers(value.kind)
        }
        if expressions.trusts or not makes_array(rule, function, name) or len(ranks) > 1:
            return value  # it is meant as a list; what a template writes, too
    ragged = len(set(map(shape, kinds.parts_of(value.kind)))) > 1
    if ragged and isinstance(entry, (Box, Pack)):  # `np.concatenate([[x], [y, z]])`
        rows = [as_operand(expressions, function, position, own) for own in parts(entry)]
        return expressions.as_value(Pack(tuple(rows)))
    return expressions.builder.call("np.array", np.array, value)


def _as_row(expressions: Expressions, entry: Entry) -> Value:
    """What stands beside arrays, as one."""
    value = expressions.as_value(entry)
    if not is_list(value.kind, arrays=False):
        return value
    return expressions.builder.call("np.array", np.array, value)


def is_range(entry: Entry) -> bool:
    """Whether a value is a range, which NumPy makes an array of."""
    op = entry.op if isinstance(entry, Value) else None
    return isinstance(op, Apply) and op.primitive.function is range


def shape(kind: kinds.Kind) -> tuple[int, ...]:
    """The shape of the array that is made of numbers in lists; of rows of different lengths, as if
    these were numbers.
    """
    if not isinstance(kind, kinds.Record):
        return ()
    own = set(map(shape, kind.items))
    return (len(kind.items), *(own.pop() if len(own) == 1 else ()))


def parts(entry: Box | Pack) -> list[Entry]:
    """What a list or tuple holds."""
    return [*entry.items] if isinstance(entry, Pack) else [*entry.slots.values()]


def named(rule: Rule, position: int) -> str:
    """The parameter of a rule that stands for an operand; "" for one of any number."""
    for number, parameter in enumerate(rule.parameters):
        if parameter.kind is parameter.VAR_POSITIONAL:
            return ""
        if number == position:
            return parameter.name
    return ""


def is_of_numpy(function: Any) -> bool:
    """Whether a function, or a method of a universal one, is NumPy's."""
    own: str = module_of(function)
    return isinstance(getattr(function, "__self__", None), np.ufunc) or own.startswith("numpy")


def is_hidden(function: Any, name: str, kind: kinds.Kind) -> bool:
    """Whether a rule of NumPy's cannot see how many axes the array has that a list becomes. Lists
    of integers may be places.
    """
    if not is_of_numpy(function) or function in (np.array, np.asarray) or not is_of_numbers(kind):
        return False
    plain = isinstance(kind, kinds.Record) and all(map(kinds.is_number, kind.items))
    return not (plain and name) and any(map(kinds.is_inexact, numbers(kind)))


def numbers(kind: kinds.Kind) -> list[kinds.Kind]:
    """The kinds of the numbers in a list, or of lists in it."""
    parts = kinds.parts_of(kind)
    return [leaf for part in parts for leaf in numbers(part)] if parts else [kind]


def makes_array(rule: Rule, function: Any, name: str) -> bool:
    """Whether a function of NumPy's makes one array of a list of arrays; `np.block` does not."""
    if rule.elementwise:
        return True
    if not is_of_numpy(function):
        return False
    rows = [np.ones(2), np.ones(2)]
    with contextlib.suppress(Exception):  # it is given more than that, or other things
        if np.shape(function(rows)) != np.shape(function(np.array(rows))):
            return False
    return is_asked_whole(rule, function, name)


class Watched:
    """What a function is given: whether it asks for an array, or for items."""

    asked = ""

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        self.asked = self.asked or "array"
        return np.eye(2)

    def __len__(self) -> int:
        self.asked = self.asked or "items"
        return 2

    def __iter__(self) -> Any:
        self.asked = self.asked or "items"
        return iter((1.0, 1.0))


def is_asked_whole(rule: Rule, function: Any, name: str) -> bool:
    """Whether a function makes an array of an operand; one that goes over its items has them."""
    given = {p.name: Watched() for p in rule.parameters if p.default is p.empty}
    name = name or next((p.name for p in rule.parameters if p.kind is p.VAR_POSITIONAL), name)
    further = {} if name in given else {name: Watched()}
    watched = {**given, **further}[name]
    with contextlib.suppress(Exception):
        function(*given.values(), **further)
    if not watched.asked:
        raise NotYet("a list of arrays that a rule computes with")
    return watched.asked == "array"


def is_nested(box: Box) -> bool:
    """Whether a list that is memory holds lists or tuples."""
    memory = memory_of(box)
    own = None if memory is None or box.cls is dict else held_kind(memory, None)
    return isinstance(own, (kinds.Record, kinds.Sequence)) and own.cls in (list, tuple)


def is_of_numbers(kind: kinds.Kind) -> bool:
    """Whether something is a number, or a list of such."""
    return all(map(kinds.is_number, numbers(kind)))
