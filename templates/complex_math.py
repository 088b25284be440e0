"""The cmath module: what it gives is complex, of real numbers, too."""

import cmath

import numpy as np

from autodiff.rules import adjoint, d, elementwise, nondifferentiable
from autodiff.runtime import conj


@elementwise(cmath.exp)
def exp(y, x):
    d[x] = d[y] * y


@elementwise(cmath.log)
def log(y, x, base=None):
    d[x] = d[y] / (x + 0j) if base is None else d[y] / (x * cmath.log(base))
    d[base] = -d[y] * y / (base * cmath.log(base))


@elementwise(cmath.log10)
def log10(y, x):
    d[x] = d[y] / (x * cmath.log(10))


@elementwise(cmath.sqrt)
def sqrt(y, x):
    d[x] = d[y] / (2 * y)


@elementwise(cmath.sin)
def sin(y, x):
    d[x] = d[y] * cmath.cos(x)


@elementwise(cmath.cos)
def cos(y, x):
    d[x] = -d[y] * cmath.sin(x)


@elementwise(cmath.tan)
def tan(y, x):
    d[x] = d[y] * (1 + y**2)


@elementwise(cmath.asin)
def asin(y, x):
    d[x] = d[y] / cmath.cos(y)


@elementwise(cmath.acos)
def acos(y, x):
    d[x] = -d[y] / cmath.sin(y)


@elementwise(cmath.atan)
def atan(y, x):
    d[x] = d[y] / (1 + (x + 0j) ** 2)


@elementwise(cmath.sinh)
def sinh(y, x):
    d[x] = d[y] * cmath.cosh(x)


@elementwise(cmath.cosh)
def cosh(y, x):
    d[x] = d[y] * cmath.sinh(x)


@elementwise(cmath.tanh)
def tanh(y, x):
    d[x] = d[y] * (1 - y**2)


@elementwise(cmath.asinh)
def asinh(y, x):
    d[x] = d[y] / cmath.cosh(y)


@elementwise(cmath.acosh)
def acosh(y, x):
    d[x] = d[y] / cmath.sinh(y)


@elementwise(cmath.atanh)
def atanh(y, x):
    d[x] = d[y] / (1 - (x + 0j) ** 2)


@elementwise(cmath.phase, holomorphic=False)
def phase(y, z):
    d[z] = 1j * d[y] * z / abs(z) ** 2 if np.iscomplexobj(z) else 0.0 * d[y]


@elementwise(cmath.rect, holomorphic=False)
def rect(z, r, phi):
    d[r] = d[z] * cmath.exp(-1j * phi)
    d[phi] = -1j * d[z] * conj(z)


@adjoint(cmath.polar)
def polar(y, z):
    d[z] = (d[y][0] + 1j * d[y][1] / y[0]) * z / y[0]


nondifferentiable(cmath.isnan, cmath.isinf, cmath.isfinite, cmath.isclose)
