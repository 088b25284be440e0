"""The math module; what NumPy has too is said there."""

import math

import numpy as np

from autodiff.rules import adjoint, d, elementwise, linear, nondifferentiable
from autodiff.runtime import conj, digamma, others, unreduce


@elementwise(math.log)
def log(y, x, base=None):
    d[x] = d[y] / x if base is None else d[y] / (x * np.log(base))
    d[base] = -d[y] * y / (base * np.log(base))


@adjoint(math.hypot)
def hypot(y, *coordinates):
    d[coordinates] = [
        d[y] * coordinates[k] / np.where(y == 0, 1.0, y) for k in range(len(coordinates))
    ]


@adjoint(math.dist)
def dist(y, p, q):
    d[p] = (
        d[y] * (p - np.asarray(q)) / np.where(y == 0, 1.0, y)
        if isinstance(p, np.ndarray)
        else [d[y] * (s - t) / np.where(y == 0, 1.0, y) for s, t in zip(p, q)]
    )
    d[q] = (
        d[y] * (q - np.asarray(p)) / np.where(y == 0, 1.0, y)
        if isinstance(q, np.ndarray)
        else [d[y] * (t - s) / np.where(y == 0, 1.0, y) for s, t in zip(p, q)]
    )


@linear(math.fsum)
def fsum(y, seq):
    d[seq] = unreduce(d[y], like=seq) if isinstance(seq, np.ndarray) else [d[y] for x in seq]


@adjoint(math.prod)
def prod(y, iterable, *, start=1):
    """Of numbers; a product of arrays is written out (`written_out`)."""
    d[iterable] = (
        d[y] * conj(start * others(iterable))
        if isinstance(iterable, np.ndarray)
        else [d[y] * conj(start * other) for other in others(iterable)]
    )
    d[start] = d[y] * conj(math.prod(iterable))


@elementwise(math.erf)
def erf(y, x):
    d[x] = d[y] * (2 / math.sqrt(math.pi)) * np.exp(-(x**2))


@elementwise(math.erfc)
def erfc(y, x):
    d[x] = -d[y] * (2 / math.sqrt(math.pi)) * np.exp(-(x**2))


@elementwise(math.gamma)
def gamma(y, x):
    d[x] = d[y] * y * digamma(x)


@elementwise(math.lgamma)
def lgamma(y, x):
    d[x] = d[y] * digamma(x)


@elementwise(math.remainder)
def remainder(z, x, y):
    d[x] = d[z]
    d[y] = -d[z] * np.rint(x / y)


if hasattr(math, "sumprod"):  # Python 3.12

    @adjoint(math.sumprod)
    def sumprod(y, p, q):
        d[p] = [d[y] * t for t in q]
        d[q] = [d[y] * s for s in p]


if hasattr(math, "fma"):  # Python 3.13

    @elementwise(math.fma)
    def fma(w, x, y, z):
        d[x] = d[w] * y
        d[y] = d[w] * x
        d[z] = d[w]


nondifferentiable(
    *(math.floor, math.ceil, math.trunc, math.isnan, math.isinf, math.isfinite, math.isclose),
    *(math.gcd, math.lcm, math.factorial, math.comb, math.perm, math.isqrt),
    math.ulp,
)
