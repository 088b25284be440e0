"""Lists and tuples that a function is given where it works on arrays, or on items one by one."""

from __future__ import annotations

import math
import operator
from typing import TYPE_CHECKING, Any

import gast
import numpy as np

from autodiff.analysis.kind import Array, Kind, Record, Scalar, Sequence
from autodiff.analysis.listed_operands import computes_with, is_list
from autodiff.core.notyet import NotYet
from autodiff.core.value import Value, constant
from autodiff.lower.entries.entry import Box, Entry, Pack
from autodiff.rules import registry
from autodiff.rules.home import module_of

if TYPE_CHECKING:
    from autodiff.lower.expression.arguments import Arguments
    from autodiff.lower.expression.expressions import Expressions

_ITEMWISE = ("builtins", "math")
"""Modules whose functions go over the items of a list, as Python does."""
_FOLDING = {sum: gast.Add(), math.prod: gast.Mult()}
_JOINING = {operator.add: gast.Add(), operator.mul: gast.Mult(), operator.concat: gast.Add()}
"""Functions that are the operators by which lists are joined and repeated."""
_OF_LISTS = (*_ITEMWISE, "operator", "_operator")
"""Modules whose functions take a list as a list."""


def itemwise(expressions: Expressions, function: Any, arguments: Arguments) -> Entry | None:
    """`sum`, `math.prod` ... of what is not all numbers, written out."""
    joining = _JOINING.get(function) if len(arguments.positional) == 2 else None
    if joining is not None and any(isinstance(e, (Box, Pack)) for e in arguments.positional):
        return expressions.combined(joining, *arguments.positional)
    if module_of(function) not in _ITEMWISE or not arguments.positional:
        return None
    over, *more = arguments.positional
    compared = more and any(isinstance(each, (Box, Pack)) for each in arguments.positional)
    if function not in _FOLDING and compared and module_of(function) == "builtins":
        raise NotYet(f"{function.__name__} of lists")
    items = expressions.listed(over)
    fold = _FOLDING.get(function)
    starts = [*more, *(entry for _, entry in arguments.named)] if fold is not None else []
    plain = items is None and _is_row_of_numbers(over) or items and all(map(_is_number, items))
    if all(map(_is_number, starts)) and (plain or items == []):
        return None
    if fold is None and _is_table(over) and goes_over(function):
        raise NotYet(f"{function.__name__} of rows")
    if fold is None and items is None or function is sum and items is None:
        return None  # its rule is that of arrays of any shape
    if fold is None or items is None:
        raise NotYet(f"{function.__name__} of what are no numbers")
    total: Entry = starts[0] if starts else constant(0 if function is sum else 1)
    for item in items:
        total = expressions.combined(fold, total, item)
    return total


def goes_over(function: Any) -> bool:
    """Whether a function of one argument looks at its items."""
    rule = registry.rule_for(function)
    return rule is not None and not rule.elementwise


def _is_table(entry: Entry) -> bool:
    kind = entry.kind if isinstance(entry, Value) else None
    return isinstance(kind, Array) and len(kind.shape) > 1


def _is_integer(entry: Entry) -> bool:
    kind = entry.kind if isinstance(entry, Value) else None
    return isinstance(kind, Scalar) and kind.type == "int"


def _is_number(entry: Entry) -> bool:
    return isinstance(entry, Value) and isinstance(entry.kind, Scalar)


def _is_row_of_numbers(entry: Entry) -> bool:
    kind = entry.kind if isinstance(entry, Value) else None
    item = kind.item if isinstance(kind, Sequence) else None
    return isinstance(item, Scalar) or isinstance(kind, Array) and len(kind.shape) == 1


def as_operand(expressions: Expressions, function: Any, position: int | str, entry: Entry) -> Value:
    """An operand of a function: a list that its rule computes with is an array, as for NumPy."""
    value = expressions.as_value(entry)
    if not isinstance(entry, (Box, Pack)) or not is_list(value.kind) or value.is_constant:
        return value
    if isinstance(entry, Pack) and all(map(_is_integer, entry.items)):
        return value  # sizes, or places
    rule = registry.rule_for(function)
    if rule is None or module_of(function) in _OF_LISTS:
        return value
    names = [p.name for p in rule.parameters]
    if isinstance(position, int):
        variadic = any(p.kind is p.VAR_POSITIONAL for p in rule.parameters)
        name = names[position] if position < len(names) and not variadic else ""
    else:
        name = position
    if not rule.elementwise and not computes_with(rule, name):
        return value
    if not _is_flat(value):
        raise NotYet("a list of arrays that a rule computes with")
    return expressions.builder.call("np.asarray", np.asarray, value)


def _is_flat(value: Value) -> bool:
    """Whether a list holds numbers, or equally long lists of numbers."""
    return isinstance(value.kind, Record) and all(map(is_of_numbers, value.kind.items))


def is_of_numbers(kind: Kind) -> bool:
    """Whether something is a number, or a list of such."""
    if isinstance(kind, Record):
        return all(map(is_of_numbers, kind.items))
    return isinstance(kind, Scalar)
