"""A derivative as text of Python's, and what the names in it mean that it does not bind."""

from __future__ import annotations

import types
from dataclasses import dataclass
from typing import Any

import gast

from autodiff.frontend.source import Namespace
from autodiff.syntax.names import Names, name


@dataclass(frozen=True, slots=True)
class Scope:
    """What names mean that a text does not bind: globals, closure cells, helpers.

    `helpers` maps the names that the compiler adds to objects, or to cells.
    """

    namespace: Namespace
    helpers: dict[str, Any]

    def lookup(self, name: str) -> Any:
        """The object a free name refers to now; KeyError where there is none."""
        if name in self.helpers:
            value = self.helpers[name]
            return value.cell_contents if isinstance(value, types.CellType) else value
        return self.namespace.lookup(name)


class Helpers:
    """Gives out names for objects; a name the user already has for the same object is preferred."""

    def __init__(self, scope: Scope, names: Names, local: frozenset[str]) -> None:
        self.scope = scope
        self.names = names
        self.local = local
        self.chosen: dict[int, str] = {}

    def use(self, identifier: str, value: Any) -> gast.expr:
        """A name for `value`: `identifier` itself when that is free or already means it."""
        key = id(value)
        if key not in self.chosen:
            self.chosen[key] = self.choose(identifier, value)
        return name(self.chosen[key])

    def choose(self, identifier: str, value: Any) -> str:
        if identifier not in self.local:
            try:
                if self.scope.lookup(identifier) is value:
                    return identifier
            except (KeyError, ValueError):
                if identifier not in self.names.taken:
                    self.names.taken.add(identifier)
                    self.scope.helpers[identifier] = value
                    return identifier
        for other, candidate in self.scope.helpers.items():
            if candidate is value and other not in self.local:
                return other
        fresh = self.names.fresh(identifier)
        self.scope.helpers[fresh] = value
        return fresh
