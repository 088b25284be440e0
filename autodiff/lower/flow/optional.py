"""Places that hold a number or one of some constants, found when it runs, from one iteration to the
next: `None` or a number, or one of several functions.

    low = None                          low = None; held = False; number = 0.0
    for i in range(n):                  for i in range(n):
        if f(x) < 0.0:                      low = number if held else None
            low = x                         if f(x) < 0.0: low = x
        ...                                 ...
                                            if low is None: held = False; number = 0.0
                                            else: held = True; number = low
                                        low = number if held else None

The loop carries the number and which it is; the tests of the body decide as ever. A place is a
variable, or a part of what one holds: `best["i"]`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any

import gast

from autodiff.core import Again, Value
from autodiff.dataflow.definite import ZEROS
from autodiff.kinds.kind import Scalar
from autodiff.lower.entries.above import Frame, Repeated, Statements
from autodiff.lower.entries.entry import Box, Entry, Maybe, Mixed, Stale, Unbound
from autodiff.lower.flow.hoisted import ending
from autodiff.normalize.build import assign, at, branch, compare, constant, loaded, repeat
from autodiff.syntax.names import name, store, writes
from autodiff.syntax.walk import clone

_REASON = "a variable that changes its form in a loop"
Path = tuple[Any, ...]
"""A variable, and the keys of a part of what it holds."""


@dataclass(frozen=True)
class Forms:
    """What a place may hold: numbers of types, and constants that are none."""

    numbers: frozenset[str] = frozenset()
    constants: tuple[Value, ...] = ()

    def __or__(self, other: Forms) -> Forms:
        known = [each.constant for each in self.constants]
        more = [each for each in other.constants if all(each.constant is not own for own in known)]
        return Forms(self.numbers | other.numbers, (*self.constants, *more))

    @property
    def differ(self) -> bool:
        """Whether there are several."""
        return bool(self.constants) and len(self.constants) + bool(self.numbers) > 1


Choices = dict[Path, Forms]
"""What places hold that a loop carries in two parts."""


class Parted(Again):
    """Places of a loop that hold one of several things, by path, at the end of its body. node: the
    loop.
    """

    def __init__(self, whose: object, choices: Choices, node: Any = None) -> None:
        super().__init__(_REASON, whose)
        self.choices, self.loop = choices, node


class Known(gast.Pass):  # type: ignore[misc]
    """An expression that is a constant."""

    def __init__(self, entry: Value) -> None:
        super().__init__()
        self.entry = entry


class Further(gast.Pass):  # type: ignore[misc]
    """A statement that is reached where a place holds something that was not known."""

    def __init__(self, refusal: Parted, path: Path) -> None:
        super().__init__()
        self.refusal, self.path = refusal, path


def forms(entry: Entry | None) -> Forms | None:
    """What an entry may be, if that is numbers and constants."""
    if isinstance(entry, Mixed) and entry.test is not None:
        sides = [forms(entry.one), forms(entry.other)]
        return None if None in sides else reduce(or_, sides)
    if isinstance(entry, Value) and isinstance(entry.kind, Scalar):
        return Forms(frozenset((entry.kind.type,)))
    if isinstance(entry, Value) and (entry.constant is None or callable(entry.constant)):
        return Forms(constants=(entry,))
    return None


def check(loop: Repeated, ends: Iterable[tuple[Any, Entry]]) -> None:
    """What a loop carries is something else by path at the end of its body."""
    found: Choices = {}
    for place, end in ends:
        before = loop.before.get(place)
        known = isinstance(end, Mixed) and not isinstance(before, (Maybe, Stale, Unbound))
        own = forms(end) if known else None
        path = None if own is None else path_of(loop.frame, place)
        if own is not None and path is not None:
            own |= forms(before) or Forms()
            found |= {path: own} if own.differ else {}
    if found:
        raise Parted(loop.key, found)


def optional(statements: Statements, node: gast.For | gast.While, reason: Again) -> Choices:
    """The variables that a loop sets and that are one of several things where it begins or ends."""
    if isinstance(reason, Parted):
        return reason.choices
    own = writes(node) - {path[0] for path in statements.unit.parted.get(id(node), ())}
    held = ((n, e) for n, e in statements.frame.names.items() if n in own and isinstance(e, Mixed))
    found = {(n,): forms(entry) for n, entry in held}
    return {path: own for path, own in found.items() if own is not None and own.differ}


# Places ------------------------------------------------------------------------------------------


def path_of(frame: Frame, place: Any) -> Path | None:
    """How a place is reached from a variable; None if it is not."""
    if isinstance(place, str):
        return (place,)
    box, key = place
    around: Frame | None = frame
    seen: set[str] = set()
    while around is not None:
        for identifier, entry in around.names.items():
            if entry is box and identifier not in seen:
                return identifier, key
        seen.update(around.names)
        around = around.outer
    return None


def place_of(frame: Frame, path: Path) -> Any:
    """The place that is reached like this now."""
    if len(path) == 1:
        return path[0]
    holder, own = frame.resolve(path[0])
    return None if holder is None else (holder.names.get(own), path[1])


def target(frame: Frame, path: Path) -> gast.expr:
    """A place as what is stored into."""
    if len(path) == 1:
        return store(path[0])
    box, key = place_of(frame, path)
    base = name(path[0])
    if isinstance(box, Box) and box.indexed:
        return gast.Subscript(base, constant(key), gast.Store())
    return gast.Attribute(base, key, gast.Store())


# What stands in place of the loop ----------------------------------------------------------------


class Choice:
    """Which of several things a place holds, as a number, or as a truth; and the number there."""

    def __init__(self, statements: Statements, path: Path, own: Forms, more: Parted) -> None:
        frame, self.origin = statements.frame, getattr(more.loop, "origin", None)
        self.path, self.own, self.more, self.place = path, own, more, target(frame, path)
        self.single = len(own.constants) == 1
        hint = "_".join(str(part) for part in path)
        hint = hint if hint.isidentifier() else path[0]
        words = "held" if self.single else "choice", "number"
        self.which, self.number = (frame.temporary(f"{hint}_{word}") for word in words)
        frame.taken.update((self.which, self.number))
        self.zero = ZEROS[max(own.numbers, key=[*ZEROS].index)] if own.numbers else None

    def told(self, k: int) -> gast.Constant:
        """What says that it is the constant of a number, or a number."""
        return constant(bool(k) if self.single else k)

    def end(self) -> list[gast.stmt]:
        """Takes the place apart."""
        count = len(self.own.constants)
        rest: list[gast.stmt] = [Further(self.more, self.path)]
        if self.zero is not None:
            found = [(self.which, self.told(count)), (self.number, loaded(self.place))]
            rest = [assign(own, part, self.origin) for own, part in found]
        for k, each in reversed([*enumerate(self.own.constants)]):
            known = [assign(self.which, self.told(k), self.origin)]
            if self.zero is not None:
                known.append(assign(self.number, constant(self.zero), self.origin))
            same = compare(loaded(self.place), gast.Is(), Known(each))
            rest = [branch(same, known, rest, self.origin)]
        return rest

    def begin(self) -> list[gast.stmt]:
        """Puts the place together."""
        parts: list[Any] = [*map(Known, self.own.constants)]
        parts += [name(self.number)] if self.zero is not None else []
        *parts, last = parts
        made: list[gast.stmt] = [assign(clone(self.place), last, self.origin)]
        for k, part in reversed([*enumerate(parts)]):
            this = [assign(clone(self.place), part, self.origin)]
            if self.single:
                made = [branch(name(self.which), made, this, self.origin)]
            else:
                test = compare(name(self.which), gast.Eq(), constant(k))
                made = [branch(test, this, made, self.origin)]
        return made


def parted(
    statements: Statements, node: gast.For | gast.While, own: Choices, whose: object
) -> list[gast.stmt]:
    """What stands in place of a loop that carries such places. whose: the key of the loop."""
    origin = getattr(node, "origin", None)
    more = Parted(whose, own, node)
    choices = [Choice(statements, path, held, more) for path, held in own.items()]
    begin = [each for choice in choices for each in choice.begin()]
    end = [each for choice in choices for each in choice.end()]
    body, leaves = ending(list(map(clone, node.body)))
    last = [] if leaves is None else [clone(node.body[-1])]
    whole = [*map(clone, begin), *body, *map(clone, end), *last]
    if isinstance(node, gast.While):
        made: gast.stmt = repeat(clone(node.test), whole, [], origin)
    else:
        made = at(gast.For(clone(node.target), clone(node.iter), whole, [], None), origin)
    unit = statements.unit
    unit.parted[id(made)] = unit.parted.get(id(node), frozenset()) | own.keys()
    if id(node) in unit.rests:
        unit.rests[id(made)] = unit.rests[id(node)]
    return [*end, made, *begin]


def further(statements: Statements, node: Further) -> Parted:
    """What is raised where a place holds something else at the end of an iteration."""
    found = statements.frame.unit.facts.known(place_entry(statements.frame, node.path))
    own, known = forms(found), node.refusal.choices
    if own is None or (known[node.path] | own) == known[node.path]:
        raise Again(_REASON)
    return Parted(
        node.refusal.whose, known | {node.path: known[node.path] | own}, node.refusal.loop
    )


def place_entry(frame: Frame, path: Path) -> Entry:
    """What a place holds now."""
    place = place_of(frame, path)
    if isinstance(place, str):
        return frame.names[place]
    found: Entry = place[0].slots[place[1]]
    return found
