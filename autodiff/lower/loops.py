"""Loops: what their bodies bind and read again is carried."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import gast

from autodiff.analysis.kind import Array, Kind, Scalar, forget_values, number
from autodiff.analysis.size import Dim
from autodiff.core.notyet import NotYet
from autodiff.core.operation import Append, For, Take
from autodiff.core.value import Value
from autodiff.lower.branches import again, ordered
from autodiff.lower.entry import Box, Entry, Pack, Unbound, alike, leaves, rebuilt
from autodiff.lower.frame import Unit
from autodiff.lower.heap import Heap, Place, Slot, hint, inside, moved, put, restore, snapshot
from autodiff.lower.lists import Needed, memory_of
from autodiff.primitives.builder import born
from autodiff.primitives.either import either

if TYPE_CHECKING:
    from autodiff.lower.statements import Statements

_TOKEN = re.compile(r"v(\d+)")


def loop(statements: Statements, node: gast.For) -> None:
    """`for` over a range: what its body binds and reads again is carried."""
    iterable, backwards = node.iter, False
    if not isinstance(node.target, gast.Name) or node.orelse:
        raise NotYet("a loop of another form")
    if any(isinstance(part, gast.Break) for part in gast.walk(node)):
        raise NotYet("break")
    if is_call_of(statements, iterable, reversed):
        iterable, backwards = iterable.args[0], True
    if not is_call_of(statements, iterable, range):
        raise NotYet("a loop over what is no range")
    over = statements.value(iterable)
    if backwards:
        raise NotYet("a loop over a reversed range")
    op = Looping(statements, node, node.target.id, over).lower()
    check_growing(statements, iterable, op)


class Looping:
    """One loop: lowered until the kinds and the places that it carries do not change.

    Both are kept for the next time the same loop is lowered, inside of another one, so that this
    takes few rounds.
    """

    def __init__(self, statements: Statements, node: gast.For, target: str, over: Value) -> None:
        self.statements, self.frame, self.node = statements, statements.frame, node
        self.target, self.over = target, over
        self.before, self.outer = snapshot(self.frame), statements.builder
        self.key = id(node), len(statements.unit.calls)
        self.names = [n for n in ordered(node.body) if n != target]
        self.moving: list[Slot] = []
        seen = self.unit.moving.get(self.key, set())
        for box, slots in self.before.slots.items():
            self.moving += [(box, key) for key in slots if (box.hint, key) in seen]

    @property
    def unit(self) -> Unit:
        return self.statements.unit

    def lower(self) -> For:
        """The loop, and what places hold behind it."""
        while True:
            places = [n for n in self.names if _may_be_carried(self.before.get(n))]
            carried: list[Place] = [*places, *self.moving]
            try:
                op, parameters, kinds, following = self.settled(carried)
            except Needed as needed:
                again(self.statements, needed, self.before, self.outer)
                self.before = snapshot(self.frame)
                slots = self.before.slots
                self.moving = [(box, key) for box, key in self.moving if key in slots[box]]
                continue
            more = [slot for slot in self.changed if slot not in self.moving]
            if not more:
                break
            self.moving += more
            self.unit.moving[self.key] = {(box.hint, key) for box, key in self.moving}
        restore(self.frame, self.before)
        self.frame.builder = self.outer
        self.outer.origin = getattr(self.node, "origin", None)
        self.outer.add(op)
        results = []
        for init, own, value, kind in zip(self.flat(carried), parameters, following, kinds):
            result = Value(own.hint, kind, own.memory, named=True)
            op.carry(init, own, value, result)
            results.append(result)
        values = iter(results)
        for place in carried:
            put(self.frame, place, rebuilt(self.before.get(place), values))
        for n in self.names:
            if n not in carried:
                self.frame.names[n] = self.before.get(n)
        self.frame.names[self.target] = Unbound(self.target)
        return op

    def flat(self, carried: list[Place]) -> list[Value]:
        """The values that the loop begins with."""
        return [value for place in carried for value in leaves(self.before.get(place))]

    def settled(self, carried: list[Place]) -> tuple[For, list[Value], list[Kind], list[Value]]:
        """The loop with these places carried, for kinds that do not change any more."""
        flat = self.flat(carried)
        hints = [
            hint(place) if isinstance(self.before.get(place), Value) else value.hint
            for place in carried
            for value in leaves(self.before.get(place))
        ]
        kinds = self.unit.widened.get(self.key)
        if kinds is None or len(kinds) != len(flat):
            kinds = [forget_values(value.kind) for value in flat]
        kinds = [either(kind, forget_values(value.kind)) for kind, value in zip(kinds, flat)]
        while True:
            variable = born(self.target, number("int"), named=True)
            op = For(self.over, variable, getattr(self.node, "origin", None))
            parameters = [parameter(*each) for each in zip(flat, kinds, hints)]
            items = self.item_kinds()
            end = self.body(op, variable, carried, parameters)
            following = self.following(carried, end)
            start = int(variable.token[1:])
            after = [
                either(kind, outlived(value.kind, start)) for kind, value in zip(kinds, following)
            ]
            if after == kinds and items == self.item_kinds():
                break
            kinds = [forget_values(kind) for kind in after]
        self.unit.widened[self.key] = kinds
        self.changed = moved(self.before, end)
        return op, parameters, kinds, following

    def body(self, op: For, variable: Value, carried: list[Place], parameters: list[Value]) -> Heap:
        """The body, with parameters in the places that are carried; what places hold at its end."""
        restore(self.frame, self.before)
        values = iter(parameters)
        for place in carried:
            put(self.frame, place, rebuilt(self.before.get(place), values))
        self.frame.names[self.target] = variable
        self.frame.builder = self.outer.inside(op.body)
        with inside(self.frame, self.before):
            self.statements.block(self.node.body)
        return snapshot(self.frame)

    def item_kinds(self) -> list[Kind]:
        """What the lists hold that are memory: appending may change it."""
        found = [memory_of(box) for box in self.before.slots]
        return [value.kind for value in found if value is not None]

    def following(self, carried: list[Place], end: Heap) -> list[Value]:
        """What the carried places hold for the next iteration."""
        found: list[Value] = []
        for place in carried:
            if not alike(self.before.get(place), end.get(place)):
                raise NotYet("a variable that changes its form in a loop")
            found += leaves(end.get(place))
        for n in self.names:
            one, other = self.before.get(n), end.get(n)
            if n not in carried and not isinstance(one, Unbound) and one is not other:
                if one != other:
                    raise NotYet("a variable that changes its form in a loop")
        return found


def check_growing(statements: Statements, over: gast.expr, op: For) -> None:
    """A loop over the items of a list goes on as long as there are some, unlike its range."""
    sizes = [part for part in gast.walk(over) if isinstance(part, gast.Name)]
    for part in sizes:
        entry = statements.frame.names.get(part.id)
        memory = memory_of(entry) if isinstance(entry, Box) else None
        if memory is None or part.id not in statements.frame.temporaries:
            continue
        if any(
            isinstance(each, (Append, Take)) and each.base.region is memory.region
            for each in op.body.walk()
        ):
            raise NotYet("a list that grows while a loop goes over it")


def is_call_of(statements: Statements, node: gast.expr, function: Any) -> bool:
    """Whether an expression calls a builtin."""
    return (
        isinstance(node, gast.Call)
        and statements.static(node.func) is function
        and not node.keywords
    )


def parameter(value: Value, kind: Kind, hint: str) -> Value:
    """What a loop carries in the place of a value."""
    if not isinstance(kind, (Array, Scalar)):
        raise NotYet(f"a loop carries {type(kind).__name__.lower()}")
    return Value(hint if hint.isidentifier() else "value", kind, value.memory, named=True)


def outlived(kind: Kind, start: int) -> Kind:
    """The kind of a value that outlives an iteration: sizes named after values of the iteration are
    not known.
    """

    def lasts(size: Any) -> bool:
        return not isinstance(size, Dim) or all(int(k) < start for k in _TOKEN.findall(size.name))

    if isinstance(kind, Array):
        return Array(kind.dtype, tuple(size if lasts(size) else None for size in kind.shape))
    return forget_values(kind)


def _may_be_carried(entry: Entry) -> bool:
    return isinstance(entry, (Value, Pack)) and not (
        isinstance(entry, Value) and entry.is_constant and callable(entry.constant)
    )
