"""What a call of a class of the user's makes: an object, of which the parts are known.

Classes, and what is around functions, defined inside: `class`, decorators, `super`.

    class Options:                  a class of constants and functions, made while compiling:
        rate = 0.3                  it cannot change, and nothing of it is left in the text
        def step(self, x): ...      the function reads the variables around the class

A decorator is a function that is called with the function.
"""

from __future__ import annotations

import dataclasses
import inspect
from types import FunctionType, SimpleNamespace
from typing import Any

import gast
import numpy as np

from autodiff.core import NotYet, Raises, Value, constant
from autodiff.frontend.source import has_text
from autodiff.kinds.classes import class_attribute, is_named_tuple
from autodiff.lower.entries import Bound, Box, Entries, Entry, Keywords, Outer, Pack
from autodiff.lower.entries.above import Values
from autodiff.lower.entries.boxes import Method, boxed, called, of_class, special, watch
from autodiff.lower.entries.cells import described, is_data_descriptor
from autodiff.lower.entries.metaclasses import is_usual
from autodiff.lower.entries.outer import default
from autodiff.primitives import is_opaque


def made(expressions: Values, cls: type, positional: Entries, named: Keywords) -> Entry:
    """What a call of a class of the user's makes."""
    if is_named_tuple(cls) and has_written_new(cls):
        return fields_of(expressions, cls, positional, named)
    new = written_new(cls)
    if new is not None:
        watch(expressions, cls, "__new__", class_attribute(cls, "__new__"))
        given = [of_class(expressions, cls), *positional]
        box = expressions.unit.doors.inlined(expressions, new, given, named)
        other = box.cls if isinstance(box, (Box, Pack)) else None
        if isinstance(box, Value) and not is_opaque(box) or other and not issubclass(other, cls):
            return box
        if not isinstance(box, Box):
            raise NotYet("an object that __new__ gives, and that may be begun again")
        cls = box.cls  # whose `__init__` runs
    else:
        box = blank(expressions, cls)
    init = class_attribute(cls, "__init__")
    watch(expressions, cls, "__init__", init)
    if is_plain_dataclass(cls, init):
        filled(expressions, cls, box, positional, named)
    elif isinstance(init, (FunctionType, Method)):
        expressions.unit.doors.inlined(expressions, init, [box, *positional], named)
    elif init is not object.__init__ or new is None and (positional or named):
        raise NotYet("a class whose __init__ is no function of Python's")
    return box


def blank(expressions: Values, cls: type) -> Box:
    """An object of a class of the user's before its `__init__`: `object.__new__(cls)`."""
    if not is_usual(cls):
        raise NotYet(f"a call of class {type(cls).__name__}")
    if inspect.isabstract(cls):
        raise Raises(TypeError, f"an object of the abstract class {cls.__name__}")
    if issubclass(cls, (BaseException, tuple, list, dict, set, int, float, str, np.ndarray)):
        raise NotYet("an object of a class derived from a builtin one")
    if dataclasses.is_dataclass(cls) and is_written(class_attribute(cls, "__setattr__")):
        raise NotYet("a class with __setattr__")
    if class_attribute(cls, "__getattribute__") is not object.__getattribute__:
        raise NotYet("a class with __getattribute__")
    if class_attribute(cls, "__del__") is not None:
        raise NotYet("a class with __del__")
    return boxed(expressions.unit, cls, {}, cls.__name__.lower())


def has_written_new(cls: type) -> bool:
    """Whether objects of a namedtuple are made by the `__new__` that `namedtuple` wrote."""
    owner = next(base for base in cls.__mro__ if "__new__" in vars(base))
    return tuple in owner.__bases__ and "_field_defaults" in vars(owner)


def is_written(function: Any) -> bool:
    """Whether a function was written by the user, not by `dataclass`."""
    if isinstance(function, FunctionType):
        return has_text(function)
    return isinstance(function, Method)


def is_held(expressions: Values, held: Entry, target: gast.Attribute | gast.Subscript) -> bool:
    """Whether what stands at a place of an object is the object's own: no copy, and no code of the
    user's answers when it is stored there.
    """
    if not isinstance(held, (Box, Outer)):
        return False
    if isinstance(target, gast.Subscript):
        whole = not isinstance(target.slice, gast.Slice) and held.cls is not tuple
        return whole and special(expressions, held, "__setitem__") is None
    own = class_attribute(held.cls, target.attr)
    answers = isinstance(own, property) or is_data_descriptor(own)
    return not answers and special(expressions, held, "__setattr__") is None


