"""Powers of real numbers that are complex, and arrays of integers that numbers are stored into."""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.errors import NonDifferentiableError, Place


def check_real(power: Any) -> None:
    """Check that a power of Python's real numbers is one, as its derivative takes it to be.

    Raises:
        NonDifferentiableError: it is complex: that of a negative number and of no integer.
    """
    if isinstance(power, complex):
        raise of_complex_power()


def of_complex_power(where: Place | None = None) -> NonDifferentiableError:
    """The error of a power that is taken to be real, and is not."""
    return NonDifferentiableError(
        "a power of real numbers is complex here",
        where,
        why="Python's powers of negative numbers are, where the exponent is no integer; "
        "the derivative is that of a real number",
        cure="pass complex numbers, or numbers of NumPy (np.float64), whose powers are nan",
    )


def check_keeps(memory: Any, value: Any = 0.0) -> None:
    """Check that an array keeps the floats that are put there, as the derivative takes it to do.

    Raises:
        NonDifferentiableError: it is an array of integers, which a float is stored into.
    """
    if np.asarray(memory).dtype.kind in "biu" and np.asarray(value).dtype.kind not in "biu":
        raise NonDifferentiableError(
            "a float is stored into an array of integers here",
            why="it loses its fraction, while the derivative is that of floats: what the array, or "
            "its dtype, is made of is an integer on this path, and a float on others",
            cure="make an array of floats, np.array(..., dtype=float)",
        )


def check_cuts(memory: np.ndarray[Any, Any]) -> None:
    """Check that memory is of integers, as the derivative takes it to be.

    Raises:
        NonDifferentiableError: it is an array of floats, which has a derivative.
    """
    if memory.dtype.kind not in "biu":
        raise NonDifferentiableError(
            "an array that a float is stored into is one of floats here",
            why="it is made of Python's integers, whose power is a float where the exponent is "
            "negative, while the derivative is that of integers",
            cure="make an array of floats, np.array(..., dtype=float)",
        )
