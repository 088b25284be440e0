"""Variables that are assigned on some paths only: their values, or Python's error."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("numba")

from autodiff import NativeError, grad, jvp, value_and_grad  # noqa: E402

V = np.array([0.5, 1.5, -0.7, 2.0])


def assigned_in_a_branch(x):
    for k in range(len(x)):
        if x[k] > 0.0:
            t = x[k] * 2.0
        y = t * x[k]
    return y


def last_of_a_while(x):
    k = 0
    while k < len(x) and x[k] > 0.0:
        y = x[k] * k
        k += 1
    return y * x[1]


def counter_behind(x):
    for k in range(len(x)):
        if x[k] < 0.0:
            break
    return x[k] ** 2 * k


def array_of_a_branch(x):
    s = 0.0
    for k in range(len(x)):
        if x[k] > 1.0:
            w = x[: k + 1] * x[k]
            w[0] = x[1] ** 2
        if k > 1:
            s = s + np.sum(w) * x[k]
    return s


@pytest.mark.parametrize(
    "function", [assigned_in_a_branch, last_of_a_while, counter_behind, array_of_a_branch]
)
def test_what_is_assigned_somewhere(function):
    value, slope = value_and_grad(function)(V)
    ours, native = value_and_grad(function, backend="numba")(V)
    assert ours == pytest.approx(value, rel=1e-14)
    np.testing.assert_allclose(native, slope, rtol=1e-14)
    tangent = jvp(function, (V,), (np.cos(V),), backend="numba")
    np.testing.assert_allclose(tangent, (value, slope @ np.cos(V)), rtol=1e-13)


@pytest.mark.parametrize(
    ("function", "x", "name"),
    [
        (assigned_in_a_branch, -V, "t"),
        (last_of_a_while, -V, "y"),
        (counter_behind, V[:0], "k"),
        (array_of_a_branch, V - 2.0, "w"),
    ],
)
def test_what_is_not_assigned_raises_as_in_python(function, x, name):
    for failing in (function, grad(function), grad(function, backend="numba")):
        with pytest.raises(UnboundLocalError, match=name):
            failing(x)


def counts_on_some_paths(x):
    for k in range(len(x)):
        if x[k] > 0.0:
            places = np.array([k, 0])
    return x[places[0]] * x[1]


def test_arrays_of_other_types_are_refused():
    with pytest.raises(NativeError, match="`places`, which is assigned on some paths only"):
        grad(counts_on_some_paths, backend="numba")(V)
