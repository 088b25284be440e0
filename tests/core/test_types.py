"""Numbers that are no doubles, through Core: single precision, complex, whole, of a type that is
found out when it runs (`reversal/scope.py`).
"""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np
import pytest

from autodiff import grad
from autodiff.pipeline import assembly, compiler
from tests.core.differences import check, differences

V = np.array([0.5, -0.3, 1.2, 0.7, 0.4])


# Precision: `t` is the type of memory inside ------------------------------------------------------


def filled_buffer(x, t):
    y = np.empty(len(x), t)
    for i in range(len(x)):
        y[i] = np.sin(x[i]) * x[i - 1]
    return np.sum(y * y)


def updated_in_place(x, t):
    y = x.astype(t)
    y[1:] *= x[:-1]
    y[0] = y[1] * y[2]
    y += x
    return np.sum(y * np.sin(y))


def narrow_and_back(x, t):
    y = np.zeros(5, t)
    y[:] = x**2
    z = y.astype(np.float64)
    z[2] *= z[1]
    return np.sum(z) * y[3]


def stored_in_both(x, t):
    a, b = np.zeros(5), np.zeros(5, t)
    for i in range(5):
        b[i] = x[i] * a[i - 1]
        a[i] = b[i] + x[i]
    return np.sum(a * b)


def alias_of_narrow(x, t):
    y = np.zeros(5, t)
    z = y[1:]
    y[:] = x
    z[:2] *= x[2]
    y[1] = y[2] * z[1]
    return np.sum(y**3)


def in_a_branch(x, t):
    y = x.astype(t)
    if x[0] > 0.2:
        y[1] = 2.0 * x[0]
        s = y[1] * x[3]
    else:
        s = x[2]
    return s * np.sum(y)


def of_numbers(x, t):
    y = x.astype(t)
    s = y[0]
    for i in range(3):
        s = s * y[i] + x[i + 1]
    return s * y[4]


def no_iteration(x, t):
    y = x.astype(t)
    for i in range(0):
        y[i] = 0.0
    return np.dot(y, x)


PRECISE = [
    filled_buffer,
    updated_in_place,
    narrow_and_back,
    stored_in_both,
    alias_of_narrow,
    in_a_branch,
    of_numbers,
    no_iteration,
]


