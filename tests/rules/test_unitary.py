"""Schur, Hessenberg and polar decompositions: what has a derivative, and what is refused."""

import numpy as np
import pytest

from autodiff import check_grads, grad

linalg = pytest.importorskip("scipy.linalg")

RNG = np.random.default_rng(4)
A = RNG.standard_normal((4, 4))  # two of its eigenvalues are a pair of complex numbers
W = RNG.standard_normal((4, 4))


def complex_form(a):
    t, z = linalg.schur(a, output="complex")
    return np.sum(np.abs(z) ** 2 * W) + np.real(np.sum(np.diagonal(t) ** 3)) + np.abs(t[0, 2])


def real_form(a):
    t, z = linalg.schur(a)
    return np.sum(t * W) + np.sum(z * W)


def phases(a):
    return np.real(np.sum(linalg.schur(a, output="complex")[1]))


def polar(a):
    u, p = linalg.polar(a)
    return np.sum(u @ p * W[: len(u)])


def hessenberg(a):
    return np.sum(linalg.hessenberg(a) ** 2 * W)


def test_the_complex_form_of_real_and_complex_matrices():
    assert np.iscomplexobj(linalg.schur(A, output="complex")[0])
    check_grads(complex_form, A)
    check_grads(complex_form, A + 0.3j * W)


def test_the_real_form_of_real_eigenvalues():
    check_grads(real_form, np.diag([1.0, 2.0, 3.5, 5.0]) + 0.2 * W)


def test_the_real_form_of_complex_eigenvalues_is_refused():
    with pytest.raises(NotImplementedError, match='output="complex"'):
        grad(real_form)(A)


def test_phases_are_refused():
    with pytest.raises(ValueError, match="phases of Schur vectors"):
        grad(phases)(A + 0.3j * W)


def test_equal_eigenvalues_are_refused():
    with pytest.raises(ValueError, match="equal"):
        grad(real_form)(np.eye(4))


def test_the_polar_factors_of_a_wide_matrix_are_refused_on_the_singular_side():
    with pytest.raises(NotImplementedError, match='side="left"'):
        grad(polar)(A[:3])


def test_a_hessenberg_form_that_falls_apart_is_refused():
    check_grads(hessenberg, A)
    with pytest.raises(ValueError, match="falls apart"):
        grad(hessenberg)(np.diag([1.0, 2.0, 3.0, 4.0]))
