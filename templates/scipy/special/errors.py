"""The error function and its relatives; the normal distribution."""

import numpy as np
from scipy import special

from autodiff.rules import d, elementwise


@elementwise(special.erf)
def erf(y, x):
    d[x] = d[y] * (2 / np.pi**0.5) * np.exp(-(x**2))


@elementwise(special.erfc)
def erfc(y, x):
    d[x] = -d[y] * (2 / np.pi**0.5) * np.exp(-(x**2))


@elementwise(special.erfcx)
def erfcx(y, x):
    d[x] = d[y] * (2 * x * y - 2 / np.pi**0.5)


@elementwise(special.erfi)
def erfi(y, x):
    d[x] = d[y] * (2 / np.pi**0.5) * np.exp(x**2)


@elementwise(special.dawsn)
def dawsn(y, x):
    d[x] = d[y] * (1 - 2 * x * y)


@elementwise(special.wofz)
def wofz(w, z):
    d[z] = d[w] * (2j / np.pi**0.5 - 2 * z * w)


@elementwise(special.erfinv)
def erfinv(x, y):
    d[y] = d[x] * (np.pi**0.5 / 2) * np.exp(x**2)


@elementwise(special.erfcinv)
def erfcinv(x, y):
    d[y] = -d[x] * (np.pi**0.5 / 2) * np.exp(x**2)


@elementwise(special.ndtr)
def ndtr(y, x):
    d[x] = d[y] * np.exp(-(x**2) / 2) / (2 * np.pi) ** 0.5


@elementwise(special.log_ndtr)
def log_ndtr(y, x):
    d[x] = d[y] * np.exp(-(x**2) / 2 - y) / (2 * np.pi) ** 0.5


@elementwise(special.ndtri)
def ndtri(x, y):
    d[y] = d[x] * np.exp(x**2 / 2) * (2 * np.pi) ** 0.5


@elementwise(special.ndtri_exp)
def ndtri_exp(x, y):
    d[y] = d[x] * np.exp(x**2 / 2 + y) * (2 * np.pi) ** 0.5


@elementwise(special.owens_t)
def owens_t(y, h, a):
    d[h] = -d[y] * np.exp(-(h**2) / 2) * special.erf(a * h / 2**0.5) / (8 * np.pi) ** 0.5
    d[a] = d[y] * np.exp(-(h**2) * (1 + a**2) / 2) / (2 * np.pi * (1 + a**2))


@elementwise(special.voigt_profile)
def voigt_profile(y, x, sigma, gamma):
    """The real part of w(z) / (sigma sqrt(2 pi)) at z = (x + i gamma) / (sigma sqrt(2))."""
    z = (x + 1j * gamma) / (sigma * 2**0.5)
    slope = (2j / np.pi**0.5 - 2 * z * special.wofz(z)) / (2 * np.pi**0.5 * sigma**2)
    d[x] = d[y] * np.real(slope)
    d[sigma] = -d[y] * (y / sigma + np.real(slope * z) * 2**0.5)
    d[gamma] = -d[y] * np.imag(slope)
