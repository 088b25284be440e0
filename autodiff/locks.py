"""The locks of the package: a fork waits until they are free, or no thread of the child frees them.

A thread that compiles holds one for seconds, and meanwhile modules are half imported, garbage is
not collected, warnings are off. All of that would stay so in a child that is forked then.
"""

from __future__ import annotations

import os
import threading
from typing import Any
from weakref import WeakValueDictionary

_LOCKS: WeakValueDictionary[int, Any] = WeakValueDictionary()
_held: list[Any] = []


def lock() -> Any:
    """A lock that a fork waits for; the thread that holds it may take it again, and fork."""
    made = threading.RLock()
    _LOCKS[id(made)] = made
    return made


# In the order in which a thread may take one while it holds another; a fork takes them so, too.
COMPILING = lock()  # one for all: it holds the interpreter anyway
TEMPLATES = lock()
TEXTS = lock()
WARNINGS = lock()


def _take() -> None:
    for reference in _LOCKS.valuerefs():
        own = reference()
        if own is not None:
            own.acquire()
            _held.append(own)


def _release() -> None:
    while _held:
        _held.pop().release()


if hasattr(os, "register_at_fork"):  # not on Windows, which has no fork
    os.register_at_fork(before=_take, after_in_parent=_release, after_in_child=_release)
