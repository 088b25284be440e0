"""What compiles the generated source, if not Python."""

from __future__ import annotations

from dataclasses import dataclass

FLAGS = ("boundscheck", "cache", "error_model", "fastmath", "parallel")
"""The options of `numba.njit` that are passed on."""


@dataclass(frozen=True, slots=True)
class Backend:
    """Numba, and the options that it is given: pairs of name and value, by name."""

    flags: tuple[tuple[str, object], ...] = ()
