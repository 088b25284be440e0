"""Bringing an adjoint back to the shape, dtype and structure of its primal."""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.runtime.structure import as_tuple, blank, fields, is_record, part, zeros_like

Axis = int | tuple[int, ...] | None
_NUMBERS = (float, int, complex, np.generic)


def unbroadcast(g: Any, like: Any) -> Any:
    """The adjoint of `like`, given the adjoint `g` of what `like` was broadcast to.

    Sums over the broadcast axes, takes the real part if `like` is real, and keeps the dtype of
    `like`. A number gives a number; a list or tuple that NumPy took for an array gives a list or
    tuple. May return `g` itself.
    """
    if isinstance(like, np.ndarray):
        if isinstance(g, np.ndarray) and g.dtype == like.dtype and g.shape == like.shape:
            return g
        return np.asarray(as_dtype(fit(g, like.shape), like.dtype))
    if isinstance(like, (list, tuple)):
        if isinstance(g, (list, tuple)) and len(g) == len(like):  # arrays of any shapes
            return restructure(g, like)
        return restructure(fit(g, np.shape(like)), like)
    if like is None or g is None:
        return zeros_like(like)
    if not isinstance(like, _NUMBERS) and (isinstance(like, dict) or is_record(like)):
        return _of_parts(g, like)
    total = g.sum() if isinstance(g, np.ndarray) else g
    if isinstance(like, np.generic):
        return as_dtype(np.asarray(total), like.dtype)[()]
    return total if isinstance(like, complex) else total.real


def _of_parts(g: Any, like: Any) -> Any:
    """The adjoint of a dict or an object whose adjoint was part of `g`."""
    if isinstance(like, dict):
        return {key: unbroadcast(part(g, key), item) for key, item in like.items()}
    result = blank(type(like))
    for field, item in fields(like).items():
        own = g if isinstance(g, float) else fields(g)[field]
        object.__setattr__(result, field, unbroadcast(own, item))
    return result


def fit(g: Any, shape: tuple[int, ...]) -> Any:
    """`g` summed (or repeated) until it has the shape given."""
    g = np.asarray(g)
    if g.shape == shape:
        return g
    extra = g.ndim - len(shape)
    if extra > 0:
        g = g.sum(axis=tuple(range(extra)))
    elif extra == 0:
        axes = tuple(k for k, n in enumerate(shape) if n == 1 and g.shape[k] != 1)
        g = g.sum(axis=axes, keepdims=True)
    if extra > 0 and g.shape != shape:
        return fit(g, shape)
    return g if g.shape == shape else np.broadcast_to(g, shape).copy()


def as_dtype(g: Any, dtype: Any) -> Any:
    """`g` as an adjoint of something of this dtype: the real part of complex if that is real."""
    if dtype.kind not in "fc":
        return g.real
    if dtype.kind == "f" and g.dtype.kind == "c":
        g = g.real
    return g if g.dtype == dtype else g.astype(dtype)


def restructure(g: Any, like: Any) -> Any:
    """The array `g` as nested lists and tuples like `like`, whose leaves are numbers or arrays."""
    if isinstance(like, list):
        return [restructure(g[k], item) for k, item in enumerate(like)]
    if isinstance(like, tuple):
        return as_tuple(like, [restructure(g[k], item) for k, item in enumerate(like)])
    return unbroadcast(g, like)


def broadcast_parts(g: Any, like: Any) -> Any:
    """The parts of `g`, each broadcast to the shape of that of a list or tuple `like`: the adjoint
    of `like`, if `g` is that of what its parts were summed to. Summed, where a number was repeated.

    >>> broadcast_parts([1.0, 2.0], like=[np.zeros(2), np.zeros(3)])
    [array([1., 1.]), array([2., 2., 2.])]
    >>> float(broadcast_parts(np.ones(3), like=0.0))
    3.0
    """
    if not isinstance(like, (list, tuple)):
        if np.ndim(g) > np.ndim(like):
            return unbroadcast(g, like)
        return np.broadcast_to(g, np.shape(like))[()]
    parts = [broadcast_parts(part(g, k), item) for k, item in enumerate(like)]
    return as_tuple(like, parts) if isinstance(like, tuple) else parts


def unreduce(g: Any, like: Any, axis: Axis = None, keepdims: bool = False) -> Any:
    """A new array shaped `like`: `g`, the adjoint of a reduction over `axis`, repeated along it.

    >>> unreduce(np.array([1.0, 2.0]), like=np.ones((2, 3)), axis=1)
    array([[1., 1., 1.],
           [2., 2., 2.]])
    """
    shape = np.shape(like)
    if not shape:
        return np.reshape(g, ())[()]
    if axis is not None and not keepdims and np.ndim(g):  # a number is the same everywhere
        g = np.expand_dims(g, axis)
    result = np.empty(shape, dtype_of_adjoint(g, like))
    result[...] = g.real if np.iscomplexobj(g) and result.dtype.kind == "f" else g
    return result


def dtype_of_adjoint(g: Any, like: Any) -> Any:
    """The dtype of the adjoint of `like`, whose contribution `g` decides when `like` does not."""
    dtype = like.dtype if isinstance(like, np.ndarray) else np.asarray(like).dtype
    if dtype.kind not in "fc":
        dtype = np.asarray(g).dtype
    return dtype if dtype.kind in "fc" else np.dtype(float)


def reduced_size(x: Any, axis: Axis = None) -> int:
    """How many elements of `x` each element of a reduction over `axis` takes together."""
    shape = np.shape(x)
    if axis is None:
        axis = tuple(range(len(shape)))
    count = 1
    for k in np.atleast_1d(axis):
        count *= shape[k]
    return count


def is_known(x: Any, value: Any) -> bool:
    """Whether `x` is this value; in a template, whether the code to be written says so."""
    return np.ndim(x) == np.ndim(value) and bool(x == value)


def conj(x: Any) -> Any:
    """The complex conjugate; `x` itself when it is real."""
    if isinstance(x, np.ndarray):
        return x.conj() if x.dtype.kind == "c" else x
    return np.conj(x) if np.iscomplexobj(x) else x


def direction(x: Any) -> Any:
    """`np.sign` of complex numbers: `x / abs(x)` (NumPy 2), which has a derivative."""
    return np.sign(x)


def phase(x: Any) -> Any:
    """`x / abs(x)`, and 0 where `x` is 0: the derivative of `abs` for complex numbers."""
    size = np.abs(x)
    return x / np.where(size == 0, 1, size)
