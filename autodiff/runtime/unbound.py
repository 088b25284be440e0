"""What a variable holds that has no value yet, where it is handed on."""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")


class Unbound:
    """What stands for no value."""


def bound(value: T, name: str) -> T:
    """The value of a variable, which is an error if it has none.

    >>> bound(2.0, "x")
    2.0
    >>> bound(Unbound, "x")
    Traceback (most recent call last):
    UnboundLocalError: cannot access local variable 'x' where it is not associated with a value
    """
    if value is Unbound:
        text = f"cannot access local variable '{name}' where it is not associated with a value"
        raise UnboundLocalError(text)
    return value
