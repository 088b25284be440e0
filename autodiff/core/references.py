"""Objects that the text of a function refers to by names that are chosen when it is printed."""

from __future__ import annotations

from typing import Any

MARK = "@"
"""Begins the names that stand for objects until then."""


class References:
    """A name for each object: `use("np", numpy)` is "@np"."""

    def __init__(self) -> None:
        self.objects: dict[str, Any] = {}
        self._names: dict[int, str] = {}

    def use(self, hint: str, value: Any) -> str:
        """The name that stands for an object."""
        found = self._names.get(id(value))
        if found is None:
            found, count = f"{MARK}{hint}", 1
            while found in self.objects:
                count += 1
                found = f"{MARK}{hint}_{count}"
            self._names[id(value)] = found
            self.objects[found] = value
        return found
