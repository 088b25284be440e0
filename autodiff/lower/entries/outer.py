"""Objects of outside: numbers and arrays are loaded where they are read, others part by part."""

from __future__ import annotations

import gc
from collections import OrderedDict
from enum import Enum, EnumMeta
from types import (
    BuiltinFunctionType,
    FunctionType,
    MappingProxyType,
    MemberDescriptorType,
    ModuleType,
    SimpleNamespace,
)
from typing import Any

import numpy as np

from autodiff.core import LoadOuter, NotYet, Raises, Value, constant
from autodiff.frontend.jitted import plain
from autodiff.kinds.arguments import attributes_of, kind_of
from autodiff.kinds.classes import class_attribute, is_named_tuple
from autodiff.kinds.kind import Array, Drawing, Kind, Record, Scalar, Sequence, Static
from autodiff.lower.entries import cells
from autodiff.lower.entries.above import Values
from autodiff.lower.entries.boxes import boxed, called, member, of_class, special
from autodiff.lower.entries.entry import Box, Entry, Outer, Pack, own_method
from autodiff.lower.entries.growing import seen
from autodiff.lower.entries.limits import limits_of
from autodiff.lower.entries.metaclasses import is_usual
from autodiff.primitives.applying import born
from autodiff.primitives.opaque import is_literal, is_table
from autodiff.rules import registry
from autodiff.rules.home import is_library

_COMPARED = (str, bytes, bool, int, float, type(None))
_HEAP = 1 << 9
"""The flag of classes that are written in Python."""


def reading(expressions: Values, found: Any, path: str) -> Entry:
    """What is read at a path outside: loaded now, as it may be another number at the next call."""
    if isinstance(found, (str, list, dict, type(None))):
        expressions.unit.fixed = True
    if isinstance(found, Enum):
        return cells.single(expressions.unit, found, path)
    if isinstance(found, str) or found is None or found is NotImplemented:
        return constant(found)
    kind = kind_of(found := plain(found), levels=0)
    if isinstance(kind, Static):
        expressions.unit.fixed |= not callable(found)
        return limits_of(found) or Value(path, kind, constant=found)
    if isinstance(kind, (Scalar, Array, Drawing)):
        return load(expressions, found, kind, path)
    expressions.unit.objects[path] = found
    twin = registry.receiver_of(type(found))  # a distribution
    return seen(expressions, found, path) if twin is None else constant(twin)


def members(expressions: Values, entry: Entry) -> dict[str, Entry] | None:
    """The members of an enumeration, by name and in their order; None for what is none."""
    own = entry.constant if isinstance(entry, Value) else None
    if not isinstance(entry, Value) or not isinstance(own, EnumMeta):
        return None
    found: list[Any] = list(own)
    return {each.name: reading(expressions, each, f"{entry.hint}.{each.name}") for each in found}


def default(expressions: Values, parameter: str, value: Any) -> Entry:
    """What a parameter is that a call leaves out: an object of outside, which is watched."""
    if isinstance(value, Entry):
        return value  # of a function defined inside
    if value is None or type(value) in (bool, int, float, complex, str):
        return constant(value)
    if type(value) is tuple:
        return Pack(tuple(default(expressions, parameter, each) for each in value))
    if isinstance(value, (FunctionType, BuiltinFunctionType, np.ufunc, type)):
        return of_class(expressions, value)
    owner = SimpleNamespace(**{parameter: value})
    expressions.unit.members.setdefault((id(value), parameter), (owner, value))
    return reading(expressions, value, expressions.unit.references.use(parameter, value))


def load(expressions: Values, found: Any, kind: Kind, path: str) -> Value:
    """A number or an array, as it is outside now; memory is one region wherever it is read."""
    value = born("", kind)
    if value.memory is not None:
        own = id(owner(found))
        value.memory = expressions.unit.outer.setdefault(own, value.memory)
        value.memory.given = True
    op = LoadOuter(path, value, expressions.builder.origin)
    op.object = found if isinstance(found, np.ndarray) else None
    expressions.builder.add(op)
    return value


def owner(found: Any) -> Any:
    """What owns the memory of an array."""
    while getattr(found, "base", None) is not None:
        found = found.base
    return found


