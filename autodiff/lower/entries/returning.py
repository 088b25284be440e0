"""What a function returns: values, and the containers that hold them; and what a function gives
that gives several values: taken apart where it is called.

    parts = np.split(x, 2)          parts = np.split(x, 2)
                                    parts_0, parts_1 = parts

From then on it is a tuple or list whose parts are known, as if it were written out.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from autodiff.analysis.classes import class_attribute, is_named_tuple
from autodiff.analysis.kind import Record
from autodiff.core import Built, NotYet, Value
from autodiff.lower.entries.boxes import boxed
from autodiff.lower.entries.entry import Box, Entry, Pack, is_inside
from autodiff.lower.entries.lists import is_made_of_fields, memory_of
from autodiff.lower.entries.objects import is_plain_dataclass
from autodiff.lower.recipes.counterparts import Counterpart
from autodiff.lower.recipes.iterators import Iterator

if TYPE_CHECKING:
    from autodiff.lower.flow.frame import Unit
    from autodiff.primitives.builder import Builder


def returned(entry: Entry) -> object:
    """A result as its structure, for the caller: nobody changes it any more. What cannot be written
    stays as it is, and is refused where its adjoint is asked for.
    """
    return structure(entry, [])


def structure(entry: Entry, around: list[Box]) -> object:
    """An entry, and what it holds."""
    if isinstance(entry, Pack) and (entry.cls is tuple or is_made_of_fields(entry.cls)):
        items = tuple(structure(item, around) for item in entry.items)
        return Built(entry.cls, tuple(range(len(items))), items)
    if not isinstance(entry, Box):
        return entry
    if entry in around:
        raise NotYet("a result that holds a container twice")
    around.append(entry)
    if memory_of(entry) is not None:
        return memory_of(entry)
    if entry.cls not in (list, dict) and (entry.indexed or not is_written(entry.cls)):
        return entry
    items = tuple(structure(item, around) for item in entry.slots.values())
    plain = entry.indexed or has_fields_alone(entry)
    return Built(entry.cls, tuple(entry.slots), items, plain)


def is_written(cls: type) -> bool:
    """Whether objects of a class of the user's are their attributes."""
    ours = issubclass(cls, (Counterpart, Iterator)) or is_inside(cls)
    return type(cls) is type and not ours and class_attribute(cls, "__new__") is object.__new__


def has_fields_alone(box: Box) -> bool:
    """Whether an object is what its class makes of its attributes."""
    if not is_plain_dataclass(box.cls, class_attribute(box.cls, "__init__")):
        return False
    if class_attribute(box.cls, "__post_init__") is not None:
        return False
    fields = dataclasses.fields(box.cls)
    return all(each.init for each in fields) and [each.name for each in fields] == [*box.slots]


def results_of(unit: Unit, builder: Builder, found: Value) -> Entry:
    """The parts of a value that is a tuple or a list, else itself."""
    kind = found.kind
    if not isinstance(kind, Record) or found.is_constant or not kind.keys:
        return found
    if kind.cls not in (tuple, list) and not is_named_tuple(kind.cls):
        return found
    parts = []
    for key, item in zip(kind.keys, kind.items):
        part = builder.item(found, key, item)
        part.hint = f"{found.hint}_{key}" if found.hint else ""
        parts.append(results_of(unit, builder, part))
    unit.results[found] = Pack(tuple(parts), tuple if kind.cls is list else kind.cls)
    if kind.cls is list:
        return boxed(unit, list, dict(enumerate(parts)), found.hint)
    return unit.results[found]
