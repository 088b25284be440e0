"""Which statement may run after which: positions, loops, and where names are stored and used."""

from __future__ import annotations

from typing import Any

import gast

from autodiff.normalize.sites import is_marker
from autodiff.syntax.names import reads, writes


class Order:
    """Positions of the statements of a function.

    stores: for each name the statements that assign it. uses: those that read it.
    making: for each object held by its parts the statement that makes it.
    """

    def __init__(self, body: list[gast.stmt]) -> None:
        self.position: dict[int, int] = {}
        self.loops: dict[int, tuple[Any, ...]] = {}
        self.guarded: dict[int, bool] = {}
        self.blocks: dict[int, list[gast.stmt]] = {}
        self.stores: dict[str, list[Any]] = {}
        self.uses: dict[str, list[Any]] = {}
        self.making: dict[str, Any] = {}
        self.visit(body, (), False)

    def visit(self, body: list[gast.stmt], loops: tuple[Any, ...], guarded: bool) -> None:
        for statement in body:
            self.position[id(statement)] = len(self.position)
            self.loops[id(statement)] = loops
            self.guarded[id(statement)] = guarded
            self.blocks[id(statement)] = body
            if isinstance(statement, (gast.If, gast.For, gast.While, gast.With, gast.Try)):
                head = [
                    part
                    for field in ("test", "iter", "items", "target")
                    for part in _listed(getattr(statement, field, None))
                ]
                self.note(statement, reads(head), writes(head))
                looping = isinstance(statement, (gast.For, gast.While))
                inner = (*loops, statement) if looping else loops
                within = guarded or isinstance(statement, (gast.Try, gast.With))
                for field in ("body", "orelse", "finalbody"):
                    self.visit(getattr(statement, field, None) or [], inner, within)
                for handler in getattr(statement, "handlers", []):
                    self.visit(handler.body, inner, guarded)
                continue
            self.note(statement, reads(statement), writes(statement))
            if isinstance(statement, gast.Assign) and is_marker(statement.value):
                self.making[statement.targets[0].id] = statement

    def note(self, statement: Any, read: set[str], written: set[str]) -> None:
        for identifier in read:
            self.uses.setdefault(identifier, []).append(statement)
        for identifier in written:
            self.stores.setdefault(identifier, []).append(statement)

    def may_follow(self, store: Any, use: Any, making: Any) -> bool:
        """Whether a store to an object made by `making` may run after it was used."""
        if store is use:
            return False
        around = self.loops.get(id(making), ()) if making is not None else ()
        for left, right in zip(self.loops[id(store)], self.loops[id(use)]):
            if left is not right:
                break
            if not any(left is loop for loop in around):
                return True
        return self.position[id(store)] > self.position[id(use)]

    def follows_making(self, alias: str, making: Any, owner: str) -> bool:
        """Whether a name gets each new object right away, and so always means the latest one."""
        block = self.blocks[id(making)]
        start = next(i for i, statement in enumerate(block) if statement is making)
        for definition in self.stores.get(alias, ()):
            value = getattr(definition, "value", None)
            if not isinstance(value, gast.Name) or value.id != owner:
                return False
            place = [i for i, s in enumerate(block) if s is definition]
            if not place or place[0] < start:
                return False
            if any(alias in reads(s) for s in block[start : place[0]]):
                return False
        return True


def _listed(value: Any) -> list[Any]:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]
