"""Functions that C calls and that write into their first argument alone.

    def __array_finalize__(self, other):
        self.unit = getattr(other, "unit", None)

They run without hooks. No derivative is lost as long as the numbers that they store were there
before, or carry one themselves.
"""

from __future__ import annotations

import dis
import inspect
from types import CodeType, FrameType
from typing import Any

import numpy as np

from autodiff.tracing.number import Number, is_made_of_floats
from autodiff.tracing.reach import holds, names_of
from autodiff.tracing.trace import Trace

_BEFORE: dict[int, tuple[Any, list[Any]]] = {}
"""What could be reached when a function was entered, for each frame of one."""


def is_of_first(code: CodeType, before: list[dis.Instruction]) -> bool:
    """Whether an attribute is stored of the first argument, which is loaded just before."""
    return bool(before and code.co_argcount) and _loads(code, before[-1], code.co_varnames[0])


def is_of_keywords(
    code: CodeType, instruction: dis.Instruction, before: list[dis.Instruction]
) -> bool:
    """Whether an item is stored under a constant into the dict of the keywords of a call."""
    if not code.co_flags & inspect.CO_VARKEYWORDS or instruction.opname != "STORE_SUBSCR":
        return False
    place = code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & inspect.CO_VARARGS)
    if len(before) < 2 or before[-1].opname != "LOAD_CONST":
        return False
    return _loads(code, before[-2], code.co_varnames[place])


def _loads(code: CodeType, instruction: dis.Instruction, name: str) -> bool:
    """Whether an argument is loaded, which is what it was all along."""
    if not instruction.opname.startswith("LOAD_FAST") or _names(instruction)[-1] != name:
        return False
    return not any(
        own.opname.startswith(("STORE_FAST", "DELETE_FAST")) and name in _names(own)
        for own in dis.get_instructions(code)
    )


def _names(instruction: dis.Instruction) -> tuple[Any, ...]:
    own = instruction.argval
    return own if isinstance(own, tuple) else (own,)


def entered(frame: FrameType) -> None:
    """Notes what is there."""
    outside = frame.f_globals
    there = [outside[name] for name in names_of(frame.f_code) if name in outside]
    found: list[Any] = []

    def note(x: Any) -> bool:
        found.append(x)
        return False

    holds((dict(frame.f_locals), there, frame.f_code.co_consts), note)
    _BEFORE[id(frame)] = frame, found


def are_new(trace: Trace, frame: FrameType) -> bool:
    """Whether the first argument holds numbers now that were not there, and carry no derivative."""
    _, before = _BEFORE.pop(id(frame), (None, None))
    if before is None:
        return False
    known = set(map(id, before))

    def is_new(x: Any) -> bool:
        if x.__class__ is Number or not is_made_of_floats(x) or id(x) in known:
            return False
        return not isinstance(x, np.ndarray) or trace.memory(x) is None

    own = frame.f_locals[frame.f_code.co_varnames[0]]
    parts = getattr(own, "__dict__", None)
    return parts is None or holds(dict(parts), is_new)
