"""Variables that hold `None` or a number, found when it runs, from one iteration to the next.

    low = None                          low = None; held = False; number = 0.0
    for i in range(n):                  for i in range(n):
        if f(x) < 0.0:                      low = number if held else None
            low = x                         if f(x) < 0.0: low = x
        ...                                 ...
                                            if low is None: held = False; number = 0.0
                                            else: held = True; number = low
                                        low = number if held else None

The loop carries the number and whether there is one; the tests of the body decide as ever.
"""

from __future__ import annotations

from collections.abc import Iterable

import gast

from autodiff.analysis.kind import Scalar
from autodiff.core import Again, Value
from autodiff.lower.entries.above import Repeated, Statements
from autodiff.lower.entries.entry import Entry, Mixed
from autodiff.lower.flow.hoisted import ending
from autodiff.normalize.build import assign, at, branch, compare, constant, repeat
from autodiff.syntax.names import name, writes
from autodiff.syntax.walk import clone

_ZEROS = {"bool": False, "int": 0, "float": 0.0, "complex": 0j}
Zeros = dict[str, bool | int | float | complex]
"""What stands for a number, by variable, where there is none."""


class Parted(Again):
    """Variables of a loop that hold nothing or a number, by path, at the end of its body."""

    def __init__(self, reason: str, whose: object, zeros: Zeros) -> None:
        super().__init__(reason, whose)
        self.zeros = zeros


def types(entry: Entry) -> set[str] | None:
    """The types of the numbers that an entry is if it is not `None`; else None."""
    if isinstance(entry, Mixed) and entry.test is not None:
        one, other = types(entry.one), types(entry.other)
        return None if one is None or other is None else one | other
    if isinstance(entry, Value) and entry.is_constant and entry.constant is None:
        return set()
    if isinstance(entry, Value) and isinstance(entry.kind, Scalar):
        return {entry.kind.type}
    return None


def zeros(entries: Iterable[tuple[str, Entry]]) -> Zeros:
    """Those that differ by path."""
    mixed = ((own, types(entry)) for own, entry in entries if isinstance(entry, Mixed))
    return {own: _ZEROS[max(found, key=[*_ZEROS].index)] for own, found in mixed if found}


def check(loop: Repeated, ends: Iterable[tuple[str, Entry]]) -> None:
    """What a loop carries is something else by path at the end of its body."""
    own = zeros(ends)
    if own:
        raise Parted("a variable that changes its form in a loop", loop.key, own)


def optional(statements: Statements, node: gast.For | gast.While, reason: Again) -> Zeros:
    """The variables that a loop sets and that are nothing or a number where it begins, or ends."""
    if isinstance(reason, Parted):
        return reason.zeros
    own = writes(node) - statements.unit.parted.get(id(node), frozenset())
    return zeros((n, e) for n, e in statements.frame.names.items() if n in own)


def parted(statements: Statements, node: gast.For | gast.While, own: Zeros) -> list[gast.stmt]:
    """What stands in place of a loop that carries such variables."""
    frame, origin = statements.frame, getattr(node, "origin", None)
    begin: list[gast.stmt] = []
    end: list[gast.stmt] = []
    for identifier, zero in own.items():
        held, number = (frame.temporary(f"{identifier}_{word}") for word in ("held", "number"))
        frame.taken.update((held, number))
        nothing, there = (
            [assign(held, constant(known), origin), assign(number, part, origin)]
            for known, part in ((False, constant(zero)), (True, name(identifier)))
        )
        none = compare(name(identifier), gast.Is(), constant(None))
        end.append(branch(none, nothing, there, origin))
        one, other = ([assign(identifier, part, origin)] for part in (name(number), constant(None)))
        begin.append(branch(name(held), one, other, origin))
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
