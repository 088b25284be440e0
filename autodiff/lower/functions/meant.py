"""Calls that change arrays, as the stores that they mean."""

from __future__ import annotations

from types import FunctionType
from typing import Any

import gast
import numpy as np

from autodiff.analysis.kind import Array, Record, Scalar
from autodiff.core.notyet import NotYet
from autodiff.core.value import Value, constant
from autodiff.dataflow.ordered import check
from autodiff.lower.entries.boxes import called
from autodiff.lower.entries.entry import Box, Entries, Entry, Keywords, Pack
from autodiff.lower.entries.windows import window_from
from autodiff.lower.functions.inlining import inlined
from autodiff.lower.statement.storing import Storing
from autodiff.primitives.meanings import each_at, meaning_of, rank, truth
from autodiff.primitives.repeated import may_repeat
from autodiff.runtime import orderless


def meant(
    expressions: Storing, function: Any, positional: Entries, named: Keywords
) -> Entry | None:
    """What a call gives of which the meaning is known in stores; None for others."""
    if function is rank:
        return constant(axes(positional[0]))
    if function is truth:
        return expressions.mask(positional[0], converts=True)
    if function is orderless:
        target, source = map(expressions.as_value, positional)
        if isinstance(source.kind, Array):
            expressions.builder.add(check(expressions.unit.references, target, source))
        return constant(None)
    owner = getattr(function, "__self__", None)
    if isinstance(owner, np.ufunc) and function.__name__ == "at":
        return added_at(expressions, owner, positional)
    meaning = meaning_of(function)
    if not isinstance(meaning, FunctionType):
        return None
    return inlined(expressions, meaning, positional, named)


def axes(entry: Entry) -> int:
    """The number of axes of an entry; a list of numbers has one."""
    kind = entry.kind if isinstance(entry, Value) else None
    if isinstance(kind, Array):
        return len(kind.shape)
    if isinstance(kind, Scalar):
        return 0
    items: Any = entry.items if isinstance(entry, Pack) else ()
    if isinstance(entry, Box) and entry.cls is list:
        items = entry.slots.values()
    if isinstance(kind, Record) and all(isinstance(item, Scalar) for item in kind.items):
        return 1
    if items and all(isinstance(v, Value) and isinstance(v.kind, Scalar) for v in items):
        return 1
    raise NotYet("a number of axes that is not known")


def added_at(expressions: Storing, ufunc: np.ufunc, given: Entries) -> Entry:
    """`np.add.at(a, index, value)`: places may occur several times, and each counts."""
    operator = _OPERATORS.get(ufunc)
    base = expressions.as_value(given[0])
    window, index = window_from(expressions, given[1])
    repeats = may_repeat(index, window)
    if operator is None or repeats and not isinstance(operator, (gast.Add, gast.Sub)):
        ranks = [axes(entry) for entry in given]
        if window.several or ranks[1:] not in ([1, 0], [1, 1]) or ranks[2] and ranks[0] != 1:
            raise NotYet(f"a call of {ufunc.__name__}.at")
        return called(expressions, each_at, [constant(ufunc), *given])
    value = expressions.stored_value(given[2])
    expressions.check_memory(base)
    if expressions.builder.is_basic(window, index) is None:
        raise NotYet("an index of unknown kind")
    expressions.check_stored(value, base)
    if isinstance(operator, (gast.Add, gast.Sub)):
        sign = "+" if isinstance(operator, gast.Add) else "-"
        expressions.builder.accumulate(base, value, window, index, sign, scattered=repeats)
    else:
        expressions.update(base, window, index, operator, value)
    return constant(None)


_OPERATORS: dict[np.ufunc, gast.operator] = {
    np.add: gast.Add(),
    np.subtract: gast.Sub(),
    np.multiply: gast.Mult(),
    np.divide: gast.Div(),
    np.power: gast.Pow(),
}
