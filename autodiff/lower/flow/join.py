"""What a place holds behind two paths, of what it holds at the ends of these.

    values of kinds that go together        one of them
    something, and nothing                  what may hold nothing
    containers with like parts              memory, before the paths or at their ends
    things of different forms               both, with the test by which they differ (`mixed`)

r = p if x > 0 else q          r is one of two objects: who changes it changes one of them
r.v = r.v * 2.0
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from autodiff.core import NOTHING, If, Load, Value, needed, nothing, told
from autodiff.kinds.kind import Array, Kind, Numeric, Scalar, Text, differentiable, forget_values
from autodiff.lower.entries import Box, Entry, Maybe, Mixed, Stale, Unbound
from autodiff.lower.entries.above import Frame, Statements, Unit
from autodiff.lower.entries.entry import alike, bound, inner, leaves, rebuilt
from autodiff.lower.entries.handed import are_written_alike
from autodiff.lower.entries.lists import become, fits
from autodiff.lower.entries.mixed import holds_mixed, mixed
from autodiff.lower.flow.heap import Mark, Place, hint, moved, put, restore, snapshot
from autodiff.primitives import MADE, OPAQUE, either, is_numeric, is_vague, may_run
from autodiff.primitives.containing import is_container, is_item, plain
from autodiff.primitives.containing import joined as joined_items


def join(frame: Frame, op: If, places: list[Place], ends: list[Any]) -> None:
    """What places hold behind two paths, of what they hold at the ends of these."""
    for place in places:
        put(frame, place, merged(frame.unit, op, hint(place), *(end.get(place) for end in ends)))


def merged(unit: Unit, op: If, identifier: str, one: Entry, other: Entry) -> Entry:
    """What a variable holds after a branch."""
    if one is other or one == other:
        return one
    if isinstance(one, Stale) and isinstance(other, Stale):
        return one if one.entry is not None else other
    for entry, against in ((one, other), (other, one)):
        if isinstance(entry, Stale):
            known = entry.entry is not None or isinstance(against, (Unbound, Mixed, Stale))
            return entry if known else Stale(entry.loop, entry.name, bound(against))
        if isinstance(entry, Mixed) and entry.test is None:
            return entry
    first, second = one, other
    if Unbound(deleted=True) in (one, other):
        return mixed(unit, op, identifier, one, other, "a variable that is deleted by path")
    if isinstance(one, Unbound):
        first = missing(identifier, other)
    elif isinstance(other, Unbound):
        second = missing(identifier, one)
    reason = differing(first, second)
    if reason:
        return mixed(unit, op, identifier, one, other, reason)
    pairs = list(zip(leaves(first), leaves(second)))
    made = [joined(unit, op, identifier, *pair) for pair in pairs]
    whole = rebuilt(bound(first), iter(made))
    return Maybe(whole) if isinstance(first, Maybe) or isinstance(second, Maybe) else whole


def differing(one: Entry, other: Entry) -> str:
    """In what two entries differ, if not in values alone."""
    if not alike(bound(one), bound(other)) or holds_mixed(one) or holds_mixed(other):
        return "a variable that differs in form by path"
    for first, second in zip(leaves(one), leaves(other)):
        if joined_kind(first, second) is None and first is not second:
            return f"a variable that is {type(first.kind).__name__} or {type(second.kind).__name__}"
    return ""


def joined(unit: Unit, op: If, identifier: str, first: Value, second: Value) -> Value:
    """One of two values."""
    if first is second or not first.partial and are_written_alike(first, second):
        return first
    facts = unit.facts
    exists = [facts.exists.get(first), facts.exists.get(second)]
    if told(op, 1) in exists[:1]:
        first = nothing(identifier)
    elif told(op, 0) in exists[1:]:
        second = nothing(identifier)
    kind = joined_kind(first, second)
    assert kind is not None
    if isinstance(kind, Numeric):
        first, second = apart(op, first, second)
    memory = second.memory if first.constant is NOTHING else first.memory
    result = Value(identifier, forget_values(kind), memory, named=True)
    result.partial = first.partial or second.partial
    op.merge(first, second, result)
    if result.partial and NOTHING in (first.constant, second.constant):
        facts.exists[result] = told(op, 0 if second.constant is NOTHING else 1)
    ends = [facts.choices.get(end, end) for end in (first, second)]
    if not result.partial and all(isinstance(e, Mixed) or e.is_constant for e in ends):
        reason = "a constant that differs by path"
        facts.choices[result] = mixed(unit, op, identifier, ends[0], ends[1], reason)
    for side, (own, other) in enumerate(((first, second), (second, first))):
        test, truth = told(op, side)
        known = truth if own is test else own.constant
        if isinstance(known, (bool, int, float)):
            facts.imply(result, not known, (test, not truth), (other, not known))
        elif not own.is_constant:
            facts.join((test, truth), result, own)
    return result


def apart(op: If, *values: Value) -> list[Value]:
    """Where a number is joined with an array, this is what the array holds: what may be a number is
    never changed in place, and `settle` sees to it that nobody changes the array any more.
    """
    if not any(isinstance(value.kind, Scalar) for value in values):
        return list(values)
    made = []
    for value, block in zip(values, op.blocks):
        if isinstance(value.kind, Array) and value.constant is not NOTHING:
            load = Load([value], [Value(value.hint, value.kind)], None, op.origin)
            load.apart, load.block, load.result.block = True, block, block
            block.operations.append(load)
            value = load.result
        made.append(value)
    return made


def missing(identifier: str, entry: Entry) -> Entry:
    """What stands for an entry where the variable holds nothing."""
    if holds_mixed(entry) or not any(True for _ in leaves(entry)):
        return Unbound()
    return Maybe(rebuilt(bound(entry), iter(partial(nothing, identifier), None)))


def joined_kind(first: Value, second: Value) -> Kind | None:
    """The kind of what is one of two values, None where such values are not joined yet."""
    kinds = [value.kind for value in (first, second) if value.constant is not NOTHING]
    if any(map(is_vague, kinds)):
        inert = all(v.is_constant or not differentiable(v.kind) for v in (first, second))
        made = OPAQUE if any(map(may_run, kinds)) else MADE
        return (kinds[0] if len({*kinds}) == 1 else made) if inert else None
    kind = either(kinds[0], kinds[-1])
    return kind if is_carried(kind) else None


def is_carried(kind: Kind) -> bool:
    """Whether branches join values of a kind, and loops hand them on."""
    return is_numeric(kind) or isinstance(kind, Text) or is_container(kind) or is_vague(kind)


def unite(
    statements: Statements, names: Iterable[str], op: If, mark: Mark, ends: list[Any]
) -> None:
    """Containers that differ are memory at the ends of two paths: `Again` for one made before."""
    frame, before = statements.frame, mark.heap
    places: list[Place] = [*names, *moved(before, *ends)]
    for place in places:
        found = [bound(end.get(place)) for end in ends]
        if found[0] is found[1] or not all(isinstance(entry, Box) for entry in found):
            continue
        decided = (If, op.origin) in frame.unit.doors.decided
        if not all(map(fits, found)) or not (decided or are_alike(*found)):
            continue
        for k, box in enumerate(found):
            restore(frame, ends[k])
            if not isinstance(box, Box) or box.memory is not None:
                continue
            if box in before.slots:
                raise needed(box)
            frame.builder = mark.builder.inside(op.blocks[k])
            become(statements, box)
            ends[k] = snapshot(frame)


def are_alike(one: Entry, other: Entry) -> bool:
    """Whether two containers have parts of the same kinds under the same keys: else the statements
    that read them are better written for each path.
    """
    return alike(one, other, have_same_parts, are_items)


def are_items(one: Value, other: Value) -> bool:
    """Whether a container may hold either of two values."""
    return is_item(joined_items((plain(one.kind), plain(other.kind))))


def have_same_parts(one: Box, other: Box) -> bool:
    """Whether two containers hold alike under the same keys, or are memory."""
    if one.memory is not None or other.memory is not None:
        return True
    same = list(one.slots) == list(other.slots)
    return same and all(map(are_alike, inner(one), inner(other)))
