"""Attributes whose names are known while compiling: `getattr`, `setattr`, `hasattr`, `vars`; and
what is made of nothing else.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING

import gast

from autodiff.analysis.classes import class_attribute, is_named_tuple
from autodiff.analysis.kind import Array, Scalar, Static
from autodiff.core.notyet import NotYet
from autodiff.core.value import Value, constant
from autodiff.lower.entries import boxes
from autodiff.lower.entries.entry import Box, Entry, Maybe, Mixed, Pack
from autodiff.lower.entries.library import Named
from autodiff.lower.expression.expressions import lacks
from autodiff.lower.flow import opaque
from autodiff.lower.recipes.iterators import Iterator
from autodiff.primitives.opaque import is_opaque

if TYPE_CHECKING:
    from autodiff.lower.expression.expressions import Expressions


def word_of(entry: Entry) -> str:
    """The name that is asked for."""
    if not isinstance(entry, Value) or not isinstance(entry.constant, str):
        raise NotYet("an attribute whose name is found at run time")
    return entry.constant


def held(expressions: Expressions, given: list[Entry], named: Named) -> Entry:
    """`getattr(x, "name", default)`."""
    base, word = given[0], word_of(given[1])
    if len(given) == 3 and not has(base, word):
        return given[2]
    with expressions.named(base) as own:
        return expressions.entry(gast.Attribute(own, word, gast.Load()))


def asked(expressions: Expressions, given: list[Entry], named: Named) -> Entry:
    """`hasattr(x, "name")`."""
    return constant(has(given[0], word_of(given[1])))


def has(base: Entry, word: str) -> bool:
    """Whether an object has an attribute."""
    if isinstance(base, Value) and isinstance(base.kind, (Array, Scalar)):
        return not lacks(base.kind, word)
    if not isinstance(base, Box) or base.indexed or issubclass(base.cls, Iterator):
        raise NotYet("an attribute that may be missing")
    if class_attribute(base.cls, "__getattr__") is not None:
        raise NotYet("a class with __getattr__")
    found = class_attribute(base.cls, word)
    if isinstance(found, property):
        raise NotYet("a property that may raise an error")
    if isinstance(base.slots.get(word), (Maybe, Mixed)):
        raise NotYet("an attribute that may be missing")
    return word in base.slots or hasattr(base.cls, word)


def stored_plainly(expressions: Expressions, given: list[Entry], named: Named) -> Entry:
    """`object.__setattr__(x, "name", value)`: whatever its class does about that."""
    base, word, value = given
    if not isinstance(base, Box) or base.indexed or base.memory is not None:
        raise NotYet("a store into an attribute")
    if hasattr(class_attribute(base.cls, word_of(word)), "__set__"):
        raise NotYet("a store into an attribute")
    base.slots[word_of(word)] = value
    return constant(None)


def stored(expressions: Expressions, given: list[Entry], named: Named) -> Entry:
    """`setattr(x, "name", value)`."""
    base, word, value = given
    with expressions.named(base) as own:
        target = gast.Attribute(own, word_of(word), gast.Store())
        expressions.set(target, value)  # type: ignore[attr-defined]
    return constant(None)


def with_fields(expressions: Expressions, given: list[Entry], named: Named) -> Entry:
    """`tuple.__new__(cls, items)`: a namedtuple."""
    cls = given[0].constant if isinstance(given[0], Value) else None
    if not isinstance(cls, type) or not is_named_tuple(cls) or len(given) != 2:
        raise NotYet("a call of tuple.__new__")
    return Pack(tuple(expressions.parts(given[1])), cls)


def namespace(expressions: Expressions, given: list[Entry], named: Named) -> Entry:
    """`SimpleNamespace(a=1.0)`."""
    if given:
        raise NotYet("a call of SimpleNamespace")
    return boxes.boxed(expressions.unit, SimpleNamespace, dict(named))


def every(expressions: Expressions, given: list[Entry], named: Named) -> Entry:
    """`vars(x)`."""
    if len(given) == 1 and isinstance(given[0], Value):
        if isinstance(given[0].kind, Static) or is_opaque(given[0]):
            return opaque.done(expressions, vars, given[0])
    if len(given) != 1 or not isinstance(given[0], Box):
        raise NotYet("a call of vars")
    return boxes.attribute(expressions, given[0], "__dict__")
