"""What stands for an object of a library of which calls are all that is asked."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, attr-defined"
from __future__ import annotations

import functools
from abc import ABCMeta
from typing import Any


class Counterpart(metaclass=ABCMeta):  # noqa: B024 (plain classes of templates are registered)
    """What stands for an object of a library; what that is equal to, nobody knows."""

    __eq__: Any = None
    __hash__: Any = None


class Called(Counterpart):
    """Its function is what a call calls; whether it is true, nobody knows."""

    __bool__ = None

    def __call__(self, *given, **named):
        return self.function(*given, **named)

    def __array__(self, dtype=None, copy=None):
        return self.function()  # of an object that is an array for NumPy


@functools.cache
def named_after(target: Any) -> type[Called]:
    """The class of what stands for what a callable makes, by a name that the user knows."""
    return type(target.__name__, (Called,), {"__module__": target.__module__})


def known_as(cls: type) -> str:
    """What a user calls a class, which may be one of ours that stands for another."""
    return cls.__name__.lower() if cls.__module__.startswith("autodiff.") else cls.__name__
