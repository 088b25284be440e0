"""What loops leave in variables that they do not carry.

for k in range(n):                  one iteration stands apart, and the loop carries `f` from
    f = np.sin if k % 2 else sq     there on, if somebody reads it behind the loop
    x = f(x)
y = f(x)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from autodiff.core import Again, Reread
from autodiff.lower.entries.above import Repeated
from autodiff.lower.entries.entry import Box, Entry, Mixed, Stale, Unbound
from autodiff.lower.flow.heap import is_value


@dataclass(frozen=True, slots=True, eq=False)
class Left(Mixed):
    """A variable that a loop does not carry: what it holds is known where one iteration is."""

    def refusal(self) -> Any:
        """What reading it raises."""
        return Reread((Left, *self.loop), self.reason)


def origin_of(loop: Repeated) -> Any:
    """Where a loop stands."""
    return getattr(loop.node, "origin", None)


def is_asked(loop: Repeated, name: str) -> bool:
    """Whether somebody reads behind a loop what it leaves in a variable, and does not carry."""
    unit = loop.statements.unit
    return (
        loop.before.names.get(name) is None and (Left, name, origin_of(loop)) in unit.doors.decided
    )


def uncarried(loop: Repeated, name: str) -> Entry:
    """What the body sees of a variable that is not carried."""
    before = loop.before.get(name)
    if is_value(before) and not isinstance(before, Box):
        return Mixed("a loop carries what is no number and no array", loop=loop.key)
    if isinstance(before, (Unbound, Stale)):
        return Stale(loop.key, name)
    return Mixed(before.reason, loop=loop.key) if isinstance(before, Mixed) else before


def left(loop: Repeated, name: str, end: Entry) -> Entry:
    """What a variable that is not carried holds after the loop."""
    before = loop.before.get(name)
    if is_value(before) and not isinstance(before, Box):
        return Mixed("a loop carries what is no number and no array")
    if isinstance(before, (Unbound, Stale)):
        untouched = isinstance(end, Unbound) or isinstance(end, Stale) and end.entry is None
        return before if untouched else Left("a variable of a loop", loop=(name, origin_of(loop)))
    if isinstance(before, Mixed) and end is not before:
        return Mixed(before.reason)
    if end is not before and end != before:
        raise Again("a variable that changes its form in a loop", loop.key)
    return before
