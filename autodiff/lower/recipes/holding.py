"""What stands for objects and containers of Python's. Nothing here runs when a derivative does."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, attr-defined"
from __future__ import annotations

from abc import ABCMeta
from typing import Any


class Counterpart(metaclass=ABCMeta):  # noqa: B024 (plain classes of templates are registered)
    """What stands for an object of Python's; what that is equal to, nobody knows."""

    __eq__: Any = None
    __hash__: Any = None


class Holding(Counterpart):
    """What stands for a container of Python's: what it holds is in `held`."""

    def __len__(self):
        return len(self.held)

    def __contains__(self, key):
        return key in self.held

    def clear(self):
        self.held.clear()

    def listed(self):
        """The items, as they come one after the other."""
        return list(self.held)
