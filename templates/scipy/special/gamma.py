"""The gamma function, those that are made of it, and hypergeometric functions."""

import numpy as np
from scipy import special

from autodiff.rules import d, elementwise, nondifferentiable


@elementwise(special.gamma)
def gamma(y, x):
    d[x] = d[y] * y * special.psi(x)


@elementwise(special.gammaln, special.loggamma)
def gammaln(y, x):
    d[x] = d[y] * special.psi(x)


@elementwise(special.rgamma)
def rgamma(y, x):
    """At the poles of gamma the slope of 1/gamma is (-1)^n n!."""
    pole = (y == 0) & (np.real(x) <= 0)
    slope = np.cos(np.pi * x) * special.gamma(np.where(pole, 1 - x, 1.0))
    d[x] = d[y] * np.where(pole, slope, -y * special.psi(np.where(pole, 1.0, x)))


@elementwise(special.psi)
def psi(y, x):
    d[x] = d[y] * special.zeta(2.0, x)


@elementwise(special.polygamma)
def polygamma(y, n, x):
    d[x] = d[y] * special.polygamma(n + 1, x)


@elementwise(special.beta)
def beta(y, a, b):
    d[a] = d[y] * y * (special.psi(a) - special.psi(a + b))
    d[b] = d[y] * y * (special.psi(b) - special.psi(a + b))


@elementwise(special.betaln)
def betaln(y, a, b):
    d[a] = d[y] * (special.psi(a) - special.psi(a + b))
    d[b] = d[y] * (special.psi(b) - special.psi(a + b))


@elementwise(special.binom)
def binom(y, n, k):
    d[n] = d[y] * y * (special.psi(n + 1) - special.psi(n - k + 1))
    d[k] = d[y] * y * (special.psi(n - k + 1) - special.psi(k + 1))


@elementwise(special.comb)
def comb(y, N, k, exact=False, repetition=False):
    """0 where there is nothing to choose from."""
    n = N + k - 1 if repetition else N
    g = d[y] * y
    rest = np.where(y == 0, 1.0, n - k + 1)
    whole = np.where(y == 0, 1.0, n + 1)
    d[N] = g * (special.psi(whole) - special.psi(rest))
    d[k] = g * (
        (special.psi(whole) if repetition else special.psi(rest))
        - special.psi(np.where(y == 0, 1.0, k + 1))
    )


@elementwise(special.perm)
def perm(y, N, k, exact=False):
    """0 where there is nothing to choose from."""
    whole = np.where(y == 0, 1.0, N + 1)
    rest = np.where(y == 0, 1.0, N - k + 1)
    d[N] = d[y] * y * (special.psi(whole) - special.psi(rest))
    d[k] = d[y] * y * special.psi(rest)


@elementwise(special.poch)
def poch(y, z, m):
    d[z] = d[y] * y * (special.psi(z + m) - special.psi(z))
    d[m] = d[y] * y * special.psi(z + m)


@elementwise(special.hyp0f1)
def hyp0f1(y, v, z):
    d[z] = d[y] * special.hyp0f1(v + 1, z) / v


@elementwise(special.hyp1f1)
def hyp1f1(y, a, b, z):
    d[z] = d[y] * a / b * special.hyp1f1(a + 1, b + 1, z)


@elementwise(special.hyp2f1)
def hyp2f1(y, a, b, c, z):
    d[z] = d[y] * a * b / c * special.hyp2f1(a + 1, b + 1, c + 1, z)


@elementwise(special.hyperu)
def hyperu(y, a, b, x):
    d[x] = -d[y] * a * special.hyperu(a + 1, b + 1, x)


@elementwise(special.wright_bessel)
def wright_bessel(y, a, b, x):
    d[x] = d[y] * special.wright_bessel(a, a + b, x)


if hasattr(special, "log_wright_bessel"):  # SciPy 1.14

    @elementwise(special.log_wright_bessel)
    def log_wright_bessel(y, a, b, x):
        d[x] = d[y] * np.exp(special.log_wright_bessel(a, a + b, x) - y)


nondifferentiable(special.gammasgn, special.round)
