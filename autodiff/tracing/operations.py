"""One operation in a run: it is run as it stands, and its derivative is compiled like a function's.

    np.sum(w * r, axis=1)      def sum(a0):
                                   return numpy_sum(a0, axis=1)

What an operation reads is copied, so that later updates in place leave its derivative as it is.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

import numpy as np

from autodiff.primitives.primitive import Slot
from autodiff.primitives.table import REORDERING, permissions_of
from autodiff.rules import foreign
from autodiff.runtime.structure import as_tuple
from autodiff.tracing.array_classes import says_itself
from autodiff.tracing.guard import seen_in_operation, unwatched
from autodiff.tracing.number import (
    FLOATS,
    Number,
    carries,
    is_made_of_floats,
    value_of,
)
from autodiff.tracing.one_operation import Missing, Operation
from autodiff.tracing.reach import holds_derivative
from autodiff.tracing.recording import record
from autodiff.tracing.trace import Trace, may_overlap, place_of, root_of

_MOST = 256
"""So many operands an operation has at most: its text names each."""
_OPERATIONS: dict[Any, Operation] = {}


class Form:
    """The arguments of a call taken apart: the operands, and the text around them."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.operands: list[Any] = []
        self.constants: dict[str, Any] = {}

    def text(self, x: Any) -> str:
        """What stands for an argument in the text of the operation."""
        if x is None or x.__class__ in (bool, int, str):
            return repr(x)
        if isinstance(x, (int, str)) and not isinstance(x, np.generic):  # of an enumeration
            return int.__repr__(x) if isinstance(x, int) else str.__repr__(x)
        if x.__class__ is Number or isinstance(x, (np.ndarray, *FLOATS)):
            self.operands.append(x)
            if len(self.operands) > _MOST:
                raise Missing("an operation on very many numbers")
            return f"a{len(self.operands) - 1}"
        if x.__class__ in (tuple, list):
            parts = ", ".join(map(self.text, x))
            if x.__class__ is list:
                return f"[{parts}]"
            return f"({parts},)" if len(x) == 1 else f"({parts})"
        if x.__class__ in (slice, range):
            limits = ", ".join(map(self.text, (x.start, x.stop, x.step)))
            return f"{x.__class__.__name__}({limits})"
        if isinstance(x, (np.integer, np.bool_)):
            return repr(x.item())
        if x is Ellipsis:
            return "..."
        if isinstance(x, np.dtype) and x.names is None and x.subdtype is None:
            return f"np.{x.type.__name__}"
        if isinstance(x, type) and issubclass(x, np.generic):
            return f"np.{x.__name__}"
        if holds_derivative(self.trace, x) or not (
            isinstance(x, _CONSTANT) or foreign.is_handle(x)
        ):
            raise Missing(f"an operation on an object of {type(x).__name__}")
        if not isinstance(x, _CONSTANT):
            self.operands.append(x)
            return f"a{len(self.operands) - 1}"
        name = f"k{len(self.constants)}"
        self.constants[name] = x
        return name

    def values(self, x: Any) -> Any:
        """An argument as it is given to the operation itself."""
        if x.__class__ is Number:
            return x.value
        if x.__class__ is tuple or x.__class__ is list:
            return x.__class__(map(self.values, x))
        return x


_SIGNS = frozenset(("+", "-", "*", "/", "//", "%", "**"))
_CONSTANT = (type, np.dtype, np.ufunc, FunctionType, BuiltinFunctionType, ModuleType, bytes)


def operate(
    trace: Trace,
    what: Any,
    template: str,
    args: tuple[Any, ...],
    keywords: dict[str, Any],
    run: Callable[..., Any],
    ruled: bool = False,
) -> Any:
    """The value of an operation, which is written on the tape.

    what: the function or the operator. template: how its call is written, `{f}({args})`. run: what
    is called with the plain values. ruled: by a rule of the user's.

    Raises Missing where there is no derivative of it.
    """
    if any(isinstance(own, np.ndarray) and own.dtype.kind == "O" for own in args):
        raise Missing("an operation on an array of objects")
    args, keywords = _kept(what, args, keywords)
    form = Form(trace)
    texts = [form.text(own) for own in args]
    texts += [f"{name}={form.text(own)}" for name, own in keywords.items()]
    operands = form.operands
    active = tuple(k for k, own in enumerate(operands) if carries(trace, own))
    source = template.format(*texts, args=", ".join(texts))
    elementwise = what in _SIGNS or isinstance(what, np.ufunc) and template.startswith("f(")
    copies = tuple(
        np.array(own, order="K") if isinstance(own, np.ndarray) else value_of(own)
        for own in operands
    )
    values = [form.values(own) for own in args]
    named = {name: form.values(own) for name, own in keywords.items()}
    if elementwise:
        result = run(*values, **named)
    else:
        with seen_in_operation() if any(map(says_itself, operands)) else unwatched():
            result = locked(
                [own for own in operands if isinstance(own, np.ndarray)], run, values, named
            )
    roots = {id(root_of(own)) for own in operands if isinstance(own, np.ndarray)}
    outs: list[Any] = []
    if ruled and any(id(root_of(own)) in roots for own in _arrays(result)):
        raise trace.fail("a rule of what gives memory that it is given")
    wrapped = _wrapped(trace, result, roots, outs)
    if trace.watch is None and not any(out is not None for out in outs):
        return wrapped
    key = (what if not isinstance(what, str) else "", source, *form.constants.values())
    operation = _OPERATIONS.get(key)
    if operation is None:
        names = ", ".join(f"a{k}" for k in range(len(operands)))
        text = f"def operation({names}):\n    return {source}\n"
        operation = _OPERATIONS[key] = Operation(text, {"f": what, **form.constants}, elementwise)
    if trace.watch is not None:
        trace.watch.seen(operation.function, copies, {}, operation, active)
        if not any(out is not None for out in outs):
            return wrapped
    places = tuple(place_of(operands[k]) for k in active)
    record(trace, operation, active, places, copies, result, outs)
    return wrapped


