"""`no_grad`: what a block computes is constant; the block itself runs as it is."""

from __future__ import annotations

import numpy as np
import pytest

from autodiff import UnsupportedSyntaxError, grad, jvp, no_grad, stop_gradient

V = np.array([0.1, 0.2, 0.3, 0.15, 0.4])


def scaled(x):
    with no_grad():
        scale = np.max(x)
        squares = x * x
    return np.sum(x / scale + squares * x)


def scaled_by_values(x):
    scale, squares = stop_gradient(np.max(x)), stop_gradient(x * x)
    return np.sum(x / scale + squares * x)


def loop(x):
    s, a = 0.0, x * 1.0
    for i in range(3):
        s = s + np.sum(x * x) * i
        with no_grad():
            a[i] = s * x[i]
            s = s * 2.0
    return s * np.sum(x) + np.sum(a * x)


def loop_by_values(x):
    s, a = 0.0, x * 1.0
    for i in range(3):
        s = s + np.sum(x * x) * i
        a[i] = stop_gradient(s * x[i])
        s = stop_gradient(s * 2.0)
    return s * np.sum(x) + np.sum(a * x)


def lists_and_branches(x):
    history, t = [], x[0] * x[1]
    with no_grad():
        history.append(x[0] * 2)
        t += x[2]
        if x[0] > 100.0:
            t = x[3]
    history.append(x[1])
    return history[0] * x[0] + history[1] * x[1] + t * x[2]


def lists_and_branches_by_values(x):
    history, t = [stop_gradient(x[0] * 2)], stop_gradient(x[0] * x[1] + x[2])
    history.append(x[1])
    return history[0] * x[0] + history[1] * x[1] + t * x[2]


def name_used_again(x):
    with no_grad():
        m = np.mean(x)
    y = x * m
    m = x[0]
    return np.sum(y) * m


def name_used_again_by_values(x):
    return np.sum(x * stop_gradient(np.mean(x))) * x[0]


@pytest.mark.parametrize(
    ("function", "by_values"),
    [
        (scaled, scaled_by_values),
        (loop, loop_by_values),
        (lists_and_branches, lists_and_branches_by_values),
        (name_used_again, name_used_again_by_values),
    ],
)
def test_it_is_as_if_values_were_stopped(function, by_values):
    assert function(V) == by_values(V)
    wanted = grad(by_values)(V)
    assert np.allclose(grad(function)(V), wanted, rtol=1e-14)
    value, slope = jvp(function, (V,), (np.cos(V),))
    assert value == function(V) and np.isclose(slope, np.sum(wanted * np.cos(V)))


def test_what_is_refused():
    def named(x):
        with no_grad() as nothing:
            y = x * x
        return y, nothing

    def defined(x):
        with no_grad():
            f = lambda t: t * x  # noqa: E731
        return f(x)

    for function in (named, defined):
        with pytest.raises(UnsupportedSyntaxError, match="no_grad"):
            grad(function)(2.0)
