"""Variables that hold things of different forms on different paths.

    f = np.sin if c else np.cos        if c:
    y = f(x)                               y = np.sin(x)
                                       else:
                                           y = np.cos(x)

What a branch leaves in such a variable is kept with its test; a statement that reads it becomes one
for each form. The values in it exist on one path only: elsewhere they hold nothing.

What is known of tests where the code at hand is reached.

    f = np.sin if c else np.cos
    if c:
        y = f(x)              # here `f` is np.sin

`x is None and ...` and `not c` say something about the tests that they are made of, too.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator

from autodiff.core import If, Value, around_value, constant, nothing, told
from autodiff.kinds.kind import Array, Numeric, Scalar, forget_values
from autodiff.lower.entries import Box, Closure, DictView, Entry, Maybe, Mixed, Pack, Stale, Unbound
from autodiff.lower.entries.above import Unit
from autodiff.lower.entries.entry import inner, mapped


class _Lost(Exception):
    """Something in an entry is of the branch alone."""


def mixed(unit: Unit, op: If, name: str, one: Entry, other: Entry, reason: str) -> Mixed:
    """What a variable holds after a branch that leaves different things in it."""
    joined, boxes = len(op.results), len(unit.boxes)
    held = {box: dict(box.slots) for box in made_in((one, other), unit)}
    try:
        first = Export(unit, op, 0).entry(name, one)
        second = Export(unit, op, 1).entry(name, other)
        test, truth = told(op, 0)
        return Mixed(reason, test, *((first, second) if truth else (second, first)))
    except _Lost:
        while len(op.results) > joined:
            op.drop(joined)
        del unit.boxes[boxes:]
        for box, slots in held.items():
            box.slots = slots
        return Mixed(reason)


def made_in(entries: Iterable[Entry], unit: Unit) -> list[Box]:
    """The containers in entries that were made in a block of the branch."""
    todo, seen, found = [*entries], set[int](), list[Box]()
    while todo:
        entry = todo.pop()
        if id(entry) in seen:
            continue
        seen.add(id(entry))
        if isinstance(entry, Box):
            if entry in unit.boxes:
                continue
            found.append(entry)
        todo += inner(entry)
    return found


class Export:
    """What one block leaves, as it is seen behind the branch. seen: what was met, in which forms
    that are one of two may share much.
    """

    def __init__(self, unit: Unit, op: If, side: int) -> None:
        self.unit, self.op, self.side = unit, op, side
        self.seen: dict[int, tuple[Entry, Entry]] = {}

    def entry(self, name: str, entry: Entry) -> Entry:
        """An entry, by the name of its variable."""
        if id(entry) not in self.seen:
            self.seen[id(entry)] = entry, self._entry(name, entry)
        return self.seen[id(entry)][1]

    def _entry(self, name: str, entry: Entry) -> Entry:
        if isinstance(entry, Value):
            return self.value(name, entry)
        if isinstance(entry, Pack):
            items = [self.entry(f"{name}_{k}", each) for k, each in enumerate(entry.items)]
            return Pack(tuple(items), entry.cls)
        if isinstance(entry, Mixed) and entry.test is not None:
            test = entry.test if not is_inside(self.op, entry.test) else self.flag(entry.test)
            one, other = self.entry(name, entry.one), self.entry(name, entry.other)
            kept = test is entry.test and one is entry.one and other is entry.other
            return entry if kept else Mixed(entry.reason, test, one, other)
        if isinstance(entry, (Stale, Mixed)):
            raise _Lost
        if isinstance(entry, Closure):
            check_frame(self.op, entry)
        box = entry.box if isinstance(entry, DictView) else entry
        if isinstance(box, Box) and box not in self.unit.boxes:
            self.opened(box)
        return mapped(entry, lambda part: self.entry(name, part))

    def opened(self, box: Box) -> None:
        """A container that was made in a block goes on behind the branch."""
        self.unit.boxes.append(box)
        for key, entry in box.slots.items():
            name = f"{box.hint}_{key}" if box.hint else str(key)
            box.slots[key] = self.entry(name, entry)

    def value(self, name: str, value: Value) -> Value:
        """A value of one block behind the branch: it holds nothing on the other path."""
        if value.is_constant or not is_inside(self.op, value):
            return value
        if not isinstance(value.kind, (Array, Numeric, Scalar)):
            raise _Lost
        hint = value.hint if value.named and value.hint.isidentifier() else name
        hint = hint if hint.isidentifier() else "value"
        result = Value(hint, forget_values(value.kind), value.memory, named=True)
        result.partial = True
        self.unit.facts.exists[result] = told(self.op, self.side)
        return self.joined(result, value, nothing(hint))

    def flag(self, test: Value) -> Value:
        """A test of one block behind the branch."""
        return self.joined(
            Value("chosen", forget_values(test.kind), named=True), test, constant(False)
        )

    def joined(self, result: Value, own: Value, other: Value) -> Value:
        """What is `own` behind this block, and another one behind the other."""
        self.op.merge(*((own, other) if self.side == 0 else (other, own)), result)
        return result


def check_frame(op: If, closure: Closure) -> None:
    """A function that was made in a function that a block called reads variables of that."""
    for entry in closure.frame.names.values():
        if any(is_inside(op, value) for value in values(entry)):
            raise _Lost


def values(entry: Entry) -> Iterator[Value]:
    """The values that an entry holds directly."""
    if isinstance(entry, Value):
        yield entry
    for part in inner(entry) if isinstance(entry, (Pack, Maybe)) else ():
        yield from values(part)


def is_inside(op: If, value: Value) -> bool:
    """Whether a value is defined in a block of a branch."""
    return any(block.parent is op for block in around_value(value))


def holds_mixed(entry: Entry) -> bool:
    """Whether something in an entry differs in form by path."""
    parts = inner(entry) if isinstance(entry, (Pack, Maybe)) else ()
    return isinstance(entry, Mixed) or any(map(holds_mixed, parts))


def may_miss(entry: Mixed) -> bool:
    """Whether a variable holds nothing on some paths: reading it there raises an error."""
    found: dict[int, Entry] = {id(entry): entry}
    todo = [entry]
    while todo:
        each = todo.pop()
        parts = {id(part): part for part in (each.one, each.other) if id(part) not in found}
        found |= parts
        todo += [part for part in parts.values() if isinstance(part, Mixed)]
    return any(isinstance(part, Unbound) for part in found.values())


Fact = tuple[Value, bool]


class Facts:
    """true: tests that are decided here. implied: what else holds where a test has a value. exists:
    where variables hold something that hold nothing elsewhere. choices: values that are one of two
    constants, or of more. joins: values that are another one where a test has a value.
    """

    def __init__(self) -> None:
        self.true: dict[Value, bool] = {}
        self.implied: dict[Fact, list[Fact]] = {}
        self.exists: dict[Value, Fact] = {}
        self.choices: dict[Value, Mixed] = {}
        self.joins: dict[Value, list[tuple[Fact, Value, Value]]] = {}

    def known(self, entry: Entry) -> Entry:
        """What a variable holds here, if that is decided."""
        while isinstance(entry, Mixed) and entry.test in self.true:
            entry = entry.one if self.true[entry.test] else entry.other
        return entry

    def decided(self, value: Value) -> Value:
        """The constant that a value is here, if it is one of several and that is decided."""
        found = self.known(self.choices.get(value, value))
        return found if isinstance(found, Value) else value

    def exact(self, entry: Entry) -> Entry:
        """An entry whose constant is asked for: where it is one of two, both are looked at."""
        found = self.known(self.choices.get(entry, entry) if isinstance(entry, Value) else entry)
        if isinstance(found, Mixed):
            raise found.refusal()
        return found

    def imply(self, value: Value, truth: bool, *facts: Fact) -> None:
        """Where `value` is so, other tests are so as well."""
        self.implied.setdefault((value, truth), []).extend(facts)

    def join(self, fact: Fact, result: Value, own: Value) -> None:
        """Where a test is so, `result` is `own`."""
        for key in (fact[0], result):
            self.joins.setdefault(key, []).append((fact, result, own))

    def assume(self, test: Value, truth: bool) -> None:
        """From here to the end of the block, a test is decided."""
        if test not in self.true:
            self.true[test] = truth
            for other, value in self.implied.get((test, truth), ()):
                self.assume(other, value)
            for (asked, side), result, own in self.joins.get(test, ()):
                if self.true.get(asked) is side and result in self.true:
                    self.assume(own, self.true[result])

    @contextlib.contextmanager
    def given(self, test: Value | None = None, truth: bool = True) -> Iterator[None]:
        """In a block that is reached where a test is so."""
        before = dict(self.true)
        if test is not None:
            self.assume(test, truth)
        try:
            yield
        finally:
            self.true = before
