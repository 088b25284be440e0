"""What solvers give: numbers in a known form, and answers that carry no derivative."""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.errors import NonDifferentiableError


def said(found: Any, key: int | str) -> Any:
    """A part of what a solver gave."""
    return found[key] if isinstance(key, int) else getattr(found, key)


def formed(found: Any, key: int | str | None, like: Any) -> Any:
    """Floats in what a solver gave, as a new array or number, in the form that they have to have.

    Raises:
        NonDifferentiableError: they have another one.
    """
    array = np.asarray(found if key is None else said(found, key))
    wanted = np.asarray(like)
    if array.shape != wanted.shape or array.dtype != wanted.dtype:
        raise NonDifferentiableError(
            f"a solver gave {array.dtype} of shape {array.shape}, not {wanted.dtype} of shape "
            f"{wanted.shape}",
            why="a derivative is known of real floats in the form of the first guess",
            cure="begin with floats in the form of the solution",
        )
    if isinstance(like, np.ndarray):
        return array.copy()
    return array[()] if isinstance(like, np.generic) else float(array)


def counted(found: Any, key: int | str) -> Any:
    """An answer of a solver that is counted, tested or read; floats would carry a derivative.

    Raises:
        NonDifferentiableError: it is a float, or holds such.
    """
    answer = said(found, key)
    if isinstance(answer, (bool, int, str, np.bool_, np.integer, type(None))):
        return answer
    raise NonDifferentiableError(
        f"the derivative of `{key}` of what a solver gave is not known",
        why="that of the solution is, and of the value there",
        cure=f"read `{key}` in a function of its own that is declared @nondifferentiable",
    )


def ended(said: Any) -> bool:
    """Whether `odeint` says that it came to the end."""
    return bool(said["message"] == "Integration successful.")


def size_of(found: Any, key: str) -> int:
    """How many numbers are in a part of what a solver gave."""
    return int(np.size(said(found, key)))


def at_bound(x: Any, bound: Any, slope: Any) -> Any:
    """Where a minimum lies on a lower bound: it is nearer to that than the slope is to zero."""
    return np.asarray(np.asarray(x) - bound < slope)


def valued(found: Any, value: Any) -> Any:
    """`found`, with the derivative of `value`: the same, but for the last digits."""
    return found * 1.0  # new memory


def unfollowed(found: Any, x: Any, name: str) -> Any:
    """`found`, which depends on `x` in a way that no rule knows."""
    return found * 1.0


def no_slope(g: Any, x: Any, name: str) -> Any:
    """What is asked for the derivative of such: an error."""
    raise NonDifferentiableError(
        f"the derivative of `{name}` of what a solver gave is not known",
        why="that of the solution is, and of the value there",
        cure=f"compute `{name}` from the solution, with functions of NumPy",
    )


def claims(found: Any, key: str) -> bool:
    """Whether a solver says that it found what it was asked for."""
    return bool(getattr(found, key))


_REST = 1e-5
"""So small is the slope at a minimum, beside 1 and the value: the `gtol` of SciPy's methods."""


def rests(found: Any, slope: Any, below: Any, above: Any) -> bool:
    """Whether a minimum was found; below, above: what lies on a bound. Methods that are asked for
    more digits than there are say that they have failed where the slope is as good as zero.
    """
    value = float(np.max(np.abs(getattr(found, "cost", found.fun))))
    free = np.where(np.logical_or(below, above), 0.0, slope)
    return bool(found.success) or bool(np.max(np.abs(free)) <= _REST * (1.0 + value))


def settled(x: Any, good: bool) -> Any:
    """`x`, whose derivative is known if it is what was asked for."""
    return x * 1.0


def if_settled(g: Any, good: bool) -> Any:
    """`g`, an adjoint or a tangent: zero of what is not used.

    Raises:
        NonDifferentiableError: the solver did not find what it was asked for.
    """
    if good or not np.any(g):
        return g * 1.0
    raise NonDifferentiableError(
        "a solver that did not converge gives nothing that has a derivative",
        why="`success`, or `converged`, is False",
        cure="begin elsewhere, scale the function, or ask for it before what was given is used",
    )