def loaded_whole(expressions: Values, outer: Outer) -> Value:
    """A list or tuple of numbers, as one value."""
    check_whole(expressions, outer)
    kind = expressions.frame.kind(outer.object)
    if not isinstance(kind, (Record, Sequence)) or kind.cls not in (tuple, list):
        raise NotYet("an object of outside as a value")
    return load(expressions, outer.object, kind, outer.path)


def check_whole(expressions: Values, outer: Outer) -> None:
    """What is stored into is read part by part."""
    if id(outer.object) in expressions.unit.cells:
        raise NotYet("a container of outside that changes, as a value")


def plainly(expressions: Values, outer: Outer) -> Outer:
    """The dict behind a `MappingProxyType`, as the metadata of fields are; others as they are."""
    inside = gc.get_referents(outer.object) if outer.cls is MappingProxyType else [None]
    if len(inside) != 1 or type(inside[0]) not in (dict, OrderedDict):
        return outer
    own: Any = inside[0]
    table = dict(own)
    if type(own) is OrderedDict:  # which nobody stores into: it is read as the dict that it equals
        expressions.unit.checks.append(lambda: {**own} == table and [*own] == [*table])
    found = Outer(own if type(own) is dict else table, outer.path)
    compared(expressions, found)
    return found


def compared(expressions: Values, outer: Outer) -> None:
    """What a dict holds has to last, and is compared before each call."""
    unit, table = expressions.unit, outer.object
    unit.holding = True
    if not is_table(table):
        raise NotYet("a container of outside whose length may change")
    if not any(path == outer.path for path, _ in unit.lasting):
        unit.lasting.append((outer.path, unit.objects.get(outer.path, table)))
        before = contents(table)
        unit.checks.append(lambda: contents(table) == before)


def contents(table: dict[Any, Any]) -> tuple[list[Any], list[Kind]]:
    """The keys of a dict, and kinds of what it holds."""
    return [*table], [*map(kind_of, table.values())]


def item(expressions: Values, outer: Outer, key: Any) -> Entry:
    """A part of a list, tuple or dict of outside."""
    outer = plainly(expressions, outer)
    if not cells.is_plain(outer.cls) or outer.cls is dict and not is_literal(key):
        raise NotYet(f"an item of a {outer.cls.__name__} of outside")
    place = key + len(outer.object) if outer.cls is list and type(key) is int and key < 0 else key
    kept = cells.held(expressions, outer.object, place)
    if kept is not None:
        return kept
    try:
        found = outer.object[key]
    except (LookupError, TypeError) as error:
        check_lasting(expressions, outer)
        raise Raises(type(error), "an item of outside that is not there") from None
    path = f"{outer.path}[{key!r}]"
    if not has_parts(outer.object):
        kind = kind_of(found)
        if not isinstance(kind, (Scalar, Array)):
            expressions.unit.lasting.append((path, found))
            expressions.unit.checks.append(lambda: kind_of(found) == kind)
    return reading(expressions, found, path)


def items(expressions: Values, outer: Outer) -> list[Entry]:
    """What iterating over a container of outside gives."""
    check_lasting(expressions, outer)
    if outer.cls is dict:
        return [constant(key) for key in outer.object]
    return [item(expressions, outer, k) for k in range(len(outer.object))]


def has_parts(value: Any) -> bool:
    """Whether the kind of a value names each of its parts, which may lead to many others."""
    return isinstance(kind_of(value, levels=1), Record)


def check_lasting(expressions: Values, outer: Outer) -> None:
    """The keys of a container are part of the kind for which a derivative is compiled."""
    if outer.cls is dict and not has_parts(outer.object):
        compared(expressions, outer)
    elif not cells.is_plain(outer.cls) or not has_parts(outer.object):
        raise NotYet("a container of outside whose length may change")


def holds(expressions: Values, outer: Outer, item: Any) -> bool | None:
    """Whether a set or a long container of outside holds a text or number that is known, and has
    to hold it as long as the derivative; None where its parts are known, or what they compare as.
    """
    whole = outer.object
    if not (cells.is_plain(outer.cls) or outer.cls in (set, frozenset)) or has_parts(whole):
        return None
    if not all(type(each) in _COMPARED for each in (item, *whole)):
        return None
    check_whole(expressions, outer)
    expressions.unit.holding = True
    found = item in whole
    expressions.unit.lasting.append((outer.path, whole))
    expressions.unit.checks.append(lambda: (item in whole) is found)
    return found


