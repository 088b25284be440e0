"""Values that are taken apart: `a, b = pair`, `first, *rest = items`."""

from __future__ import annotations

from typing import Any

import gast

from autodiff.analysis.kind import Array, Sequence
from autodiff.core import Raises, SizesTold, Value, Window, constant
from autodiff.frontend.source import MARK
from autodiff.lower.entries.above import Storing
from autodiff.lower.entries.boxes import boxed, called
from autodiff.lower.entries.entry import Box, DictView, Entry
from autodiff.lower.entries.library import parts_of
from autodiff.lower.entries.lists import held, memory_of, part
from autodiff.lower.expression.application import listed_later
from autodiff.lower.expression.parts import is_of_unknown_length
from autodiff.lower.flow import opaque
from autodiff.lower.recipes import container_recipes
from autodiff.normalize.build import at, branch, call, compare
from autodiff.normalize.build import constant as written
from autodiff.primitives.opaque import is_opaque
from autodiff.syntax.names import name


def starred(
    statements: Storing, targets: list[Any], star: int, whole: Entry
) -> list[tuple[Any, Entry]]:
    """What the targets hold after `first, *rest = items`."""
    behind, whole = len(targets) - star - 1, parts_of(statements, whole)
    parts = [*targets[:star], targets[star].value, *targets[star + 1 :]]
    if is_of_unknown_length(whole):
        own = listed_later(statements, whole)
        given = [own, constant(star), constant(behind)]
        rest = called(statements, container_recipes.rest, *given)
        assert isinstance(own, Box)
        places = [*range(star), *range(-behind, 0)]
        ends = [part(statements, own, constant(place)) for place in places]
        return list(zip(parts, [*ends[:star], rest, *ends[star:]], strict=True))
    items = statements.parts(whole)
    if len(items) < star + behind:
        raise Raises(ValueError, f"expected at least {star + behind} values to unpack")
    end = len(items) - behind
    rest = boxed(statements.unit, list, dict(enumerate(items[star:end])))
    return list(zip(parts, [*items[:star], rest, *items[end:]], strict=True))


def unpacked(statements: Storing, entry: Entry, count: int) -> list[Entry]:
    """The parts of a value that is taken apart into so many."""
    entry = parts_of(statements, entry)
    table = entry.box if isinstance(entry, DictView) else entry
    if isinstance(table, Box) and table.cls is dict and is_of_unknown_length(entry):
        entry = listed_later(statements, entry)
    if is_opaque(entry):
        return taken_apart(statements, statements.opaque(tuple, entry), count)
    memory = memory_of(entry) if isinstance(entry, Box) and entry.cls in (list, tuple) else entry
    if isinstance(memory, Value) and isinstance(memory.kind, (Array, Sequence)):
        length = memory.kind.shape[:1] if isinstance(memory.kind, Array) else (None,)
        if length and not isinstance(length[0], int):
            return taken_apart(statements, memory, count)
    items = statements.parts(entry)
    if len(items) != count:
        raise Raises(ValueError, f"expected {count} values to unpack")
    return items


def taken_apart(statements: Storing, whole: Value, count: int) -> list[Entry]:
    """The items of an array or a list of unknown length, which has to be right at run time."""
    if count in statements.unit.asked and isinstance(whole.kind, Array):
        raise SizesTold(frozenset({count}))
    own = statements.frame.temporary("parts")
    statements.frame.names[own] = whole
    error = call(f"{MARK}ValueError", written(f"expected {count} values to unpack"))
    test = compare(call(f"{MARK}len", name(own)), gast.NotEq(), written(count))
    origin = statements.builder.origin
    stop = at(gast.Raise(exc=error, cause=None), origin)
    statements.on_If(branch(test, [stop], [], origin))  # type: ignore[attr-defined]
    del statements.frame.names[own]
    if is_opaque(whole):
        return [opaque.item(statements, whole, constant(k)) for k in range(count)]
    if isinstance(whole.kind, Array):
        return [statements.element(whole, Window((k,)), []) for k in range(count)]
    loaded = [statements.builder.load(whole, Window((k,)), []) for k in range(count)]
    return [held(statements, item) for item in loaded]
