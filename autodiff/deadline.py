"""Until when this thread may compile: asked at each statement and operation, without signals."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

_LOCAL = threading.local()


class OutOfTime(BaseException):
    """The time is over: as Ctrl-C, no handler of the compiler's takes it."""


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Compilations in the block end after so many seconds, or when one around it has to end."""
    before = getattr(_LOCAL, "end", None)
    end = time.monotonic() + seconds
    _LOCAL.end = end if before is None else min(before, end)
    try:
        yield
    finally:
        _LOCAL.end = before


def check() -> None:
    """Ends what is compiled too long."""
    end = getattr(_LOCAL, "end", None)
    if end is not None and time.monotonic() > end:
        raise OutOfTime
