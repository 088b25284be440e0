"""Bessel functions and their relatives, in their argument: differences of neighbouring orders."""

import numpy as np
from scipy import special

from autodiff.rules import d, elementwise
from autodiff.runtime import conj


@elementwise(special.j0)
def j0(y, x):
    d[x] = -d[y] * special.j1(x)


@elementwise(special.j1)
def j1(y, x):
    d[x] = d[y] * (special.j0(x) - special.jv(2.0, x)) / 2


@elementwise(special.y0)
def y0(y, x):
    d[x] = -d[y] * special.y1(x)


@elementwise(special.y1)
def y1(y, x):
    d[x] = d[y] * (special.y0(x) - special.yv(2.0, x)) / 2


@elementwise(special.i0)
def i0(y, x):
    d[x] = d[y] * special.i1(x)


@elementwise(special.i1)
def i1(y, x):
    d[x] = d[y] * (special.i0(x) + special.iv(2.0, x)) / 2


@elementwise(special.k0)
def k0(y, x):
    d[x] = -d[y] * special.k1(x)


@elementwise(special.k1)
def k1(y, x):
    d[x] = -d[y] * (special.k0(x) + special.kv(2.0, x)) / 2


@elementwise(special.i0e)
def i0e(y, x):
    d[x] = d[y] * (special.i1e(x) - np.sign(x) * y)


@elementwise(special.i1e)
def i1e(y, x):
    d[x] = d[y] * ((special.i0e(x) + special.ive(2.0, x)) / 2 - np.sign(x) * y)


@elementwise(special.k0e)
def k0e(y, x):
    d[x] = d[y] * (y - special.k1e(x))


@elementwise(special.k1e)
def k1e(y, x):
    d[x] = d[y] * (y - (special.k0e(x) + special.kve(2.0, x)) / 2)


@elementwise(special.jv)
def jv(y, v, z):
    d[z] = d[y] * (special.jv(v - 1, z) - special.jv(v + 1, z)) / 2


@elementwise(special.yv)
def yv(y, v, z):
    d[z] = d[y] * (special.yv(v - 1, z) - special.yv(v + 1, z)) / 2


@elementwise(special.yn)
def yn(y, n, x):
    d[x] = d[y] * (special.yn(n - 1, x) - special.yn(n + 1, x)) / 2


@elementwise(special.iv)
def iv(y, v, z):
    d[z] = d[y] * (special.iv(v - 1, z) + special.iv(v + 1, z)) / 2


@elementwise(special.kv)
def kv(y, v, z):
    d[z] = -d[y] * (special.kv(v - 1, z) + special.kv(v + 1, z)) / 2


@elementwise(special.kn)
def kn(y, n, x):
    d[x] = -d[y] * (special.kn(n - 1, x) + special.kn(n + 1, x)) / 2


@elementwise(special.kve)
def kve(y, v, z):
    d[z] = d[y] * (y - (special.kve(v - 1, z) + special.kve(v + 1, z)) / 2)


@elementwise(special.ive, holomorphic=False)
def ive(y, v, z):
    """iv(v, z) exp(-|Re z|)."""
    slope = (special.ive(v - 1, z) + special.ive(v + 1, z)) / 2
    d[z] = d[y] * conj(slope) - np.sign(np.real(z)) * np.real(d[y] * conj(y))


@elementwise(special.jve, holomorphic=False)
def jve(y, v, z):
    """jv(v, z) exp(-|Im z|)."""
    slope = (special.jve(v - 1, z) - special.jve(v + 1, z)) / 2
    d[z] = (
        d[y] * slope
        if np.isrealobj(z)
        else d[y] * conj(slope) - 1j * np.sign(np.imag(z)) * np.real(d[y] * conj(y))
    )


@elementwise(special.yve, holomorphic=False)
def yve(y, v, z):
    """yv(v, z) exp(-|Im z|)."""
    slope = (special.yve(v - 1, z) - special.yve(v + 1, z)) / 2
    d[z] = (
        d[y] * slope
        if np.isrealobj(z)
        else d[y] * conj(slope) - 1j * np.sign(np.imag(z)) * np.real(d[y] * conj(y))
    )


@elementwise(special.hankel1)
def hankel1(y, v, z):
    d[z] = d[y] * (special.hankel1(v - 1, z) - special.hankel1(v + 1, z)) / 2


@elementwise(special.hankel2)
def hankel2(y, v, z):
    d[z] = d[y] * (special.hankel2(v - 1, z) - special.hankel2(v + 1, z)) / 2


@elementwise(special.hankel1e)
def hankel1e(y, v, z):
    d[z] = d[y] * ((special.hankel1e(v - 1, z) - special.hankel1e(v + 1, z)) / 2 - 1j * y)


