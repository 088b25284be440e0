"""The functions and modules that generated code needs and the user's namespace may not have."""

from __future__ import annotations

from typing import Any

import gast
import numpy as np

from autodiff import runtime
from autodiff.kinds.scope import Scope
from autodiff.syntax.names import Names, name


class Helpers:
    """Gives out names for objects; a name the user already has for the same object is preferred."""

    def __init__(self, scope: Scope, names: Names, local: frozenset[str]) -> None:
        self.scope = scope
        self.names = names
        self.local = local
        self.chosen: dict[int, str] = {}
        self.asked: list[tuple[str, Any]] = []
        """What was asked for lately; `instances` looks at it."""

    def use(self, identifier: str, value: Any) -> gast.expr:
        """A name for `value`: `identifier` itself when that is free or already means it."""
        self.asked.append((identifier, value))
        key = id(value)
        if key not in self.chosen:
            self.chosen[key] = self.choose(identifier, value)
        return name(self.chosen[key])

    def named(self, identifier: str) -> gast.expr:
        """A runtime helper (or NumPy) by its name."""
        return self.use(identifier, np if identifier == "np" else getattr(runtime, identifier))

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
