"""Lists, dicts and objects whose parts are known: read from, stored into, and made."""

from __future__ import annotations

import dataclasses
import inspect
from types import FunctionType
from typing import TYPE_CHECKING, Any

import gast

from autodiff.analysis.classes import class_attribute, is_named_tuple
from autodiff.analysis.kind import Kind, Record, Static
from autodiff.core.notyet import NotYet, Positions, Raises
from autodiff.core.region import Region
from autodiff.core.value import Value, constant
from autodiff.core.window import Named
from autodiff.lower.cells import inherited
from autodiff.lower.counterparts import Counterpart
from autodiff.lower.entry import Bound, Box, Entry, Maybe, Outer, Pack, Unbound
from autodiff.lower.iterators import Iterator
from autodiff.lower.lists import memory_of, part
from autodiff.primitives.builder import Builder
from autodiff.primitives.form import hole, written

if TYPE_CHECKING:
    from autodiff.lower.frame import Unit
    from autodiff.lower.values import Values


def opened(unit: Unit, container: Value, hint: str) -> Entry:
    """An argument that is a container, as its parts: each is one value, which has one adjoint."""
    kind = container.kind
    if isinstance(kind, Static) and isinstance(kind.value, (str, bytes, type(None))):
        return constant(kind.value)  # the derivative is one for this text
    if not isinstance(kind, Record):
        return container
    entries: dict[Any, Entry] = {}
    values = unit.given.setdefault(container, {})
    for key, item in zip(kind.keys, kind.items):
        own = f"{hint}_{key}"
        value = values[key] = entering(unit, container, key, item, own)
        entries[key] = opened(unit, value, own)
    if kind.cls is tuple or is_named_tuple(kind.cls):
        return Pack(tuple(entries.values()), kind.cls)
    box = Box(kind.cls, entries, container, hint)
    unit.boxes.append(box)
    return box


def entering(unit: Unit, container: Value, key: Any, kind: Kind, hint: str) -> Value:
    """A part of an argument, read where the function begins."""
    assert isinstance(container.kind, Record)
    body = unit.function.body
    rest, body.operations = body.operations, []
    entry = Builder(body, unit.references)
    value = entry.item(container, key, reached(container.kind, key), kind)
    if value.memory is not None:
        region = value.memory = Region()
        region.given = True
    value.hint = hint
    made, body.operations = body.operations, rest
    at = next((k for k, op in enumerate(rest) if op not in unit.entry), len(rest))
    body.operations[at:at] = made
    unit.entry.update(made)
    return value


def reached(kind: Record, key: Any) -> gast.expr:
    """How a part is written."""
    if kind.indexed and not (is_named_tuple(kind.cls) and isinstance(key, str)):
        return gast.Subscript(value=hole(0), slice=written(key), ctx=gast.Load())
    return gast.Attribute(value=hole(0), attr=str(key), ctx=gast.Load())


def boxed(unit: Unit, cls: type, slots: dict[Any, Entry], hint: str = "") -> Box:
    """A new list, dict or object."""
    box = Box(cls, slots, None, hint)
    unit.boxes.append(box)
    return box


def key_of(box: Box, entry: Entry) -> Any:
    """The key by which a part is asked for."""
    if not isinstance(entry, Value) or not entry.is_constant:
        raise Positions(f"an item of a {box.cls.__name__} that is found at run time")
    key = entry.constant
    if isinstance(key, slice):
        raise NotYet("a store into a slice of a list")
    if box.cls is list and type(key) is int and key < 0:
        key += len(box.slots)
    return key


def get(box: Box, key: Any) -> Entry:
    """A part of a box."""
    if key not in box.slots:
        reason = f"a part that a {box.cls.__name__} does not have"
        if box.cls not in (list, dict):
            raise NotYet(reason)
        raise Raises(KeyError if box.cls is dict else IndexError, reason)
    return box.slots[key]


def put(box: Box, key: Any, entry: Entry) -> None:
    """A part of a box holds something else from now on."""
    if box.cls is list and key not in box.slots:
        raise NotYet("a store behind the end of a list")
    if isinstance(entry, Value) and entry.op is not None and not entry.named and not entry.hint:
        entry.hint = f"{box.hint}_{key}" if box.hint else str(key)
    box.slots[key] = entry


def attribute(expressions: Values, box: Box, name: str) -> Entry:
    """An attribute of an object: its own, a property, a method, or one of its class."""
    if box.indexed:
        raise NotYet(f"attribute {name} of a {box.cls.__name__}")
    found = class_attribute(box.cls, name)
    if isinstance(found, property) and found.fget is not None:
        return called(expressions, found.fget, [box])
    memory = memory_of(box)
    if memory is not None and memory.region is not None and name in memory.region.kinds:
        return part(expressions, box, Named(name))
    if name in box.slots:
        if isinstance(box.slots[name], (Maybe, Unbound)):
            raise NotYet("a variable without a value")
        return box.slots[name]
    if name == "__class__" and issubclass(box.cls, (Iterator, Counterpart)):
        raise NotYet("the class of an iterator")
    if name == "__class__":
        return of_class(expressions, box.cls)
    return member(expressions, box, found, name)


