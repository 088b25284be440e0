"""Functions of NumPy that call others: `vectorize`, `apply_along_axis`, `piecewise`."""

from __future__ import annotations

import math

import numpy as np
import pytest

from autodiff import grad
from tests.core.differences import check
from tests.core.judge import Verdict, core_alone, judge

A = np.array([0.5, 0.3, -0.6])


@np.vectorize
def leaky(t, slope):
    return t if t > 0.0 else math.exp(slope * t) - 1.0


def of_items(x, a):
    f = np.vectorize(lambda t: t**2 * x if t > 0 else math.sin(t) * x)
    return np.sum(f(a) * a) + np.sum(f(np.outer(a, a)) ** 2)


def of_pairs(x, a):
    return np.vectorize(lambda v, w, u: v * w + u)(a, a[:, None], 2.0 * x).sum()


def of_outside(x, a):
    return np.sum(leaky(np.outer(a, a), x) * x)


def called_once_more_for_the_type(x, a):
    calls = [0]

    def counted(v):
        calls[0] += 1
        return v * calls[0]

    return np.sum(np.vectorize(counted)(a)) * x


def not_called_for_a_type_that_is_told(x, a):
    calls = [0]

    def counted(v):
        calls[0] += 1
        return v * calls[0] if calls[0] > 1 else 2

    return np.sum(np.vectorize(counted, otypes=[float])(a)) * x


def changes_memory(x, a):
    b = a * x

    def added(v):
        b[0] += v
        return v

    s = np.sum(a * b)
    np.vectorize(added)(a)
    return s * np.sum(x * b)


def numbers_of_rows(x, a):
    m = np.outer(a, a)
    return np.sum(np.apply_along_axis(lambda row: np.sum(row) * row[0], 0, m) ** 2) * x


def arrays_of_rows(x, a):
    m = np.outer(a, a)[:2]
    y = np.apply_along_axis(lambda r: np.outer(r, r), -1, m)
    z = np.apply_along_axis(lambda r: np.cumsum(r), 0, m)
    return np.sum(y * np.arange(18.0).reshape(y.shape)) * x + np.sum(z**3)


def changes_rows(x, a):
    m = np.outer(a, a)

    def turned(r):
        r[0] = r[1] * x
        return r[::-1]

    p = np.apply_along_axis(turned, 0, m)
    return np.sum(p**2) + np.sum(m**3)


def with_options(x, a):
    def power(r, s, p=1.0):
        return r * s**p

    return np.sum(np.apply_along_axis(power, 1, np.outer(a, a), x, p=2.0))


def of_one_axis(x, a):
    b, total = a * x, 0.0
    for k in range(3):
        np.apply_along_axis(lambda r: r.fill(r[0] * x), 0, b[k:])
        total = total + np.apply_along_axis(np.prod, -1, b + a) * k
    lent = np.apply_along_axis(lambda r, s: r[::-1] if s else r, 0, b, True)
    lent *= x
    return total + np.sum(lent * b)


def pieces_of_numbers(x, a):
    y = np.sum(np.piecewise(x, [x > 0.5, x < -5.0], [lambda t: t**3, 2.0, np.sin]))
    for v in a:
        y = y * x + float(np.piecewise(v * x, v > 0.1, [lambda t, s: t * s, np.multiply], x))
    return y


def pieces(x, a):
    y = np.piecewise(a, [a < 0, a > 1], [np.sin, lambda t: t**3 + t, x])
    z = np.piecewise(a, [a < 0.4, a > -0.1], [lambda t, s: t * s, np.multiply, 2.0], x)
    return np.sum(y**2) + np.sum(z * a)


def a_piece_that_is_empty(x, a):
    return np.sum(np.piecewise(a, [a > 100.0, a > 0.4], (np.max, np.cos, a[0] * x)) ** 2)


def one_condition(x, a):
    return np.sum(np.piecewise(a, a < 0, [lambda t, c: c * t, lambda t, c: t * t], c=x) * a)


def an_integer_first(x, a):
    return np.sum(np.vectorize(lambda v: 0 if v > 0.4 else v * x)(a))


def an_integer_in_a_row(x, a):
    return np.sum(np.apply_along_axis(lambda r: 0 if r[0] > 0.1 else r[0] * x, 0, np.outer(a, a)))


def of_nothing(x, a):
    return np.sum(np.vectorize(lambda v: v * x)(a[:0]))


