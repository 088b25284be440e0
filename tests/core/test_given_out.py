"""What a derivative inside gives out is memory of its own: whoever gets it may change it, while
others look at what it was made of.
"""

from __future__ import annotations

import numpy as np
import pytest

from autodiff import grad, hvp, jacobian, jvp, value_and_grad, vjp
from tests.core.judge import MODES, Verdict, core_alone, judge

X = np.array([0.7, 0.4, 1.1, 0.9])
W = np.array([0.3, 1.2, -0.7, 0.5])
OUTSIDE = W.copy()
STEP = 1e-6


def the_argument(x, a):
    g = grad(lambda y: np.sum(y * x))(x)
    g *= a
    return np.sum(g * x)


def what_was_written_before(x, a):
    u = x * 1.0
    u[0] = 2.0 * u[1]
    g = grad(lambda y: np.sum(y * u))(x)
    g *= u
    return np.sum(g * u * a)


def what_is_written_behind(x, a):
    u = x * 1.0
    g = grad(lambda y: np.sum(y * u))(x)
    u[0] = 2.0 * u[1]
    g *= u
    return np.sum(g * u * a)


def twice(x, a):
    g = grad(lambda y: np.sum(y * x))
    p, q = g(x), g(a)
    p *= 2.0
    q[0] = p[1] * x[0]
    return np.sum(p * q * a)


def two_of_one(x, a):
    p, q = grad(lambda y, z: np.sum((y + z) * x), wrt=(0, 1))(x, a)
    p[1:] *= x[:-1]
    q += p
    return np.sum(p * q * a)


def outside(x, a):
    g = grad(lambda y: np.sum(y * OUTSIDE))(x)
    g[0] = x[1] * 2.0
    return np.sum(g * x * a)


def value_and_adjoint(x, a):
    v, pull = vjp(lambda y: y[::-1], x)
    v[0] *= 3.0
    (p,) = pull(x)
    p *= v
    (q,) = pull(p)
    q[1] = p[0]
    return np.sum(p * q * x * a)


def value_and_tangent(x, a):
    v, t = jvp(lambda y: y, (x,), (x[::-1],))
    v *= 2.0
    t[1] = v[0]
    return np.sum(v * t * x * a)


def of_several_sweeps(x, a):
    m = jacobian(lambda y: y[0] * x)(x)
    h = hvp(lambda y: np.sum(y * y * a))(x, x)
    m[0] *= h[1]
    h[0] *= x[1]
    return np.sum(m @ h)


def from_step_to_step(x, a):
    u, s = x * 1.0, 0.0
    for i in range(3):
        v, g = value_and_grad(lambda y: np.sum(y * u * a))(u)
        g -= x * v
        g[i] = g[i + 1]
        u = g
        s += v
    return np.sum(u * x) * s


def changed(z):
    z[0] = z[1] * z[2]
    return z


def under_other_names(x, a):
    g = grad(lambda y: np.sum(y * x))(x)
    held = [g]
    held[0][1:] *= a[1:]
    v = g[1:][::-1]
    v *= x[:3]
    return np.sum(g * x) + np.sum(changed(g) * a) + np.sum(held[0] * x)


PROGRAMS = [
    the_argument,
    what_was_written_before,
    what_is_written_behind,
    twice,
    two_of_one,
    outside,
    value_and_adjoint,
    value_and_tangent,
    of_several_sweeps,
    from_step_to_step,
    under_other_names,
]


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_it_may_be_changed(function):
    assert judge(function, [(X, W)], ("x", "a"), (*MODES, "jvp")) == Verdict("right")
    np.testing.assert_array_equal(OUTSIDE, W)


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_second_derivatives(function):
    with core_alone():
        gradient, v = grad(function), X[::-1] * W
        ends = [gradient(X + sign * STEP * v, W) for sign in (1.0, -1.0)]
        expected = (ends[0] - ends[1]) / (2.0 * STEP)
        np.testing.assert_allclose(hvp(function)(X, W, v), expected, rtol=1e-5, atol=1e-6)


def test_new_memory_is_not_copied():
    def f(x):
        g = grad(lambda y: np.sum(y**3))(x)
        g[0] = x[1]
        return np.sum(g * x)

    with core_alone():
        forward = grad(f).source_for(X).partition("Reverse sweep")[0]
    assert "copy" not in forward
