"""What the text looks like after each pass of Core's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import FunctionType
from typing import Any

import gast

from autodiff.emit.module import definition
from autodiff.kinds.size import Told
from autodiff.lower.flow.frame import Unit
from autodiff.syntax.emit import emit

Watching = Callable[[str, Unit], None]
"""What is told of each pass: its name, and what it has left."""


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

        half = self.half(self.function())
        module = self.module(watch)
        module.compiled(half, self.name, self.doc, self.asked)
        return iter([*found, *([("native", module.texts[-1])] if module.native else ())])

    def tree(self, _: str) -> gast.FunctionDef | None:
        """The tree of the text."""
        return self.last
