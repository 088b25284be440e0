"""What the text looks like after each pass of Core's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import FunctionType
from typing import Any, NamedTuple

import gast

from autodiff.core import Operation
from autodiff.emit.module import definition
from autodiff.kinds.kind import Kind
from autodiff.kinds.size import Told
from autodiff.lower.flow.frame import Unit
from autodiff.syntax.emit import Emitted, emit

Watching = Callable[[str, Unit], None]
"""What is told of each pass: its name, and what it has left."""


class Written(NamedTuple):
    """A function that was written out: its tree and text, what its names hold, Core behind it."""

    tree: gast.FunctionDef
    emitted: Emitted
    kinds: dict[str, Kind]
    operations: list[Operation]


@dataclass(frozen=True, slots=True)
class Stages:
    """The text after each pass; it is compiled again for whoever looks at it."""

    function: Callable[[], FunctionType | None]
    half: Callable[..., Any]
    name: str
    doc: str
    asked: frozenset[Told]
    module: Callable[[Watching], Any]
    last: gast.FunctionDef | None

    def __iter__(self) -> Iterator[tuple[str, str]]:
        found: list[tuple[str, str]] = []

        def watch(after: str, unit: Unit) -> None:
            objects = unit.references.objects
            made = definition(unit.function, unit.main, objects, unit.free, self.doc)
            found.append((after, emit(made.tree).text))

        module = self._again(watch)
        return iter([*found, *([("native", module.texts[-1])] if module.native else ())])

    def written(self) -> Written:
        """What is written out in the end."""
        units: list[Unit] = []
        module = self._again(lambda after, unit: units.append(unit))
        operations = [*units[-1].function.body.walk()]
        return Written(module.tree, emit(module.tree), module.kinds, operations)

    def _again(self, watch: Watching) -> Any:
        module = self.module(watch)
        module.compiled(self.half(self.function()), self.name, self.doc, self.asked)
        return module

    def tree(self, _: str) -> gast.FunctionDef | None:
        """The tree of the text."""
        return self.last
