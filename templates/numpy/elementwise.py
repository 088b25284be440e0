"""NumPy functions that act on each element, and those of math that mean the same."""

import math

import numpy as np

from autodiff.rules import d, elementwise, nondifferentiable
from autodiff.runtime import conj, direction, i0_slope, sinc_slope


@elementwise(np.sin, math.sin)
def sin(y, x):
    d[x] = d[y] * np.cos(x)


@elementwise(np.cos, math.cos)
def cos(y, x):
    d[x] = -d[y] * np.sin(x)


@elementwise(np.tan, math.tan)
def tan(y, x):
    d[x] = d[y] * (1 + y**2)


@elementwise(np.arcsin, math.asin)
def arcsin(y, x):
    # on the cut, 1.5 + 0j, the sign of the zero says on which side: 1 - x**2 has lost it
    d[x] = d[y] / (np.sqrt(-(x * x - 1)) if np.iscomplexobj(x) else np.sqrt(1 - x**2))


@elementwise(np.arccos, math.acos)
def arccos(y, x):
    d[x] = -d[y] / (np.sqrt(-(x * x - 1)) if np.iscomplexobj(x) else np.sqrt(1 - x**2))


@elementwise(np.arctan, math.atan)
def arctan(y, x):
    d[x] = d[y] / (1 + x**2)


@elementwise(np.arctan2, math.atan2)
def arctan2(angle, y, x):
    scaled = d[angle] / (x**2 + y**2)
    d[y] = scaled * x
    d[x] = -scaled * y


@elementwise(np.sinh, math.sinh)
def sinh(y, x):
    d[x] = d[y] * np.cosh(x)


@elementwise(np.cosh, math.cosh)
def cosh(y, x):
    d[x] = d[y] * np.sinh(x)


@elementwise(np.tanh, math.tanh)
def tanh(y, x):
    d[x] = d[y] * (1 - y**2)


@elementwise(np.arcsinh, math.asinh)
def arcsinh(y, x):
    d[x] = d[y] / (np.sqrt(-(-x * x - 1)) if np.iscomplexobj(x) else np.sqrt(x**2 + 1))


@elementwise(np.arccosh, math.acosh)
def arccosh(y, x):
    d[x] = d[y] / (np.sqrt(x - 1) * np.sqrt(x + 1))


@elementwise(np.arctanh, math.atanh)
def arctanh(y, x):
    d[x] = d[y] / (1 - x**2)


@elementwise(np.exp, math.exp)
def exp(y, x):
    d[x] = d[y] * y


@elementwise(np.exp2, *([math.exp2] if hasattr(math, "exp2") else []))  # Python 3.11
def exp2(y, x):
    d[x] = d[y] * y * math.log(2)


@elementwise(np.expm1, math.expm1)
def expm1(y, x):
    d[x] = d[y] * (y + 1)


@elementwise(np.log)
def log(y, x):
    d[x] = d[y] / x


@elementwise(np.log2, math.log2)
def log2(y, x):
    d[x] = d[y] / (x * math.log(2))


@elementwise(np.log10, math.log10)
def log10(y, x):
    d[x] = d[y] / (x * math.log(10))


@elementwise(np.log1p, math.log1p)
def log1p(y, x):
    d[x] = d[y] / (1 + x)


@elementwise(np.logaddexp)
def logaddexp(z, x, y):
    d[x] = d[z] * np.exp(x - np.where(z == -np.inf, 0.0, z))
    d[y] = d[z] * np.exp(y - np.where(z == -np.inf, 0.0, z))


@elementwise(np.logaddexp2)
def logaddexp2(z, x, y):
    d[x] = d[z] * np.exp2(x - np.where(z == -np.inf, 0.0, z))
    d[y] = d[z] * np.exp2(y - np.where(z == -np.inf, 0.0, z))


@elementwise(np.sqrt, math.sqrt)
def sqrt(y, x):
    d[x] = d[y] / (2 * y)


@elementwise(np.cbrt, *([math.cbrt] if hasattr(math, "cbrt") else []))  # Python 3.11
def cbrt(y, x):
    d[x] = d[y] / (3 * y**2)


@elementwise(np.square)
def square(y, x):
    d[x] = d[y] * (2 * x)


@elementwise(np.reciprocal)
def reciprocal(y, x):
    d[x] = -d[y] * y * y


@elementwise(np.hypot)
def hypot(z, x, y):
    scaled = d[z] / np.where(z == 0, 1.0, z)
    d[x] = scaled * x
    d[y] = scaled * y


@elementwise(np.deg2rad, np.radians, math.radians)
def radians(y, x):
    d[x] = d[y] * (math.pi / 180)


@elementwise(np.rad2deg, np.degrees, math.degrees)
def degrees(y, x):
    d[x] = d[y] * (180 / math.pi)


