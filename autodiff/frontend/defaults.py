"""The defaults of a function, which a program may change while it runs."""

from __future__ import annotations

from types import FunctionType
from typing import Any

Defaults = tuple[tuple[Any, ...] | None, dict[str, Any] | None]


def defaults_now(function: FunctionType) -> Defaults:
    """The defaults as they are now."""
    by_name = function.__kwdefaults__
    return function.__defaults__, dict(by_name) if by_name else None


def holds(function: FunctionType, defaults: Defaults) -> bool:
    """Whether a function still has the very same defaults."""
    positional, by_name = defaults
    if function.__defaults__ is not positional:
        return False
    now = function.__kwdefaults__ or None
    if now is None or by_name is None:
        return now is by_name
    return now.keys() == by_name.keys() and all(now[key] is by_name[key] for key in now)
