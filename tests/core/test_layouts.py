"""Views and copies that NumPy chooses between by how arrays lie in memory: right for each order."""

from __future__ import annotations

from unittest import mock

import numpy as np
import pytest

from autodiff import grad, hessian
from autodiff.pipeline import assembly
from autodiff.runtime import replica
from tests.core import judge as judging
from tests.core.judge import Verdict, judge

A = np.array([[0.7, -1.3, 0.4], [1.1, 0.6, -0.8], [0.3, 0.9, 1.4]])
BIG = np.arange(36.0).reshape(6, 6) / 20
ORDERS = {
    "rows": A,
    "columns": np.asfortranarray(A),
    "gaps": BIG[::2, ::2],
    "backwards": BIG[::-2, 1::2],
    "transposed": BIG[:3, :3].T,
}


def copy_of_any_order(m):
    y = (m * 2.0).copy()
    y.reshape(-1)[1] = 0.0
    return np.sum(y * A)


def zeros_of_an_order(m):
    y = np.zeros((3, 3), order="F")
    y[...] = m * m
    z = y.reshape(-1)
    z[1] = m[0, 0]
    z *= 2.0
    return np.sum(y * A) + np.sum(z**2)


def product_of_any_order(m):
    y = m * 2.0
    z = y.reshape(-1)
    z[1] = m[0, 0] ** 2
    return np.sum(y * A) + np.sum(z**2)


def the_argument_reshaped(m):
    z = m.reshape(-1)
    z[1] = m[0, 0] ** 2
    z[2:] *= z[1]
    m[1] = m[2] * z[0]
    return np.sum(m * A) + np.sum(z**2)


def raveled_in_both_orders(m):
    y = m.T * m
    z = y.ravel()
    w = y.ravel(order="F")
    v = y.reshape(-1, order="F")
    z[1] = y[0, 0] ** 2
    w[2] = z[1] * y[1, 1]
    v[3] = w[2] * z[2]
    return np.sum(y * A) + np.sum(z * w * v)


def reshaped_in_a_loop(m):
    y = m * 2.0
    s = 0.0
    for i in range(3):
        z = y.reshape(-1)
        z[i] = z[i + 1] * m[i, 0]
        y[i] *= z[i]
        s = s + np.sum(z[1:] * y[0, 0])
    return s + np.sum(y * A)


def array_that_is_kept(m):
    y = m * m
    u = y
    w = y * 1.0
    y[0] = 2.0
    z = w.reshape(-1)
    z[1] = m[1, 1] * y[2, 2]
    return np.sum(w * A) + np.sum(z * z) + np.sum(u)


def order_of_what_is_copied_on_the_way(m):
    y = m * 1.0
    t = y
    k = t + 0.0
    y[0, 0] = m[0, 0] ** 2
    z = (t * k).reshape(-1)
    z2 = k.reshape(9)
    z2[1] = z[0]
    return np.sum(k * A) + np.sum(z2 * z)


def real_parts(m):
    y = m * 2.0
    r = np.real(y)
    r[0] *= m[1]
    y.real[1] = 3.0 * m[2]
    np.asarray(y)[2] *= y[0]
    return np.sum(y * A)


def diagonals_that_are_read(m):
    y = m * 2.0
    y[0, 0] = m[1, 1] ** 2
    d = np.diagonal(y)
    t = np.sum(d * d)
    y[1] *= m[2]
    b = np.broadcast_to(y[1], (3, 3))
    e = y.diagonal(1)
    return t + np.sum(b * y) + np.sum(e)


def diagonals_in_a_loop(m):
    y = m * 2.0
    s = 0.0
    for i in range(3):
        y[i, i] = y[i, i - 1] * m[i, 0]
        s = s + np.sum(np.diagonal(y) ** 2) + np.sum(np.diag(y) * np.broadcast_to(y[0], (3, 3)))
    return s


def windows_of_a_row(m):
    y = m * 2.0
    y[0] = m[1] ** 2
    w = np.lib.stride_tricks.sliding_window_view(y[0], 2)
    s = np.sum(w**2)
    y[0] *= m[2]
    return s + np.sum(y)


def on_each_path_another(m):
    y = m * 2.0
    if m[0, 0] > 0.5:
        z = y.reshape(-1)
    else:
        z = y.T.reshape(-1)
    z[1] = m[2, 2] ** 2
    z *= z[1]
    return np.sum(y * A) + np.sum(z * z)


def contiguous_arrays(m):
    y = m * 2.0
    z = np.ascontiguousarray(y.T)
    z[0] *= m[0]
    f = np.asfortranarray(y)
    f[1] *= z[1]
    return np.sum(y * A) + np.sum(z * f)


def an_order_of_lapack(m):
    y = np.linalg.inv(m + 3 * np.eye(3))
    z = y.reshape(-1)
    z[1] *= m[0, 0]
    return np.sum(y * A) + np.sum(z)


def view_that_shows_a_store(m):
    y = m * 2.0
    d = np.diagonal(y)
    y[0, 0] = m[1, 1] ** 2
    return np.sum(d * d)


def view_that_shows_stores_in_a_loop(m):
    y = m * 2.0
    d = np.diagonal(y)
    s = 0.0
    for i in range(3):
        s = s + d[0]
        y[0, 0] = m[1, 1] ** 2 * s
    return s


