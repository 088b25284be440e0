"""What loops carry: variables that their bodies bind and that are read in another iteration or
behind the loop.

A body is lowered until the kinds of what is carried last. Kinds are kept for each loop, so a loop
inside of others is lowered few times: the time does not double with each loop around it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from autodiff.core import Again, Block, Loop, NotYet, Value, needed, nothing
from autodiff.kinds.kind import Kind, Scalar, Static, forget_values, number
from autodiff.lower.entries.above import Statements
from autodiff.lower.entries.entry import Box, Entry, Maybe, Mixed, Stale, Unbound, bound
from autodiff.lower.entries.handed import Handed, holders
from autodiff.lower.entries.lists import fits
from autodiff.lower.flow import heap
from autodiff.lower.flow.branches import perhaps
from autodiff.lower.flow.join import is_carried
from autodiff.lower.flow.left import is_asked, left, uncarried
from autodiff.lower.recipes.iterators import Iterator
from autodiff.primitives.algebra import either
from autodiff.primitives.containing import is_container, plain

Known = tuple[Entry, list[Kind]]
"""The form of a carried variable, and the kinds of its parts."""


class Repeated:
    """Lowers one loop.

    names: the variables that the body binds; target: the one that the loop binds, which is carried
    if it is read behind it. before: what places hold before it. known: those carried, also parts of
    boxes that it stores into. guessed: read first, taken for numbers until it is seen what is
    bound. certain: it runs once.
    """

    def __init__(
        self,
        statements: Statements,
        node: Any,
        names: Iterable[str],
        certain: bool,
        target: str = "",
    ) -> None:
        self.statements, self.node, self.certain = statements, node, certain
        self.frame = frame = statements.frame
        self.before, self.outer, self.target = heap.snapshot(frame), frame.builder, target
        key = self.key = heap.key_of(statements.unit, node)
        self.kept: dict[Any, Known] = statements.unit.widened.setdefault(key, (node, {}))[1]
        self.handed = Handed(statements.unit)
        self.holders = holders(frame) if statements.unit.boxes else Counter()
        self.known: dict[heap.Place, Known] = {}
        self.guessed: set[heap.Place] = set()
        self.again, self.around = False, list[Repeated]()
        read, own = frame.reads(frame.tree), frame.reads(node)
        self.names = [n for n in names if n != target]
        self.names += [target] if read[target] > own[target] else []
        self.wanted = {n for n in self.names if read[n] > own[n]}
        slots = [(b, k) for b, held in self.before.slots.items() for k in held]
        places: list[heap.Place] = [
            *self.names,
            *(slot for slot in slots if heap.label(slot) in self.kept),
        ]
        for place in places:
            self.start(place)

    def start(self, place: heap.Place) -> None:
        """What is known of a place before the body is lowered."""
        entry, kept = self.before.get(place), self.kept.get(heap.label(place))
        if isinstance(entry, (Unbound, Stale)):
            if kept is not None:
                self.known[place] = kept
            elif place == self.target:
                self.learn(place, Value(self.target, number("int")))
        elif not isinstance(entry, Box) or entry.memory or kept and isinstance(kept[0], Box):
            if self.learn(place, entry, Static) and kept is not None:
                whole, kinds = self.known[place]
                if list(map(is_container, kept[1])) == list(map(is_container, kinds)):
                    wider = [either(*pair) for pair in zip(kept[1], kinds)]
                    if all(map(is_carried, wider)):  # not `None` of another time
                        self.known[place] = whole, wider

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
        heap.restore(self.frame, self.before)
        self.frame.builder = self.outer
        self.outer.origin = getattr(self.node, "origin", None)
        self.outer.add(op)
        if self.target and self.target not in self.names:
            old = self.before.get(self.target)
            gone[self.target] = old if isinstance(old, Stale) else Mixed("a variable of a loop")
        self.frame.names.update(gone)
        for place, entry in carried.items():
            heap.put(
                self.frame, place, self.carry(op, place, entry, following[place], ends.get(place))
            )
        return op

    def lowered(
        self, make: Callable[[], Loop], fill: Callable[[Loop], None]
    ) -> tuple[Loop, dict[heap.Place, Entry], heap.Heap]:
        """The loop, what it carries, and what places hold at the end of its body."""
        while True:
            op, self.again = make(), False
            op.block = self.outer.block
            mark = int(Value("", Scalar("int", None)).token[1:])
            heap.restore(self.frame, self.before)
            carried = {p: self.parameter(op.body, p, *known) for p, known in self.known.items()}
            for n in self.names:
                self.frame.names[n] = uncarried(self, n)
            for place, entry in carried.items():
                heap.put(self.frame, place, entry)
            self.frame.builder = self.outer.inside(op.body)
            items = heap.item_kinds(self.before)
            try:
                given = self.statements.unit.facts.given()
                with heap.inside(self.frame, self.before), given, perhaps():
                    fill(op)
                    heap.hold(self)
                ends = heap.snapshot(self.frame)
                heap.unite_ends(self, carried, ends)
                lasting = self.settled(ends, mark, carried)
            except Again as again:
                self.take(again)
                continue
            finally:
                known = [each for each in self.known.items() if each[0] not in self.guessed]
                self.kept.update((heap.label(place), form) for place, form in known)
            lasting = lasting and items == heap.item_kinds(self.before)
            for place in self.known:
                self.ask(place, ends.get(place))
            if lasting or any(loop.again for loop in self.around):
                return op, carried, ends

    def parameter(self, body: Block, place: heap.Place, entry: Entry, kinds: list[Kind]) -> Entry:
        """What the loop carries in a place."""
        before = self.before.get(place)
        handed, made = self.handed, []
        memories = [value.memory for value in handed.parts(before)] if heap.is_value(before) else []
        names = handed.names(entry, heap.hint(place))
        for k, (value, kind, name) in enumerate(zip(handed.parts(entry), kinds, names)):
            if not is_carried(kind):  # None, or the like, as long as it stays that
                made.append(value)
                continue
            memory = memories[k] if memories else value.memory if is_container(kind) else None
            own = Value(name if name.isidentifier() else "value", kind, memory, named=True)
            own.partial = not heap.is_value(before) or isinstance(before, Maybe)
            own.block = body
            made.append(own)
        whole = handed.remade(entry, iter(made))
        return Maybe(whole) if any(value.partial for value in made) else whole

    def take(self, again: Again) -> None:
        """A variable is read that an earlier iteration left."""
        stale = again.whose
        if not isinstance(stale, Stale) or stale.loop != self.key:
            raise again
        if stale.entry is not None and self.learn(stale.name, stale.entry):
            self.ask(stale.name, stale.entry)
        elif isinstance(stale.entry, Box) and issubclass(stale.entry.cls, Iterator):
            raise Again("an iterator that an earlier iteration leaves", self.key)
        elif stale.entry is not None or stale.name in self.guessed:
            raise NotYet("a variable that an earlier iteration leaves")
        else:
            self.guessed.add(stale.name)
            self.learn(stale.name, Value(stale.name, number("float", "float64")))

    def ask(self, place: heap.Place, entry: Entry) -> None:
        """A loop around this one has to carry it as well, so that is lowered again. Until then it
        does not matter what is made here, and loops inside of it are lowered only once.
        """
        before = self.before.get(place)
        if isinstance(before, Stale):
            for loop in self.around:
                if loop.key == before.loop and place not in loop.known:
                    loop.again = loop.learn(place, bound(entry)) or loop.again
                    loop.ask(place, entry)

    def learn(self, place: heap.Place, entry: Entry, fixed: type = Scalar) -> bool:
        """From now on a place is carried, if it can be. fixed: a kind that may stay what it is."""
        known = isinstance(entry, Box) and entry.memory is None
        if not heap.is_value(entry) or known and self.before.get(place) is not entry:
            return False
        self.handed.fix(entry, self.holders)
        varies = plain if fixed is Scalar else forget_values
        kinds = [varies(value.kind) for value in self.handed.parts(entry)]
        own = Static if isinstance(entry, Box) else fixed
        if not all(is_carried(kind) or isinstance(kind, own) for kind in kinds):
            return False
        self.known[place] = bound(entry), kinds
        for inner in [p for p in self.known if self.is_inside(p)]:
            del self.known[inner]
        return True

    def is_inside(self, place: heap.Place) -> bool:
        """Whether a place is a part of a container that is handed on."""
        handed = [box for entry, _ in self.known.values() for box in self.handed.boxes(entry)]
        return not isinstance(place, str) and place[0] in handed

    def settled(self, ends: heap.Heap, mark: int, carried: dict[heap.Place, Entry]) -> bool:
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
                raise heap.differs(self, place, end)
            after = [
                either(kind, heap.outlived(value.kind, mark))
                for kind, value in zip(kinds, self.handed.parts(end))
            ]
            if not all(is_carried(a) or a == k for a, k in zip(after, kinds)):
                raise Again("a loop carries what is no number and no array", self.key)
            if after != kinds:
                self.known[place] = entry, [forget_values(kind) for kind in after]
                lasting = False
        if lasting:
            box = heap.held_elsewhere(self, ends, carried)
            if box is not None:
                raise needed(box)
        empty = [n for n in self.wanted if isinstance(self.before.get(n), (Unbound, Stale))]
        before = {n: self.before.get(n) for n in self.names if n not in self.known}
        remade = [n for n, e in before.items() if isinstance(e, Box) and ends.get(n) is not e]
        more: list[heap.Place] = [*sorted(empty), *remade, *heap.moved(self.before, ends)]
        for place in more:
            if place in self.known or self.is_inside(place):
                continue
            own = ends.get(place) if place in empty else self.before.get(place)
            if isinstance(own, Stale) and own.entry is not None:
                own = own.entry
            if isinstance(place, str) and place in empty and is_asked(self, place):
                raise Again("a variable that changes its form in a loop", self.key)
            if self.learn(place, own):
                entry, kinds = self.known[place]
                self.known[place] = entry, [heap.outlived(kind, mark) for kind in kinds]
                lasting = False
            elif place not in empty:
                whole = own if isinstance(place, str) else place[0]
                if isinstance(ends.get(place), Box) and isinstance(whole, Box) and fits(whole):
                    raise needed(whole)
                reason = "a part of a container that changes its form in a loop"
                raise Again(reason, self.key)
        return lasting

    def carry(
        self, op: Loop, place: heap.Place, own: Entry, following: list[Value], end: Entry
    ) -> Entry:
        """One more carried place; what it holds after the loop."""
        before = self.before.get(place)
        parts = self.handed.parts
        parameters = list(parts(own))
        inits = (
            list(parts(before))
            if heap.is_value(before)
            else [nothing(heap.hint(place)) for _ in parameters]
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
