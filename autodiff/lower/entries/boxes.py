"""Lists, dicts and objects whose parts are known: read from, stored into, and made."""

from __future__ import annotations

import inspect
import operator
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from types import BuiltinFunctionType, FunctionType, WrapperDescriptorType
from typing import Any

from autodiff.core import ABSENT, Again, Named, NotYet, Raises, Region, Value, constant
from autodiff.kinds.classes import class_attribute, is_named_tuple
from autodiff.kinds.kind import Kind, Record, Static
from autodiff.lower.entries import Bound, Box, Closure, Entry, Maybe, Outer, Pack
from autodiff.lower.entries.above import Unit, Values
from autodiff.lower.entries.behind import in_order, is_ours
from autodiff.lower.entries.cells import got, inherited, is_data_descriptor, known, single
from autodiff.lower.entries.defining import defines
from autodiff.lower.entries.entry import MEMORY, Unbound, is_inside, own_method
from autodiff.lower.entries.lists import memory_of, part
from autodiff.lower.recipes.iterators import Iterator
from autodiff.lower.recipes.only_called import Counterpart, known_as
from autodiff.primitives.builder import Builder


@dataclass(frozen=True, slots=True)
class Method:
    """A function of a class that is defined inside."""

    closure: Closure


class Attributes(Box):
    """`o.__dict__`, `vars(o)`: a dict whose places are the attributes of the object."""

    __slots__ = ("of",)
    lent = True

    def __init__(self, of: Box) -> None:
        self.of = of
        super().__init__(dict, of.slots)

    @property
    def slots(self) -> dict[Any, Entry]:
        """The attributes."""
        found = self.of.slots
        if MEMORY in found or any(isinstance(part, (Maybe, Unbound)) for part in found.values()):
            raise NotYet("the attributes of an object that may be missing")
        return found

    @slots.setter
    def slots(self, slots: dict[Any, Entry]) -> None:
        if MEMORY in slots:
            raise NotYet("the attributes of an object as memory")
        self.of.slots = slots

    @property
    def stored(self) -> bool:
        """Whether one of them was replaced."""
        return self.of.stored

    @stored.setter
    def stored(self, stored: bool) -> None:
        self.of.stored = self.of.stored or stored


def opened(unit: Unit, container: Value, hint: str) -> Entry:
    """An argument that is a container, as its parts: each is one value, which has one adjoint."""
    kind = container.kind
    if isinstance(kind, Static) and type(kind.value) in (str, bytes, type(None)):
        return constant(kind.value)  # the derivative is one for this text
    if isinstance(kind, Static) and callable(kind.value):
        return known(unit, kind.value)
    if isinstance(kind, Static) and isinstance(kind.value, Enum):
        return single(unit, kind.value, unit.references.use(hint, kind.value))
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
    value = entry.item(container, key, kind)
    if value.memory is not None:
        region = value.memory = Region()
        region.given = True
    value.hint = hint
    made, body.operations = body.operations, rest
    at = next((k for k, op in enumerate(rest) if op not in unit.entry), len(rest))
    body.operations[at:at] = made
    unit.entry.update(made)
    return value


def boxed(unit: Unit, cls: type, slots: dict[Any, Entry], hint: str = "") -> Box:
    """A new list, dict or object."""
    box = Box(cls, slots, None, hint)
    unit.boxes.append(box)
    return box


def key_of(box: Box, entry: Entry) -> Any:
    """The key by which a part is asked for."""
    if isinstance(entry, Pack) and entry.cls is tuple:
        keys = [item.constant if isinstance(item, Value) else ABSENT for item in entry.items]
        entry = entry if ABSENT in keys else constant(tuple(keys))
    if isinstance(entry, Box) and box.cls is dict and is_by_identity(entry):
        return entry
    if isinstance(entry, Outer) and isinstance(entry.object, Enum):
        return entry.object
    if not isinstance(entry, Value) or not entry.is_constant:
        raise Again(f"an item of a {box.cls.__name__} that is found at run time")
    key = entry.constant
    if isinstance(key, slice):
        raise NotYet("a store into a slice of a list")
    if box.cls is list and type(key) is int and key < 0:
        key += len(box.slots)
    return key


