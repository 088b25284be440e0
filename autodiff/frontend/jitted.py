"""Functions that Numba compiled, seen as the Python functions that they were made from."""

from __future__ import annotations

from types import FunctionType
from typing import Any

from autodiff.rules.home import module_of


def is_jitted(value: object) -> bool:
    """Whether a value is a dispatcher of Numba's (which is not imported for the question)."""
    from_numba = module_of(type(value)).startswith("numba.")
    return from_numba and isinstance(getattr(value, "py_func", None), FunctionType)


def is_compiled(value: object) -> bool:
    """Whether a value is a function for compiled code alone: a dispatcher, or an intrinsic."""
    intrinsic = type(value).__name__ == "_Intrinsic" and module_of(type(value)).startswith("numba.")
    return intrinsic or is_jitted(value)


def plain(value: Any) -> Any:
    """The Python function behind a dispatcher; any other value itself."""
    return value.py_func if is_jitted(value) else value


def of_elements(value: Any) -> FunctionType | None:
    """The function behind what `numba.vectorize` made; None for anything else."""
    if module_of(type(value)) != "numba.np.ufunc.dufunc":
        return None
    dispatcher: Any = value._dispatcher
    return dispatcher.py_func if is_jitted(dispatcher) else None


def is_of_doubles(value: Any) -> bool:
    """Whether what `numba.vectorize` made has nothing but loops of double precision so far.

    One without signatures gets others as it is called with other numbers.
    """
    return not set("".join(value.types)) - set("d->")
