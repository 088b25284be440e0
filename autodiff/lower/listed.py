"""Lists and tuples that a function is given where it works on arrays, or on items one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gast
import numpy as np

from autodiff.analysis.kind import Array, Record, Scalar
from autodiff.analysis.listed_operands import computes_with, is_list
from autodiff.core.notyet import NotYet
from autodiff.core.value import Value, constant
from autodiff.lower.entry import Box, Entry, Pack
from autodiff.rules import registry
from autodiff.rules.home import module_of

if TYPE_CHECKING:
    from autodiff.lower.expressions import Expressions

_ITEMWISE = ("builtins", "math")
"""Modules whose functions go over the items of a list, as Python does."""
_OF_LISTS = (*_ITEMWISE, "operator", "_operator")
"""Modules whose functions take a list as a list."""


def itemwise(expressions: Expressions, function: Any, given: list[Entry]) -> Entry | None:
    """`sum`, `max` ... of a list whose items are known and are not all numbers, written out."""
    if module_of(function) not in _ITEMWISE or not given:
        return None
    items = expressions.listed(given[0])
    if items is None or all(isinstance(v, Value) and isinstance(v.kind, Scalar) for v in items):
        return None
    if function is not sum:
        raise NotYet(f"{function.__name__} of a list of arrays")
    total = given[1] if len(given) > 1 else constant(0)
    for item in items:
        total = expressions.combined(gast.Add(), total, item)
    return total


def as_operand(expressions: Expressions, function: Any, position: int | str, entry: Entry) -> Value:
    """An operand of a function: a list that its rule computes with is an array, as for NumPy."""
    value = expressions.as_value(entry)
    if not isinstance(entry, (Box, Pack)) or not is_list(value.kind) or value.is_constant:
        return value
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
    kind = value.kind
    return isinstance(kind, Record) and all(
        isinstance(item, (Scalar, Record)) and not isinstance(item, Array) for item in kind.items
    )
