"""What is said on a terminal while a compilation takes more than two seconds: what it compiles.
How long it may take.
"""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Iterator
from types import FunctionType

from autodiff import deadline
from autodiff.errors import CompileTimeoutError
from autodiff.loader import place_of

AFTER = 2.0
_saying = False


@contextlib.contextmanager
def said_if_long(function: FunctionType, what: str) -> Iterator[None]:
    """Around a compilation; what is compiled for it is not said."""
    global _saying
    if _saying or not _is_terminal():
        yield
        return
    begin, done, spoke = time.monotonic(), threading.Event(), threading.Event()
    name = f"{what} of {function.__name__} ({place_of(function.__code__)})"

    def say() -> None:
        if not done.wait(AFTER):
            spoke.set()
            _write(f"autodiff is compiling the {name} ...")

    thread = threading.Thread(target=say, daemon=True)
    _saying = True
    try:
        thread.start()
        yield
    finally:
        _saying = False
        done.set()
        if spoke.is_set():
            _write(f" {time.monotonic() - begin:.0f} s\n")


@contextlib.contextmanager
def bounded(seconds: float | None, function: FunctionType, what: str) -> Iterator[None]:
    """Around compilations that may take so many seconds; None: as long as they take.

    Raises CompileTimeoutError where they take longer.
    """
    if seconds is None:
        yield
        return
    try:
        with deadline.within(seconds):
            yield
            return
    except deadline.OutOfTime:
        place = f"{function.__name__} ({place_of(function.__code__)})"
    raise CompileTimeoutError(
        f"compiling the {what} of {place} takes more than {seconds:g} s",
        why="timeout= says that it may not",
        cure=f"say timeout={10 * seconds:g}, or give a function that it calls a derivative of its "
        "own: @custom(vjp=...)",
    )


def _is_terminal() -> bool:
    try:
        return sys.stderr.isatty()
    except (AttributeError, ValueError):  # there is none, or it is closed
        return False


def _write(text: str) -> None:
    with contextlib.suppress(AttributeError, OSError, ValueError):
        sys.stderr.write(text)
        sys.stderr.flush()
