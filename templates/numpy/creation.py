"""Making arrays from values."""

import numpy as np

from autodiff.rules import adjoint, d, linear, nondifferentiable
from autodiff.runtime import meshgrid_adjoint, scatter, scatter_flat, unbroadcast


@linear(np.array)
def array(y, object, dtype=None, *, copy=True):
    """Whatever was made into an array: a number, an array, nested lists of them."""
    d[object] = unbroadcast(d[y], like=object)


@linear(np.asarray, np.asanyarray, np.ascontiguousarray, np.asfortranarray)
def asarray(y, a, dtype=None):
    d[a] = unbroadcast(d[y], like=a)


@linear(np.copy)
def copy(y, a):
    d[a] = d[y]


@linear(np.ndarray.astype, *([np.astype] if hasattr(np, "astype") else []))  # NumPy 2.1
def astype(y, x, dtype, *, copy=True):
    d[x] = unbroadcast(d[y], like=x)


@linear(np.ndarray.tolist)
def tolist(y, a):
    d[a] = unbroadcast(d[y], like=a)


@linear(np.ndarray.item)
def item(y, a, *args):
    d[a] = (
        np.full(np.shape(a), d[y])
        if len(args) == 0
        else scatter_flat(d[y], like=a, at=args[0])
        if len(args) == 1
        else scatter(d[y], like=a, at=args)
    )


@linear(np.full)
def full(y, shape, fill_value, dtype=None):
    d[fill_value] = unbroadcast(d[y], like=fill_value)


@linear(np.full_like)
def full_like(y, a, fill_value, dtype=None):
    d[a] = 0.0
    d[fill_value] = unbroadcast(d[y], like=fill_value)


@linear(np.arange)
def arange(y, start, stop=None, step=1):
    d[start] = 0.0 if stop is None else np.sum(d[y])
    d[stop] = 0.0
    d[step] = d[y] @ np.arange(np.size(y))


@linear(np.linspace)
def linspace(y, start, stop, num=50, endpoint=True):
    t = np.linspace(0, 1, num, endpoint)
    d[start] = unbroadcast(np.tensordot(1 - t, d[y], 1), like=start)
    d[stop] = unbroadcast(np.tensordot(t, d[y], 1), like=stop)


@linear(np.broadcast_to)
def broadcast_to(y, array, shape):
    d[array] = unbroadcast(d[y], like=array)


@linear(np.broadcast_arrays)
def broadcast_arrays(y, *args):
    d[args] = [unbroadcast(d[y][k], like=args[k]) for k in range(len(args))]


@linear(np.meshgrid)
def meshgrid(y, *xi, indexing="xy"):
    d[xi] = [meshgrid_adjoint(d[y], k, xi, indexing) for k in range(len(xi))]


@adjoint(np.vander)
def vander(y, x, N=None, increasing=False):
    n = np.size(x) if N is None else N
    powers = np.arange(n) if increasing else np.arange(n)[::-1]
    d[x] = np.sum(
        d[y] * powers * np.expand_dims(x, 1) ** np.where(powers == 0, 1, powers - 1), axis=1
    )


nondifferentiable(
    *(np.ndarray.__len__, float.is_integer),
    *(np.zeros, np.ones, np.empty, np.zeros_like, np.ones_like, np.empty_like),
    *(np.eye, np.identity, np.tri, np.indices, np.ix_, np.ndindex),
    *(np.shape, np.ndim, np.size, np.iscomplexobj, np.isrealobj, np.isscalar),
    *(np.result_type, np.can_cast, np.dtype, np.finfo, np.iinfo, np.broadcast_shapes),
)