@functools.lru_cache(maxsize=1024)
def _permits(function: Any) -> tuple[Slot, ...]:
    """The parameters by which a function may write anything to its operands."""
    if isinstance(function, str) or function in REORDERING:
        return ()
    return tuple(own for own in permissions_of(function) if False in own.harmless)


def _kept(
    what: Any, args: tuple[Any, ...], keywords: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments without the leave to overwrite: memory that the result shares would be lost,
    and what LAPACK writes to cannot be locked.
    """
    for slot in _permits(what):
        if slot.name is not None and keywords.get(slot.name):
            keywords = {**keywords, slot.name: False}
        if slot.position is not None and slot.position < len(args):
            args = (*args[: slot.position], False, *args[slot.position + 1 :])
    return args, keywords


def operated(trace: Trace, f: Any, args: Any, keywords: Any = None) -> Any:
    """The value of a call that is an operation; a run with one that is none is not followed."""
    try:
        return operate(trace, f, "f({args})", args, keywords or {}, f)
    except Missing as why:
        raise trace.fail(str(why)) from None


def _arrays(x: Any) -> list[Any]:
    """The arrays in a result."""
    if isinstance(x, (tuple, list)):
        return [part for own in x for part in _arrays(own)]
    return [x] if isinstance(x, np.ndarray) else []


def locked(arrays: list[Any], run: Any, values: Any, named: Any) -> Any:
    """What an operation gives that may not write to its operands: Missing where it tries."""
    held = [own for own in arrays if not _is_locked(own) and _may_be_locked(own)]
    for own in held:
        own.flags.writeable = False
    dropped: list[Any] = []  # errors that C code cannot raise
    usual, sys.unraisablehook = sys.unraisablehook, dropped.append
    try:
        result = run(*values, **named)
        if held and any(map(_is_of_lock, dropped)):
            raise Missing("an operation that changes what it is given")
    except ValueError as error:
        if held and ("read-only" in str(error) or "output array" in str(error)):
            raise Missing("an operation that changes what it is given") from None
        raise
    finally:
        sys.unraisablehook = usual
        for own in dropped:
            if not (held and _is_of_lock(own)):
                usual(own)
        for own in sorted(held, key=_depth):  # what others are views of comes first
            own.flags.writeable = True
    roots = {id(root_of(own)) for own in held}
    if any(_is_locked(own) and id(root_of(own)) in roots for own in _arrays(result)):
        return run(*values, **named)  # a view, with the flags that NumPy gives it
    return result


def _is_of_lock(dropped: Any) -> bool:
    """Whether an error that was dropped says that memory may not be written to."""
    return "read-only" in str(dropped.exc_value)


def _is_locked(array: Any) -> bool:
    """Whether it may not be written to; its flags warn of what is broadcast."""
    return bool(array.__array_interface__["data"][1])


def _may_be_locked(array: Any) -> bool:
    """Whether NumPy lets it be written to again afterwards."""
    base = array.base
    return base is None or isinstance(base, np.ndarray) and bool(base.flags.writeable)


def _depth(array: Any) -> int:
    count = 0
    while isinstance(array.base, np.ndarray):
        array, count = array.base, count + 1
    return count


def _wrapped(trace: Trace, x: Any, roots: set[int], outs: list[Any]) -> Any:
    """A result with what carries its derivative, which is listed; None for what carries none."""
    if isinstance(x, tuple):
        return as_tuple(x, [_wrapped(trace, own, roots, outs) for own in x])
    if x.__class__ is list:
        return [_wrapped(trace, own, roots, outs) for own in x]
    if isinstance(x, (np.ndarray, np.generic)) and x.dtype.kind in "mM":
        raise Missing("an operation that gives a time, cut to whole units: divide by a unit first")
    if isinstance(x, np.ndarray):
        if x.dtype.kind == "O":
            raise Missing("an array of objects")
        if x.dtype.names and id(root_of(x)) not in roots:
            raise Missing("an operation that gives records")
        if x.dtype.kind not in "fc" or id(root_of(x)) in roots:
            outs.append(None)
            return x
        if may_overlap(x):  # a number that is broadcast: elements that are one have one adjoint
            if not _is_locked(x):
                raise Missing("an operation that gives elements that are one")
            x = x.copy()
            x.flags.writeable = False
        trace.activate(x)
        outs.append(place_of(x))
        return x
    if is_made_of_floats(x):
        outs.append(Number(trace, x))
        return outs[-1]
    if not isinstance(x, _DISCRETE):
        raise trace.fail(f"an operation that gives an object of {type(x).__name__}")
    trace.printed |= isinstance(x, (str, bytes))
    outs.append(None)
    return x


_DISCRETE = (
    bool,
    int,
    str,
    bytes,
    np.bool_,
    np.integer,
    np.dtype,
    type,
    type(None),
    np.str_,
    slice,
)
