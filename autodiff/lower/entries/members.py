"""Members of enumerations, and other objects that are a number or a text, too.

class Order(enum.IntEnum):          operators see the number, as long as the class has no operator
    FIRST = 1                       of the user's; `is`, attributes and methods see the member
    SECOND = 2

x ** Order.SECOND                   x ** 2
Mode.A | Mode.B                     the member that Python's `enum` makes of both
"""

from __future__ import annotations

import operator as functions
from collections.abc import Callable
from enum import Enum
from types import FunctionType
from typing import Any

from autodiff.analysis.classes import class_attribute
from autodiff.analysis.kind import Static
from autodiff.core import ABSENT, NotYet, Raises, Value, constant
from autodiff.lower.entries.above import Values
from autodiff.lower.entries.cells import as_outer
from autodiff.lower.entries.entry import Box, Entry, Outer
from autodiff.lower.entries.outer import reading
from autodiff.lower.entries.spoken import is_spoken
from autodiff.rules.home import is_library, module_of

_PLAIN: dict[type, Any] = {
    int: int.__int__,
    float: float.__float__,
    complex: complex.__pos__,
    str: str.__str__,
}


def member_of(entry: Entry) -> Enum | None:
    """The member of an enumeration that an entry is, of which there is one."""
    if isinstance(entry, Box) and issubclass(entry.cls, Enum) and "_name_" in entry.slots:
        return entry.cls.__members__.get(known_of(entry.slots["_name_"]))
    found = known_of(entry)
    return found if isinstance(found, Enum) else None


def known_of(entry: Entry) -> Any:
    """The object that an entry is, `ABSENT` if that is not known."""
    if isinstance(entry, Outer) and isinstance(entry.object, Enum):
        return entry.object
    if not isinstance(entry, Value):
        return ABSENT
    return entry.kind.value if isinstance(entry.kind, Static) else entry.constant


def known(entry: Entry) -> Value | None:
    """A member as a key; None for others."""
    found = member_of(entry)
    path = entry.path if isinstance(entry, Outer) else getattr(entry, "hint", "")
    return None if found is None else Value(path, Static(found), constant=found)


def named(value: Value, found: dict[str, Entry], key: Value) -> Entry:
    """`Class["NAME"]`, of the members that were found; a member may have several names."""
    own = value.constant.__members__.get(key.constant)
    if own is None:
        raise Raises(KeyError, "no member of that name")
    return found[own.name]


def plain(value: Value) -> Value:
    """The number or text that operators see of an object; others as they are."""
    found = known_of(value)
    cls = type(found)
    base = next((own for own in _PLAIN if isinstance(found, own)), cls)
    if base in (cls, bool) or cls is bool:
        return value
    if answers(cls, base):
        raise NotYet("a number or a text whose class has operators of its own")
    return constant(_PLAIN[base](found))


def asked(entry: Entry, word: str) -> Entry:
    """What an attribute is asked of: a member that is a number or a text has the methods of that,
    classes, modules and functions are objects of outside.
    """
    found = as_outer(entry)
    if isinstance(entry, Value) and isinstance(found, Outer) and isinstance(found.object, Enum):
        base = next(own for own in _PLAIN if isinstance(found.object, own))
        if class_attribute(found.cls, word) is class_attribute(base, word) is not None:
            return constant(_PLAIN[base](found.object))
    return found


def said(entry: Entry, convert: Callable[[Any], str]) -> Value | None:
    """The text that Python's own code writes for a member; None for others."""
    found = member_of(entry)
    return None if found is None or is_spoken(type(found)) else constant(convert(found))


def answers(cls: type, base: type) -> bool:
    """Whether a class has operators or methods of its own in place of those of a number or text."""
    asked = (own for own in dir(base) if own in vars(functions) or not hasattr(object, own))
    return any(isinstance(class_attribute(cls, own), FunctionType) for own in asked)


def combined(expressions: Values, word: str, *entries: Entry) -> Entry | None:
    """What an operator of Python's own makes of members; None if one is none."""
    known = [*map(member_of, entries)]
    methods = [class_attribute(type(each), f"__{word}__") for each in known]
    if None in known or not all(map(is_of_library, methods)):
        return None
    try:
        found = getattr(functions, f"__{word}__")(*known)
    except TypeError as error:
        raise Raises(TypeError, str(error)) from None
    if type(found) in _PLAIN or isinstance(found, bool):
        return constant(found)
    return reading(expressions, found, expressions.unit.references.use("member", found))


def truth(entry: Entry) -> bool | None:
    """Whether a member is true; None if that is not known."""
    found = member_of(entry)
    methods = [class_attribute(type(found), own) for own in ("__bool__", "__len__")]
    if found is None or not all(own is None or is_of_library(own) for own in methods):
        return None
    return bool(found)


def is_of_library(method: Any) -> bool:
    """Whether a method is Python's own."""
    if not isinstance(method, FunctionType):
        return method is not None
    return is_library(module_of(method))