def read_now(expressions: Values, outer: Outer) -> Pack | Box:
    """A container of what one of outside holds now."""
    check_lasting(expressions, outer)
    check_whole(expressions, outer)
    keys = outer.object if outer.cls is dict else range(len(outer.object))
    slots = {key: item(expressions, outer, key) for key in keys}
    if issubclass(outer.cls, tuple):
        return Pack(tuple(slots.values()), outer.cls)
    return boxed(expressions.unit, outer.cls, slots)


def attribute(expressions: Values, outer: Outer, name: str) -> Entry:
    """An attribute of an object of outside: its own, or what its class has."""
    held, fields = class_attribute(outer.cls, name), getattr(outer.cls, "_fields", ())
    if name in fields and is_named_tuple(outer.cls):
        return item(expressions, outer, fields.index(name))
    if isinstance(outer.object, (np.finfo, np.iinfo)) and hasattr(outer.object, name):
        return reading(expressions, getattr(outer.object, name), f"{outer.path}.{name}")
    if isinstance(held, property) and isinstance(held.fget, FunctionType):
        if class_attribute(outer.cls, "__getattr__") is not None:
            raise NotYet("a property of a class with __getattr__")
        return called(expressions, held.fget, outer)
    if isinstance(class_attribute(outer.cls, "__getattribute__"), FunctionType):
        raise NotYet("a class with __getattribute__")
    if isinstance(outer.object, Enum) and name in ("name", "value"):
        if held is class_attribute(Enum, name):  # a member keeps what it is made with
            return reading(expressions, getattr(outer.object, name), f"{outer.path}.{name}")
    if isinstance(outer.object, (type, FunctionType, ModuleType)):
        return static_attribute(expressions, outer, name)
    kept = cells.held(expressions, outer.object, name)
    if kept is not None:
        return kept
    own = attributes_of(outer.object)
    if own is not None and name in own:
        if cells.is_data_descriptor(held):
            raise NotYet("a descriptor")
        return reading(expressions, own[name], f"{outer.path}.{name}")
    within = plainly(expressions, outer)
    if cells.is_plain(within.cls) and callable(held):
        return own_method(within, name)
    if type(held) is MemberDescriptorType and not outer.cls.__flags__ & _HEAP:  # `sys.float_info`
        found = getattr(outer.object, name)
        if isinstance(found, (*_COMPARED, tuple, type)):  # not `__dict__`
            return reading(expressions, found, f"{outer.path}.{name}")
    asked = special(expressions, outer, "__getattr__")
    if held is None and asked is not None and not name.startswith("__"):
        return called(expressions, asked, outer, constant(name))
    if held is None:
        raise NotYet(f"attribute {name} of an object of outside")
    return member(expressions, outer, held, name)


def missing(base: Any, reason: str) -> NotYet:
    """What is raised for an attribute that something of outside lacks; a library never has it."""
    if isinstance(base, ModuleType) and is_library(base.__name__):
        return Raises(AttributeError, reason)
    return NotYet(reason)


def static_attribute(expressions: Values, outer: Outer, name: str) -> Entry:
    """An attribute of a class, a function or a module."""
    base = outer.object
    if isinstance(base, EnumMeta) and name in base.__members__:
        return reading(expressions, base.__members__[name], f"{outer.path}.{name}")
    if isinstance(base, type):
        if name == "__new__" and getattr(base, name) is object.__new__:
            return cells.known(expressions.unit, object.__new__)
        kept = cells.inherited(expressions, base, name)
        named = isinstance(getattr(base, name, None), str)
        if not is_usual(base) or name.startswith("__") and not named:
            raise NotYet("an attribute of an object")
    else:
        kept = cells.held(expressions, base, name)
    if kept is not None:
        return kept
    if not hasattr(base, name):
        raise missing(base, f"{outer.path} has no attribute {name!r}")
    found = getattr(base, name)
    expressions.unit.members.setdefault((id(base), name), (base, found))
    return reading(expressions, found, f"{outer.path}.{name}")
