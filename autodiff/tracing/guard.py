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
from autodiff.tracing import own_writes
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


def seen_in_operation() -> AbstractContextManager[None]:
    """While an operation runs, whose value is compared: what it calls may write nothing else."""
    if sys.gettrace() is _entered:
        return _put(sys.settrace, _inside, _entered)
    if sys.getprofile() is _called:
        return _put(sys.setprofile, _called_inside, _called)
    return nullcontext()


def _called(frame: FrameType, event: str, given: Any) -> None:
    """The same for a profiler's place, where a debugger has its own."""
    if event == "call":
        _entered(frame, event, given)
    elif event == "return" and id(frame.f_code) in _WATCHED:
        _left(frame, event, given)


def _called_inside(frame: FrameType, event: str, given: Any) -> None:
    if event == "call":
        _inside(frame, event, given)
    elif event == "return" and id(frame.f_code) in _WATCHED:
        _left_inside(frame, event, given)


def _is_watched(frame: FrameType) -> bool:
    """Whether it is code of the user's that has no hooks."""
    code = frame.f_code
    if id(code) in _SAFE:
        return False
    if id(code) not in _WATCHED:
        module = frame.f_globals.get("__name__") or ""
        if code in with_hooks.OWN:
            _HOOKED[id(code)] = code
        if code in with_hooks.OWN or is_library(module) or module.startswith("namedtuple_"):
            _SAFE[id(code)] = code
            return False
        _WATCHED[id(code)] = code
    return True


def _entered(frame: FrameType, event: str, given: Any) -> Any:
    if not _is_watched(frame):
        return None
    before, lasting = frame.f_back, writes(frame.f_code)
    if lasting is _OWN:
        own_writes.entered(frame)
    elif lasting or before is not None and before.f_code is _LAZY:
        _check(frame, "a function that C calls")
    if sys.gettrace() is _entered:
        frame.f_trace_lines = False
    return _left


def _left(frame: FrameType, event: str, given: Any) -> Any:
    if event == "return":
        trace = current()
        if trace is not None and own_writes.are_new(trace, frame):
            _check(frame, "a number that a function stores which C calls")
        before = frame.f_back
        inside = before is not None and id(before.f_code) in _WATCHED  # whose own value is seen
        if given is not None and not inside:
            if frame.f_code.co_flags & inspect.CO_GENERATOR or holds(given, _is_of_floats):
                _check(frame, "a number of a function that C calls")
    return _left


def _inside(frame: FrameType, event: str, given: Any) -> Any:
    if not _is_watched(frame):
        return None
    lasting = writes(frame.f_code)
    if lasting is _OWN:
        own_writes.entered(frame)
    elif lasting:
        _fail(frame, "a function that an operation calls")
    if sys.gettrace() is _inside:
        frame.f_trace_lines = False
    return _left_inside


def _left_inside(frame: FrameType, event: str, given: Any) -> Any:
    trace = current()
    if event == "return" and trace is not None and own_writes.are_new(trace, frame):
        _fail(frame, "a number that a function stores which an operation calls")
    return _left_inside


def _fail(frame: FrameType, reason: str) -> None:
    trace = current()
    if trace is not None and trace.failed is None and not _imports(frame):
        trace.fail(f"{reason}, {frame.f_code.co_name}")


def _check(frame: FrameType, reason: str) -> None:
    trace = current()
    if trace is None or trace.failed is not None:
        return
    own = frame.f_globals
    outside = [own[name] for name in names_of(frame.f_code) if name in own]
    if holds_derivative(trace, (dict(frame.f_locals), outside)):
        _fail(frame, reason)


def _imports(frame: FrameType | None) -> bool:
    """Whether it is run by an import, which is none of the function's."""
    while frame is not None and id(frame.f_code) not in _HOOKED:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def _is_of_floats(x: Any) -> bool:
    return is_made_of_floats(x) or isinstance(x, (types.FunctionType, np.void))


_KINDS: dict[int, Any] = {}
_OWN = "attributes of its first argument"


def writes(code: CodeType) -> Any:
    """Whether something outlasts a call of it; `_OWN` where that is what it says."""
    found = _KINDS.get(id(code))
    if found is None:
        found = not _CHANGING.isdisjoint(code.co_names)
        before: list[dis.Instruction] = []
        for own in () if found else dis.get_instructions(code):
            if own.opname == "STORE_ATTR" and own_writes.is_of_first(code, before):
                found = _OWN
            elif _lasts(code, own) and not own_writes.is_of_keywords(code, own, before):
                found = True
                break
            before.append(own)
        _KINDS[id(code)] = found
    return found


def _lasts(code: CodeType, own: dis.Instruction) -> bool:
    """Whether an instruction writes to what is there after the call."""
    return own.opname in _WRITES or own.opname == "STORE_DEREF" and own.argval in code.co_freevars
