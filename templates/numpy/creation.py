"""Making arrays from values."""

import numpy as np

from autodiff.rules import adjoint, d, linear, newer, nondifferentiable, registry
from autodiff.runtime import (
    conj,
    i0_slope,
    meshgrid_adjoint,
    scatter,
    scatter_flat,
    unbroadcast,
)


@linear(np.array)
def array(y, object, dtype=None, *, copy=True, order="K", subok=False, ndmin=0):
    """Whatever was made into an array: a number, an array, nested lists of them."""
    d[object] = unbroadcast(d[y], like=object)


@linear(np.asarray, np.asanyarray, np.asarray_chkfinite)
def asarray(y, a, dtype=None, order=None):
    d[a] = unbroadcast(d[y], like=a)


@linear(np.ascontiguousarray, np.asfortranarray)
def contiguous(y, a, dtype=None):
    d[a] = unbroadcast(d[y], like=a)


@linear(np.require)
def require(y, a, dtype=None, requirements=None):
    d[a] = unbroadcast(d[y], like=a)


@linear(np.fromiter)
def fromiter(y, iter, dtype, count=-1):
    d[iter] = unbroadcast(d[y], like=iter)


@linear(np.copy)
def copy(y, a, order="K", subok=False):
    d[a] = d[y]


@linear(np.ndarray.astype)
def astype(y, x, dtype, order="K", casting="unsafe", subok=True, copy=True):
    d[x] = unbroadcast(d[y], like=x)


@linear(newer.astype)
def astype_function(y, x, dtype, *, copy=True):
    d[x] = unbroadcast(d[y], like=x)


@linear(np.half, np.single, np.double, np.longdouble, np.csingle, np.cdouble, np.clongdouble)
def converted(y, value=0.0):
    """A number or an array of another precision."""
    d[value] = unbroadcast(d[y], like=value)


@linear(np.ndarray.tolist)
def tolist(y, a):
    d[a] = unbroadcast(d[y], like=a)


@linear(np.ndarray.item)
def item(y, a, *args):
    d[a] = (
        np.full(np.shape(a), d[y])
        if len(args) == 0
        else scatter(d[y], like=a, at=args[0])
        if len(args) == 1 and isinstance(args[0], tuple)
        else scatter_flat(d[y], like=a, at=args[0])
        if len(args) == 1
        else scatter(d[y], like=a, at=args)
    )


@linear(np.full)
def full(y, shape, fill_value, dtype=None, order="C"):
    d[shape] = 0.0
    d[fill_value] = unbroadcast(d[y], like=fill_value)


@linear(np.full_like)
def full_like(y, a, fill_value, dtype=None, order="K", subok=True, shape=None):
    d[a] = 0.0
    d[fill_value] = unbroadcast(d[y], like=fill_value)


@adjoint(np.arange)
def arange(y, start, stop=None, step=1, dtype=None):
    d[start] = 0.0 if stop is None else np.sum(d[y])
    d[stop] = 0.0
    d[step] = d[y] @ np.arange(np.size(y))


@linear(np.linspace)
def linspace(y, start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0):
    t = np.linspace(0, 1, num, endpoint)
    g = d[y][0] if retstep else d[y]
    moved = g if axis == 0 else np.moveaxis(g, axis, 0)
    step = d[y][1] / (num - 1 if endpoint else num) if retstep else 0.0
    d[start] = unbroadcast(np.tensordot(1 - t, moved, 1) - step, like=start)
    d[stop] = unbroadcast(np.tensordot(t, moved, 1) + step, like=stop)


@adjoint(np.logspace)
def logspace(y, start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0):
    t = np.linspace(0, 1, num, endpoint)
    g = d[y] * conj(y) if axis == 0 else np.moveaxis(d[y] * conj(y), axis, 0)
    exponents = np.linspace(start, stop, num, endpoint)
    d[start] = unbroadcast(np.tensordot(1 - t, g * conj(np.log(base)), 1), like=start)
    d[stop] = unbroadcast(np.tensordot(t, g * conj(np.log(base)), 1), like=stop)
    d[base] = unbroadcast(g * conj(exponents / base), like=base)


@adjoint(np.geomspace)
def geomspace(y, start, stop, num=50, endpoint=True, dtype=None, axis=0):
    t = np.linspace(0, 1, num, endpoint)
    g = d[y] * conj(y) if axis == 0 else np.moveaxis(d[y] * conj(y), axis, 0)
    d[start] = unbroadcast(np.tensordot(1 - t, g, 1) / conj(start), like=start)
    d[stop] = unbroadcast(np.tensordot(t, g, 1) / conj(stop), like=stop)


@adjoint(np.kaiser)
def kaiser(y, M, beta):
    place = np.sqrt(1 - np.linspace(-1, 1, M) ** 2) if M > 1 else np.ones(M)
    change = i0_slope(beta * place, 1) * place - y * i0_slope(beta, 1)
    d[beta] = np.sum(d[y] * change) / np.i0(beta)


@linear(np.broadcast_to)
def broadcast_to(y, array, shape):
    d[array] = unbroadcast(d[y], like=array)
    d[shape] = 0.0


@linear(np.broadcast_arrays)
def broadcast_arrays(y, *args):
    d[args] = [unbroadcast(d[y][k], like=args[k]) for k in range(len(args))]


@linear(np.meshgrid)
def meshgrid(y, *xi, copy=True, sparse=False, indexing="xy"):
    d[xi] = [meshgrid_adjoint(d[y], k, xi, indexing) for k in range(len(xi))]


@linear(np.ix_)
def ix_(y, *args):
    d[args] = [np.ravel(part) for part in d[y]]


@adjoint(np.vander)
def vander(y, x, N=None, increasing=False):
    n = np.size(x) if N is None else N
    powers = np.arange(n) if increasing else np.arange(n)[::-1]
    below = np.expand_dims(conj(x), 1) ** np.where(powers == 0, 1, powers - 1)
    d[x] = np.sum(d[y] * powers * below, axis=1)


def matrix(data, dtype=None, copy=True):
    """A matrix of nested lists, or of an array, whose memory it shares unless `copy`."""
    made = np.array(data, dtype) if copy else np.asarray(data, dtype)
    return np.atleast_2d(made).view(np.matrix)


registry.add_written({np.matrix: matrix})
nondifferentiable(
    *(np.ndarray.__len__, float.is_integer),
    *(np.zeros, np.ones, np.empty, np.zeros_like, np.ones_like, np.empty_like),
    *(np.eye, np.identity, np.tri, np.indices, np.ndindex),
    *(np.shape, np.ndim, np.size, np.iscomplexobj, np.isrealobj, np.isscalar),
    *(np.result_type, np.can_cast, np.dtype, np.finfo, np.iinfo, np.broadcast_shapes),
    *(np.issubdtype, np.promote_types, np.min_scalar_type),
    *(getattr(np, name) for name in ("isdtype",) if hasattr(np, name)),  # since 2.0
)
