"""Copies of objects: `copy.copy`, `copy.deepcopy`."""

from __future__ import annotations

import operator
from typing import Any

import gast
import numpy as np

from autodiff.core import Apply, NotYet, Value, Verbatim
from autodiff.kinds.classes import class_attribute
from autodiff.kinds.kind import Array, Numeric, Scalar, Sequence, Text
from autodiff.lower.entries import boxes
from autodiff.lower.entries.above import Expressions
from autodiff.lower.entries.entry import Box, Closure, Entries, Entry, Keywords, Pack
from autodiff.lower.entries.lists import memory_of
from autodiff.lower.recipes import container_recipes
from autodiff.lower.recipes.iterators import Iterator
from autodiff.primitives import hole
from autodiff.runtime import each_once
from autodiff.syntax.names import name


def copied(expressions: Expressions, given: Entries, named: Keywords) -> Entry | None:
    """`copy.copy(x)`: another object with the same parts."""
    (box,) = given
    if isinstance(box, Value):
        return deep(expressions, box, [])
    if not isinstance(box, Box):
        return box if isinstance(box, Pack) else None
    own = boxes.special(expressions, box, "__copy__")
    if own is not None:
        return boxes.called(expressions, own, box)
    return another(expressions, box)


def another(expressions: Expressions, box: Box) -> Box:
    """Another object with the same parts, as nobody says otherwise."""
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


def deep_copy(expressions: Expressions, given: Entries, named: Keywords) -> Entry:
    """`copy.deepcopy(x)`, of what occurs once in it."""
    if len(given) != 1 or named:
        raise NotYet("a copy of an object with a table of copies")
    met: list[Entry] = []
    made = deep(expressions, given[0], met)
    memory = [each for each in met if isinstance(each, Value)]
    if not all(map(is_flat, memory)) or len(memory) > 1 and not all(map(is_new, memory)):
        own = name(expressions.unit.references.use("each_once", each_once))
        call = gast.Call(func=own, args=[hole(k) for k in range(len(memory))], keywords=[])
        expressions.builder.add(Verbatim(gast.Expr(value=call), memory))
    return made


def is_flat(memory: Value) -> bool:
    """Whether memory holds no other."""
    if memory.is_array or isinstance(memory.kind, Numeric):
        return True
    return isinstance(memory.kind, Sequence) and is_plain(memory.kind.item)


def is_new(memory: Value) -> bool:
    """Whether memory was made where the value is defined, so that no other value is the same."""
    return isinstance(memory.op, Apply) and memory.op.primitive.memory == "new"


def is_plain(kind: Any) -> bool:
    """Whether a copy of a value is the value."""
    return isinstance(kind, (Scalar, Text))


def deep(expressions: Expressions, entry: Entry, met: list[Entry]) -> Entry:
    """A copy with copies of all that is in it. met: what was copied."""
    fixed = isinstance(entry, Value) and (entry.is_constant or is_plain(entry.kind))
    if fixed or isinstance(entry, Closure):
        return entry
    if isinstance(entry, Pack):
        return Pack(tuple(deep(expressions, item, met) for item in entry.items), entry.cls)
    memory = memory_of(entry) if isinstance(entry, Box) else None
    own = memory or entry
    if any(each is own for each in met):
        raise NotYet("a copy of what occurs twice in an object")
    met.append(own)
    if isinstance(entry, Value) and isinstance(entry.kind, (Array, Numeric)):
        array = isinstance(entry.kind, Array)
        way = ("np.copy", np.copy) if array else ("operator.pos", operator.pos)
        return expressions.builder.call(*way, expressions.loaded(entry))
    if not isinstance(entry, Box):
        raise NotYet("a copy of an object")
    ways = (boxes.special(expressions, entry, f"__{word}__") for word in ("copy", "deepcopy"))
    if any(way is not None for way in ways):
        raise NotYet("a copy of an object")
    if memory is not None and entry.cls in _EACH:
        return boxes.called(expressions, _EACH[entry.cls], entry)
    made = another(expressions, entry)
    made.slots = {key: deep(expressions, part, met) for key, part in made.slots.items()}
    return made


_EACH = {list: container_recipes.each_copied, dict: container_recipes.each_value_copied}


def part_copied(expressions: Expressions, given: Entries, named: Keywords) -> Entry:
    """A copy of what memory holds: whether that occurs twice is asked of the whole."""
    return deep(expressions, given[0], [])
