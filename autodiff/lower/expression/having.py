"""Whether something has an attribute."""

from __future__ import annotations

import inspect
from types import BuiltinFunctionType, FunctionType, ModuleType, NoneType
from typing import Any

import numpy as np

from autodiff.core import NotYet, Value, constant
from autodiff.kinds.classes import class_attribute
from autodiff.kinds.kind import Array, Kind, Mapping, Numeric, Scalar, Sequence, Text, number
from autodiff.lower.entries.above import Expressions
from autodiff.lower.entries.defining import NUMBERS, defines
from autodiff.lower.entries.entry import (
    Bound,
    Box,
    Closure,
    Entries,
    Entry,
    Keywords,
    Maybe,
    Mixed,
    Outer,
    Pack,
)
from autodiff.lower.expression.expressions import lacks
from autodiff.lower.recipes.iterators import Iterator
from autodiff.lower.recipes.only_called import Counterpart
from autodiff.rules.home import is_library

_NUMERIC = (*NUMBERS, np.ndarray)


def word_of(entry: Entry) -> str:
    """The name that is asked for."""
    if not isinstance(entry, Value) or not isinstance(entry.constant, str):
        raise NotYet("an attribute whose name is found at run time")
    return entry.constant


def asked(expressions: Expressions, given: Entries, named: Keywords) -> Entry:
    """`hasattr(x, "name")`."""
    base, word = given[0], word_of(given[1])
    if isinstance(base, Value) and is_vague(base.kind):
        if len({defines(cls, word) for cls in _NUMERIC}) > 1:
            return expressions.builder.look(f"hasattr(_0, {word!r})", number("bool"), base)
    return constant(has(expressions, base, word))


def wrapping(expressions: Expressions, given: Entries, named: Keywords) -> Entry:
    """`functools.update_wrapper(wrapper, wrapped)`: it only tells whom it wraps."""
    wrapper = given[0] if given else dict(named)["wrapper"]
    if isinstance(wrapper, Closure):
        expressions.unit.renamed.add(id(wrapper.node))
    return wrapper


def has(expressions: Expressions, base: Entry, word: str) -> bool:
    """Whether an object has an attribute."""
    if isinstance(base, Value) and is_vague(base.kind):
        if len({defines(cls, word) for cls in _NUMERIC}) > 1:
            raise NotYet("an attribute that may be missing")
        return defines(float, word)
    if isinstance(base, Value) and isinstance(base.kind, (Array, Scalar, Text)):
        return not lacks(base.kind, word)
    module = base.constant if isinstance(base, Value) else getattr(base, "object", None)
    if isinstance(module, ModuleType) and is_library(module.__name__):
        return hasattr(module, word)
    cls = without_attributes(base)
    if cls is not None and not isinstance(class_attribute(cls, word), property):
        return defines(cls, word)
    if type(module) in (FunctionType, BuiltinFunctionType, type):
        return watched(expressions, module, word)
    if not isinstance(base, Box) or base.indexed or issubclass(base.cls, (Counterpart, Iterator)):
        raise NotYet("an attribute that may be missing")
    if class_attribute(base.cls, "__getattr__") is not None:
        raise NotYet("a class with __getattr__")
    found = class_attribute(base.cls, word)
    if isinstance(found, property):
        raise NotYet("a property that may raise an error")
    if isinstance(base.slots.get(word), (Maybe, Mixed)):
        raise NotYet("an attribute that may be missing")
    if inspect.ismemberdescriptor(found):
        return word in base.slots
    return word in base.slots or defines(base.cls, word)


def is_called(expressions: Expressions, given: Entries, named: Keywords) -> Entry | None:
    """`callable(x)` of an object: whether its class has a method for it."""
    (base,) = given
    if isinstance(base, (Box, Outer)):
        return constant(defines(base.cls, "__call__"))
    return constant(True) if isinstance(base, (Closure, Bound)) else None


def is_vague(kind: Kind) -> bool:
    """Whether it is not known what class a number has, or if it is an array."""
    return isinstance(kind, Numeric) or isinstance(kind, Scalar) and kind.dtype == "?"


def without_attributes(base: Entry) -> type | None:
    """The class of what has no attributes of its own: a container of Python's, a function from
    inside, None; None where that is not known.
    """
    if isinstance(base, Pack):
        return base.cls
    if isinstance(base, Box):
        return base.cls if base.cls in (list, dict) else None
    if isinstance(base, Closure):
        return FunctionType
    if isinstance(base, Value) and isinstance(base.kind, (Sequence, Mapping)):
        return base.kind.cls if base.kind.cls in (list, tuple, dict) else None
    if isinstance(base, Value) and isinstance(base.constant, (str, NoneType)):
        return type(base.constant)
    return None


def watched(expressions: Expressions, found: Any, word: str) -> bool:
    """Whether a function or class of outside has an attribute, which has to stay so."""
    value = getattr(found, word, None)
    if id(found) in expressions.unit.cells or value is None and hasattr(found, word):
        raise NotYet("an attribute that may be missing")
    expressions.unit.members.setdefault((id(found), word), (found, value))
    return value is not None
