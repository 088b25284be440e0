"""What loops carry: variables that their bodies bind and that are read in another iteration or
behind the loop.

A body is lowered until the kinds of what is carried last. Kinds are kept for each loop, so a loop
inside of others is lowered few times: the time does not double with each loop around it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from autodiff.analysis.kind import Kind, Scalar, Static, forget_values, number
from autodiff.core.notyet import NotYet
from autodiff.core.operation import Loop
from autodiff.core.value import Value, nothing
from autodiff.lower.entries.entry import (
    Box,
    Differs,
    Entry,
    Maybe,
    Needed,
    Stale,
    Unbound,
    Wanted,
    bound,
)
from autodiff.lower.entries.handed import Handed
from autodiff.lower.entries.lists import fits
from autodiff.lower.entries.outlived import outlived
from autodiff.lower.flow.branches import is_carried, perhaps
from autodiff.lower.flow.carried import is_value, item_kinds, key_of, label, left, uncarried
from autodiff.lower.flow.heap import Heap, Place, Slot, hint, inside, moved, put, restore, snapshot
from autodiff.lower.flow.holders import held_elsewhere, holders
from autodiff.lower.flow.reads import loads
from autodiff.lower.flow.remembered import begin_with_memory, differs, hold, unite_ends
from autodiff.primitives.containing import is_container
from autodiff.primitives.either import either

if TYPE_CHECKING:
    from autodiff.lower.statement.statements import Statements

Known = tuple[Entry, list[Kind]]
"""The form of a carried variable, and the kinds of its parts."""


class Repeated:
    """Lowers one loop.

    names: the variables that the body binds; moving: the parts of boxes that it stores into.
    entered, before: what they hold before it, and with what was made for it. known: those carried.
    guessed: read first, taken for numbers until it is seen what is bound. certain: it runs once.
    """

    def __init__(
        self, statements: Statements, node: Any, names: Iterable[str], certain: bool
    ) -> None:
        self.statements, self.node, self.certain = statements, node, certain
        self.frame = frame = statements.frame
        self.names, self.before, self.outer = list(names), snapshot(frame), frame.builder
        self.entered = self.before
        key = self.key = key_of(statements.unit, node)
        self.kept: dict[Any, Known] = statements.unit.widened.setdefault(key, (node, {}))[1]
        self.handed = Handed(statements.unit)
        self.holders = holders(frame) if statements.unit.boxes else Counter()
        slots = ((box, k) for box, held in self.before.slots.items() for k in held)
        self.moving: list[Slot] = [slot for slot in slots if label(slot) in self.kept]
        self.known: dict[Place, Known] = {}
        self.guessed: set[Place] = set()
        self.again, self.around = False, list[Repeated]()
        self.wanted = {n for n in self.names if self.is_read_outside(n)}
        places: list[Place] = [*self.names, *self.moving]
        for place in places:
            self.start(place)

    def start(self, place: Place) -> None:
        """What is known of a place before the body is lowered."""
        entry, kept = self.before.get(place), self.kept.get(label(place))
        if not is_value(entry):
            if kept is not None and isinstance(entry, (Unbound, Stale)):
                self.known[place] = kept
            return
        anew = kept is not None and isinstance(kept[0], Box)
        if isinstance(entry, Box) and entry.memory is None and not anew:
            return
        self.handed.fix(entry, self.holders)
        kinds = [forget_values(value.kind) for value in self.handed.parts(entry)]
        if not all(is_carried(kind) or isinstance(kind, Static) for kind in kinds):
            return
        if kept is not None and list(map(is_container, kept[1])) == list(map(is_container, kinds)):
            kinds = [either(one, other) for one, other in zip(kept[1], kinds)]
        self.known[place] = bound(entry), kinds

    def is_read_outside(self, name: str) -> bool:
        """Whether something else in the function than the loop reads a variable."""
        frame = self.frame
        return loads(frame.tree, frame)[name] > loads(self.node, frame)[name]

    def run(self, make: Callable[[], Loop], fill: Callable[[Loop], None]) -> Loop:
        """The loop. make: a new one. fill: lowers its body."""
        self.around = list(self.statements.unit.repeating)
        self.statements.unit.repeating = [*self.around, self]
        try:
            op, carried, ends = self.lowered(make, fill)
        finally:
            self.statements.unit.repeating = self.around
        following = {p: [*self.handed.parts(ends.get(p))] for p in carried}
        gone = {
            n: ends.get(n) if n in self.known else left(self, n, ends.get(n))
            for n in self.names
            if n not in carried
        }
        self.handed.begin()
        restore(self.frame, self.before)
        self.frame.builder = self.outer
        self.outer.origin = getattr(self.node, "origin", None)
        self.outer.add(op)
        self.frame.names.update(gone)
        for place, entry in carried.items():
            put(self.frame, place, self.carry(op, place, entry, following[place], ends.get(place)))
        return op

    def lowered(
        self, make: Callable[[], Loop], fill: Callable[[Loop], None]
    ) -> tuple[Loop, dict[Place, Entry], Heap]:
        """The loop, what it carries, and what places hold at the end of its body."""
        while True:
            op, self.again = make(), False
            op.block = self.outer.block
            mark = int(Value("", Scalar("int", None)).token[1:])
            restore(self.frame, self.before)
            carried = {place: self.parameter(place, *known) for place, known in self.known.items()}
            for n in self.names:
                self.frame.names[n] = uncarried(self, n)
            for place, entry in carried.items():
                put(self.frame, place, entry)
            self.frame.builder = self.outer.inside(op.body)
            items = item_kinds(self.before)
            try:
                given = self.statements.unit.facts.given()
                with inside(self.frame, self.before), given, perhaps():
                    fill(op)
                    hold(self)
                ends = snapshot(self.frame)
                unite_ends(self, carried, ends)
                lasting = self.settled(ends, mark, carried)
            except Wanted as wanted:
                self.take(wanted.stale)
                continue
            except Needed as needed:
                begin_with_memory(self, needed.box)
                continue
            lasting = lasting and items == item_kinds(self.before)
            self.kept.update((label(p), k) for p, k in self.known.items() if p not in self.guessed)
            for place in self.known:
                self.ask(place, ends.get(place))
            if lasting or any(loop.again for loop in self.around):
                return op, carried, ends

    def parameter(self, place: Place, entry: Entry, kinds: list[Kind]) -> Entry:
        """What the loop carries in a place."""
        before = self.before.get(place)
        handed, made = self.handed, []
        memories = [value.memory for value in handed.parts(before)] if is_value(before) else []
        names = handed.names(entry, hint(place))
        for k, (value, kind, name) in enumerate(zip(handed.parts(entry), kinds, names)):
            if not is_carried(kind):  # None, or the like, as long as it stays that
                made.append(value)
                continue
            memory = memories[k] if memories else value.memory if is_container(kind) else None
            own = Value(name if name.isidentifier() else "value", kind, memory, named=True)
            own.partial = not is_value(before) or isinstance(before, Maybe)
            made.append(own)
        whole = handed.remade(entry, iter(made))
        return Maybe(whole) if any(value.partial for value in made) else whole

    def take(self, stale: Stale) -> None:
        """A variable is read that an earlier iteration left."""
        if stale.loop != self.key:
            raise Wanted(stale)
        if stale.entry is not None and self.learn(stale.name, stale.entry):
            self.kept[stale.name] = self.known[stale.name]
            self.ask(stale.name, stale.entry)
        elif stale.entry is not None or stale.name in self.guessed:
            raise NotYet("a variable that an earlier iteration leaves")
        else:
            self.guessed.add(stale.name)
            self.learn(stale.name, Value(stale.name, number("float", "float64")))

    def ask(self, place: Place, entry: Entry) -> None:
        """A loop around this one has to carry it as well, so that is lowered again. Until then it
        does not matter what is made here, and loops inside of it are lowered only once.
        """
        before = self.before.get(place)
        if isinstance(before, Stale):
            for loop in self.around:
                if loop.key == before.loop and place not in loop.known:
                    loop.again = loop.learn(place, bound(entry)) or loop.again
                    loop.ask(place, entry)

    def learn(self, place: Place, entry: Entry) -> bool:
        """From now on a place is carried, if it can be."""
        if not is_value(entry):
            return False
        if isinstance(entry, Box) and self.before.get(place) is not entry and not entry.memory:
            return False
        self.handed.fix(entry, self.holders)
        kinds = [forget_values(value.kind) for value in self.handed.parts(entry)]
        constant = isinstance(entry, Box)
        if not all(is_carried(kind) or constant and isinstance(kind, Static) for kind in kinds):
            return False
        self.known[place] = bound(entry), kinds
        for inner in [p for p in self.known if self.is_inside(p)]:
            del self.known[inner]
        return True

    def is_inside(self, place: Place) -> bool:
        """Whether a place is a part of a container that is handed on."""
        handed = [box for entry, _ in self.known.values() for box in self.handed.boxes(entry)]
        return not isinstance(place, str) and place[0] in handed

    def is_anew(self, name: str, ends: Heap) -> bool:
        """Whether the body makes a container anew that a variable holds."""
        before = self.before.get(name)
        return isinstance(before, Box) and ends.get(name) is not before and name not in self.known

    def settled(self, ends: Heap, mark: int, carried: dict[Place, Entry]) -> bool:
        """Whether places and kinds last; otherwise more and wider ones are taken."""
        if self.again:
            return False
        if self.guessed & self.known.keys():
            for n in self.guessed & self.known.keys():
                self.guessed.discard(n)
                if not self.learn(n, ends.get(n)):
                    raise NotYet("a variable that an earlier iteration leaves")
            return False
        lasting = True
        for place, (entry, kinds) in self.known.items():
            end = bound(ends.get(place))
            if not self.handed.alike(entry, end):
                raise differs(self, place, end)
            after = [
                either(kind, outlived(value.kind, mark))
                for kind, value in zip(kinds, self.handed.parts(end))
            ]
            if not all(is_carried(a) or a == k for a, k in zip(after, kinds)):
                raise Differs(self.key, "a loop carries what is no number and no array")
            if after != kinds:
                self.known[place] = entry, [forget_values(kind) for kind in after]
                lasting = False
        if lasting:
            box = held_elsewhere(self, ends, carried)
            if box is not None:
                raise Needed(box)
        remade = [n for n in self.names if self.is_anew(n, ends)]
        more: list[Place] = [*sorted(self.wanted), *remade, *moved(self.before, ends)]
        for place in more:
            if place in self.known or self.is_inside(place):
                continue
            anew = place in remade
            empty = isinstance(self.before.get(place), (Unbound, Stale))
            if isinstance(place, str) and not empty and not anew:
                continue
            own = ends.get(place) if isinstance(place, str) and empty else self.before.get(place)
            if isinstance(own, Stale) and own.entry is not None:
                own = own.entry
            if self.learn(place, own):
                entry, kinds = self.known[place]
                self.known[place] = entry, [outlived(kind, mark) for kind in kinds]
                lasting = False
            elif anew or not isinstance(place, str):
                own = self.before.get(place) if isinstance(place, str) else place[0]
                if isinstance(ends.get(place), Box) and isinstance(own, Box) and fits(own):
                    raise Needed(own)
                raise Differs(self.key, "a part of a container that changes its form in a loop")
        return lasting

    def carry(
        self, op: Loop, place: Place, own: Entry, following: list[Value], end: Entry
    ) -> Entry:
        """One more carried place; what it holds after the loop."""
        before = self.before.get(place)
        parts = self.handed.parts
        parameters = list(parts(own))
        inits = (
            list(parts(before)) if is_value(before) else [nothing(hint(place)) for _ in parameters]
        )
        results = []
        partial = isinstance(own, Maybe) and not self.certain or isinstance(end, Maybe)
        for init, parameter, value in zip(inits, parameters, following):
            if not is_carried(parameter.kind):
                results.append(parameter)
                continue
            result = Value(parameter.hint, parameter.kind, parameter.memory, named=True)
            result.partial = partial
            op.carry(init, parameter, value, result)
            results.append(init if value is parameter and before is init else result)
        whole = self.handed.remade(bound(own), iter(results))
        return Maybe(whole) if partial else whole