def an_integer_of_one_axis(x, a):
    return np.apply_along_axis(lambda r: 0 if r[0] > 0.1 else r[0] * x, 0, a) * x


def no_rows(x, a):
    return np.sum(np.apply_along_axis(lambda r: r[0] * x, 1, np.outer(a, a)[:0]))


BY_THE_FIRST = [an_integer_first, an_integer_in_a_row, an_integer_of_one_axis]
EMPTY = [of_nothing, no_rows]
PROGRAMS = [
    value
    for value in list(globals().values())
    if getattr(value, "__code__", None) and value.__code__.co_varnames[:2] == ("x", "a")
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_right_in_all_modes(program):
    if program in BY_THE_FIRST:
        found = judge(program, [(0.7, A)], ("x", "a"))
        assert found.why == "a type of results that depends on the first"
    elif program in EMPTY:
        with core_alone(), pytest.raises((ValueError, IndexError)):
            grad(program, wrt=("x", "a"))(0.7, A)
    else:
        assert judge(program, [(0.7, A), (-1.2, A[::-1])], ("x", "a")) == Verdict("right")


def rows_lie_as_in_numpy(m):
    y = np.apply_along_axis(lambda r: r * 2, 0, m)
    v = y.T.ravel()
    v[:2] *= 0.3
    z = np.apply_along_axis(lambda r: r * r[0], 1, m)
    z.T.ravel()[1] = 0.0
    z.reshape(-1)[2] = m[0, 0]
    return np.sum(y**2) + np.sum(z**3)


def test_order_of_rows(monkeypatch):
    m = np.array([[0.3, 0.7, 1.1], [0.2, 0.9, 1.3]])
    check(monkeypatch, rows_lie_as_in_numpy, m)
    check(monkeypatch, rows_lie_as_in_numpy, np.asfortranarray(m))


def test_what_numba_vectorized(monkeypatch):
    numba = pytest.importorskip("numba")
    bump = numba.vectorize(["float64(float64, float64)"])(lambda t, s: s * t**3 if t > 0 else s - t)

    def of_numbers(x):
        return bump(x, 2) * bump(np.asarray(x), x) + bump(-x, bump(x, x))

    def of_arrays(x):
        return np.sum(bump(x, 2) * bump(np.outer(x, x), x[0])) * bump(x[0], x[1])

    check(monkeypatch, of_numbers, 0.7)
    check(monkeypatch, of_arrays, np.array([0.7, -0.2, 0.4]))


def test_what_numba_compiled(monkeypatch):
    numba = pytest.importorskip("numba")
    smooth = numba.njit(lambda t: 1.0 / (1.0 + np.exp(-t)))

    @numba.njit
    def filled(table, x, rate):
        for i in range(len(table)):
            for j in range(1, len(table)):
                table[i, j] = smooth(x[j] - rate * x[i])

    def total(x):
        table = np.zeros((3, 3))
        filled(table, x, x[0])
        return np.sum(table * x) + sum(map(smooth, x)) * smooth(2.0)

    check(monkeypatch, total, np.array([0.7, -0.2, 0.4]))


def split(t, s, kind="sum", shift=None):
    if kind == "sum":
        return t + s, t * s, 3
    return t, s, 2 if shift is None else 4


def once_for_what_has_no_axis(x):
    a, b, n = np.vectorize(split, cache=True)(t=np.asarray(x), s=2.0, kind="sum", shift=None)
    c, d, m = np.vectorize(split)(x, np.asarray(3.0) * x, "other")
    return a * b * n + c * d * m + np.vectorize(lambda t: 3, otypes=[float])(x) * x


def counted_for_what_has_no_axis(x):
    calls = [0]

    def counted(t):
        calls[0] += 1
        return t * calls[0]

    y = np.vectorize(counted)(x) + np.vectorize(counted, cache=True)(x) * x
    return y + np.vectorize(counted, otypes=[float])(x)


@pytest.mark.parametrize("f", [once_for_what_has_no_axis, counted_for_what_has_no_axis])
def test_vectorized_without_an_axis(f, monkeypatch):
    check(monkeypatch, f, 0.7)


def from_python(x):
    calls = [0]

    def counted(s, t):
        calls[0] += 1
        return s * t * calls[0] if s > 0.0 else s + t * x[0]

    return np.sum(np.frompyfunc(counted, 2, 1)(x, x[::-1]) * x)


def test_of_objects(monkeypatch):
    check(monkeypatch, from_python, np.array([0.7, -0.2, 0.4]))
