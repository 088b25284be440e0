"""Where generated code keeps the values that its reverse sweep needs."""

from __future__ import annotations

from typing import Any


class Tape(list[Any]):
    """A stack: `push` in the forward sweep, `pop` at the mirrored place of the reverse sweep.

    >>> tape = Tape()
    >>> tape.push(1.0)
    >>> tape.pop()
    1.0
    """

    __slots__ = ()

    push = list.append