def answered(expressions: Values, base: Entry, name: str, entry: Entry) -> bool:
    """Whether the class of an object has a method for `base.name = entry`, which is called."""
    setter = special(expressions, base, "__setattr__")
    if is_written(setter):
        called(expressions, setter, base, constant(name), entry, stores=True)
        return True
    plain = object.__setattr__, SimpleNamespace.__setattr__
    if isinstance(base, Box) and class_attribute(base.cls, "__setattr__") not in plain:
        raise NotYet("a class with __setattr__")
    found = class_attribute(base.cls, name) if isinstance(base, Box) else None
    if name in ("__class__", "__dict__"):
        raise NotYet("an object that changes its class, or all of its attributes")
    if is_data_descriptor(found):
        assert isinstance(base, Box)
        own = described(expressions.unit, base.cls, name, found)
        called(expressions, class_attribute(type(found), "__set__"), own, base, entry, stores=True)
    return is_data_descriptor(found)


def is_plain_dataclass(cls: type, init: Any) -> bool:
    """Whether objects of a class are made by the `__init__` that `dataclass` wrote."""
    if "__dataclass_fields__" not in cls.__dict__ or "__init__" not in cls.__dict__:
        return False
    return isinstance(init, FunctionType) and not is_written(init)


def is_filled(expressions: Values, init: Any, positional: Entries, named: Keywords) -> bool:
    """Whether a call is one of the `__init__` that `dataclass` wrote, by a class derived from it:
    its fields are set then.
    """
    box = positional[0] if positional else None
    if not isinstance(box, Box) or getattr(init, "__name__", "") != "__init__":
        return False
    owner = next((base for base in box.cls.__mro__ if vars(base).get("__init__") is init), None)
    if owner is None or not is_plain_dataclass(owner, init):
        return False
    filled(expressions, owner, box, positional[1:], named)
    return True


def filled(expressions: Values, cls: type, box: Box, positional: Entries, named: Keywords) -> None:
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
            box.slots[each.name] = default(expressions, each.name, each.default)
        elif each.default_factory in (list, dict):
            box.slots[each.name] = boxed(expressions.unit, each.default_factory, {}, each.name)
        elif each.default_factory is not dataclasses.MISSING:  # else `__post_init__` sets it
            box.slots[each.name] = called(expressions, each.default_factory, stores=True)
    after = class_attribute(box.cls, "__post_init__")
    if after is not None:
        called(expressions, after, box, *told_only(expressions, cls, bound), stores=True)


def told_only(expressions: Values, cls: type, bound: dict[str, Entry]) -> list[Entry]:
    """What `InitVar` parameters of a dataclass are: `__post_init__` is given them, no field."""
    found: list[Entry] = []
    for each in cls.__dataclass_fields__.values():  # type: ignore[attr-defined]
        if str(each._field_type).endswith("INITVAR"):
            value = bound.get(each.name, each.default)
            if value is dataclasses.MISSING:
                raise NotYet("a dataclass with InitVar")
            found.append(default(expressions, each.name, value))
    return found


def fields_of(expressions: Values, cls: Any, positional: Entries, named: Keywords) -> Entry:
    """A namedtuple."""
    fields, defaults = cls._fields, getattr(cls, "_field_defaults", {})
    found: dict[str, Entry] = dict(zip(fields, positional))
    found.update(named)
    for field in fields:
        if field not in found and field in defaults:
            found[field] = default(expressions, field, defaults[field])
    if len(found) != len(fields) or len(positional) > len(fields):
        raise NotYet("a call that does not fit")
    return Pack(tuple(found[field] for field in fields), cls)


def of_own(expressions: Values, cls: type, name: str) -> Entry:
    """What a class that is defined inside has under a name."""
    found = class_attribute(cls, name)
    if isinstance(found, staticmethod):
        found = found.__func__
    if isinstance(found, Method):
        return found.closure
    if isinstance(found, classmethod) and isinstance(found.__func__, Method):
        return Bound(found.__func__.closure, (constant(cls),))
    if isinstance(found, (bool, int, float, complex, str)) and not name.startswith("__"):
        return constant(found)
    raise NotYet("an attribute of an object")


def is_readable(cls: type) -> bool:
    """Whether a class is written in Python, and makes its objects in a way that can be read."""
    if not cls.__flags__ & (1 << 9):  # a heap type
        return False
    if issubclass(cls, (np.ndarray, BaseException)):
        return True
    plain = written_new(cls) is not None or class_attribute(cls, "__new__") is object.__new__
    return plain and is_usual(cls) or is_named_tuple(cls)


def written_new(cls: type) -> FunctionType | None:
    """The `__new__` of a class, if it is a function of Python's."""
    new = class_attribute(cls, "__new__")
    own = new.__func__ if isinstance(new, staticmethod) else new
    return own if isinstance(own, FunctionType) else None
