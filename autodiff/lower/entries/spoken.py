"""What somebody who only looks sees of an entry: text that says it, what a library tells of it."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from types import FunctionType
from typing import Any

from autodiff.core import LoadOuter, NotYet, Region, Value
from autodiff.kinds.classes import class_attribute
from autodiff.kinds.kind import Drawing, Record, Static
from autodiff.lower.entries.above import Values
from autodiff.lower.entries.entry import Box, Entry, Outer
from autodiff.lower.entries.lists import by_name, is_plain
from autodiff.lower.recipes.only_called import Counterpart
from autodiff.rules.home import is_library, module_of
from autodiff.runtime import instance
from autodiff.syntax.names import name

_DEEP = 5


def seen(expressions: Values, entry: Entry) -> Value:
    """What somebody who only looks sees of an entry: what it holds now."""
    if isinstance(entry, Value) and isinstance(entry.constant, Enum):
        entry = Outer(entry.constant, entry.hint)  # not as the number or text that it is
    if isinstance(entry, Outer):
        if speaks(entry.object):
            raise NotYet("an object that is written in its own way")
        value = Value("", Static(entry.object))
        expressions.builder.add(LoadOuter(entry.path, value, expressions.builder.origin))
        return value
    ours = isinstance(entry, Box) and issubclass(entry.cls, Counterpart)
    if isinstance(entry, Box) and is_plain(entry) and not is_spoken(entry.cls) and not ours:
        use = expressions.unit.references.use  # it is written as its class and where it lies
        own = name(use("instance", instance)), name(use(entry.cls.__name__, entry.cls))
        return by_name(expressions, entry.cls, {}, *own)
    memory = entry.memory if isinstance(entry, Box) and entry.indexed else None
    if memory is not None and not any(map(is_spoken, held_classes(memory.home))):
        return expressions.builder.load(memory)
    value = expressions.as_value(entry)
    return value if is_error(value) else expressions.loaded(value)


def held_classes(region: Region) -> Iterator[type]:
    """The classes of objects that containers of a region lead to."""
    for each in region.reached():
        for kinds in each.kinds.values():
            yield from (kind.cls for kind in kinds if isinstance(kind, Record))


def is_error(value: Value) -> bool:
    """Whether a value is an error that was caught."""
    classes = value.kind.classes if isinstance(value.kind, Drawing) else (object,)
    return all(issubclass(cls, BaseException) for cls in classes)


def speaks(found: Any, depth: int = 0) -> bool:
    """Whether writing an object runs code of the user's, which may change anything."""
    if isinstance(found, (list, tuple, set, dict)) and depth < _DEEP:
        parts = [*found, *found.values()] if isinstance(found, dict) else found
        return any(speaks(part, depth + 1) for part in parts)
    return is_spoken(type(found))


def is_spoken(cls: type) -> bool:
    """Whether a class has a method of the user's that writes its objects."""
    words = ("__format__", "__str__", "__repr__")
    found = (class_attribute(cls, word) for word in words)
    return any(isinstance(own, FunctionType) and not is_library(module_of(own)) for own in found)
