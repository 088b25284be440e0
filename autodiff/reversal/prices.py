"""What the tape costs, and operations that are done again, as multiples of an entry."""

from __future__ import annotations

import math
import operator
from dataclasses import dataclass

from autodiff.core import Apply, Load, Operation, Store
from autodiff.kinds.kind import Scalar


@dataclass(frozen=True, slots=True)
class Prices:
    """Measured for what runs the text.

    push: of several entries, beside them; of one it costs half. number: a number that is pushed
    rather than computed by several operations. kept: to keep what is overwritten at one place, and
    to put it back. copy: an array on the tape of which one number changes after the other. python,
    numpy, look: operations on Python's numbers, on NumPy's, and a look into memory. quotient, call:
    divisions, and functions of numbers. dear: what costs so much is not done again. several: so
    many operations on arrays are dearer than an array on the tape, beside another one. worth:
    further entries have to save so much: a text that computes again is the shorter one. most: so
    many times as many. first: what costs so much is pushed where nothing else is.
    """

    push: float
    number: float
    kept: float
    copy: float
    python: float
    numpy: float
    look: float
    quotient: float
    call: float
    dear: float
    several: float
    worth: float
    most: int
    first: float

    def weight(self, op: Operation, varies: bool) -> float:
        """What an operation on numbers costs; on arrays as if it cost nothing. varies: so does its
        last operand.
        """
        if isinstance(op, Store):
            return self.look
        if not op.results or not isinstance(op.result.kind, Scalar):
            return 0.0
        if isinstance(op, Load):
            return self.look if op.window is not None else 0.0
        if isinstance(op, Apply) and op.primitive.function in _QUOTIENTS:
            return max(self.quotient if varies else 0.0, self.usual(op))
        own = isinstance(op, Apply) and getattr(op.primitive.function, "__module__", None)
        return max(self.call if own in ("math", "numpy") else 0.0, self.usual(op))

    def usual(self, op: Operation) -> float:
        """What an operator costs."""
        return self.python if op.result.kind.dtype is None else self.numpy  # type: ignore[attr-defined]


_QUOTIENTS = (operator.truediv, operator.mod, operator.floordiv, math.sqrt)

PYTHON = Prices(2.0, 0.4, 1.5, 6.0, 0.2, 0.35, 0.45, 0.0, 0.0, 0.6, 3, 0.75, 2, math.inf)
"""A push costs as much as two entries, since it makes a tuple and calls a method."""

NATIVE = Prices(0.0, 0.4, 1.0, 6.0, 0.15, 0.15, 0.1, 1.0, 4.0, 0.9, math.inf, 0.75, 8, 3.0)
"""An entry is a store and a load; what is cheaper runs side by side."""
