"""Numbers of which nothing is known may be complex where the arguments are real
(reversal/open_numbers.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from scipy import fft, linalg, signal

from autodiff import assembly, grad, jvp, takeover

X = np.array([0.7, -1.3, 0.4, 1.1])
D = np.array([0.3, 0.8, -0.5, 0.9])
W = np.array([1.2, -0.4, 0.6, 0.8])
STEP = 1e-5
OF_REAL = linalg.lu_factor(np.diag(W) + 1)
OF_COMPLEX = linalg.lu_factor(np.diag(W) + 1 + 1j * np.ones((4, 4)))
WINDOW = np.array([0.5 + 1j, 1.0 - 0.3j, 0.8 + 0.2j])


@pytest.fixture(autouse=True)
def core_alone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(takeover, "OLD", False)
    monkeypatch.setattr(assembly, "CHECKED", True)
    takeover.REASONS.clear()
    yield
    assert not takeover.REASONS


def transformed(x):
    z = np.fft.fft(linalg.lu_solve(OF_REAL, x))
    u = z * z
    return np.sum(np.real(u * u * W))


def transformed_by_scipy(x):
    z = fft.fft(linalg.lu_solve(OF_REAL, x))
    return np.sum(np.real(z * z * z))


def by_complex_factors(x):
    v = linalg.lu_solve(OF_COMPLEX, x)
    u = v * v
    return np.sum(np.real(u * u * W))


def of_a_complex_window(x):
    each = signal.stft(x, 1.0, WINDOW, 3, 1, 3, False, False, None, False)[2]
    return np.sum(np.abs(each) ** 2)


def of_spectra(x):
    return np.sum(W[:3] * signal.periodogram(x)[1])


PROGRAMS = [transformed, transformed_by_scipy, by_complex_factors, of_a_complex_window, of_spectra]


@pytest.mark.parametrize("program", PROGRAMS)
def test_what_may_be_complex_is_conjugated(program: Callable[[Any], Any]) -> None:
    expected = (program(X + STEP * D) - program(X - STEP * D)) / (2 * STEP)
    np.testing.assert_allclose(np.vdot(grad(program)(X), D), expected, rtol=1e-6)
    _, tangent = jvp(program, (X,), (D,))
    np.testing.assert_allclose(tangent, expected, rtol=1e-6)
