"""What stands for an object of a library of which calls are all that is asked."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, attr-defined"
from __future__ import annotations

import functools
from typing import Any

from autodiff.lower.recipes.holding import Counterpart


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
