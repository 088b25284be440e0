"""Powers of real numbers that are complex."""

from __future__ import annotations

from typing import Any

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
