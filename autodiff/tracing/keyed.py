"""Entries of dicts under keys that carry a derivative: those of memos.

    if x not in memo: memo[x] = costly(x)

What an earlier call left there is a constant, which `x` does not reach any more: a run does not
find it, and leaves none.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autodiff.tracing.number import Number
from autodiff.tracing.trace import Trace

_NONE = object()


def carries_key(key: Any) -> bool:
    """Whether a key carries a derivative."""
    if key.__class__ is tuple or key.__class__ is frozenset:
        return any(map(carries_key, key))
    return key.__class__ is Number


def noted(trace: Trace, x: Any, key: Any) -> None:
    """Notes that an entry is made under a key, if that carries a derivative."""
    if isinstance(x, dict) and carries_key(key):
        own, before = trace.keyed.setdefault(id(x), (x, {}))
        before.setdefault(key, dict.get(own, key, _NONE))


def is_hidden(trace: Trace | None, x: Any, key: Any) -> bool:
    """Whether there is an entry under such a key that this run did not make."""
    if trace is None or not isinstance(x, dict) or not carries_key(key):
        return False
    made = trace.keyed.get(id(x), (x, {}))[1]
    return key not in made and dict.__contains__(x, key)


def found(trace: Trace | None, x: Any, key: Any) -> None:
    """Asks that an entry that is read was made by this run, or has nothing to do with it: a memo
    asks by a KeyError, one that nobody expects ends the run.
    """
    if trace is not None and is_hidden(trace, x, key):
        trace.hid = True
        raise KeyError(key)


def forget(trace: Trace, is_given: Callable[[Any], bool]) -> None:
    """Puts dicts back as they were, but those that are given out with the value."""
    for own, before in trace.keyed.values():
        if not is_given(own):
            for key, old in before.items():
                if old is _NONE:
                    own.pop(key, None)
                else:
                    own[key] = old
