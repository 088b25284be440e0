"""Lists of numbers that a function is given, or gives, that calls itself: they travel as arrays.

def ordered(a):                             def ordered_vjp(a):
    ...                                         ...
lower = ordered(a[:m])                      lower_, pullback = ordered_vjp(np.array(a[:m]))
                                            lower = list(lower_)
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

from autodiff.core import Block, Loop, NotYet, Operation, Region, Value, values_in
from autodiff.kinds.joins import join
from autodiff.kinds.kind import UNKNOWN, Scalar, Sequence
from autodiff.lower.entries import boxes
from autodiff.lower.entries.above import Expressions, Unit
from autodiff.lower.entries.entry import Box, Entries, Entry, Keywords
from autodiff.lower.entries.lists import memory_of
from autodiff.lower.entries.travelling import Known, Lent
from autodiff.lower.entries.wording import of_recursion
from autodiff.lower.recipes import array_recipes

_TYPES = {"float": (None, "float64"), "complex": (None, "complex128")}
"""Python's numbers, and those that NumPy makes of them."""
OF_NUMPY = Scalar("float", "float64")
"""What a list holds of which nothing else is known."""


@dataclass(frozen=True, slots=True)
class Numbers:
    """A list of numbers of a kind, in what a function is given."""

    kind: Scalar
    whose: int


def numbers_in(entry: Entry) -> Scalar | None:
    """What a list holds, if these are numbers which an array can hold as well."""
    if not isinstance(entry, Box) or entry.cls is not list:
        return None
    memory = memory_of(entry)
    if memory is not None:
        item = memory.kind.item if isinstance(memory.kind, Sequence) else UNKNOWN
    else:
        kinds = [part.kind if isinstance(part, Value) else UNKNOWN for part in entry.slots.values()]
        item = functools.reduce(join, kinds) if kinds else UNKNOWN
    if isinstance(item, Scalar) and item.dtype in _TYPES.get(item.type, ()):
        return Scalar(item.type, item.dtype)
    return None


def packed(expressions: Expressions, box: Box) -> Value:
    """The numbers that a list holds now, as an array."""
    made = boxes.called(expressions, array_recipes.packed, box)
    if not isinstance(made, Value):
        raise NotYet("recursion")
    return made


def unpacked(expressions: Expressions, array: Value, kind: Scalar) -> Box:
    """A list of the numbers in an array."""
    of_python = {
        "float": array_recipes.listed_of_floats,
        "complex": array_recipes.listed_of_complex,
    }
    recipe = array_recipes.listed if kind.dtype else of_python[kind.type]
    made = boxes.called(expressions, recipe, array)
    if not isinstance(made, Box):
        raise NotYet("recursion")
    return made


def take_back(expressions: Expressions, box: Box, array: Value) -> None:
    """A list holds what a function that was given it has left in it."""
    kind = numbers_in(box)
    assert kind is not None
    given = unpacked(expressions, array, kind)
    boxes.called(expressions, array_recipes.refilled, box, given, stores=True)


def gives(expressions: Expressions, given: Entries, named: Keywords) -> Entry:
    """What a function gives on one path: a list of numbers as an array."""
    [box], unit = given, expressions.unit
    if not isinstance(box, Box) or box.cls is not list:
        raise of_recursion()
    array, kind = packed(expressions, box), numbers_in(box)
    is_empty = box.memory is None and not box.slots
    if (
        box in unit.lists.parts
        or not is_empty
        and (kind is None or unit.lists.kind not in (None, kind))
    ):
        raise of_recursion()
    unit.lists.kind = kind or unit.lists.kind
    unit.lists.out.append(box)
    return array


def lends(unit: Unit) -> str | None:
    """Which list that a function was given it may give, of those by names; "" for another one."""
    out = {region_of(box) for box in unit.lists.out}
    own = [name for name, known in unit.lists.given.items() if region_of(known.box) in out]
    further = any(region_of(lent.result) in out for lent in unit.lists.lent)
    return own[0] if own else "" if further else None


def last(expressions: Expressions) -> Operation:
    """What was done last."""
    found: Operation = expressions.builder.block.operations[-1]
    return found


def check(unit: Unit, lent: Lent) -> None:
    """Nobody sees that a list which a call gave is another one than it was given."""
    order = [*unit.function.body.walk()]
    touched = {value.region for op in order for value in op.operands}
    if lent.behind not in order and touched.isdisjoint(map(region_of, (lent.result, *lent.given))):
        return  # what was lowered again
    for box in lent.given:
        one, other = Known(box, lent.behind), Known(lent.result, lent.behind)
        for first, second in ((one, other), (other, one)):
            if is_written(unit, first) and is_used(unit, second):
                raise of_recursion()


def is_written(unit: Unit, known: Known) -> bool:
    """Whether somebody writes to a list behind an operation."""
    region = region_of(known.box)
    return region is None or any(op.writes(region) for op in later(unit, known))


def is_used(unit: Unit, known: Known) -> bool:
    """Whether somebody may read a list behind an operation, or a caller has it."""
    region = region_of(known.box)
    if region is None or any(region_of(own.box) is region for own in unit.lists.given.values()):
        return True
    if (
        region.held
        or region.exposed
        or region in {value.region for value in values_in(unit.function.result)}
    ):
        return True
    return any(value.region is region for op in later(unit, known) for value in op.operands)


def later(unit: Unit, known: Known) -> list[Operation]:
    """The operations behind another one, without those that have blocks; in a loop around that,
    also those before, unless a list is made there.
    """
    memory, order = memory_of(known.box), [*unit.function.body.walk()]
    before = set[Operation]()  # nobody, if the place is not known any more
    if known.behind in order:
        before = {*order[: order.index(known.behind)], *known.behind.nested()}
    again = around(known.behind.block) - (around(memory.block) if memory is not None else set())
    return [op for op in order if not op.blocks and (op not in before or around(op.block) & again)]


def region_of(box: Box) -> Region | None:
    """The memory of a list; None if it still is its parts."""
    memory = memory_of(box)
    return None if memory is None else memory.region


def around(block: Block) -> set[Operation]:
    """The loops around a block."""
    found = set[Operation]()
    while block.parent is not None:
        if isinstance(block.parent, Loop):
            found.add(block.parent)
        block = block.parent.block
    return found
