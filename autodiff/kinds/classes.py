"""Attributes of classes as they stand there, and what may be looked up in a table."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

_FIELD = type(vars(namedtuple("_FIELD", "field"))["field"])
"""What reads a field of a namedtuple."""


def class_attribute(cls: type, name: str, bases: tuple[type, ...] | None = None) -> Any:
    """The raw attribute of a class, descriptors unbound; None where there is none."""
    for base in cls.__mro__ if bases is None else bases:
        if name in base.__dict__:
            return base.__dict__[name]
    return None


def is_named_tuple(cls: type) -> bool:
    """Whether a class is a namedtuple whose fields and items are read as they were put in."""
    fields = getattr(cls, "_fields", None)
    if not fields or not issubclass(cls, tuple):
        return False
    return all(type(class_attribute(cls, field)) is _FIELD for field in fields) and all(
        class_attribute(cls, method) is vars(tuple)[method]
        for method in ("__getitem__", "__iter__", "__len__")
    )
