"""What is known of a library's objects, and of what its functions give, beside rules.

A sparse array is an object of a class in Python that holds arrays, which may carry a derivative; an
object in C that it hands to SuperLU carries none, and is an operand like others.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterable
from types import FunctionType
from typing import Any

from autodiff import runtime
from autodiff.rules import registry
from autodiff.rules.home import module_of

_axes_of: dict[Any, int] = {}
_handles: set[type] = set()
_followed: set[str] = set()
_kept = [0]

_whole: set[Any] = {
    *(runtime.pad_adjoint, runtime.svdvals_adjoint, runtime.svd_adjoint, runtime.qr_adjoint),
    *(runtime.qr_r_adjoint, runtime.undiff, runtime.quantile_adjoint, runtime.cumprod_adjoint),
    *(runtime.edges_adjoint, runtime.unsplit),
}


def add_handles(classes: Iterable[type]) -> None:
    """Register classes of what is held in C and carries no derivative: operands of rules."""
    _handles.update(classes)


def is_handle(value: Any) -> bool:
    """Whether an object is of such a class; one in C may not say which library it is from."""
    cls = type(value)
    if cls.__module__ == "builtins" and not hasattr(builtins, cls.__name__):
        registry.load_part("scipy.sparse")
    return cls in _handles


def add_followed(modules: Iterable[str]) -> None:
    """Register modules of a library whose objects may hold what carries a derivative: where their
    methods have no rule, the run is followed.
    """
    _followed.update(modules)


def is_followed(value: Any) -> bool:
    """Whether a function, class or object is of such a module, or of one inside it."""
    module = module_of(value)
    registry.load_part(".".join(module.split(".")[:2]))
    return any(f"{module}.".startswith(f"{own}.") for own in _followed)


def keep_zeros() -> None:
    """Says that a matrix keeps what is 0 and a library leaves out, as it may have a derivative."""
    _kept[0] += 1


def zeros_kept() -> int:
    """How often that was said."""
    return _kept[0]


def add_axes_of(functions: dict[Callable[..., Any], int]) -> None:
    """Register functions that return a new array with as many axes as an operand, by its place."""
    _axes_of.update(functions)
    registry.add_making(functions)


def axes_of(function: Any) -> int | None:
    """The place of this operand; None for other functions."""
    return _axes_of.get(function) if isinstance(function, FunctionType) else None


def is_whole(function: Any) -> bool:
    """Whether a function gives, in a rule, an adjoint of exactly the shape of its primal."""
    return isinstance(function, FunctionType) and (function in _axes_of or function in _whole)
