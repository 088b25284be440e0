"""A part of a function as a function of its own, in Core: what it reads is what it is given."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from autodiff.core import Built, Function, Operation, References, Region, Value
from autodiff.core.copying import Copy
from autodiff.dataflow.settle import mapped
from autodiff.lower.entries.entry import Pack, leaves, rebuilt
from autodiff.lower.flow.frame import Unit


@dataclass(frozen=True, slots=True, eq=False)
class Outlined:
    """Its parameters are numbers, arrays and containers, which are its own: it may change them."""

    name: str
    origin: Any
    unit: Unit

    @property
    def place(self) -> str:
        """Where it stands in the user's file."""
        return f"{PurePath(self.origin.file).name}:{self.origin.line}" if self.origin else ""

    @property
    def parameters(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(value.hint for value in self.unit.function.body.parameters)

    def lowered(self) -> Unit:
        """The function, for passes to change."""
        copy, function = Copy(), self.unit.function
        made = again(self.unit, function.name, copy)
        made.function.grouped, made.function.shared = function.grouped, function.shared
        made.function.state = function.state
        made.function.body = copy.block(function.body, None)
        made.function.result = mapped(function.result, copy.value)
        follow(self.unit, made, copy)
        return made


def outlined(
    unit: Unit,
    name: str,
    operations: Iterable[Operation],
    given: list[tuple[str, Value]],
    results: list[Value] | Value,
    origin: Any,
) -> Outlined:
    """A function of values that these operations read, by name, which gives others."""
    copy, taken = Copy(), set[str]()
    made = again(unit, name, copy)
    function = made.function
    for own, value in given:
        parameter = function.body.parameter(copy.value(value))
        parameter.hint, parameter.named = unlike(own, taken), True
    for op in operations:
        copy.put(function.body, op)
    function.result = mapped(
        Built(tuple, tuple(range(len(results))), tuple(results))
        if isinstance(results, list)
        else results,
        copy.value,
    )
    for own in copy.made.values():
        if isinstance(own, Region):
            own.written = own.given = own.exposed = False
    for op in function.body.walk():
        for effect in op.effects():
            if effect.what == "write":
                effect.region.find().written = True
    follow(unit, made, copy)
    return Outlined(name, origin, made)


def unlike(own: str, taken: set[str]) -> str:
    """A name for a parameter that no other one has."""
    own = own if own.isidentifier() else "value"
    found, count = own, 1
    while found in taken:
        count += 1
        found = f"{own}_{count}"
    taken.add(found)
    return found


def again(unit: Unit, name: str, copy: Copy) -> Unit:
    """The unit of a function with a copy of operations."""
    function, references = Function(name), References()
    function.owned = True
    function.tells_complex, function.complex = unit.function.tells_complex, unit.function.complex
    made = Unit(function, unit.main, references, unit.doors)
    references.copy(unit.references)
    made.free = {*unit.free}
    copy.made[unit.world.find()] = made.world
    return made


def follow(unit: Unit, made: Unit, copy: Copy) -> None:
    """What is known beside the operations."""
    for value, pack in unit.results.items():
        if value in copy.made:
            own = rebuilt(pack, map(copy.value, leaves(pack)))
            assert isinstance(own, Pack)
            made.results[copy.made[value]] = own
    for name, origin, operations in unit.again:
        if operations and all(op in copy.made for op in operations):
            made.again.append((name, origin, [copy.made[op] for op in operations]))
    for loop, count in unit.checkpointed.items():
        if loop in copy.made:
            made.checkpointed[copy.made[loop]] = copy.value(count)
