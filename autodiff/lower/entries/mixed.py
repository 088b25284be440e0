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
from collections.abc import Iterator

from autodiff.core import If, Value, around_value, constant, nothing, told
from autodiff.kinds.kind import Array, Scalar, forget_values
from autodiff.lower.entries import Box, Closure, DictView, Entry, Maybe, Mixed, Pack, Stale
from autodiff.lower.entries.above import Unit
from autodiff.lower.entries.entry import inner, mapped


class _Lost(Exception):
    """Something in an entry is of the branch alone."""


def mixed(unit: Unit, op: If, name: str, one: Entry, other: Entry, reason: str) -> Mixed:
    """What a variable holds after a branch that leaves different things in it."""
    joined, boxes = len(op.results), len(unit.boxes)
    held = {box: dict(box.slots) for entry in (one, other) for box in made_in(entry, unit, ())}
    try:
        first = exported(unit, op, 0, name, one)
        second = exported(unit, op, 1, name, other)
        test, truth = told(op, 0)
        return Mixed(reason, test, *((first, second) if truth else (second, first)))
    except _Lost:
        while len(op.results) > joined:
            op.drop(joined)
        del unit.boxes[boxes:]
        for box, slots in held.items():
            box.slots = slots
        return Mixed(reason)


def made_in(entry: Entry, unit: Unit, found: tuple[Box, ...]) -> tuple[Box, ...]:
    """The containers in an entry that were made in a block of the branch."""
    if isinstance(entry, Box):
        if entry in unit.boxes or entry in found:
            return found
        found = (*found, entry)
    for part in inner(entry):
        found = made_in(part, unit, found)
    return found


def exported(unit: Unit, op: If, side: int, name: str, entry: Entry) -> Entry:
    """What one block leaves, as it is seen behind the branch."""
    if isinstance(entry, Value):
        return value_of(unit, op, side, name, entry)
    if isinstance(entry, Pack):
        items = [exported(unit, op, side, f"{name}_{k}", e) for k, e in enumerate(entry.items)]
        return Pack(tuple(items), entry.cls)
    if isinstance(entry, Mixed) and entry.test is not None:
        test = entry.test if not is_inside(op, entry.test) else flag(op, side, entry.test)
        one = exported(unit, op, side, name, entry.one)
        return Mixed(entry.reason, test, one, exported(unit, op, side, name, entry.other))
    if isinstance(entry, (Stale, Mixed)):
        raise _Lost
    if isinstance(entry, Closure):
        check_frame(op, entry)
    box = entry.box if isinstance(entry, DictView) else entry
    if isinstance(box, Box) and box not in unit.boxes:
        opened(unit, op, side, box)
    return mapped(entry, lambda part: exported(unit, op, side, name, part))


def opened(unit: Unit, op: If, side: int, box: Box) -> None:
    """A container that was made in a block goes on behind the branch."""
    unit.boxes.append(box)
    for key, entry in box.slots.items():
        name = f"{box.hint}_{key}" if box.hint else str(key)
        box.slots[key] = exported(unit, op, side, name, entry)


def value_of(unit: Unit, op: If, side: int, name: str, value: Value) -> Value:
    """A value of one block behind the branch: it holds nothing on the other path."""
    if value.is_constant or not is_inside(op, value):
        return value
    if not isinstance(value.kind, (Array, Scalar)):
        raise _Lost
    hint = value.hint if value.named and value.hint.isidentifier() else name
    hint = hint if hint.isidentifier() else "value"
    result = Value(hint, forget_values(value.kind), value.memory, named=True)
    result.partial = True
    unit.facts.exists[result] = told(op, side)
    pair = (value, nothing(hint))
    op.merge(*(pair if side == 0 else pair[::-1]), result)
    return result


def flag(op: If, side: int, test: Value) -> Value:
    """A test of one block behind the branch."""
    result = Value("chosen", forget_values(test.kind), named=True)
    pair = (test, constant(False))
    op.merge(*(pair if side == 0 else pair[::-1]), result)
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