@pytest.mark.parametrize("function", PRECISE, ids=lambda f: f.__name__)
@pytest.mark.parametrize("own", [np.float64, np.float32])
@pytest.mark.parametrize("inside", [np.float64, np.float32, np.longdouble])
def test_adjoints_have_the_type_of_their_argument(
    function: Any, own: Any, inside: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(assembly, "CHECKED", True)
    compiler.REASONS.clear()
    x = V.astype(own)
    found = grad(function)(x, inside)
    expected = differences(function, (V, np.float64))
    assert found.dtype == own
    np.testing.assert_allclose(found, expected, rtol=3e-5, atol=3e-6)
    np.testing.assert_array_equal(x, V.astype(own))
    assert not compiler.REASONS, compiler.REASONS


# Whole numbers: a store cuts off, and passes nothing on -------------------------------------------


def cut_off_by_memory(x):
    counts = np.zeros(5, int)
    for i in range(5):
        counts[i] = 10.3 * x[i]
    return np.sum(x * counts)


def cut_off_and_used(x):
    counts = np.arange(5)
    counts[1:] = 10.3 * x[1:]
    counts[0] += 2
    y = counts * x
    y[2] = counts[1] * y[1]
    return np.sum(y * y)


def flags_of_memory(x):
    flags = np.zeros(5, bool)
    flags[:] = x - 0.5
    return np.sum(np.where(flags, x * x, x))


# Complex numbers: real where the value is ---------------------------------------------------------


def complex_memory(x):
    z = np.zeros(5, complex)
    for i in range(5):
        z[i] = x[i] + 1j * x[i - 1] ** 2
    z[1:] *= z[:-1]
    return np.sum(z.real * z.imag)


def parts_of_memory(x):
    z = x * (1 + 0j)
    z.imag[1:] = x[:-1] ** 2
    z.real[2] *= x[0]
    z *= z
    return np.abs(z[3]) ** 2 + np.sum(z.imag * x)


def real_and_complex_carried(x):
    z, r = 1.0 + 0.5j, 1.0
    for i in range(5):
        z = z * x[i] + 1j * r
        r = r + (z * z.conjugate()).real
    return r + z.imag


def complex_on_one_path(x):
    z = x[0] if x[1] > 0 else x[0] * 1j + x[2]
    w = z * z * (1 + 2j)
    return w.real + w.imag


def real_first_then_complex(x):
    z = x[0]
    for i in range(1, 4):
        z = z * x[i] * 1j + x[i]
    return z.real + abs(z)


def real_values_into_complex(x):
    z = np.full(5, 1j)
    z += x
    z[::2] = x[::2]
    z[1] += x[4] * 2
    return np.sum((z * z).real) + np.sum((z**3).imag)


def infinite_slope_not_chosen(x):
    z = np.sqrt((x - 0.5) * (1 + 0j))
    z[0] = x[1]
    return np.sum(z.imag + z.real)


def fourier_memory(x):
    c = np.fft.rfft(x)
    c[1] *= x[0]
    y = np.fft.irfft(c, 5)
    y[0] = c[0].real
    return np.sum(y**2)


def conjugated_memory(x):
    z = x * (1 + 1j)
    w = np.conj(z)
    z[1] = w[2] * x[3]
    return np.sum(z.imag * w.real)


TYPED = [
    cut_off_by_memory,
    cut_off_and_used,
    flags_of_memory,
    complex_memory,
    parts_of_memory,
    real_and_complex_carried,
    complex_on_one_path,
    real_first_then_complex,
    real_values_into_complex,
    infinite_slope_not_chosen,
    fourier_memory,
    conjugated_memory,
]


@pytest.mark.parametrize("function", TYPED, ids=lambda f: f.__name__)
def test_derivative(function: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with np.errstate(divide="ignore", invalid="ignore"):
        check(monkeypatch, function, V)


def chosen_of_none(x):
    return np.where(np.asarray(x) > 0.0, x * x, np.nan)


def stored_in_none(x):
    y = np.zeros(())
    y[...] = x * x
    y *= 3.0
    return y


def carried_in_none(x):
    y = np.asarray(x)
    for k in range(3):
        y = np.where(y > k, y * x, y)
    return y


@pytest.mark.parametrize("function", [chosen_of_none, stored_in_none, carried_in_none])
def test_arrays_of_no_axis_as_results(function: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    check(monkeypatch, function, 1.7)


def far_from_what_is_small(x):
    y = np.asarray(x, dtype=np.float64)
    if abs(x) < math.sqrt(6.0 * np.finfo(y.dtype).eps) or np.finfo(float).tiny > x:
        return y + np.iinfo(np.int32).max
    return y * x * np.iinfo(np.int32).bits + np.finfo("float32").eps * x


def test_what_is_told_of_types(monkeypatch: pytest.MonkeyPatch) -> None:
    check(monkeypatch, far_from_what_is_small, 1.7)


def by_release(x):
    y = x * x if (3, 8) <= sys.version_info < (3, 10) else x * 3.0
    return y if sys.version_info >= (3, 10) else x * y


def test_comparisons_with_the_release(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "version_info" not in check(monkeypatch, by_release, 1.7)


def pair_of(limit):
    low, high = (-limit, limit) if np.isscalar(limit) else limit
    return high - low


def scalars(x):
    text = 2.0 if np.isscalar("a") and np.isscalar(np.float64(2.0)) else 3.0
    return (
        pair_of(x) * pair_of((x, 3.0)) * pair_of([x, x * x]) * pair_of(np.ones(2) * x + 1.0)
        + text * x
    )


def test_what_is_scalar_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    check(monkeypatch, scalars, 1.7)
