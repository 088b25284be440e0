"""Items in a run: reading and storing them, going over them, taking values apart."""

from __future__ import annotations

import operator
from collections import deque
from collections.abc import Iterator
from typing import Any

import numpy as np

from autodiff.tracing import keyed
from autodiff.tracing.bound_late import as_array, call
from autodiff.tracing.calls_in_c import given_out
from autodiff.tracing.guard import seen_in_operation
from autodiff.tracing.held_in_c import GENERATOR, check_begun, check_seen, entry
from autodiff.tracing.index_forms import at, is_basic, kept_index, winners_of
from autodiff.tracing.number import (
    Number,
    add,
    carries,
    fitted,
    is_made_of_floats,
    layer,
    value_of,
)
from autodiff.tracing.reach import holds_derivative
from autodiff.tracing.record_fields import by_field, field_of, is_of_fields
from autodiff.tracing.special_methods import in_python, method
from autodiff.tracing.trace import Trace, current, float_fields, may_overlap, place_of, root_of

_SIMPLE = (int, float, complex, str, np.ndarray, np.generic, Number, type(None))
_CONTAINERS = (list, tuple, dict, str, range, deque)


def getitem(x: Any, index: Any) -> Any:
    """`x[index]`."""
    cls = x.__class__
    if cls in _CONTAINERS:
        if cls is dict:
            keyed.found(current(), x, index)
        return x[value_of(index)]
    trace = current()
    if isinstance(x, np.void) and trace is not None and holds_derivative(trace, x):
        return elements(np.asarray(x)[field_of(x, index)], ())
    if isinstance(x, np.ndarray) and (cls is np.ndarray or in_python(cls, "__getitem__") is None):
        return elements(x, index)
    if cls is Number:
        return _special_item(trace, x, index)
    found = in_python(cls, "__getitem__")
    if found is not None:
        return call(found, x, index)
    if isinstance(x, dict):
        keyed.found(trace, x, index)
        return entry(trace, x, index)
    if trace is not None:
        if id(x) in trace.held:
            return given_out(trace, x, operator.getitem, index)
        check_seen(trace, x)
    return x[index]


def elements(x: Any, index: Any) -> Any:
    """`x[index]` of an array, whatever its class says."""
    trace = current()
    if index.__class__ is tuple:
        index = tuple(map(value_of, index))
    own = np.ndarray.__getitem__(x, value_of(index))
    if trace is None or not carries(trace, x):
        return own
    if isinstance(own, np.void) or isinstance(own, np.ndarray) and root_of(own) is root_of(x):
        return own  # a view: its memory carries the derivative
    return _gathered(trace, x, kept_index(index), own)


def _special_item(trace: Trace | None, x: Any, index: Any) -> Any:
    """An item of a NumPy number: itself, as an array where it has axes."""
    if trace is None or not isinstance(x.value, np.generic):
        return x.value[index]  # its own error
    if index.__class__ is tuple and not index:
        return x
    return getitem(call(np.asarray, x), index)


def _gathered(trace: Trace, x: Any, index: Any, own: Any) -> Any:
    """A copy of elements of an array that carries a derivative."""
    place = place_of(x)
    made: Any = own
    if isinstance(own, np.ndarray):
        trace.activate(own)
        made = place_of(own)
    elif is_made_of_floats(own):
        made = Number(trace, own)
    else:
        raise trace.fail(f"an item that is an object of {type(own).__name__}")
    memory = trace.activate(x)
    if trace.tangents and "dot" in memory.layers:
        add(trace, "dot", made, memory.at("dot", place)[index])
    basic = is_basic(index)

    def back() -> None:
        for name in trace.sweeps:
            if made.__class__ is Number:
                bar = getattr(made, name)
            else:
                of_copy = trace.activate(made)
                bar = of_copy.at(name, made) if name in of_copy.layers else None
            if bar is None:
                continue
            if basic:
                memory.add(name, place[index] if np.ndim(bar) else at(place, index), bar)
            elif may_overlap(place):
                spread = np.zeros_like(place)
                _added_at(spread, index, bar)
                memory.add(name, place, spread)
            else:
                _added_at(memory.at(name, place), index, bar)

    if trace.adjoints:
        trace.tape.append(back)
    return own if isinstance(own, np.ndarray) else made


def _added_at(whole: Any, index: Any, bar: Any) -> None:
    """Adds adjoints where elements were taken from, some perhaps twice."""
    if whole.dtype.names:
        for name in float_fields(whole):
            _added_at(whole[name], index, bar[name])
    else:
        np.add.at(whole, index, bar)


def setitem(x: Any, index: Any, value: Any) -> None:
    """`x[index] = value`."""
    trace = current()
    found = None if x.__class__ is np.ndarray else in_python(type(x), "__setitem__")
    if found is not None:
        call(found, x, index, value)
    elif isinstance(x, np.ndarray):
        store(x, index, value)
    elif isinstance(x, np.void) and trace is not None:
        store(np.asarray(x), field_of(x, index), value)
    else:
        if trace is not None:
            check_seen(trace, x)
            trace.touched[id(x)] = x
            keyed.noted(trace, x, index)
            if isinstance(index, slice) and isinstance(x, list):
                value = list(iterate(value))
        x[index] = value


