"""Polynomials given by their coefficients, that of the highest power first."""

import numpy as np

from autodiff.rules import adjoint, d, linear, registry
from autodiff.runtime import (
    conj,
    poly_adjoint,
    polyder_adjoint,
    polydiv_adjoint,
    polyfit_adjoint,
    polyint_adjoint,
    polymul_adjoint,
    roots_adjoint,
    tail,
    unbroadcast,
)


@adjoint(np.polyval)
def polyval(y, p, x):
    d[p] = unbroadcast(np.ravel(d[y]) @ conj(np.vander(np.ravel(x), np.size(p))), like=p)
    d[x] = unbroadcast(d[y] * conj(np.polyval(np.polyder(p), x)), like=x)


@linear(np.polyadd)
def polyadd(y, a1, a2):
    d[a1] = tail(d[y], like=a1)
    d[a2] = tail(d[y], like=a2)


@linear(np.polysub)
def polysub(y, a1, a2):
    d[a1] = tail(d[y], like=a1)
    d[a2] = -tail(d[y], like=a2)


@adjoint(np.polymul)
def polymul(y, a1, a2):
    d[a1] = polymul_adjoint(d[y], a1, a2)
    d[a2] = polymul_adjoint(d[y], a2, a1)


@adjoint(np.polydiv)
def polydiv(y, u, v):
    d[u] = polydiv_adjoint(d[y][0], d[y][1], y[0], u, v, "u")
    d[v] = polydiv_adjoint(d[y][0], d[y][1], y[0], u, v, "v")


@linear(np.polyder)
def polyder(y, p, m=1):
    d[p] = polyder_adjoint(d[y], p, m)


@linear(np.polyint)
def polyint(y, p, m=1, k=None):
    d[p] = polyint_adjoint(d[y], p, m, k, "p")
    d[k] = polyint_adjoint(d[y], p, m, k, "k")


@adjoint(np.polyfit)
def polyfit(c, x, y, deg, *, w=None):
    d[x] = polyfit_adjoint(d[c], c, x, y, deg, w, "x")
    d[y] = polyfit_adjoint(d[c], c, x, y, deg, w, "y")
    d[w] = polyfit_adjoint(d[c], c, x, y, deg, w, "w")


registry.add_uncertain([np.roots, np.poly, np.real_if_close])


@adjoint(np.roots)
def roots(y, p):
    """For roots that differ from each other."""
    d[p] = roots_adjoint(d[y], y, p)


@adjoint(np.poly)
def poly(y, seq_of_zeros):
    d[seq_of_zeros] = poly_adjoint(d[y], y, seq_of_zeros)


def polynomial(c_or_r):
    """`np.poly1d(c_or_r)`, as a function; without a place, its coefficients."""

    def value(val=None):
        coefficients = c_or_r if np.ndim(c_or_r) else np.atleast_1d(c_or_r)
        return coefficients if val is None else np.polyval(coefficients, val)

    return value


class Polynomial:
    """`np.polynomial.Polynomial(coef)`, where its domain is its window, as far as its values tell:
    which zeros NumPy leaves out of `coef` they do not.
    """

    __eq__ = __hash__ = __len__ = __iter__ = None

    def __init__(self, coef):
        if np.ndim(coef) > 1:
            raise ValueError("Coefficient array is not 1-d")
        self.held = np.atleast_1d(coef) * 1.0  # whole numbers are floating-point ones there, too

    def __call__(self, arg):
        return np.polyval(np.flip(self.held), arg)

    def deriv(self, m=1):
        if m >= np.size(self.held):
            return Polynomial(0.0)
        return Polynomial(np.flip(np.polyder(np.flip(self.held), m)))

    def integ(self, m=1):
        return Polynomial(np.flip(np.polyint(np.flip(self.held), m)))

    def __add__(self, other):
        return Polynomial(np.flip(np.polyadd(np.flip(self.held), highest_first(other))))

    __radd__ = __add__

    def __neg__(self):
        return Polynomial(-self.held)

    def __sub__(self, other):
        return self + (-Polynomial(1.0)) * other

    def __rsub__(self, other):
        return -self + other

    def __mul__(self, other):
        return Polynomial(np.flip(np.polymul(np.flip(self.held), highest_first(other))))

    __rmul__ = __mul__

    def __pow__(self, power):
        if power < 0 or int(power) != power:
            raise ValueError("Power must be a non-negative integer.")
        result = Polynomial(1.0)
        for _ in range(int(power)):
            result = result * self
        return result


def highest_first(other):
    """The coefficients of a series, those that are written down, or a number."""
    return np.flip(other.held if isinstance(other, Polynomial) else np.atleast_1d(other))


registry.add_plain({np.poly1d: polynomial, np.polynomial.Polynomial: Polynomial})
