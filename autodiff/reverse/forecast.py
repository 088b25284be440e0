"""Which adjoints will cross the iterations of a loop, guessed before its body is reversed.

A loop is reversed again until all adjoints at its head are known, and the loops in it each time. A
right guess makes that once. It is checked against what the body then contributed to what.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import gast

from autodiff.analysis.kind import Array, Kind, Scalar
from autodiff.reverse.places import Place
from autodiff.syntax.names import reads, writes
from autodiff.syntax.origin import Origin, origin_of


@dataclass(slots=True)
class Trace:
    """Between which names adjoints flowed in a loop body, as far as it was reversed.

    sources: the names whose adjoints are being handed on. fresh: the names that got a contribution
    since (in the reversed order) their definition was passed.
    """

    sources: tuple[str, ...] = ()
    edges: dict[str, set[str]] = field(default_factory=dict)
    fresh: set[str] = field(default_factory=set)
    place: Origin | None = None

    def start(self, statement: gast.stmt) -> None:
        """The statement that is reversed now."""
        self.place = origin_of(statement)
        target = statement.targets[0] if isinstance(statement, gast.Assign) else None
        parts = target.elts if isinstance(target, gast.Tuple) else [target]
        self.sources = tuple(part.id for part in parts if isinstance(part, gast.Name))

    def contributed(self, name: str) -> None:
        """The adjoint of a name has grown."""
        self.fresh.add(name)
        for source in self.sources:
            self.edges.setdefault(source, set()).add(name)

    def follow(self, other: Trace) -> None:
        """What flowed in another loop body has flowed in this one."""
        for source, names in other.edges.items():
            self.edges.setdefault(source, set()).update(names)

    def defined(self, name: str) -> None:
        """What defines the name was reached: its adjoint belongs to that definition."""
        self.fresh.discard(name)

    def reached(self, names: Iterable[str]) -> set[str]:
        """All names to which the adjoints of these have flowed."""
        found = set(names)
        todo = list(found)
        while todo:
            new = self.edges.get(todo.pop(), found) - found
            found |= new
            todo += new
        return found


def forecast(body: list[gast.stmt], active: Iterable[str], kinds: dict[str, Kind]) -> set[Place]:
    """The places of those numbers and arrays whose adjoints may cross iterations."""
    found: set[str] = set()
    _before_definition(body, set(), found)
    inside = found.intersection(active)
    return {(name, ()) for name in inside if isinstance(kinds.get(name), (Scalar, Array))}


def _before_definition(block: list[gast.stmt], defined: set[str], found: set[str]) -> None:
    """Adds the names that enter computations of the block before it certainly defines them."""
    for statement in block:
        if isinstance(statement, gast.Assign):
            if not isinstance(statement.value, gast.Compare):
                found |= reads(statement.value) - defined
            defined |= writes(statement)
        elif isinstance(statement, gast.If):
            sides = [set(defined), set(defined)]
            _before_definition(statement.body, sides[0], found)
            _before_definition(statement.orelse, sides[1], found)
            defined |= sides[0] & sides[1]
        elif isinstance(statement, (gast.For, gast.While)):
            _before_definition(statement.body, set(defined), found)
        else:
            found |= reads(statement) - defined


def confirmed(guess: set[Place], trace: Trace, entering: Iterable[Place]) -> set[Place]:
    """The adjoints that were guessed and came to be, from those that entered the loop."""
    reached = trace.reached(place[0] for place in entering)
    return {place for place in guess if place[0] in reached and place[0] in trace.fresh}
