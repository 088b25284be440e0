"""Calls of objects whose class has a rule for them: interpolants of outside, given, or made here.

table(x)              CubicSpline.__call__(table, x), whose rule says what is to be done
"""

from __future__ import annotations

import functools
from types import FunctionType, MethodType
from typing import Any

import gast

from autodiff.core import Apply, Value
from autodiff.frontend.source import Namespace
from autodiff.kinds.classes import class_attribute
from autodiff.kinds.kind import Drawing, Numeric, Record, Static
from autodiff.lower.entries.entry import Box, Entry, Outer
from autodiff.lower.expression.application import Arguments, applied
from autodiff.lower.expression.expressions import Expressions
from autodiff.lower.functions.custom_calls import whole
from autodiff.primitives import hole, primitive_of
from autodiff.rules import registry
from autodiff.rules.home import is_library, module_of


def method_of(entry: Entry) -> FunctionType | None:
    """What a call of an object calls, if a library has a rule for that; None for all others.

    A class of the user's may do parts of it otherwise than the rule says.
    """
    cls = class_of(entry)
    if cls is None or not is_library(module_of(cls)):
        return None
    own = class_attribute(cls, "__call__")
    rule = registry.rule_for(own) if isinstance(own, FunctionType) else None
    return own if rule is not None and registry.is_of_library(rule) else None


def class_of(entry: Entry) -> type | None:
    """The class of an object, None where that is not known."""
    if isinstance(entry, (Box, Outer)):
        return entry.cls
    kind = entry.kind if isinstance(entry, Value) else None
    if isinstance(kind, Static):
        return type(kind.value)
    if isinstance(kind, Drawing):
        return kind.classes[0] if len(kind.classes) == 1 else None
    return kind.cls if isinstance(kind, Record) else None


def called_by_rule(
    expressions: Expressions, method: FunctionType, entry: Entry, arguments: Arguments
) -> Entry:
    """A call of an object, as one step: it reads what the object holds now."""
    if isinstance(entry, Value) and entry.is_constant:
        entry = Outer(entry.constant, entry.hint)
    arguments.positional = [whole(expressions, entry), *arguments.positional]
    path = expressions.unit.references.use("called", method)
    known = isinstance(entry, Outer) or isinstance(getattr(entry, "kind", None), Static)
    kind = None if known else Numeric()
    found = applied(expressions, method, path, arguments, kind=kind)
    made = found.op if isinstance(found, Value) else None
    if isinstance(made, Apply) and isinstance(made.form, gast.Call) and made.form.args:
        first, *others = made.form.args
        if first == hole(0):
            made.form = gast.Call(first, others, made.form.keywords)
    return found


def inlinable(target: Any) -> bool:
    """Whether a function of Python's without a rule is read like the user's code."""
    if not isinstance(target, FunctionType):
        return False
    return registry.rule_for(target) is None and not primitive_of(target).pure


def spelled_as(target: Any) -> str:
    """What a message calls a callable."""
    if isinstance(target, (functools.partial, MethodType, Namespace)):
        return str(type(target).__name__)
    return str(getattr(target, "__qualname__", type(target).__name__))
