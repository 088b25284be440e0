"""Distributions of counts, in their probability; SciPy leaves out the fractions of the counts."""

import numpy as np
from scipy import special

from autodiff.rules import d, elementwise


@elementwise(special.nbdtr)
def nbdtr(y, k, n, p):
    """I_p(n, k + 1), for whole `k` and `n`."""
    n_whole = np.trunc(n)
    k_whole = np.trunc(k)
    slope = special.xlogy(n_whole - 1, p) + special.xlog1py(k_whole, -p)
    d[p] = d[y] * np.exp(slope - special.betaln(n_whole, k_whole + 1))


@elementwise(special.nbdtrc)
def nbdtrc(y, k, n, p):
    n_whole = np.trunc(n)
    k_whole = np.trunc(k)
    slope = special.xlogy(n_whole - 1, p) + special.xlog1py(k_whole, -p)
    d[p] = -d[y] * np.exp(slope - special.betaln(n_whole, k_whole + 1))


@elementwise(special.nbdtri)
def nbdtri(p, k, n, y):
    n_whole = np.trunc(n)
    k_whole = np.trunc(k)
    slope = special.xlogy(n_whole - 1, p) + special.xlog1py(k_whole, -p)
    d[y] = d[p] * np.exp(special.betaln(n_whole, k_whole + 1) - slope)


@elementwise(special.bdtr)
def bdtr(y, k, n, p):
    """I_(1 - p)(n - k, k + 1), for whole `k` and `n`."""
    n_whole = np.trunc(n)
    k_whole = np.floor(k)
    slope = special.xlogy(k_whole, p) + special.xlog1py(n_whole - k_whole - 1, -p)
    d[p] = -d[y] * np.exp(slope - special.betaln(n_whole - k_whole, k_whole + 1))


@elementwise(special.bdtrc)
def bdtrc(y, k, n, p):
    n_whole = np.trunc(n)
    k_whole = np.floor(k)
    slope = special.xlogy(k_whole, p) + special.xlog1py(n_whole - k_whole - 1, -p)
    d[p] = d[y] * np.exp(slope - special.betaln(n_whole - k_whole, k_whole + 1))


@elementwise(special.bdtri)
def bdtri(p, k, n, y):
    n_whole = np.trunc(n)
    k_whole = np.floor(k)
    slope = special.xlogy(k_whole, p) + special.xlog1py(n_whole - k_whole - 1, -p)
    d[y] = -d[p] * np.exp(special.betaln(n_whole - k_whole, k_whole + 1) - slope)
