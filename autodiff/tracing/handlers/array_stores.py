"""Functions that write into arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.tracing.bound_late import call
from autodiff.tracing.flat_elements import Flat
from autodiff.tracing.handlers.array_calls import as_array
from autodiff.tracing.handlers.handled import handles
from autodiff.tracing.index_forms import kept_index
from autodiff.tracing.items import getitem, setitem
from autodiff.tracing.number import add, carries, fitted, layer, on_copies, value_of
from autodiff.tracing.reach import holds_derivative
from autodiff.tracing.trace import Trace, place_of


def where_asked(f: Any, args: Any, keywords: Any, out: Any) -> Any:
    """A universal function where a mask says so: elsewhere `out` stays as it is."""
    mask = np.broadcast_to(value_of(keywords["where"]), out.shape)
    rest = {name: own for name, own in keywords.items() if name not in ("out", "where")}
    chosen = [
        getitem(call(np.broadcast_to, own, out.shape), mask) if np.ndim(value_of(own)) else own
        for own in args
    ]
    setitem(out, mask, call(f, *chosen, **rest))
    return out


@handles(np.copyto)
def _copyto(
    trace: Trace, dst: Any, src: Any, casting: Any = "same_kind", where: Any = True
) -> None:
    if not holds_derivative(trace, (dst, src)):
        np.copyto(dst, src, casting, where)
        return
    on_copies(np.copyto, dst, src, casting, where)
    if where is True:
        setitem(dst, Ellipsis, src)
        return
    mask = np.broadcast_to(where, dst.shape)
    setitem(dst, mask, getitem(call(np.broadcast_to, call(np.asarray, src), dst.shape), mask))


@handles(np.put)
def _put(trace: Trace, a: Any, ind: Any, v: Any, mode: Any = "raise") -> None:
    if not holds_derivative(trace, (a, v)):
        np.put(a, ind, v, mode)
        return
    if mode != "raise":
        raise trace.fail("`np.put` with a mode")
    on_copies(np.put, a, ind, v)
    Flat(a)[np.asarray(ind)] = v


@handles(np.putmask)
def _putmask(trace: Trace, a: Any, mask: Any, values: Any) -> None:
    if not holds_derivative(trace, (a, values)):
        np.putmask(a, mask, values)
        return
    on_copies(np.putmask, a, mask, values)
    places = np.flatnonzero(mask)
    row = call(np.reshape, call(np.asarray, values), -1)
    Flat(a)[places] = getitem(row, places % row.size)


@handles(np.place)
def _place(trace: Trace, arr: Any, mask: Any, vals: Any) -> None:
    if not holds_derivative(trace, (arr, vals)):
        np.place(arr, mask, vals)
        return
    on_copies(np.place, arr, mask, vals)
    Flat(arr)[np.flatnonzero(mask)] = vals


def added_at(trace: Trace, f: Any, to: Any, index: Any, x: Any) -> None:
    """`np.add.at(to, index, x)`: what is added stands beside what was there."""
    x = as_array(x)
    sign = 1 if f is np.add else -1
    dot = layer(trace, "dot", x) if trace.tangents and carries(trace, x) else None
    held = place_of(x)
    f.at(to, index, value_of(x))
    if to.dtype.kind not in "fc":
        return
    memory, place, index = trace.activate(to), place_of(to), kept_index(index)
    if dot is not None:
        np.add.at(memory.at("dot", place), index, sign * dot)

    def back() -> None:
        for name in trace.sweeps:
            if carries(trace, held) and name in memory.layers:
                add(trace, name, held, fitted(held, sign * memory.at(name, place)[index]))

    if trace.adjoints:
        trace.tape.append(back)
