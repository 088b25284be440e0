"""What is written in C and given what carries a derivative, in a run.

is_list_like(x)         says something of x that has no derivative: run as it stands
BlockManager((x,))      holds what it is given, and may give that out again

Numbers that carry a derivative are none for C (they raise), and arrays are locked while it runs, so
that what it makes of them is what it gives. Of an object that holds something, floats are made of
that: they are refused.
"""

from __future__ import annotations

import types
from collections.abc import Sequence
from typing import Any

import numpy as np

from autodiff.tracing.number import Number
from autodiff.tracing.one_operation import Missing
from autodiff.tracing.operations import locked
from autodiff.tracing.reach import every, is_active, is_discrete
from autodiff.tracing.trace import Trace, Unfollowed, root_of

_BUFFERS = (bytearray, memoryview)
_ABOUT = (type, np.dtype, types.NotImplementedType)


def told(trace: Trace, f: Any, args: Any, keywords: Any) -> tuple[Any] | None:
    """What a function in C gives that has no derivative, or is what it was given; None for one that
    may give something else.
    """
    owner = getattr(f, "__self__", None)
    known = owner is None or isinstance(owner, types.ModuleType) or id(owner) in trace.held
    given = every((args, keywords, owner))
    if isinstance(f, type) or not known:
        return None
    if given is None or any(isinstance(own, _BUFFERS) for own in given):
        return None
    failed = trace.failed
    floats = [own for own in given if isinstance(own, np.ndarray) and own.dtype.kind not in "biu"]
    try:
        found = locked(floats, f, args, keywords)
    except (Missing, TypeError, Unfollowed):
        trace.failed = failed
        return None
    return (found,) if _is_told(trace, found, given) else None


def given_out(trace: Trace, x: Any, found: Any) -> bool:
    """Whether an attribute of such an object is what it holds, or has no derivative."""
    return _is_told(trace, found, every(x) or ())


def _is_told(trace: Trace, x: Any, given: Sequence[Any]) -> bool:
    if any(own is x for own in given) or isinstance(x, (_ABOUT, Number)):
        return True
    if isinstance(x, (tuple, list)):
        return all(_is_told(trace, own, given) for own in x)
    if isinstance(x, np.ndarray) and trace.memory(x) is not None:
        return True  # a view of what it was given
    if isinstance(x, (str, dict)):
        trace.printed |= isinstance(x, str)
        return isinstance(x, str) or all(_is_told(trace, own, given) for own in x.values())
    return is_discrete(x)


def held(trace: Trace, cls: type, new: Any, args: Any, keywords: Any) -> Any:
    """An object made in C that holds all that carries a derivative of what it was given; None if it
    does not.
    """
    given = every((args, keywords))
    if given is None:
        return None
    failed = trace.failed
    try:
        made = new(cls, *args, **keywords)
    except (TypeError, Unfollowed):
        trace.failed = failed
        return None
    there = every(made) or ()
    known = {id(root_of(own) if isinstance(own, np.ndarray) else own) for own in there}
    kept = (
        id(root_of(own) if isinstance(own, np.ndarray) else own) in known
        for own in given
        if is_active(trace, own)
    )
    if not all(kept):
        return None
    trace.held[id(made)] = made
    return made