def order_that_is_left(m):
    k = np.median(m, overwrite_input=True)
    j = np.quantile(m.T[1:], 0.3, axis=(0, 1), overwrite_input=True)
    return k * j * np.sum(m * A)


def view_by_values(m):
    v = np.real_if_close(np.asarray(m)[::-1]).conj()[:, 1:]
    v[0] *= 3.0
    w = np.trim_zeros(m[1])
    w[1] = w[0] ** 2
    return np.sum(m * m * A) + np.sum(v**2)


PROGRAMS = [
    value for value in list(globals().values()) if getattr(value, "__module__", "") == __name__
]


def copied(values):
    """Copies of arrays that lie in memory as they do."""
    if isinstance(values, (tuple, list)):
        return [copied(value) for value in values]
    return replica(values) if isinstance(values, np.ndarray) else values


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_right_for_each_order(program):
    with mock.patch.object(judging, "copied", copied):
        for order, own in ORDERS.items():
            verdict = judge(program, [(own,)], ("m",))
            if (program, order) == (reshaped_in_a_loop, "backwards"):
                assert verdict.what == "unsteady"  # its slopes are too large there
            else:
                assert verdict == Verdict("right"), order


def reshaped_and_changed(m):
    u = m.reshape(-1)
    u[0] = m[1, 1] ** 2
    v = m.ravel()
    v[1] *= u[2]
    return np.sum(u * u) + np.sum(m * m * A) + np.sum(v * A.ravel())


def element_by_element(m):
    s = 0.0
    for i in range(3):
        s += m[i, 0] * m[i, 1] ** 2
    u = m.ravel()
    u[0] = s
    return np.sum(u * u)


@pytest.mark.parametrize("program", [reshaped_and_changed, element_by_element])
def test_elements_that_are_the_same_memory_have_adjoints_of_their_own(program):
    rows = np.broadcast_to(A[0].copy(), (3, 3))
    windows = np.lib.stride_tricks.sliding_window_view(np.append(A[0], A[1, :2]), 3)
    for own in (rows, rows.T, windows, windows.T[::-1]):
        with mock.patch.object(judging, "copied", copied):
            assert judge(program, [(replica(own),)], ("m",)) == Verdict("right")
        with judging.core_alone():
            given = grad(program)(own)
            np.testing.assert_allclose(given, grad(program)(replica(own)))


def test_second_derivative_of_a_list_of_elements():
    def f(x):
        return np.sum(np.array([t for t in x.ravel()])) * x[0]

    def of(x):
        return np.sum(grad(f)(x))

    with judging.core_alone():
        found = grad(of)(np.array([0.7, 0.1, 0.9, 0.4]))
    np.testing.assert_allclose(found, [5.0, 1.0, 1.0, 1.0])


def smoothed(m):
    z = np.sin(m) * np.cos(m) + m**2
    z = z * np.exp(-m) + z**2 * m
    return z.ravel(order="K")[1] * np.sum(z * m) + np.sum(np.tanh(z) * m**3) + np.sum(z)


def read_by_a_function_that_stays_one(m):
    first = smoothed(m)
    m[0, 1] *= 3.0
    return first * smoothed(m)


def read_of_what_is_made_of_what_changes(m):
    total = 0.0
    for _ in range(2):
        w = m * 1.0
        total = total + w.ravel("K")[1] * w[0, 1]
        m[0] *= 2.0
    return total


def doubled_in_order(m, n):
    if n == 0:
        return
    m.reshape(-1)[1] *= 2.0 + m[0, 0]
    doubled_in_order(m, n - 1)


def changed_by_recursion(m):
    w = m + 0.0 * np.sin(m)
    doubled_in_order(w, int(2.0 * m[1, 1]))
    return np.sum(w**2) * w[0, 1]


def a_window_changed_by_recursion(m):
    w = m * 1.0
    doubled_in_order(w[:, :2], int(2.0 * m[1, 1]))
    return np.sum(w**2) * w[0, 1]


TABLE = np.array([[0.4, 0.7, 0.6], [-0.3, 1.2, 0.5]])
ORDERED = [
    read_by_a_function_that_stays_one,
    read_of_what_is_made_of_what_changes,
    changed_by_recursion,
    a_window_changed_by_recursion,
]


@pytest.mark.parametrize("function", ORDERED)
@pytest.mark.parametrize("order", ["C", "F", "gaps"])
def test_how_arguments_lie_in_memory_is_kept(monkeypatch, function, order):
    m = np.repeat(TABLE, 2, 1)[:, ::2] if order == "gaps" else np.array(TABLE, order=order)
    monkeypatch.setattr(assembly, "CHECKED", True)

    def along(take, at):
        """Differences of what is taken, in copies that lie as the argument does."""
        rows = []
        for place in np.ndindex(at.shape):
            ends = []
            for step in (1e-6, -1e-6):
                own = np.repeat(at, 2, 1)[:, ::2] if order == "gaps" else at.copy("K")
                own[place] += step
                ends.append(take(own))
            rows.append((ends[0] - ends[1]) / 2e-6)
        return np.array(rows)

    slopes = grad(function)
    np.testing.assert_allclose(np.ravel(slopes(m)), along(function, m), rtol=1e-5, atol=1e-7)
    np.testing.assert_allclose(
        hessian(function)(m).reshape(6, 6), along(slopes, m).reshape(6, 6), rtol=1e-5, atol=1e-5
    )