def member(expressions: Values, receiver: Entry, found: Any, name: str) -> Entry:
    """What a class has under a name, for an object."""
    cls = receiver.cls if isinstance(receiver, (Box, Pack, Outer)) else None
    assert cls is not None
    kept = inherited(expressions, cls, name)
    if kept is not None:
        return kept
    expressions.unit.members.setdefault((id(cls), name), (cls, getattr(cls, name, None)))
    if isinstance(found, FunctionType):
        return Bound(of_class(expressions, found), (receiver,))
    if isinstance(found, staticmethod):
        return of_class(expressions, found.__func__)
    if isinstance(found, classmethod):
        return Bound(of_class(expressions, found.__func__), (of_class(expressions, cls),))
    if isinstance(found, (bool, int, float, complex, str)) or found is None and hasattr(cls, name):
        return constant(found)
    if not hasattr(cls, name) and not hasattr(cls, "__getattr__") and isinstance(receiver, Box):
        raise Raises(AttributeError, f"attribute {name} of an object")
    raise NotYet(f"attribute {name} of an object")


def of_class(expressions: Values, value: Any) -> Value:
    """A class or function as a value, referred to by a name of ours."""
    made = constant(value)
    own = getattr(value, "__name__", "")
    made.hint = expressions.unit.references.use(own if own.isidentifier() else "function", value)
    return made


def called(expressions: Values, function: Any, arguments: list[Entry]) -> Entry:
    """What a function of Python's gives for entries."""
    if not isinstance(function, FunctionType):
        raise NotYet("a method that is no function of Python's")
    return expressions.unit.doors.inlined(expressions, function, arguments, [])


def special(expressions: Values, receiver: Entry, name: str) -> FunctionType | None:
    """A special method that the class of an object defines."""
    if not isinstance(receiver, (Box, Pack, Outer)) or receiver.cls in (tuple, list, dict):
        return None
    found = class_attribute(receiver.cls, name)
    if not isinstance(found, FunctionType):
        return None
    expressions.unit.members.setdefault((id(receiver.cls), name), (receiver.cls, found))
    return found


def made(
    expressions: Values, cls: type, positional: list[Entry], named: list[tuple[str, Entry]]
) -> Entry:
    """What a call of a class of the user's makes."""
    if is_named_tuple(cls) and class_attribute(cls, "__new__") is cls.__dict__.get("__new__"):
        return fields_of(cls, list(cls._fields), positional, named)  # type: ignore[attr-defined]
    if type(cls) is not type or class_attribute(cls, "__new__") is not object.__new__:
        raise NotYet(f"a call of class {type(cls).__name__}")
    if issubclass(cls, (BaseException, tuple, list, dict, set, int, float, str)):
        raise NotYet("an object of a class derived from a builtin one")
    if class_attribute(cls, "__setattr__") is not object.__setattr__:
        if not dataclasses.is_dataclass(cls):
            raise NotYet("a class with __setattr__")
    if class_attribute(cls, "__getattr__") is not None:
        raise NotYet("a class with __getattr__")
    if class_attribute(cls, "__getattribute__") is not object.__getattribute__:
        raise NotYet("a class with __getattribute__")
    init = class_attribute(cls, "__init__")
    box = boxed(expressions.unit, cls, {}, cls.__name__.lower())
    expressions.unit.members.setdefault((id(cls), "__init__"), (cls, init))
    if is_plain_dataclass(cls, init):
        filled(expressions, cls, box, positional, named)
    elif isinstance(init, FunctionType):
        expressions.unit.doors.inlined(expressions, init, [box, *positional], named)
    elif init is not object.__init__ or positional or named:
        raise NotYet("a class whose __init__ is no function of Python's")
    return box


def is_plain_dataclass(cls: type, init: Any) -> bool:
    """Whether objects of a class are made by the `__init__` that `dataclass` wrote."""
    if "__dataclass_fields__" not in cls.__dict__ or "__init__" not in cls.__dict__:
        return False
    return isinstance(init, FunctionType) and init.__code__.co_filename.startswith("<")


def filled(
    expressions: Values,
    cls: type,
    box: Box,
    positional: list[Entry],
    named: list[tuple[str, Entry]],
) -> None:
    """The fields of a dataclass, as its `__init__` sets them."""
    signature = inspect.signature(cls)
    try:
        bound = dict(signature.bind(*positional, **dict(named)).arguments)
    except TypeError:
        raise NotYet("a call that does not fit") from None
    for each in dataclasses.fields(cls):
        if each.name in bound:
            box.slots[each.name] = bound[each.name]
        elif each.default is not dataclasses.MISSING:
            if not isinstance(each.default, (bool, int, float, complex, str, type(None))):
                raise NotYet("a default that is an object")
            box.slots[each.name] = constant(each.default)
        elif each.default_factory in (list, dict):
            box.slots[each.name] = boxed(expressions.unit, each.default_factory, {}, each.name)
        else:
            raise NotYet("a default that is made")
    after = class_attribute(cls, "__post_init__")
    if after is not None:
        if any(each.type.__class__ is dataclasses.InitVar for each in dataclasses.fields(cls)):
            raise NotYet("a dataclass with InitVar")
        called(expressions, after, [box])


def fields_of(
    cls: type, fields: list[str], positional: list[Entry], named: list[tuple[str, Entry]]
) -> Entry:
    """A namedtuple."""
    found: dict[str, Entry] = dict(zip(fields, positional))
    found.update(named)
    defaults = getattr(cls, "_field_defaults", {})
    for field in fields:
        if field not in found:
            value = defaults.get(field, ...)
            if not isinstance(value, (bool, int, float, complex, str, type(None))):
                raise NotYet("a default that is an object")
            found[field] = constant(value)
    if len(found) != len(fields) or len(positional) > len(fields):
        raise NotYet("a call that does not fit")
    return Pack(tuple(found[field] for field in fields), cls)
