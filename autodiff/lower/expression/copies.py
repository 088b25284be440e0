"""Copies of objects: `copy.copy`, `copy.deepcopy`, `id`.

def __deepcopy__(self, memo):       what was copied is looked up by its `id`: of an object made
    made = Model()                  here that is a key which stands for it, and no number
    memo[id(self)] = made
    made.rows = deepcopy(self.rows, memo)
    return made
"""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import Any

import gast
import numpy as np

from autodiff.core import Apply, NotYet, Value, Verbatim
from autodiff.kinds.classes import class_attribute
from autodiff.kinds.kind import Array, Numeric, Scalar, Sequence, Static, Text
from autodiff.lower.entries import boxes
from autodiff.lower.entries.above import Expressions
from autodiff.lower.entries.entry import Box, Closure, Entries, Entry, Keywords, Pack
from autodiff.lower.entries.lists import memory_of
from autodiff.lower.recipes import container_recipes
from autodiff.lower.recipes.iterators import Iterator
from autodiff.primitives import hole
from autodiff.runtime import each_once
from autodiff.syntax.names import name


@dataclass(frozen=True, slots=True, repr=False)
class Identity:
    """`id(x)` of an object that is made here: equal to that of the same object alone."""

    of: Entry

    def __repr__(self) -> str:
        raise NotYet("the number that is the id of an object")


class Memo(Box):
    """The table of a deep copy: what was copied, by its identity."""

    __slots__ = ()

    def __init__(self, slots: dict[Any, Entry]) -> None:
        super().__init__(dict, slots)


def identity(expressions: Expressions, given: Entries, named: Keywords) -> Entry | None:
    """`id(x)`."""
    (entry,) = given
    if not isinstance(entry, Box) or memory_of(entry) is not None:
        return None
    return Value("id", Static(Identity(entry)), constant=Identity(entry))


def copied(expressions: Expressions, given: Entries, named: Keywords) -> Entry | None:
    """`copy.copy(x)`: another object with the same parts."""
    (box,) = given
    if isinstance(box, Value):
        return deep(expressions, box, Memo({}))
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
    """`copy.deepcopy(x, memo)`: what occurs twice is one in the copy, too. Of what is found at run
    time that is not followed: there nothing may occur twice.
    """
    every = *given, *(entry for _, entry in named)
    memo = every[1] if every[1:] else Memo({})
    if not isinstance(memo, Box) or memo.memory is not None or memo.cls is not dict:
        raise NotYet("a copy of an object with a table of copies")
    made = deep(expressions, every[0], memo)
    if not every[1:] or not isinstance(memo, Memo):
        check(expressions, [key.of for key in memo.slots if isinstance(key, Identity)])
    return made


def check(expressions: Expressions, found: list[Entry]) -> None:
    """Nothing occurs twice in the memory that was copied."""
    memory = [each for each in found if isinstance(each, Value)]
    if not all(map(is_flat, memory)) or len(memory) > 1 and not all(map(is_new, memory)):
        own = name(expressions.unit.references.use("each_once", each_once))
        call = gast.Call(func=own, args=[hole(k) for k in range(len(memory))], keywords=[])
        expressions.builder.add(Verbatim(gast.Expr(value=call), memory))


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


def deep(expressions: Expressions, entry: Entry, memo: Box) -> Entry:
    """A copy with copies of all that is in it."""
    if (
        isinstance(entry, Closure)
        or isinstance(entry, Value)
        and (entry.is_constant or is_plain(entry.kind))
    ):
        return entry
    if isinstance(entry, Pack):
        return Pack(tuple(deep(expressions, item, memo) for item in entry.items), entry.cls)
    if isinstance(entry, Value) and isinstance(entry.kind, (Array, Numeric)):
        if Identity(entry) not in memo.slots:
            array = isinstance(entry.kind, Array)
            way = ("np.copy", np.copy) if array else ("operator.pos", operator.pos)
            memo.slots[Identity(entry)] = expressions.builder.call(*way, expressions.loaded(entry))
        return memo.slots[Identity(entry)]
    if not isinstance(entry, Box):
        raise NotYet("a copy of an object")
    memory = memory_of(entry)
    for own in map(Identity, (entry, memory or entry)):
        if own in memo.slots:
            return memo.slots[own]
    method = boxes.special(expressions, entry, "__deepcopy__")
    if method is not None:
        found = boxes.called(expressions, method, entry, memo)
    elif memory is not None and entry.cls in _EACH:
        found = boxes.called(expressions, _EACH[entry.cls], entry)
    elif boxes.special(expressions, entry, "__copy__") is None:
        found = memo.slots[Identity(entry)] = another(expressions, entry)
        found.slots = {key: deep(expressions, part, memo) for key, part in found.slots.items()}
    else:
        raise NotYet("a copy of an object")
    memo.slots[Identity(memory or entry)] = found
    return found


_EACH = {list: container_recipes.each_copied, dict: container_recipes.each_value_copied}


def part_copied(expressions: Expressions, given: Entries, named: Keywords) -> Entry:
    """A copy of what memory holds: whether that occurs twice is asked of the whole."""
    return deep(expressions, given[0], Memo({}))
