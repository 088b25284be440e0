"""Functions defined as integrals: their derivatives are the integrands.

`np.float32(0)` lets the type of `x` decide, where 0.0 would make SciPy take float64.
"""

import numpy as np
from scipy import special

from autodiff.rules import d, elementwise


@elementwise(special.expi)
def expi(y, x):
    d[x] = d[y] * np.exp(x) / x


@elementwise(special.exp1)
def exp1(y, x):
    d[x] = -d[y] * np.exp(-x) / x


@elementwise(special.expn)
def expn(y, n, x):
    first = np.exp(-x) * (1 + x) / x**2
    d[x] = -d[y] * np.where(n == 0, first, special.expn(np.maximum(n - 1, 0), x))


@elementwise(special.sici)
def sici(y, x):
    d[x] = d[y][0] * np.sinc(x / np.pi) + d[y][1] * np.cos(x) / x


@elementwise(special.shichi)
def shichi(y, x):
    d[x] = (
        d[y][0] * np.where(x == 0, 1.0, np.sinh(x) / np.where(x == 0, 1.0, x))
        + d[y][1] * np.cosh(x) / x
    )


@elementwise(special.fresnel)
def fresnel(y, z):
    d[z] = d[y][0] * np.sin(np.pi / 2 * z**2) + d[y][1] * np.cos(np.pi / 2 * z**2)


@elementwise(special.spence)
def spence(y, z):
    """log(z) / (1 - z), at 1 in all orders; SciPy's exprel is one of real numbers."""
    d[z] = (
        d[y] * np.where(z == 1, -1.0, np.log(z) / np.where(z == 1, 1.0, 1 - z))
        if np.iscomplexobj(z)
        else -d[y] / special.exprel(np.log(z))
    )


@elementwise(special.itj0y0)
def itj0y0(y, x):
    d[x] = d[y][0] * special.j0(x) + d[y][1] * special.y0(x)


@elementwise(special.iti0k0)
def iti0k0(y, x):
    d[x] = d[y][0] * special.i0(x) + d[y][1] * special.k0(x)


@elementwise(special.itstruve0)
def itstruve0(y, x):
    d[x] = d[y] * special.struve(np.float32(0), x)


@elementwise(special.itmodstruve0)
def itmodstruve0(y, x):
    d[x] = d[y] * special.modstruve(np.float32(0), x)


@elementwise(special.itairy)
def itairy(y, x):
    """The integrals of Ai and Bi from 0 to x, and from 0 to x of them at -t."""
    ahead = special.airy(x)
    behind = special.airy(-x)
    d[x] = d[y][0] * ahead[0] + d[y][1] * ahead[2] + d[y][2] * behind[0] + d[y][3] * behind[2]


@elementwise(special.modfresnelp)
def modfresnelp(y, x):
    """The integral of exp(i t^2) from `x` on, and that by exp(-i (x^2 + pi / 4)) / sqrt(pi).

    SciPy has another function in place of the first below 0.
    """
    own = -2j * x * y[1] - np.exp(-0.25j * np.pi) / np.pi**0.5
    d[x] = -d[y][0] * np.where(x < 0, np.nan, np.exp(1j * x**2)) + d[y][1] * own


@elementwise(special.modfresnelm)
def modfresnelm(y, x):
    own = 2j * x * y[1] - np.exp(0.25j * np.pi) / np.pi**0.5
    d[x] = -d[y][0] * np.where(x < 0, np.nan, np.exp(-1j * x**2)) + d[y][1] * own


@elementwise(special.besselpoly)
def besselpoly(y, a, lmb, nu):
    """The integral of x^lmb J_nu(2 a x) over 0 to 1."""
    higher = special.besselpoly(a, lmb + 1, nu + 1)
    lower = special.besselpoly(a, lmb + 1, np.where(nu == 0, 1.0, nu - 1))
    d[a] = d[y] * (np.where(nu == 0, -lower, lower) - higher)
