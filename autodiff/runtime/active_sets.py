"""Minima under constraints: which of them are active, and with what multipliers.

A constraint is `low <= c <= high`; its rows are the slopes of `c`. Lengths are measured beside
1 + |x|, forces beside the slope of what is minimised, at the minimum or where the search began.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.errors import NonDifferentiableError

_NEAR = 1e-3
"""What is farther from its limit than this is not active."""
_ZERO = 1e-6
"""Distance and multiplier are not both smaller than this, nor than the error of the slope."""
_APART = 1e-2
"""Nor are both small, and one of them less than this part of the other."""
_ERROR = {True: 1e-2, False: 1e-5}
"""So large may the error of the slope be if a solver says that it was successful, and if not."""
_SCALE = 1e-4
"""What is smaller is no scale for slopes."""
_RANK = 1e-8
_FLAT = 1e-9
"""A curvature that is less than this, beside the largest one, is zero."""
GOOD, UNFINISHED, WEAK, DEPENDENT, FLAT = range(5)


def multipliers(c: Any, x: Any, rows: Any, slope: Any, first: Any, low: Any, high: Any) -> Any:
    """The multiplier of each constraint: positive at a lower limit, negative at an upper one."""
    return _Active(c, x, rows, slope, first, low, high).signed()


def standing(found: Any, bends: Any, *given: Any) -> int:
    """Whether a minimum has a derivative, or why it has none. bends: the second derivative of what
    is minimised, less that of the constraints by their multipliers.
    """
    active = _Active(*given)
    why = active.standing(bool(getattr(found, "success", True)))
    return FLAT if why == GOOD and active.flat(bends) else why


def decided(x: Any, why: int) -> Any:
    """`x`, which has a derivative if nothing stands against it."""
    return x * 1.0


def if_decided(g: Any, why: int) -> Any:
    """`g`, an adjoint or a tangent: zero of what is not used.

    Raises:
        NonDifferentiableError: a minimum under constraints has no derivative.
    """
    if why == GOOD or not np.any(g):
        return g * 1.0
    message, reason, cure = _WORDS[why]
    raise NonDifferentiableError(message, why=reason, cure=cure)


_WORDS = {
    UNFINISHED: (
        "a minimum under constraints that was not found has no derivative",
        "the slope is no sum of the slopes of active constraints, or one of these is violated: "
        "the solver did not converge, or not to enough digits",
        "ask for more digits (`tol`), begin elsewhere, or scale the function",
    ),
    WEAK: (
        "a minimum has no derivative where an active constraint has the multiplier 0",
        "strict complementarity fails: on one side the minimum stays at the constraint, on the "
        "other it leaves it",
        "leave the constraint out, or make it an equality, whichever holds nearby; or move "
        "away from this point",
    ),
    DEPENDENT: (
        "a minimum where the slopes of the active constraints are linearly dependent",
        "their multipliers are not unique, and the equations of Karush, Kuhn and Tucker singular",
        "leave out what follows from the other constraints",
    ),
    FLAT: (
        "a minimum that is not the only one nearby has no derivative",
        "along the active constraints there is a direction without curvature, or with a negative "
        "one: the equations of Karush, Kuhn and Tucker are singular, or it is no minimum",
        "add a small square to the function, or use what is the same at all these minima",
    ),
}


class _Active:
    """The active set at a minimum."""

    def __init__(
        self, c: Any, x: Any, rows: Any, slope: Any, first: Any, low: Any, high: Any
    ) -> None:
        length = 1.0 + np.max(np.abs(x))
        sizes = np.sqrt(np.sum(rows**2, axis=1))
        self.sizes = np.where(sizes > 0.0, sizes, 1.0)
        below, above = (c - low) / self.sizes / length, (high - c) / self.sizes / length
        self.sign = np.where((below <= above) | (low == high), 1.0, -1.0)
        self.gap, self.fixed = np.minimum(below, above), low == high
        self.rows = rows * (self.sign / self.sizes)[:, None]
        self.slope = slope
        self.scale = max(float(np.max(np.abs(slope))), float(np.max(np.abs(first))), _SCALE)
        self.near = self.fixed | (self.gap <= _NEAR)
        self.kept, self.force = self.near.copy(), np.zeros(len(c))
        self.choose()

    def choose(self) -> None:
        """Leaves out one after the other what is farther from its limit than it is forced to it."""
        while True:
            found = np.linalg.lstsq(self.rows[self.kept].T, self.slope, rcond=None)[0]
            self.force[self.kept] = found / self.scale
            excess = self.force - np.maximum(self.gap, 0.0)
            excess[self.fixed | ~self.kept] = np.inf
            if not np.any(excess <= 0.0):
                return
            self.kept[np.argmin(excess)] = False

    def signed(self) -> Any:
        """The multipliers, in the scale of the constraints."""
        return np.where(self.kept, self.force * self.scale * self.sign / self.sizes, 0.0)

    def standing(self, success: bool) -> int:
        """What can be said of it."""
        left = self.slope - self.rows[self.kept].T @ (self.force[self.kept] * self.scale)
        error = float(np.max(np.abs(left))) / self.scale
        violated = float(np.max(np.where(self.fixed, np.abs(self.gap), -self.gap)))
        if not max(error, violated) <= _ERROR[success]:
            return UNFINISHED
        weak = self.weak(max(error, _ZERO))
        held = self.rows[self.kept | weak]
        if len(held) and np.linalg.matrix_rank(held, tol=_RANK * np.sqrt(len(held))) < len(held):
            return DEPENDENT
        return WEAK if np.any(weak) else GOOD

    def flat(self, bends: Any) -> bool:
        """Whether it may move along the active constraints and stay as low."""
        held = self.rows[self.kept]
        free = np.linalg.svd(held, full_matrices=True)[2][len(held) :]
        if not len(free):
            return False
        sides = np.linalg.eigvalsh(0.5 * (bends + bends.T))
        least = np.linalg.eigvalsh(0.5 * free @ (bends + bends.T) @ free.T)[0]
        return not bool(least > _FLAT * np.max(np.abs(sides)))

    def weak(self, zero: float) -> Any:
        """Where it is open whether a constraint is active."""
        gap, force = np.abs(self.gap), np.maximum(self.force, 0.0)
        small, large = np.minimum(gap, force), np.maximum(gap, force)
        open_ = (large <= zero) | ((large <= _NEAR) & (small >= _APART * large))
        return self.near & ~self.fixed & open_
