"""What is written in C and given what carries a derivative, in a run.

is_list_like(x)         says something of x that has no derivative: run as it stands
BlockManager((x,))      holds what it is given, and may give that out again

Numbers that carry a derivative are none for C (they raise), and arrays are locked while it runs;
some C writes through a lock, so that arrays are compared with what they were. Whatever can be
reached afterwards and could not before is looked at: a float, an array of floats or bytes were
made of what carries a derivative, and are refused, wherever they were put.
"""

from __future__ import annotations

import types
from typing import Any

import numpy as np

from autodiff.tracing.number import Number
from autodiff.tracing.one_operation import Missing
from autodiff.tracing.operations import locked
from autodiff.tracing.reach import every, is_active, is_discrete
from autodiff.tracing.trace import Trace, Unfollowed, root_of

_BUFFERS = (bytearray, memoryview)
_MEMORY = (float, complex, np.inexact, bytes, *_BUFFERS)
_ABOUT = (type, np.dtype, types.NotImplementedType)


def told(trace: Trace, f: Any, args: Any, keywords: Any) -> tuple[Any] | None:
    """What a function in C gives that has no derivative, or is what it was given; None for one that
    may give something else.
    """
    owner = getattr(f, "__self__", None)
    known = owner is None or isinstance(owner, types.ModuleType) or id(owner) in trace.held
    if isinstance(f, type) or not known:
        return None
    return _run(trace, f, args, keywords, (f, args, keywords))


def held(trace: Trace, cls: type, new: Any, args: Any, keywords: Any) -> Any:
    """An object made in C that holds all that carries a derivative of what it was given; None if it
    does not, or holds what was made of that.
    """
    given = every((args, keywords))
    if given is None:
        return None
    found = _run(trace, new, (cls, *args), keywords, (args, keywords), is_object=True)
    there = every(found) if found is not None else None
    if found is None or there is None:
        return None
    known = set(map(_root, there))
    if not all(_root(own) in known for own in given if is_active(trace, own)):
        return None
    made = found[0]
    trace.held[id(made)] = made
    return made


def given_out(trace: Trace, x: Any, get: Any, *asked: Any) -> Any:
    """`get(x, *asked)` of such an object: what it holds, or has no derivative.

    Raises Unfollowed for others.
    """
    found = _run(trace, get, (x, *asked), {}, (x, asked), is_method=True)
    if found is None:
        raise trace.fail(f"a number of an object of {type(x).__name__}")
    return found[0]


def _run(
    trace: Trace,
    f: Any,
    args: Any,
    keywords: Any,
    before: Any,
    is_object: bool = False,
    is_method: bool = False,
) -> tuple[Any] | None:
    """What a call gives; None where it may be made of what carries a derivative, or has left such a
    thing where it can be reached. is_object: of any class. is_method: of such, or a callable.
    """
    given = every(before)
    if given is None or any(isinstance(own, _BUFFERS) for own in given):
        return None
    floats = [own for own in given if isinstance(own, np.ndarray) and own.dtype.kind not in "biu"]
    values = [own.tobytes() for own in floats]
    failed = trace.failed
    try:
        found = locked(floats, f, args, keywords)
    except (Missing, TypeError, Unfollowed):
        trace.failed = failed
        return None
    if any(own.tobytes() != value for own, value in zip(floats, values)):
        return None
    ids = set(map(id, given))
    there = every((before, found))
    if there is None or any(id(own) not in ids and _is_made(trace, own) for own in there):
        return None
    any_class = is_object or is_method and callable(found)
    return (found,) if any_class or _is_told(trace, found, ids) else None


def _is_made(trace: Trace, x: Any) -> bool:
    """Whether a number or memory that was not there before may be made of what was."""
    if isinstance(x, np.ndarray):
        return x.dtype.kind not in "biuO" and trace.memory(x) is None
    return isinstance(x, _MEMORY) and not _is_nan(x)


def _is_nan(x: Any) -> bool:
    """Whether something is no number, and so has no derivative, whatever it was made of."""
    return isinstance(x, (float, np.floating)) and bool(x != x)


def _is_told(trace: Trace, x: Any, given: set[int]) -> bool:
    """Whether something was given, or has no derivative."""
    if id(x) in given or isinstance(x, (*_ABOUT, Number)) or _is_nan(x):
        return True
    if isinstance(x, (tuple, list)):
        return all(_is_told(trace, own, given) for own in x)
    if isinstance(x, dict):
        return all(_is_told(trace, own, given) for own in (*x, *x.values()))
    if isinstance(x, np.ndarray) and trace.memory(x) is not None:
        return True  # a view of what it was given
    trace.printed |= isinstance(x, str)
    return is_discrete(x)


def _root(x: Any) -> int:
    return id(root_of(x) if isinstance(x, np.ndarray) else x)