def is_by_identity(box: Box) -> bool:
    """Whether an object made here is the same key as itself alone: who has another hash is asked
    for no more.
    """
    same, own = (class_attribute(box.cls, word) for word in ("__eq__", "__hash__"))
    plain = own is object.__hash__ and same is object.__eq__
    return box.given is None and not box.indexed and (plain or is_of_id(own))


def is_of_id(function: Any) -> bool:
    """Whether a method is `return id(self)`."""
    if not isinstance(function, FunctionType):
        return False
    code, plain = function.__code__, (lambda self: id(self)).__code__
    alike = code.co_code == plain.co_code and code.co_names == plain.co_names
    return alike and "id" not in function.__globals__


def get(box: Box, key: Any) -> Entry:
    """A part of a box."""
    if key not in box.slots:
        reason = f"a part that a {box.cls.__name__} does not have"
        if isinstance(key, Box) or box.cls not in (list, dict):
            raise (Again if isinstance(key, Box) else NotYet)(reason)  # others may stand for it
        raise Raises.by(reason, operator.getitem, box.cls(), key)
    return box.slots[key]


def put(box: Box, key: Any, entry: Entry) -> None:
    """A part of a box holds something else from now on."""
    if box.cls is list and key not in box.slots:
        reason = "a store to an item that a list does not have"
        raise Raises.by(reason, operator.setitem, [], key, None)
    if isinstance(entry, Value) and entry.op is not None and not entry.named and not entry.hint:
        entry.hint = f"{box.hint}_{key}" if box.hint else str(key)
    box.slots[key] = entry
    box.stored = True


def attribute(expressions: Values, box: Box, name: str) -> Entry:
    """An attribute of an object: its own, a property, a method, or one of its class."""
    found = class_attribute(box.cls, name)
    if box.indexed and defines(box.cls, name):
        own = box.cls if name == "__class__" else found
        fixed = isinstance(own, (type, BuiltinFunctionType))
        return of_class(expressions, own) if fixed else own_method(box, name)
    if box.indexed:
        raise Raises(AttributeError, f"{box.cls.__name__!r} object has no attribute {name!r}")
    if isinstance(found, property) and found.fget is not None:
        if class_attribute(box.cls, "__getattr__") is not None:
            raise NotYet("a property of a class with __getattr__")
        return called(expressions, found.fget, box)
    if is_data_descriptor(found) and hasattr(type(found), "__get__"):
        return got(expressions, box, found, name)
    memory = memory_of(box)
    if memory is not None and memory.region is not None and name in memory.region.kinds:
        return part(expressions, box, Named(name))
    if name in box.slots:
        held = box.slots[name]
        if isinstance(held, Maybe):
            if expressions.unit.attempts and not issubclass(box.cls, Iterator):
                raise NotYet("an attribute that may be missing")
            box.slots[name] = expressions.certain(name, held.entry)
        return box.slots[name]
    if name in ("__class__", "__dict__") and issubclass(box.cls, (Iterator, Counterpart)):
        raise NotYet(f"the class of a {known_as(box.cls)}")
    if name == "__class__":
        return of_class(expressions, box.cls)
    if name == "__dict__" and not any("__slots__" in vars(base) for base in box.cls.__mro__):
        if box.view is False:
            raise NotYet("the attributes of an object that may be missing")
        box.view = box.view if isinstance(box.view, Attributes) else Attributes(box)
        return box.view
    return member(expressions, box, found, name)


