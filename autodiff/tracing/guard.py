"""Code of the user's that runs without hooks, since C calls it: it loses no derivative, or the run
is not followed.

Special methods that C calls (`__eq__` of a list's items, `__hash__`) give truths and whole numbers,
and are harmless as long as they write nothing. What gives numbers, or writes, is not.
"""

from __future__ import annotations

import dis
import functools
import inspect
import sys
import types
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from types import CodeType, FrameType
from typing import Any

import numpy as np

from autodiff.rules.home import is_library
from autodiff.tracing.hooked import with_hooks
from autodiff.tracing.number import is_made_of_floats
from autodiff.tracing.reach import holds, holds_derivative, names_of
from autodiff.tracing.trace import current

_SAFE: dict[int, CodeType] = {}
_WATCHED: dict[int, CodeType] = {}
_HOOKED: dict[int, CodeType] = {}
_WRITES = ("STORE_ATTR", "STORE_SUBSCR", "STORE_GLOBAL", "DELETE_ATTR", "DELETE_SUBSCR")
_CHANGING = frozenset(
    ("append", "appendleft", "extend", "insert", "add", "update", "setdefault", "pop", "popitem",
     "remove", "discard", "clear", "fill", "put", "sort", "send", "write", "__setattr__", "setattr")
)  # fmt: skip
_LAZY = functools.cached_property.__get__.__code__


def watched() -> AbstractContextManager[None]:
    """While code without hooks is seen; what a debugger or a profiler has put there stays."""
    if sys.gettrace() is None:
        return _put(sys.settrace, _entered, None)
    if sys.getprofile() is None:
        return _put(sys.setprofile, _called, None)
    return nullcontext()


def unwatched() -> AbstractContextManager[None]:
    """While nothing of the user's is run."""
    if sys.gettrace() is _entered:
        return _put(sys.settrace, None, _entered)
    if sys.getprofile() is _called:
        return _put(sys.setprofile, None, _called)
    return nullcontext()


@contextmanager
def _put(place: Callable[[Any], None], inside: Any, after: Any) -> Iterator[None]:
    place(inside)
    try:
        yield
    finally:
        place(after)


def _called(frame: FrameType, event: str, given: Any) -> None:
    """The same for a profiler's place, where a debugger has its own."""
    if event == "call":
        _entered(frame, event, given)
    elif event == "return" and id(frame.f_code) in _WATCHED:
        _left(frame, event, given)


def _entered(frame: FrameType, event: str, given: Any) -> Any:
    code = frame.f_code
    if id(code) in _SAFE:
        return None
    if id(code) not in _WATCHED:
        module = frame.f_globals.get("__name__") or ""
        if code in with_hooks.OWN:
            _HOOKED[id(code)] = code
        if code in with_hooks.OWN or is_library(module) or module.startswith("namedtuple_"):
            _SAFE[id(code)] = code
            return None
        _WATCHED[id(code)] = code
    before = frame.f_back
    if writes(code) or before is not None and before.f_code is _LAZY:
        _check(frame, "a function that C calls")
    if sys.gettrace() is _entered:
        frame.f_trace_lines = False
    return _left


def _left(frame: FrameType, event: str, given: Any) -> Any:
    if event == "return" and given is not None:
        if frame.f_code.co_flags & inspect.CO_GENERATOR or holds(given, _is_of_floats):
            _check(frame, "a number of a function that C calls")
    return _left


def _check(frame: FrameType, reason: str) -> None:
    trace = current()
    if trace is None or trace.failed is not None:
        return
    own = frame.f_globals
    outside = [own[name] for name in names_of(frame.f_code) if name in own]
    if not _imports(frame) and holds_derivative(trace, (dict(frame.f_locals), outside)):
        trace.fail(f"{reason}, {frame.f_code.co_name}")


def _imports(frame: FrameType | None) -> bool:
    """Whether it is run by an import, which is none of the function's."""
    while frame is not None and id(frame.f_code) not in _HOOKED:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def _is_of_floats(x: Any) -> bool:
    return is_made_of_floats(x) or isinstance(x, (types.FunctionType, np.void))


_KINDS: dict[int, bool] = {}


def writes(code: CodeType) -> bool:
    """Whether something outlasts a call of it."""
    found = _KINDS.get(id(code))
    if found is None:
        found = not _CHANGING.isdisjoint(code.co_names) or any(
            own.opname in _WRITES or own.opname == "STORE_DEREF" and own.argval in code.co_freevars
            for own in dis.get_instructions(code)
        )
        _KINDS[id(code)] = found
    return found
