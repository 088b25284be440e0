"""Attributes whose names are known, `getattr`; objects that are made of others."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable
from enum import EnumMeta
from numbers import Number
from types import FunctionType, SimpleNamespace
from typing import Any

import gast
import numpy as np

from autodiff.core import ABSENT, NotYet, Value, constant
from autodiff.kinds.classes import class_attribute, is_named_tuple
from autodiff.kinds.kind import (
    Array,
    Mapping,
    Record,
    Scalar,
    Sequence,
    Static,
)
from autodiff.lower.entries import boxes, objects
from autodiff.lower.entries.above import Expressions
from autodiff.lower.entries.callables import parameters_of
from autodiff.lower.entries.entry import (
    Box,
    Closure,
    Entries,
    Entry,
    Keywords,
    Outer,
    Pack,
    is_inside,
)
from autodiff.lower.entries.lists import memory_of
from autodiff.lower.entries.outer import reading
from autodiff.lower.expression import copies
from autodiff.lower.expression.having import has, word_of
from autodiff.lower.flow import opaque
from autodiff.primitives.opaque import is_opaque
from autodiff.rules.home import hashable


def held(expressions: Expressions, given: Entries, named: Keywords) -> Entry:
    """`getattr(x, "name", default)`."""
    base, word = given[0], word_of(given[1])
    if len(given) == 3 and not has(expressions, base, word):
        return given[2]
    with expressions.named(base) as own:
        return expressions.entry(gast.Attribute(own, word, gast.Load()))


def stored_plainly(expressions: Expressions, given: Entries, named: Keywords) -> Entry:
    """`object.__setattr__(x, "name", value)`: whatever its class does about that."""
    base, word, value = given
    if not isinstance(base, Box) or base.indexed or base.memory is not None:
        raise NotYet("a store into an attribute")
    if hasattr(class_attribute(base.cls, word_of(word)), "__set__"):
        raise NotYet("a store into an attribute")
    base.slots[word_of(word)] = value
    return constant(None)


def stored(expressions: Expressions, given: Entries, named: Keywords) -> Entry:
    """`setattr(x, "name", value)`."""
    base, word, value = given
    with expressions.named(base) as own:
        target = gast.Attribute(own, word_of(word), gast.Store())
        expressions.set(target, value)  # type: ignore[attr-defined]
    return constant(None)


def with_fields(expressions: Expressions, given: Entries, named: Keywords) -> Entry:
    """`tuple.__new__(cls, items)`: a namedtuple."""
    cls = given[0].constant if isinstance(given[0], Value) else None
    if not isinstance(cls, type) or not is_named_tuple(cls) or len(given) != 2:
        raise NotYet("a call of tuple.__new__")
    return Pack(tuple(expressions.parts(given[1])), cls)


def blank(expressions: Expressions, given: Entries, named: Keywords) -> Entry:
    """`object.__new__(cls)`, `cls.__new__(cls)`."""
    cls = given[0].constant if len(given) == 1 and isinstance(given[0], Value) else None
    if not isinstance(cls, type) or named:
        raise NotYet("a call of object.__new__")
    if cls in (list, dict):
        return boxes.boxed(expressions.unit, cls, {})
    return objects.blank(expressions, cls)


def namespace(expressions: Expressions, given: Entries, named: Keywords) -> Entry:
    """`SimpleNamespace(a=1.0)`."""
    if given:
        raise NotYet("a call of SimpleNamespace")
    return boxes.boxed(expressions.unit, SimpleNamespace, dict(named))


def every(expressions: Expressions, given: Entries, named: Keywords) -> Entry:
    """`vars(x)`."""
    if len(given) == 1 and isinstance(given[0], Value):
        if isinstance(given[0].kind, Static) or is_opaque(given[0]):
            return opaque.done(expressions, vars, given[0])
    if len(given) != 1 or not isinstance(given[0], Box):
        raise NotYet("a call of vars")
    return boxes.attribute(expressions, given[0], "__dict__")


def replaced(expressions: Expressions, box: Box, named: Keywords) -> Entry:
    """An object of a dataclass, made of the fields of another one and of others."""
    if not dataclasses.is_dataclass(box.cls) or memory_of(box) is not None:
        raise NotYet("a copy of an object")
    given = dict(named)
    fields = [each for each in dataclasses.fields(box.cls) if each.name not in given]
    if not all(each.init for each in fields):
        raise NotYet("a field that is not given")
    rest = [(each.name, boxes.attribute(expressions, box, each.name)) for each in fields]
    return objects.made(expressions, box.cls, [], [*rest, *named])


def in_parts(expressions: Expressions, entry: Entry, cls: type) -> Entry:
    """`dataclasses.asdict`, `astuple`: fields in a dict or tuple, also those of what is in them."""
    if isinstance(entry, Pack):
        return Pack(tuple(in_parts(expressions, item, cls) for item in entry.items), entry.cls)
    if not isinstance(entry, Box):
        return copies.deep_copy(expressions, [entry], [])
    parts = parts_within(expressions, entry)
    made = {key: in_parts(expressions, part, cls) for key, part in parts.items()}
    if cls is tuple and not entry.indexed:
        return Pack(tuple(made.values()))
    return boxes.boxed(expressions.unit, entry.cls if entry.indexed else dict, made)


def parts_within(expressions: Expressions, box: Box) -> dict[Any, Entry]:
    """The fields of a dataclass, or the parts of a list or dict."""
    if box.indexed and box.cls in (list, dict) and memory_of(box) is None:
        return box.slots
    if box.indexed or not dataclasses.is_dataclass(box.cls):
        raise NotYet("a copy of an object")
    names = [each.name for each in dataclasses.fields(box.cls)]
    return {own: boxes.attribute(expressions, box, own) for own in names}


def fields_of(expressions: Expressions, cls: Any) -> Entry:
    """`dataclasses.fields` of a class."""
    found = dataclasses.fields(cls)
    path = expressions.unit.references.use(f"{cls.__name__}_fields", found)
    return Pack(tuple(Outer(each, f"{path}[{k}]") for k, each in enumerate(found)))


def class_of(value: Value) -> type | None:
    """The class of a number, an array or a container, None if that is not known."""
    if isinstance(value.kind, Array):
        return np.ndarray
    if isinstance(value.kind, (Sequence, Mapping, Record)) and not value.is_constant:
        return dict if isinstance(value.kind, Mapping) else value.kind.cls
    if isinstance(value.kind, Scalar) and value.kind.dtype is None:
        return {"bool": bool, "int": int, "float": float, "complex": complex}[value.kind.type]
    if value.is_constant:
        return type(value.constant)
    known = isinstance(value.kind, Scalar) and value.kind.dtype != "?"
    return np.dtype(value.kind.dtype).type if known else None  # type: ignore[attr-defined]


def told_of_type(
    target: Callable[..., Any], expressions: Expressions, given: Entries, named: Keywords
) -> Entry:
    """`np.finfo(float)`, `np.iinfo(x.dtype)`: what NumPy says of a type is read part by part."""
    first = given[0] if len(given) == 1 else None
    kind = first.kind if isinstance(first, Value) else None
    own = kind.value if isinstance(kind, Static) else getattr(first, "constant", None)
    if named or not isinstance(own, (type, np.dtype)):
        return opaque.called(expressions, boxes.of_class(expressions, target), given, named)
    found = target(own)  # NumPy keeps it
    return Outer(found, expressions.unit.references.use(target.__name__, found))


def signature_of(expressions: Expressions, given: Entries, named: Keywords) -> Entry | None:
    """`inspect.signature(f)` of what is known: read part by part, and compared before each call."""
    first = given[0] if len(given) == 1 and not named else None
    own = first.constant if isinstance(first, Value) else None
    defaults = dict(first.defaults) if isinstance(first, Closure) else {}
    held = {key: e.constant for key, e in defaults.items() if isinstance(e, Value)}
    if isinstance(first, Closure) and len(held) == len(defaults) and ABSENT not in held.values():
        every = parameters_of(first)
        found = inspect.Signature(
            [each.replace(default=held.get(each.name, each.empty)) for each in every]
        )
    elif not isinstance(own, (FunctionType, type)) or is_inside(own):
        return None
    else:
        found = inspect.signature(own)
        expressions.unit.checks.append(lambda: inspect.signature(own) == found)
    return Outer(found, expressions.unit.references.use("signature", found))


def made_of(
    expressions: Expressions, target: object, positional: Entries, named: Keywords
) -> Entry | None:
    """What a function makes of an object; None where it is another function, or no object."""
    first = positional[0] if len(positional) == 1 else None
    if isinstance(target, EnumMeta) and isinstance(first, Value) and not named:
        own: Any = target._value2member_map_
        if hashable(first.constant) and first.is_constant and first.constant in own:
            path = expressions.unit.references.use(target.__name__, target)
            member = own[first.constant]
            return reading(expressions, member, f"{path}.{member.name}")
    if target is dataclasses.fields and isinstance(getattr(first, "constant", None), type):
        return fields_of(expressions, first.constant)  # type: ignore[union-attr]
    if target is np.isscalar and first is not None and not named:
        kind = first.kind if isinstance(first, Value) else None
        own = class_of(first) if isinstance(first, Value) else getattr(first, "cls", None)
        number = own is not None and (own in (str, bytes) or issubclass(own, (np.generic, Number)))
        known = own is not None or isinstance(kind, Scalar)
        return constant(number or isinstance(kind, Scalar)) if known else None
    if target is type and isinstance(first, (Value, Pack)) and not named:
        own = class_of(first) if isinstance(first, Value) else first.cls
        expressions.unit.function.tells_complex |= own is float
        return None if own is None else boxes.of_class(expressions, own)
    if not isinstance(first, Box):
        return None
    if target in FIELDS and not named and dataclasses.is_dataclass(first.cls):
        return FIELDS[target](expressions, first)
    if target is type and not named:
        return boxes.attribute(expressions, first, "__class__")
    return replaced(expressions, first, named) if target is dataclasses.replace else None


FIELDS: dict[Any, Callable[[Expressions, Box], Entry]] = {
    dataclasses.asdict: lambda expressions, box: in_parts(expressions, box, dict),
    dataclasses.astuple: lambda expressions, box: in_parts(expressions, box, tuple),
    dataclasses.fields: lambda expressions, box: fields_of(expressions, box.cls),
}
"""What functions give of a dataclass's fields."""
