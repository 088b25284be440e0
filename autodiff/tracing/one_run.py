"""One run of a function: its arguments and its value, with what they carry."""

from __future__ import annotations

import copy
import enum
import inspect
from collections.abc import Callable, Collection, Mapping
from types import FunctionType, SimpleNamespace
from typing import Any

import numpy as np

from autodiff.rules import foreign
from autodiff.rules.home import is_library, module_of
from autodiff.runtime import zeros_like
from autodiff.runtime.structure import (
    TABLES,
    as_tuple,
    blank,
    fields,
    has_blank,
    in_form,
    is_record,
    table_like,
)
from autodiff.structure import is_leaf
from autodiff.tracing.call_hooks import call
from autodiff.tracing.cleaning import clean, clean_error
from autodiff.tracing.guard import watched
from autodiff.tracing.keyed import forget
from autodiff.tracing.number import Number, add, layer, value_of
from autodiff.tracing.reach import holds, holds_derivative
from autodiff.tracing.trace import Memory, Trace, byte_bounds, place_of, running


class _Inputs:
    """The arguments of a run: copies, in which numbers and arrays of `wrt` carry derivatives."""

    def __init__(self, trace: Trace, dots: bool, copies: list[tuple[Any, Any]]) -> None:
        self.trace, self.dots, self.copies = trace, dots, copies
        self.made: dict[int, Any] = {}

    def active(self, x: Any, dot: Any = None) -> Any:
        """An argument of `wrt`, with its tangent."""
        if is_leaf(x):
            if isinstance(x, np.ndarray):
                own = self._array(x)
                self.trace.activate(own)
            else:
                own = Number(self.trace, x)
            if self.dots and dot is not None:
                add(self.trace, "dot", own, dot)
            return own
        return self._parts(x, dot, self.active)

    def copied(self, x: Any, dot: Any = None) -> Any:
        """Another argument: nothing of the user's is changed."""
        if isinstance(x, np.ndarray):
            return self._array(x)
        return self._parts(x, None, self.copied)

    def _array(self, x: Any) -> Any:
        made = _copied(x)
        self.copies.append((x, made))
        return made

    def _parts(self, x: Any, dot: Any, of: Callable[..., Any]) -> Any:
        if isinstance(x, tuple):
            return as_tuple(x, [of(own, dot and dot[k]) for k, own in enumerate(x)])
        made: Any = self.made.get(id(x))
        if made is not None:
            if of == self.active and holds_derivative(self.trace, made):
                raise self.trace.fail("an argument that holds something twice")
            return made
        if type(x) is list:
            made = self.made[id(x)] = []
            made += [of(own, dot and dot[k]) for k, own in enumerate(x)]
            return made
        if type(x) in TABLES:
            made = self.made[id(x)] = table_like(x)
            made.update((key, of(own, dot and dot[key])) for key, own in x.items())
            return made
        if isinstance(x, (list, dict)):  # of a class of the user's
            if of == self.active:
                raise self.trace.fail(f"an argument of {type(x).__name__}")
            return copy.copy(x)
        if isinstance(x, enum.Enum):
            return x
        followed = foreign.is_followed(type(x))
        if is_library(module_of(type(x))) and type(x) is not SimpleNamespace and not followed:
            return self._as_it_is(x, of)
        if is_record(x) and has_blank(x.__class__):
            made = self.made[id(x)] = blank(type(x))
            for name, own in fields(x).items():
                part = None if dot is None else fields(dot)[name]
                whole = followed and not _is_data(own)
                object.__setattr__(made, name, copy.copy(own) if whole else of(own, part))
            return made
        return self._as_it_is(x, of)

    def _as_it_is(self, x: Any, of: Callable[..., Any]) -> Any:
        if of == self.active and _holds_floats(x):
            raise self.trace.fail(f"a {type(x).__name__} of floats in an argument")
        return x


def _holds_floats(x: Any) -> bool:
    """Whether something of which no copy is made, a deque, say, has numbers for elements."""
    if isinstance(x, np.ndarray):
        return x.dtype.names is not None
    values = x.values() if isinstance(x, Mapping) else x
    return isinstance(x, Collection) and not isinstance(x, str) and any(map(is_leaf, values))


def _is_data(x: Any) -> bool:
    """Whether something in an object of a library, a sparse array, is what carries a derivative."""
    return isinstance(x, np.ndarray) and x.dtype.kind in "fc"


def _check_apart(trace: Trace, copies: list[tuple[Any, Any]]) -> None:
    """Arrays of arguments that share memory do so no more: nobody may have written to them."""
    spans = [(*byte_bounds(own), k) for k, (own, _) in enumerate(copies) if own.size]
    shared, reach, last = set[int](), -1, -1
    for low, high, k in sorted(spans):
        if low < reach:
            shared |= {last, k}
        if high > reach:
            reach, last = high, k
    for k in shared:
        own, made = copies[k]
        if own.dtype.kind == "O" or own.tobytes() != made.tobytes():
            raise trace.fail("an update in place of arguments that share memory")


