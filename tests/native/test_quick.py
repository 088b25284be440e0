"""What the compiler of derivatives writes at once is what Numba makes of it."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

pytest.importorskip("numba")

import numba
from numba.core.compiler import Compiler

from autodiff import grad
from autodiff.codegen.quick import Quick

M = np.array([[0.3, -0.0, 2.5], [np.nan, -1.25, np.inf]])
K = np.array([3, -2, 0, 7])


def numbers(m, k):
    s = 0.0
    n = 1
    for i in range(2):
        for j in range(3):
            a = m[i, j] * 3 - 2 * i + 0.1
            b = m[i, -1 - j]
            s = s + a * b - b
            n *= k[i] + j
            n -= k[-j] * 2 + i
            if a < b or a != a:
                s -= 1.5
            if a >= b:
                s *= 0.5
            if b == a:
                n += 1
            if n <= k[j] or n > 4 or n != i:
                n = n - 3
    return s, n


def stores(m, k):
    x = m.copy()
    y = np.zeros(4)
    z = x.T
    count = k.copy()
    for i in range(3):
        z[i, 1] = z[i, 0] - x[1, i]
        x[-1, i] -= 2 * i
        y[i + 1] += x[0, i]
        y[-1] -= 1
        z[i, -2] += y[i]
        count[i] += 2
        count[-1] = i
    return x, y, z, count


def values(m, k):
    a = np.sin(m) * 2.0 + m
    b = [row * 1.0 for row in a]
    c = (k * 2)[1]
    d = {"a": 1.5}
    return a, b[1], c + d["a"], a[0] @ b[1], -k, 2**c, 7 // k[0], 7 % k[1], k[0] / 2


def kinds(m, k):
    f = m.astype(np.float32)
    z = m * 1j
    b = m > 0.2
    u = k.astype(np.uint64)
    return f[0, 0] * 3.0 + f[0, 2], z[0, 2] * z[0, 0] - 1, b[0, 1], u[0] + 1, f[u[0] % 2, 1]


def outcomes(compiled, given):
    return compiled(*(g.copy() for g in given))


@pytest.mark.parametrize("function", [numbers, stores, values, kinds], ids=lambda f: f.__name__)
@pytest.mark.parametrize("options", [{}, {"boundscheck": True}, {"error_model": "numpy"}], ids=str)
def test_what_numba_makes_of_it(function, options):
    given = (M, K)
    expected = outcomes(numba.njit(**options)(function), given)
    found = outcomes(numba.njit(pipeline_class=Quick, **options)(function), given)
    assert len(found) == len(expected)
    for one, other in zip(found, expected):
        assert np.asarray(one).dtype == np.asarray(other).dtype
        assert np.asarray(one).tobytes() == np.asarray(other).tobytes()


def test_memory_of_another_layout():
    jitted, quick = numba.njit(numbers), numba.njit(pipeline_class=Quick)(numbers)
    for m in (np.asfortranarray(M), np.repeat(M, 2, axis=1)[:, ::2], M[::-1]):
        assert quick(m, K) == jitted(m, K) or math.isnan(jitted(m, K)[0])


def added(x):
    x[-4] += 1.0


@pytest.mark.parametrize("function", [lambda x: x[5], added])
def test_indices_out_of_bounds(function):
    with pytest.raises(IndexError):
        numba.njit(pipeline_class=Quick, boundscheck=True)(function)(np.zeros(3))


def test_stores_to_what_may_not_change():
    def stored(x):
        x[0] = 1.0

    x = np.zeros(3)
    x.flags.writeable = False
    with pytest.raises(numba.core.errors.TypingError):
        numba.njit(pipeline_class=Quick)(stored)(x)


@pytest.mark.parametrize(("version", "own"), [((0, 68), Quick), ((0, 67), Compiler)])
def test_versions_of_numba_that_it_was_not_tried_with_compile_with_their_own_passes(
    version, own, monkeypatch
):
    made = []
    monkeypatch.setattr(numba, "version_info", SimpleNamespace(short=version))
    monkeypatch.setattr(numba, "njit", lambda **options: made.append(options) or numba.jit())
    derivative = grad(lambda x: x * x * x, backend="numba")
    assert derivative(2.0) == 12.0
    assert {options["pipeline_class"] for options in made} == {own}


@pytest.mark.parametrize("value", [2.0, 3])
def test_arrays_that_are_filled(value):
    def filled(x):
        y = np.full(3, value)
        y[1] = x * x
        z = np.full((2, 2), x)
        return np.sum(y * y) + np.sum(z * z * value)

    assert grad(filled, backend="numba")(1.5) == pytest.approx(grad(filled)(1.5))
