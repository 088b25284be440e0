"""What callables that change arrays mean: code with stores, read in place of a call.

    np.copyto(y, x, where=m)            mask = np.broadcast_to(m, y.shape)
                                        y[mask] = np.broadcast_to(x, y.shape)[mask]

`tests/primitives` runs each beside the callable that it is the meaning of.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from autodiff.runtime import orderless


def rank(x: Any) -> int:
    """The number of axes; it is known while compiling."""
    return np.ndim(x)


def repeated(values: Any, shape: Any) -> Any:
    """Values, again and again, in a shape; one is enough for all places, none is for none."""
    if rank(values) == 0:
        return values
    if np.size(values) == 0:  # NumPy does nothing then; `np.resize` makes zeros
        raise NotImplementedError("no values are stored")
    return np.resize(values, shape)


def truth(mask: Any) -> Any:
    """A mask; one that is of truth values is itself."""
    return mask != 0


def fill(a: Any, value: Any) -> None:
    """`a.fill(value)`."""
    a[...] = value


def setitem(a: Any, index: Any, value: Any) -> None:
    """`a.__setitem__(index, value)`."""
    a[index] = value


def getitem(a: Any, index: Any) -> Any:
    """`a.__getitem__(index)`."""
    return a[index]


def sort(a: Any, axis: Any = -1) -> None:
    """`a.sort()`."""
    a[...] = np.sort(a, axis)


def partition(a: Any, kth: Any, axis: Any = -1) -> None:
    """`a.partition(kth)`."""
    a[...] = np.partition(a, kth, axis)


def reorder(a: Any, places: Any) -> None:
    """What a function leaves that may overwrite an array: its elements in another order."""
    a[...] = np.take(a, places)


def copyto(dst: Any, src: Any, *, where: Any = None) -> None:
    """`np.copyto`."""
    if where is None:
        dst[...] = src
    else:
        orderless(dst, src)
        mask = np.broadcast_to(where, dst.shape)
        dst[mask] = np.broadcast_to(src, dst.shape)[mask]


def put(a: Any, ind: Any, v: Any) -> None:
    """`np.put`, `a.put`."""
    if rank(ind) == 0:
        ind = [ind]
    elif rank(ind) > 1:
        ind = np.ravel(ind)
    if rank(a) > 1:
        a[np.unravel_index(np.arange(a.size)[ind], a.shape)] = repeated(v, len(ind))
    else:
        a[ind] = repeated(v, len(ind))


def putmask(a: Any, mask: Any, values: Any) -> None:
    """`np.putmask`."""
    chosen = truth(mask)
    if rank(values) == 0:
        a[chosen] = values
    else:
        a[chosen] = repeated(values, a.shape)[chosen]


def place(arr: Any, mask: Any, vals: Any) -> None:
    """`np.place`."""
    chosen = truth(mask)
    if rank(vals) > 0 and np.size(vals) == 0:
        raise ValueError("Cannot insert from an empty array!")
    arr[chosen] = vals if rank(vals) == 0 else np.resize(vals, np.count_nonzero(chosen))


def fill_diagonal(a: Any, val: Any) -> None:
    """`np.fill_diagonal`."""
    if rank(a) < 2:
        raise ValueError("array must be at least 2-d")
    size = min(a.shape)
    if rank(a) > 2 and size != max(a.shape):
        raise ValueError("All dimensions of input must be of equal length")
    a[np.diag_indices(size, rank(a))] = repeated(val, size)


def put_along_axis(arr: Any, indices: Any, values: Any, axis: Any) -> None:
    """`np.put_along_axis`, of one axis or two."""
    if rank(arr) == 1:
        arr[indices] = values
    elif axis % 2 == 0:
        arr[indices, np.arange(arr.shape[1])] = values
    else:
        arr[np.arange(arr.shape[0])[:, None], indices] = values


def each_at(ufunc: Any, a: Any, indices: Any, b: Any) -> None:
    """`ufunc.at(a, indices, b)`, one place after the other."""
    places = np.ravel(indices)
    values = b if rank(b) == 0 else np.broadcast_to(b, len(places))
    for k in range(len(places)):
        a[places[k]] = ufunc(a[places[k]], values if rank(b) == 0 else values[k])


def flat_item(a: Any, index: Any) -> Any:
    """`a.flat[index]`: a copy."""
    if rank(a) == 1:
        return a[np.arange(a.size)[index]]
    return a[np.unravel_index(np.arange(a.size)[index], a.shape)]


def flat_store(a: Any, index: Any, values: Any) -> None:
    """`a.flat[index] = values`."""
    places = np.arange(a.size)[index]
    found = np.unravel_index(places, a.shape) if rank(a) > 1 else places
    a[found] = values if rank(places) == 0 else repeated(values, len(places))


def iadd(a: Any, b: Any) -> Any:
    """`a += b`."""
    a += b
    return a


def isub(a: Any, b: Any) -> Any:
    """`a -= b`."""
    a -= b
    return a


def imul(a: Any, b: Any) -> Any:
    """`a *= b`."""
    a *= b
    return a


def itruediv(a: Any, b: Any) -> Any:
    """`a /= b`."""
    a /= b
    return a


def ipow(a: Any, b: Any) -> Any:
    """`a **= b`."""
    a **= b
    return a


_METHODS: dict[str, Callable[..., Any]] = {
    "fill": fill,
    "sort": sort,
    "partition": partition,
    "put": put,
    "__setitem__": setitem,
    "__getitem__": getitem,
    "__iadd__": iadd,
    "__isub__": isub,
    "__imul__": imul,
    "__itruediv__": itruediv,
    "__ipow__": ipow,
}

MEANINGS: dict[Any, Callable[..., Any]] = {
    np.copyto: copyto,
    np.put: put,
    np.putmask: putmask,
    np.place: place,
    np.fill_diagonal: fill_diagonal,
    np.put_along_axis: put_along_axis,
    operator.setitem: setitem,
    operator.getitem: getitem,
    operator.iadd: iadd,
    operator.isub: isub,
    operator.imul: imul,
    operator.itruediv: itruediv,
    operator.ipow: ipow,
    **{getattr(np.ndarray, name): own for name, own in _METHODS.items()},
}