def _copied(x: Any) -> Any:
    """An array in memory of its own, with the same steps from element to element."""
    if x.flags.forc or type(x) is not np.ndarray:
        return np.array(x, order="K", subok=True)
    low, high = Memory(x).bounds
    apart = any(step % x.itemsize for step in (high - low, *x.strides))
    cell = np.dtype(np.uint8) if apart else x.dtype
    block = np.zeros((high - low) // cell.itemsize, cell)
    offset = x.__array_interface__["data"][0] - low
    made: Any = np.ndarray(x.shape, x.dtype, block.data, offset, x.strides)
    made[...] = x
    return made


def seeded(trace: Trace, name: str, x: Any, seed: Any) -> None:
    """Adds the seeds to what a value is made of."""
    if x.__class__ is Number:
        if seed is not None:
            add(trace, name, x, seed)
    elif isinstance(x, np.ndarray):
        if trace.memory(x) is not None and x.dtype.kind in "fc":
            add(trace, name, x, seed)
    elif isinstance(x, (tuple, list)):
        for own, part in zip(x, seed):
            seeded(trace, name, own, part)
    elif isinstance(x, dict):
        for key, own in x.items():
            seeded(trace, name, own, seed[key])
    elif is_record(x) and seed is not None:
        parts = fields(seed)
        for key, own in fields(x).items():
            if foreign.is_followed(type(x)) and not _is_data(own):
                continue
            seeded(trace, name, own, parts[key])


def found_in(trace: Trace, name: str, x: Any, like: Any) -> Any:
    """What stands in a layer for a value or an argument, in its structure."""
    if x.__class__ is Number:
        own = layer(trace, name, x)
        value = x.value
        return zeros_like(value) if own is None else _typed(own, value)
    if isinstance(x, np.ndarray) and x.dtype.kind in "fc":
        own = layer(trace, name, x)
        return zeros_like(x) if own is None else own
    if isinstance(x, tuple):
        return as_tuple(x, [found_in(trace, name, own, None) for own in x])
    if type(x) is list:
        return [found_in(trace, name, own, None) for own in x]
    if type(x) in TABLES:
        table = table_like(x)
        table.update((key, found_in(trace, name, own, None)) for key, own in x.items())
        return table
    if is_record(x):
        made = blank(type(x))
        followed = foreign.is_followed(type(x))
        for key, own in fields(x).items():
            whole = followed and not _is_data(own)
            if whole and isinstance(own, np.ndarray) and own.dtype.kind == "O":
                raise trace.fail(f"{type(x).__name__} as an argument: pass .tocsr()")
            part = copy.copy(own) if whole else found_in(trace, name, own, None)
            object.__setattr__(made, key, part)
        return made
    return zeros_like(x)


def _typed(x: Any, value: Any) -> Any:
    return value.__class__(x) if not isinstance(value, np.ndarray) else x


class Run:
    """One run of the function: its arguments and its value, with what they carry."""

    def __init__(
        self,
        function: FunctionType,
        wrt: tuple[str, ...],
        args: tuple[Any, ...],
        keywords: dict[str, Any],
        dots: dict[str, Any],
        trace: Trace,
    ) -> None:
        self.trace = trace
        bound = inspect.signature(function).bind(*args, **keywords)
        given = bound.arguments
        for name in wrt:
            if name not in given:
                bound.apply_defaults()
        self.kept: dict[str, Any] = {}
        copies: list[tuple[Any, Any]] = []
        for name, own in given.items():
            inputs = _Inputs(trace, trace.tangents, copies)
            if name in wrt:
                given[name] = inputs.active(own, dots.get(name))
                self.kept[name] = _rebuilt(trace, given[name], place_of, {})
            else:
                given[name] = inputs.copied(own)
        with running(trace), watched():
            try:
                self.value = call(function, *bound.args, **bound.kwargs)
                _check_apart(trace, copies)
                if trace.failed is not None:
                    raise trace.failed
                self.value = _rebuilt(trace, self.value, lambda own: own, {})
            except RecursionError:
                raise trace.fail("a recursion that is too deep") from None
            except BaseException as error:
                if trace.hid and isinstance(error, KeyError):
                    raise trace.fail("a key that carries a derivative") from None
                clean_error(error)
                if trace.failed is not None and error is not trace.failed:
                    raise trace.failed from None
                raise
            finally:
                self.result = _rebuilt(trace, getattr(self, "value", None), value_of, {})
                with running(None):
                    clean(trace)
                    given = self.result
                    forget(trace, lambda own: holds(given, lambda each: each is own))


def _rebuilt(trace: Trace, x: Any, leaf: Callable[[Any], Any], made: dict[int, Any]) -> Any:
    """A value in lists, dicts and objects of its own, from which cleaning takes nothing away, with
    `leaf` of each number and array.
    """
    if x.__class__ is Number or isinstance(x, np.ndarray):
        return leaf(x)
    own = type(x)
    known = own in (list, *TABLES, SimpleNamespace) or isinstance(x, tuple)
    if not known and is_record(x) and not isinstance(x, (list, dict, enum.Enum)):
        known = not is_library(module_of(own))
    if known:
        return in_form(x, made, lambda part: _rebuilt(trace, part, leaf, made), x)
    if holds(x, lambda part: part.__class__ is Number):
        raise trace.fail(f"a number in an object of {own.__name__} that is given out")
    return x
