"""Helpers of rules in tangents and second derivatives: their bodies stand in place of their calls
(tangent/inlined_helpers.py), choices become branches (reversal/unfolded.py), results are taken
apart (reversal/ordinary.py).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import scipy.fft

from autodiff import grad, hvp, jvp
from autodiff.pipeline import assembly, compiler

A = np.array([[0.7, -1.3, 0.4], [1.1, 0.2, -0.6], [0.5, 0.9, 1.7]])
D = np.array([[0.3, 0.8, -0.5], [-0.9, 0.4, 1.2], [0.6, -0.7, 0.2]])
STEP = 1e-5


@pytest.fixture(autouse=True)
def core_alone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(assembly, "CHECKED", True)
    compiler.REASONS.clear()
    yield
    assert not compiler.REASONS


def along(f: Callable[[Any], Any], x: Any) -> Any:
    return (f(x + STEP * D) - f(x - STEP * D)) / (2 * STEP)


def check(f: Callable[[Any], Any]) -> None:
    _, tangent = jvp(f, (A,), (D,))
    np.testing.assert_allclose(tangent, along(f, A), rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(np.vdot(grad(f)(A), D), tangent, rtol=1e-9)
    np.testing.assert_allclose(hvp(f)(A, D), along(grad(f), A), rtol=1e-5, atol=1e-7)


def of_singular_vectors(a):
    u, s, vh = np.linalg.svd(a)
    b = a.copy()
    b[1:] *= s[0] * (u @ vh)[1:]
    return np.sum(np.sin(b) * s)


def of_eigenvectors(a):
    w, v = np.linalg.eigh(a + a.T)
    both = [w, v * w]
    both[1][0] = both[1][1] * w
    return np.sum(both[1] @ v.T * a)


def of_a_triangle(a):
    q, r = np.linalg.qr(a)
    return np.sum(q * r.T) + np.sum(r**3)


def of_a_wide_matrix(a):
    q, r = np.linalg.qr(a[:2])
    return np.sum(q[0] * r[:, 2]) + np.sum(r**2)


def of_eigenvalues_alone(a):
    return np.sum(np.linalg.eigvalsh(a @ a.T) ** 2 * a[0])


def of_what_is_largest(a):
    return np.linalg.norm(a[0] ** 2, np.inf) * np.linalg.norm(a[1], -math.inf)


def of_norms(a):
    return np.linalg.norm(a[0], 3) * np.linalg.norm(a, "nuc") + np.linalg.norm(a, 1)


def of_an_average(a):
    return np.average(a[0] ** 2, weights=np.exp(a[1])) ** 2


def of_slopes_at_points(a):
    x = np.cumsum(np.exp(a[0]))
    return np.sum(np.gradient(a[1] ** 2, x) ** 2)


def of_two_slopes(a):
    rows, columns = np.gradient(a**2)
    rows[0] *= columns[1]
    return np.sum(rows**2)


def of_numbers_in_a_list(a):
    return math.prod([a[0, 0], a[1, 1] ** 2, 3.0]) * a[2, 0]


def of_quantities_chosen(a):
    return np.sum(np.unique(a) ** 2 * a[0, 0])


def of_elements_by_turns(a):
    y = a[0] * a[1]
    np.multiply.at(y, [0, 2, 0], a[2])
    np.sin.at(y, [1, 1])
    return np.sum(y * np.power.reduce(np.abs(a[:2]) + 1.0))


def of_least_squares(a):
    solution, rest, *_ = np.linalg.lstsq(a[:, :2], a[:, 2], rcond=None)
    return np.sum(solution**2) * rest[0]


def of_eigenvalues_that_change(a):
    w, v = np.linalg.eigh(a + a.T)
    total = np.sum(w * a[0])
    w *= 2.0
    v[0] *= w
    return np.sum(w**2) * np.sum(v[0] ** 2 * a) + total


def of_singular_values_that_change(a):
    u, s, vh = np.linalg.svd(a)
    b = u @ (s * np.eye(3)) @ vh
    for i in range(3):
        s[i] *= a[i, 0]
        u[i] *= s[i]
    return np.sum(s) * np.sum(u[0] ** 2 * a) + np.sum(b * b)


def of_an_object_in_a_tuple(a):
    y = scipy.fft.idct(a[0] ** 2)
    y[1:] *= y[:-1]
    return np.sum(scipy.fft.dct(y) ** 2)


PROGRAMS = [
    *(of_eigenvalues_that_change, of_singular_values_that_change, of_an_object_in_a_tuple),
    *(of_singular_vectors, of_eigenvectors, of_a_triangle, of_a_wide_matrix),
    *(of_eigenvalues_alone, of_what_is_largest, of_norms, of_an_average, of_slopes_at_points),
    *(of_two_slopes, of_numbers_in_a_list, of_quantities_chosen, of_elements_by_turns),
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_tangents_and_second_derivatives(program: Callable[[Any], Any]) -> None:
    check(program)


def test_tangents_of_least_squares() -> None:
    _, tangent = jvp(of_least_squares, (A,), (D,))
    np.testing.assert_allclose(tangent, along(of_least_squares, A), rtol=1e-6)


def test_views_of_what_is_taken_of_a_tuple(monkeypatch: pytest.MonkeyPatch) -> None:
    def f(a):
        return np.sum(np.linalg.multi_dot([np.outer(a[0], a[0]), D, np.diag(a[0])])[1] ** 2)

    np.testing.assert_allclose(hvp(f)(A, D), along(grad(f), A), rtol=1e-5, atol=1e-7)
    compiler.REASONS.clear()  # a path that is not taken is left out


def test_what_nobody_reads_is_not_opened() -> None:
    """The check of phases stays the call that it is."""

    def f(a):
        u, s, vh = np.linalg.svd(a)
        return np.sum((u[:, :2] @ u[:, :2].T)[:, :2] * a)

    from autodiff.transforms.tangents import Tangent  # noqa: PLC0415

    tangent = Tangent(f, "jvp", ("a",))
    tangent.along((A[:, :2],), {}, (D[:, :2],))
    assert "np.finfo" not in tangent.source
