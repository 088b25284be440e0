"""The table of functions that are not written in Python, and do more than give a number."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Handler = Callable[..., Any]
HANDLED: dict[Any, Handler] = {}
"""From a function to what stands for it: `handler(trace, *args, **keywords)`."""


def handles(*functions: Any) -> Callable[[Handler], Handler]:
    """Puts a function into the table, which stands for others."""

    def enter(handler: Handler) -> Handler:
        for own in functions:
            HANDLED[own] = handler
        return handler

    return enter


class Refused(Exception):
    """A rule for a function that is given functions does not take a call."""
