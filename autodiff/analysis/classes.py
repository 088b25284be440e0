"""Attributes of classes as they stand there, and what may be looked up in a table."""

from __future__ import annotations

from typing import Any


def class_attribute(cls: type, name: str, bases: tuple[type, ...] | None = None) -> Any:
    """The raw attribute of a class, descriptors unbound; None where there is none."""
    for base in cls.__mro__ if bases is None else bases:
        if name in base.__dict__:
            return base.__dict__[name]
    return None


def hashable(value: Any) -> bool:
    """Whether a value can be a key."""
    try:
        hash(value)
    except TypeError:
        return False
    return True
