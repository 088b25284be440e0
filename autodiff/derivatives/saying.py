"""What is said on a terminal while a compilation takes more than two seconds: what it compiles."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Iterator
from types import FunctionType

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


def _is_terminal() -> bool:
    try:
        return sys.stderr.isatty()
    except (AttributeError, ValueError):  # there is none, or it is closed
        return False


def _write(text: str) -> None:
    with contextlib.suppress(AttributeError, OSError, ValueError):
        sys.stderr.write(text)
        sys.stderr.flush()
