"""Objects made of others: `copy.copy(p)`, `dataclasses.replace(p, x=2.0)`, `type(p)(2.0)`."""

from __future__ import annotations

import copy
import dataclasses
from typing import TYPE_CHECKING

import numpy as np

from autodiff.analysis.classes import class_attribute
from autodiff.analysis.kind import Array, Scalar
from autodiff.core.notyet import NotYet
from autodiff.core.value import Value
from autodiff.lower.entries import boxes, objects
from autodiff.lower.entries.entry import Box, Entry, Pack
from autodiff.lower.entries.lists import memory_of
from autodiff.lower.recipes.iterators import Iterator

if TYPE_CHECKING:
    from autodiff.lower.expression.expressions import Expressions

Named = list[tuple[str, Entry]]


def copied(expressions: Expressions, box: Box) -> Entry:
    """Another object with the same parts."""
    own = boxes.special(expressions, box, "__copy__")
    if own is not None:
        return boxes.called(expressions, own, [box])
    plain = class_attribute(box.cls, "__new__") is object.__new__ and all(
        getattr(box.cls, word, None) is getattr(object, word, None)
        for word in ("__reduce__", "__reduce_ex__")
    )
    plain = plain and class_attribute(box.cls, "__setstate__") is None
    plain = plain and class_attribute(box.cls, "__getstate__") is vars(object).get("__getstate__")
    if memory_of(box) is not None or issubclass(box.cls, Iterator) or not (box.indexed or plain):
        raise NotYet("a copy of an object")
    made = boxes.boxed(expressions.unit, box.cls, dict(box.slots))
    made.view = False if box.view is False else None
    return made


def deep(expressions: Expressions, entry: Entry, made: dict[Box, Box]) -> Entry:
    """A copy with copies of all that is in it: what occurs twice is one in the copy, too."""
    if isinstance(entry, Value) and isinstance(entry.kind, Array):
        return expressions.builder.call("np.copy", np.copy, expressions.loaded(entry))
    if isinstance(entry, Value) and (entry.is_constant or isinstance(entry.kind, Scalar)):
        return entry
    if isinstance(entry, Pack):
        items = [deep(expressions, item, made) for item in entry.items]
        return Pack(tuple(items), entry.cls)
    if not isinstance(entry, Box) or boxes.special(expressions, entry, "__deepcopy__") is not None:
        raise NotYet("a copy of an object")
    if entry not in made:
        found = copied(expressions, entry)
        if not isinstance(found, Box) or boxes.special(expressions, entry, "__copy__") is not None:
            raise NotYet("a copy of an object")
        made[entry] = found
        found.slots = {key: deep(expressions, part, made) for key, part in found.slots.items()}
    return made[entry]


def replaced(expressions: Expressions, box: Box, named: Named) -> Entry:
    """An object of a dataclass, made of the fields of another one and of others."""
    if not dataclasses.is_dataclass(box.cls) or memory_of(box) is not None:
        raise NotYet("a copy of an object")
    given = dict(named)
    fields = [each for each in dataclasses.fields(box.cls) if each.name not in given]
    if not all(each.init for each in fields):
        raise NotYet("a field that is not given")
    rest = [(each.name, boxes.attribute(expressions, box, each.name)) for each in fields]
    return objects.made(expressions, box.cls, [], [*rest, *named])


def made_of(
    expressions: Expressions, target: object, positional: list[Entry], named: Named
) -> Entry | None:
    """What a function makes of an object; None where it is another function, or no object."""
    first = positional[0] if len(positional) == 1 else None
    if target is copy.deepcopy and first is not None and not named:
        return deep(expressions, first, {})
    if target is copy.copy and isinstance(first, (Value, Pack)) and not named:
        return deep(expressions, first, {}) if isinstance(first, Value) else first
    if not isinstance(first, Box):
        return None
    if target is type and not named:
        return boxes.attribute(expressions, first, "__class__")
    if target is copy.copy and not named:
        return copied(expressions, first)
    return replaced(expressions, first, named) if target is dataclasses.replace else None
