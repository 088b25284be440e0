"""Objects of outside that a library made, where functions with a rule look at them.

np.polyval(POLYNOMIAL, x)         POLYNOMIAL is an `np.poly1d`
splev(x, SPLINE)
"""

from __future__ import annotations

from enum import Enum
from typing import Any

from autodiff.analysis.kind import Array, Kind, Numeric, Scalar
from autodiff.core import Value
from autodiff.lower.entries.entry import Entry, Outer
from autodiff.lower.entries.untouched import untouched
from autodiff.lower.expression.application import Arguments
from autodiff.lower.expression.expressions import Expressions
from autodiff.primitives import primitive_of
from autodiff.rules import registry
from autodiff.rules.home import is_library, module_of

_HEAP = 1 << 9
"""The flag of classes that are written in Python."""


def looked_at(expressions: Expressions, function: Any, given: Arguments) -> bool:
    """Whether arguments are such objects: they are handed on as they are, and what they hold
    carries no derivative. Their memory is nobody's who changes it (`untouched`), nor that of what
    the function gives.
    """
    known = primitive_of(function)
    rule = registry.rule_for(function)
    if expressions.trusts or rule is None or not (known.pure and known.memory == "new"):
        return False
    if not registry.is_of_library(rule):
        return False
    before = [*given.positional, *(entry for _, entry in given.named)]
    given.positional = [as_it_is(expressions, entry) for entry in given.positional]
    given.named = [(key, as_it_is(expressions, entry)) for key, entry in given.named]
    after = [*given.positional, *(entry for _, entry in given.named)]
    return any(one is not other for one, other in zip(before, after))


def is_computed(kind: Kind) -> bool:
    """Whether a value is a number or an array."""
    return isinstance(kind, (Array, Numeric, Scalar))


def as_it_is(expressions: Expressions, entry: Entry) -> Entry:
    """An object of outside as a value; anything else as before."""
    found = entry
    if isinstance(entry, Value) and entry.is_constant and entry.hint:
        found = Outer(entry.constant, entry.hint)
    if not isinstance(found, Outer) or isinstance(found.object, (type, Enum)):
        return entry
    written = found.cls.__flags__ & _HEAP and is_library(module_of(found.cls))
    return untouched(expressions, found) if written else entry