def store(x: Any, index: Any, value: Any) -> None:
    """`x[index] = value` of an array, whatever its class says."""
    trace = current()
    if index.__class__ is tuple:
        index = tuple(map(value_of, index))
    else:
        index = value_of(index)
    if trace is None:
        np.ndarray.__setitem__(x, index, value)
        return
    records = x.dtype.kind == "V"
    if records and not is_of_fields(index) and holds_derivative(trace, (x, value)):
        for name, own in zip(x.dtype.names, by_field(trace, x, value)):
            store(x[name], index, own)
        return
    if not isinstance(value, _SIMPLE) and x.dtype.kind != "O":
        value = as_array(value)
    active = carries(trace, value)
    if records and (active or trace.memory(x) is not None):
        store(x[index], Ellipsis, value)
        return
    if x.dtype.kind not in "fc":
        if x.dtype.kind == "O":
            whole = not isinstance(x[index], np.ndarray) or x[index].dtype.kind != "O"
            if not whole and _holds_array(trace, value):
                raise trace.fail("a store into an array of objects")
            trace.touched[id(x)] = x
            np.ndarray.__setitem__(x, index, value)
            return
        np.ndarray.__setitem__(x, index, value_of(value))
        return
    if not active and trace.memory(x) is None:
        np.ndarray.__setitem__(x, index, value)
        return
    if trace.memory(x) is None and root_of(x).base is not None:
        raise trace.fail("memory that is not NumPy's own")
    held = place_of(value)
    dot = None
    if trace.tangents and active:
        dot = layer(trace, "dot", value)
    before = value.copy() if held is not value and root_of(value) is root_of(x) else None
    if in_python(type(x), "__getitem__"):  # which NumPy asks where it stores
        with seen_in_operation():
            np.ndarray.__setitem__(x, index, value_of(value))
        stored, plain = place_of(x)[index], place_of(value_of(value))
        if not np.array_equal(stored, np.broadcast_to(plain, np.shape(stored)), True):
            raise trace.fail(f"a store into an array of {type(x).__name__}")
    else:
        np.ndarray.__setitem__(x, index, value_of(value))
    if may_overlap(x):
        raise trace.fail("a store into memory that is there twice")
    winners = None if is_basic(index) else winners_of(x, index)
    if before is not None:
        there, given = np.asarray(x[index]), np.broadcast_to(before, np.shape(x[index]))
        kept = ... if winners is None or not there.ndim else winners
        if not np.array_equal(there[kept], given[kept], equal_nan=True):
            raise trace.fail("a store that reads what it writes")
    memory, place, index = trace.activate(x), place_of(x), kept_index(index)
    if trace.tangents and (dot is not None or "dot" in memory.layers):
        memory.at("dot", place)[index] = 0 if dot is None else dot
    if not trace.adjoints:
        return

    def back() -> None:
        for name in trace.sweeps:
            if name not in memory.layers:
                continue
            whole = memory.at(name, place)
            taken = np.array(whole[index])
            whole[index] = 0
            if active:
                own = taken if winners is None else np.where(winners, taken, 0)
                if own.any():
                    add(trace, name, held, fitted(held, own))

    trace.tape.append(back)


def _holds_array(trace: Trace, x: Any) -> bool:
    """Whether an array that carries a derivative is in lists or tuples."""
    if isinstance(x, (list, tuple)):
        return any(_holds_array(trace, own) for own in x)
    if isinstance(x, np.ndarray) and x.dtype.kind == "O":
        return any(isinstance(own, np.ndarray) for own in x.flat)
    return isinstance(x, np.ndarray) and holds_derivative(trace, x)


def delitem(x: Any, index: Any) -> None:
    """`del x[index]`."""
    found = in_python(type(x), "__delitem__")
    if found is not None:
        call(found, x, index)
        return
    operator.delitem(x, index)


def iterate(x: Any) -> Any:
    """What gives the items of `x`, one after the other."""
    if isinstance(x, np.ndarray) and x.dtype.kind in "fc" and x.ndim and current() is not None:
        return (getitem(x, k) for k in range(len(x)))
    if isinstance(x, np.void) and current() is not None:
        return (getitem(x, name) for name in x.dtype.names or ())
    if x.__class__ is Number:
        return iter(x.value)  # its own error
    return _iterator(x)


def _iterator(x: Any) -> Any:
    cls, trace = type(x), current()
    if cls in _CONTAINERS or trace is None:
        return x
    if cls is GENERATOR:
        check_begun(trace, x)
        return x
    check_seen(trace, x)
    own = in_python(cls, "__iter__")
    if own is None:
        item = method(cls, "__iter__") is None and in_python(cls, "__getitem__")
        return _by_items(x, item) if item else x
    found = call(own, x)
    step = in_python(type(found), "__next__")
    if step is None:
        return found
    return _stepped(found, step)


def _stepped(x: Any, step: Any) -> Iterator[Any]:
    while True:
        try:
            own = call(step, x)
        except StopIteration:
            return
        yield own


def _by_items(x: Any, item: Any) -> Iterator[Any]:
    k = 0
    while True:
        try:
            own = call(item, x, k)
        except IndexError:
            return
        yield own
        k += 1


def unpack(x: Any, pattern: Any) -> Any:
    """The items of `x` that are assigned to several names; with those of items of a pattern."""
    items = iterate(x)
    if not pattern:
        return items
    items = list(items)
    if len(items) != len(pattern):
        return items  # its own error
    return [own if form is None else unpack(own, form) for own, form in zip(items, pattern)]


def unpacked(x: Any, pattern: Any) -> Iterator[Any]:
    """The items of `x`, each taken apart."""
    for own in iterate(x):
        yield unpack(own, pattern)
