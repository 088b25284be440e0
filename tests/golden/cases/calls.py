"""Helper functions, closures, methods, recursion and rules of one's own."""

import functools
import math

import numpy as np

from autodiff import adjoint, d, elementwise, stop_gradient
from tests.golden.case import case
from tests.language.data import V3


def scaled_square(x, scale=2.0, *, shift=0.0):
    y = x - shift
    return scale * y * y


@case(1.3, 0.4, wrt=("x", "y"))
def helper_with_defaults(x, y):
    return scaled_square(x) + scaled_square(y, shift=x) * scaled_square(2.0, scale=y)


def smooth_step(x):
    if x < 0.0:
        return 0.0
    return x * x * (3.0 - 2.0 * x)


@case(0.4)
def helper_with_branch(x):
    y = smooth_step(x)
    return y * x


def make_damped(rate):
    def damped(x):
        return math.exp(-rate * x) * x

    return damped


case(0.8, name="closure")(make_damped(0.5))
case(0.8, name="lambda_expression")(lambda x: x * math.tanh(x))
case(0.8, 1.1, name="partial")(functools.partial(scaled_square, shift=0.2))


@case(0.8, 0.3, wrt=("x", "a"))
def local_function(x, a):
    def shifted(t):
        return t * t + a

    apply = lambda g, t: g(t) * t
    return apply(shifted, x)


class Oscillator:
    def __init__(self, omega):
        self.omega = omega

    def phase(self, t):
        return self.omega * t

    def position(self, t):
        return math.cos(self.phase(t))


case(0.7, name="method")(Oscillator(2.0).position)


def power_by_squaring(x, n):
    if n == 0:
        return 1.0
    half = power_by_squaring(x, n // 2)
    return half * half * x if n % 2 else half * half


@case(1.1, 13)
def recursion(x, n):
    return power_by_squaring(x, n) + x


@case(1.3)
def nested_recursion(k):
    def integrand(t):
        return np.exp(-k * t)

    def refine(lo, hi, tol):
        mid = 0.5 * (lo + hi)
        coarse = (hi - lo) * integrand(mid)
        fine = 0.5 * (hi - lo) * (integrand(0.5 * (lo + mid)) + integrand(0.5 * (mid + hi)))
        if abs(fine - coarse) < tol:
            return fine
        return refine(lo, mid, 0.5 * tol) + refine(mid, hi, 0.5 * tol)

    return refine(0.0, 2.0, 1e-3)


def cube_root(x):
    """Newton iteration that no compiler need look into."""
    y = np.ones_like(x)
    for _ in range(60):
        y = y - (y * y * y - x) / (3.0 * y * y)
    return y


@adjoint(cube_root)
def cube_root_rule(y, x):
    d[x] = d[y] / (3.0 * y**2)


@case(np.array([0.7, 2.1]))
def rule_of_ones_own(x):
    return np.sum(cube_root(x) * x)


def softplus(x):
    return np.logaddexp(0.0, x)


@elementwise(softplus)
def softplus_rule(y, x):
    d[x] = d[y] / (1.0 + np.exp(-x))


@case(V3, 0.5, wrt=("x", "b"))
def elementwise_rule_of_ones_own(x, b):
    return np.sum(softplus(x + b) * x)


def force(x, stiffness):
    return -stiffness * np.sin(x)


@case(V3, 0.9, 0.1, 5, wrt=("x", "stiffness"))
def helper_in_loop(x, stiffness, h, n):
    v = np.zeros_like(x)
    for _ in range(n):
        middle = x + 0.5 * h * v
        v = v + h * force(middle, stiffness)
        x = middle + 0.5 * h * v
    return np.sum(x**2)


@case(V3, reference=lambda x: np.sum(x * np.exp(V3)))
def stopped(x):
    return np.sum(x * stop_gradient(np.exp(x)))
