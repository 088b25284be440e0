"""Built-in functions of Python."""

import bisect

import numpy as np

from autodiff.rules import adjoint, d, elementwise, linear, nondifferentiable
from autodiff.runtime import scatter_flat, share, unbroadcast, unreduce


@elementwise(max)
def larger(z, x, y):
    d[x] = np.where(x == y, 0.5 * d[z], np.where(x > y, d[z], 0.0))
    d[y] = np.where(x == y, 0.5 * d[z], np.where(x < y, d[z], 0.0))


@elementwise(min)
def smaller(z, x, y):
    d[x] = np.where(x == y, 0.5 * d[z], np.where(x < y, d[z], 0.0))
    d[y] = np.where(x == y, 0.5 * d[z], np.where(x > y, d[z], 0.0))


@adjoint(max, min)
def extremum(y, *items):
    """Of any number of numbers, or of one sequence of numbers."""
    d[items] = [share(d[y], items[0], y)] if len(items) == 1 else share(d[y], items, y)


@linear(sum)
def sum(y, iterable, start=0):
    d[iterable] = (
        (
            unreduce(unbroadcast(d[y], like=np.sum(iterable, axis=0)), like=iterable, axis=0)
            if isinstance(start, np.ndarray)  # which may have more axes than the items
            else unreduce(d[y], like=iterable, axis=0)
        )
        if isinstance(iterable, np.ndarray)
        else [unbroadcast(d[y], like=item) for item in iterable]
    )
    d[start] = unbroadcast(d[y], like=start)


@elementwise(float)
def float(y, x):
    d[x] = d[y]


@elementwise(complex, holomorphic=False, linear=True)
def complex(z, real, imag=0.0):
    d[real] = d[z]
    d[imag] = -1j * d[z]


@linear(list, tuple)
def items(y, iterable):
    """The adjoint of an array is an array: what is computed from it means elements."""
    d[iterable] = np.asarray(d[y]) if isinstance(iterable, np.ndarray) else d[y]


@adjoint(sorted)
def sorted(y, iterable):
    """Equal items keep their order."""
    places = np.argsort(iterable, kind="stable")
    d[iterable] = scatter_flat(np.asarray(d[y]), like=iterable, at=places)


nondifferentiable(
    *(int, bool, str, bytes, repr, format, ascii, chr, ord, bin, hex, oct, hash, id, len, range),
    *(type, isinstance, issubclass, callable, hasattr, all, any, slice, round, object, dir),
)
nondifferentiable(bisect.bisect_left, bisect.bisect_right)
nondifferentiable(print, input, open, pure=False)
