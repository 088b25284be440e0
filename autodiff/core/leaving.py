"""Loops that are left before a range is at its end."""

from __future__ import annotations

from autodiff.core.operation import Loop, Operation


class While(Loop):
    """As long as a test is true. The test is the beginning of the body, up to its `Ask`."""


class Ask(Operation):
    """Leaves a `While` unless operand 0 is true; carried values are then what they are at the
    beginning of the iteration.
    """


class Break(Operation):
    """Ends a body: leaves the loop after this iteration if operand 0 is true."""


LEAVING = (Ask, Break)