def member(expressions: Values, receiver: Entry, found: Any, name: str) -> Entry:
    """What a class has under a name, for an object."""
    cls = receiver.cls if isinstance(receiver, (Box, Pack, Outer)) else None
    assert cls is not None
    if (kept := inherited(expressions, cls, name)) is not None:
        return kept
    watch(expressions, cls, name, getattr(cls, name, None))
    if isinstance(found, (FunctionType, Method)):
        return Bound(of_function(expressions, found), (receiver,))
    if isinstance(found, cached_property) and isinstance(receiver, Box) and not memory_of(receiver):
        put(receiver, name, called(expressions, found.func, receiver))
        return receiver.slots[name]
    if isinstance(found, (staticmethod, type)):
        return of_function(expressions, found if isinstance(found, type) else found.__func__)
    if isinstance(found, classmethod):
        return Bound(of_function(expressions, found.__func__), (of_class(expressions, cls),))
    if isinstance(found, (bool, int, float, complex, str)) or found is None and defines(cls, name):
        return constant_of(expressions.unit, cls, name, found)
    if type(found) in (tuple, list, dict) and not is_inside(cls):
        unit, own = expressions.unit, expressions.unit.references.use(cls.__name__, cls)
        unit.fixed, unit.objects[f"{own}.{name}"] = True, found
        unit.lasting.append((f"{own}.{name}", found))
        return Outer(found, f"{own}.{name}")
    if name in ("__getattribute__", "__setattr__") and type(found) is WrapperDescriptorType:
        return Bound(constant(getattr(object, name)), (receiver,))
    blank = inspect.ismemberdescriptor(found)  # one of `__slots__`, which holds nothing
    if not blank and isinstance(receiver, Box) and class_attribute(type(found), "__get__"):
        return got(expressions, receiver, found, name)
    asked = special(expressions, receiver, "__getattr__")
    if asked is not None and (blank or not defines(cls, name)):
        return called(expressions, asked, receiver, constant(name))
    if issubclass(cls, (Iterator, Counterpart)):
        raise NotYet(f"attribute {name} of a {known_as(cls)}")
    missing = blank or found is None and not defines(cls, name)
    if missing and not defines(cls, "__getattr__") and isinstance(receiver, Box):
        raise Raises(AttributeError, f"{cls.__name__!r} object has no attribute {name!r}")
    raise NotYet(f"attribute {name} of an object")


def constant_of(unit: Unit, cls: type, name: str, found: Any) -> Value:
    """A constant that a class has: it has to last as long as the derivative."""
    unit.fixed = True
    if not is_inside(cls):
        unit.lasting.append((f"{unit.references.use(cls.__name__, cls)}.{name}", found))
    return constant(found)


def watch(expressions: Values, cls: type, name: str, found: Any) -> None:
    """An attribute of a class has to last as long as the derivative."""
    if not is_inside(cls):
        expressions.unit.members.setdefault((id(cls), name), (cls, found))


def of_function(expressions: Values, function: Any) -> Entry:
    """A function that a class has."""
    return function.closure if isinstance(function, Method) else of_class(expressions, function)


def of_class(expressions: Values, value: Any) -> Value:
    """A class or function as a value, referred to by a name of ours."""
    return known(expressions.unit, value)


def called(
    expressions: Values, function: Any, *given: Entry, named: Any = (), stores: bool = False
) -> Entry:
    """What a function of Python's, or a class of ours, gives. stores: behind a statement."""
    inlined = expressions.unit.doors.inlined
    if isinstance(function, type):
        box = boxed(expressions.unit, function, {}, function.__name__.lower())
        inlined(expressions, class_attribute(function, "__init__"), [box, *given], named)
        return box
    if not isinstance(function, (FunctionType, Method)):
        raise NotYet("a method that is no function of Python's")
    with in_order(expressions, stores or is_ours(function)):
        return inlined(expressions, function, [*given], named)


def special(expressions: Values, receiver: Entry, name: str) -> Any:
    """A special method that the class of an object defines."""
    if isinstance(receiver, (Box, Pack, Outer)) and receiver.cls not in (tuple, list, dict):
        found = class_attribute(receiver.cls, name)
        if isinstance(found, (FunctionType, Method)):
            watch(expressions, receiver.cls, name, found)
            return found
    return None
