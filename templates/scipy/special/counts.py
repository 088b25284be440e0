"""Distributions of counts, in their probability."""

import numpy as np
from scipy import special

from autodiff.rules import d, elementwise


@elementwise(special.nbdtr)
def nbdtr(y, k, n, p):
    """I_p(n, k + 1)."""
    slope = special.xlogy(n - 1, p) + special.xlog1py(k, -p) - special.betaln(n, k + 1)
    d[p] = d[y] * np.exp(slope)


@elementwise(special.nbdtrc)
def nbdtrc(y, k, n, p):
    slope = special.xlogy(n - 1, p) + special.xlog1py(k, -p) - special.betaln(n, k + 1)
    d[p] = -d[y] * np.exp(slope)


@elementwise(special.nbdtri)
def nbdtri(p, k, n, y):
    slope = special.xlogy(n - 1, p) + special.xlog1py(k, -p) - special.betaln(n, k + 1)
    d[y] = d[p] * np.exp(-slope)


@elementwise(special.bdtr)
def bdtr(y, k, n, p):
    """I_(1 - p)(n - k, k + 1), for whole `k`."""
    k_whole = np.floor(k)
    slope = special.xlogy(k_whole, p) + special.xlog1py(n - k_whole - 1, -p)
    d[p] = -d[y] * np.exp(slope - special.betaln(n - k_whole, k_whole + 1))


@elementwise(special.bdtrc)
def bdtrc(y, k, n, p):
    k_whole = np.floor(k)
    slope = special.xlogy(k_whole, p) + special.xlog1py(n - k_whole - 1, -p)
    d[p] = d[y] * np.exp(slope - special.betaln(n - k_whole, k_whole + 1))


@elementwise(special.bdtri)
def bdtri(p, k, n, y):
    k_whole = np.floor(k)
    slope = special.xlogy(k_whole, p) + special.xlog1py(n - k_whole - 1, -p)
    d[y] = -d[p] * np.exp(special.betaln(n - k_whole, k_whole + 1) - slope)