@elementwise(special.hankel2e)
def hankel2e(y, v, z):
    d[z] = d[y] * ((special.hankel2e(v - 1, z) - special.hankel2e(v + 1, z)) / 2 + 1j * y)


@elementwise(special.jvp)
def jvp(y, v, z, n=1):
    d[z] = d[y] * special.jvp(v, z, n + 1)


@elementwise(special.yvp)
def yvp(y, v, z, n=1):
    d[z] = d[y] * special.yvp(v, z, n + 1)


@elementwise(special.ivp)
def ivp(y, v, z, n=1):
    d[z] = d[y] * special.ivp(v, z, n + 1)


@elementwise(special.kvp)
def kvp(y, v, z, n=1):
    d[z] = d[y] * special.kvp(v, z, n + 1)


@elementwise(special.spherical_jn)
def spherical_jn(y, n, z, derivative=False):
    """Source: DLMF 10.51.1, which loses no digits near 0."""
    d[z] = (
        d[y]
        * (
            n * special.spherical_jn(np.maximum(n - 1, 0), z, derivative=True)
            - (n + 1) * special.spherical_jn(n + 1, z, derivative=True)
        )
        / (2 * n + 1)
        if derivative
        else d[y] * special.spherical_jn(n, z, derivative=True)
    )


@elementwise(special.spherical_yn)
def spherical_yn(y, n, z, derivative=False):
    d[z] = (
        -d[y] * (2 / z * y + (1 - n * (n + 1) / z**2) * special.spherical_yn(n, z))
        if derivative
        else d[y] * special.spherical_yn(n, z, derivative=True)
    )


@elementwise(special.spherical_in)
def spherical_in(y, n, z, derivative=False):
    """Source: DLMF 10.51.4."""
    d[z] = (
        d[y]
        * (
            n * special.spherical_in(np.maximum(n - 1, 0), z, derivative=True)
            + (n + 1) * special.spherical_in(n + 1, z, derivative=True)
        )
        / (2 * n + 1)
        if derivative
        else d[y] * special.spherical_in(n, z, derivative=True)
    )


@elementwise(special.spherical_kn)
def spherical_kn(y, n, z, derivative=False):
    d[z] = (
        d[y] * ((1 + n * (n + 1) / z**2) * special.spherical_kn(n, z) - 2 / z * y)
        if derivative
        else d[y] * special.spherical_kn(n, z, derivative=True)
    )


@elementwise(special.struve)
def struve(y, v, x):
    """Source: DLMF 11.4.24."""
    rest = (x / 2) ** v / (np.pi**0.5 * special.gamma(v + 1.5))
    d[x] = d[y] * (special.struve(v - 1, x) - special.struve(v + 1, x) + rest) / 2


@elementwise(special.modstruve)
def modstruve(y, v, x):
    """Source: DLMF 11.4.26."""
    rest = (x / 2) ** v / (np.pi**0.5 * special.gamma(v + 1.5))
    d[x] = d[y] * (special.modstruve(v - 1, x) + special.modstruve(v + 1, x) + rest) / 2


@elementwise(special.airy)
def airy(y, z):
    """Ai, Ai', Bi, Bi'; both solve w'' = z w."""
    d[z] = d[y][0] * y[1] + d[y][1] * z * y[0] + d[y][2] * y[3] + d[y][3] * z * y[2]


@elementwise(special.ber)
def ber(y, x):
    d[x] = d[y] * special.berp(x)


@elementwise(special.bei)
def bei(y, x):
    d[x] = d[y] * special.beip(x)


@elementwise(special.ker)
def ker(y, x):
    d[x] = d[y] * special.kerp(x)


@elementwise(special.kei)
def kei(y, x):
    d[x] = d[y] * special.keip(x)


@elementwise(special.berp)
def berp(y, x):
    """Of f = ber + i bei: f'' = i f - f' / x."""
    d[x] = -d[y] * (special.bei(x) + y / x)


@elementwise(special.beip)
def beip(y, x):
    d[x] = d[y] * (special.ber(x) - y / x)


@elementwise(special.kerp)
def kerp(y, x):
    d[x] = -d[y] * (special.kei(x) + y / x)


@elementwise(special.keip)
def keip(y, x):
    d[x] = d[y] * (special.ker(x) - y / x)


@elementwise(special.h1vp)
def h1vp(y, v, z, n=1):
    d[z] = d[y] * special.h1vp(v, z, n + 1)


@elementwise(special.h2vp)
def h2vp(y, v, z, n=1):
    d[z] = d[y] * special.h2vp(v, z, n + 1)