@elementwise(np.sinc)
def sinc(y, x):
    d[x] = d[y] * sinc_slope(x, 1)


@elementwise(np.maximum)
def maximum(z, x, y):
    d[x] = np.where(x == y, 0.5 * d[z], np.where(x > y, d[z], 0.0))
    d[y] = np.where(x == y, 0.5 * d[z], np.where(x < y, d[z], 0.0))


@elementwise(np.minimum)
def minimum(z, x, y):
    d[x] = np.where(x == y, 0.5 * d[z], np.where(x < y, d[z], 0.0))
    d[y] = np.where(x == y, 0.5 * d[z], np.where(x > y, d[z], 0.0))


@elementwise(np.fmax, np.fmin)
def extremum_or_number(z, x, y):
    d[x] = np.where(x == y, 0.5 * d[z], np.where(x == z, d[z], 0.0))
    d[y] = np.where(x == y, 0.5 * d[z], np.where(y == z, d[z], 0.0))


@elementwise(np.i0)
def i0(y, x):
    d[x] = d[y] * i0_slope(x, 1)


@elementwise(np.clip, holomorphic=False)
def clip(y, a, a_min=None, a_max=None):
    d[a] = (
        np.where(np.logical_and(a_min <= a, a <= a_max), d[y], 0.0)
        if a_min is not None and a_max is not None and np.isrealobj(y)
        else np.where(y == a, d[y], 0.0)
    )
    d[a_min] = np.where((a < y) & (y == a_min), d[y], 0.0)
    d[a_max] = np.where((a > y) | ((a < y) & (y != a_min)), d[y], 0.0)


@elementwise(np.where, holomorphic=False, linear=True)
def where(z, condition, x, y):
    d[condition] = 0.0
    d[x] = np.where(condition, d[z], 0.0)
    d[y] = np.where(condition, 0.0, d[z])


@elementwise(np.nan_to_num, holomorphic=False)
def nan_to_num(y, x, copy=True, nan=0.0, posinf=None, neginf=None):
    d[x] = (
        np.where(np.isfinite(x), d[y], 0.0)
        if np.isrealobj(x)
        else np.where(np.isfinite(np.real(x)), np.real(d[y]), 0.0)
        + 1j * np.where(np.isfinite(np.imag(x)), np.imag(d[y]), 0.0)
    )


@elementwise(np.fmod, math.fmod)
def fmod(z, x, y):
    d[x] = d[z]
    d[y] = -d[z] * np.trunc(x / y)


@elementwise(np.modf, math.modf)
def modf(y, x):
    d[x] = d[y][0]


@elementwise(np.frexp, math.frexp)
def frexp(y, x):
    d[x] = np.ldexp(d[y][0], -y[1])


@elementwise(np.ldexp, math.ldexp)
def ldexp(y, x, i):
    d[x] = np.ldexp(d[y], i)


@elementwise(np.copysign, math.copysign)
def copysign(z, x, y):
    d[x] = d[z] * np.copysign(np.sign(x), x * y)
    d[y] = 0.0


@elementwise(np.nextafter, math.nextafter)
def nextafter(z, x, y):
    d[x] = d[z]
    d[y] = 0.0


@elementwise(np.heaviside)
def heaviside(z, x, y):
    d[x] = 0.0
    d[y] = np.where(x == 0, d[z], 0.0)


@elementwise(np.real, holomorphic=False, linear=True)
def real(y, val):
    d[val] = d[y]


@elementwise(np.imag, holomorphic=False, linear=True)
def imag(y, val):
    d[val] = 1j * d[y]


@elementwise(np.conjugate, holomorphic=False, linear=True)
def conjugate(y, x):
    d[x] = conj(d[y])


@elementwise(np.angle, holomorphic=False)
def angle(y, z, deg=False):
    d[z] = (
        1j * d[y] * (180 / math.pi if deg else 1.0) * z / np.abs(z) ** 2
        if np.iscomplexobj(z)
        else 0.0 * d[y]
    )


if np.sign(1j) == 1j:  # NumPy 2.0

    @elementwise(direction, holomorphic=False)
    def direction_of_complex(y, z):
        """Only turning changes it; 0 at 0."""
        d[z] = 1j * y * np.imag(conj(y) * d[y]) / np.where(y == 0, 1, np.abs(z))


@elementwise(np.real_if_close, holomorphic=False)
def real_if_close(y, a, tol=100):
    d[a] = d[y]


nondifferentiable(
    *(np.sign, np.signbit, np.floor, np.ceil, np.trunc, np.rint, np.round, np.around, np.fix),
    *(np.spacing, np.isnan, np.isinf, np.isfinite, np.isneginf, np.isposinf),
    *(np.isreal, np.iscomplex, np.isclose, np.gcd, np.lcm),
    *(np.dtype(code).type for code in "?bBhHiIlLqQ"),
)
