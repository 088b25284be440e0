"""Factors that are determined up to phases and bases: functions that depend on neither."""

import numpy as np
import pytest
from scipy import linalg

from autodiff import check_grads, grad
from tests.rules.sample import Numbers

x = Numbers(15)
TALL, WIDE, SQUARE = x(4, 2), x(2, 4), x(3, 3)
HERMITIAN = x.complex(3, 3)
HERMITIAN = HERMITIAN + HERMITIAN.conj().T
W2, W3, W4 = x(2, 2), x(3, 3), x(4, 4)


def differences(f, z, h=1e-5):
    """dL/dRe z + i dL/dIm z, by central differences."""
    slope = np.zeros(z.shape, complex)
    for place in np.ndindex(z.shape):
        for unit in (1.0, 1.0j):
            step = np.zeros(z.shape, complex)
            step[place] = h * unit
            slope[place] += unit * (f(z + step) - f(z - step)) / (2 * h)
    return slope


def agrees(f, z):
    np.testing.assert_allclose(grad(f)(z), differences(f, z), rtol=1e-6, atol=1e-7)


def moduli(a):
    """Of the elements of the factors, whatever their phases."""
    u, s, vh = np.linalg.svd(a, full_matrices=False)
    return np.sum(np.abs(u[0]) ** 3 * s) + np.sum(np.abs(vh[:, 0]) ** 2 / s)


def polar(a):
    """A function of both factors together: the unitary part of `a`."""
    u, _, vh = np.linalg.svd(a, full_matrices=False)
    return np.sum(np.real(u @ vh) ** 3) + np.sum(np.imag(u @ vh) * np.real(a))


@pytest.mark.parametrize("shape", [(3, 3), (4, 2), (2, 4), (1, 3)])
@pytest.mark.parametrize("f", [moduli, polar])
def test_svd_of_complex_matrices(f, shape):
    agrees(f, x.complex(*shape))


def test_what_depends_on_phases_has_no_derivative():
    def f(a):
        return np.real(np.sum(np.linalg.svd(a)[0]))

    with pytest.raises(ValueError, match="phases of singular vectors"):
        grad(f)(x.complex(3, 3))

    def g(a):
        return np.real(np.sum(np.linalg.eigh(a)[1]))

    with pytest.raises(ValueError, match="phases of eigenvectors"):
        grad(g)(HERMITIAN)

    def h(a):
        return np.real(np.sum(np.linalg.eig(a)[1]))

    with pytest.raises(ValueError, match="phases of eigenvectors"):
        grad(h)(x.complex(3, 3))


def onto_null_space(a):
    """The projectors onto what is orthogonal to the columns, and to the rows."""
    u, s, vh = np.linalg.svd(a)
    left, right = u[:, 2:], vh[2:]
    return np.sum(left @ left.T * W4[: len(u), : len(u)]) + np.sum(
        right.T @ right * W4[: vh.shape[1], : vh.shape[1]]
    )


@pytest.mark.parametrize("a", [TALL, WIDE])
def test_bases_of_null_spaces(a):
    check_grads(onto_null_space, a)


def test_one_vector_of_a_null_space_has_no_derivative():
    def f(a):
        return np.linalg.svd(a)[0][0, 3]

    with pytest.raises(ValueError, match="basis found of a null space"):
        grad(f)(TALL)

    def g(a):
        return np.linalg.qr(a, "complete")[0][0, 3]

    with pytest.raises(ValueError, match="basis found of a null space"):
        grad(g)(TALL)


def completed(a):
    q, r = np.linalg.qr(a, mode="complete")
    rest = q[:, 2:]
    return np.sum(rest @ rest.T * W4) + np.sum(r**3) + np.sum(q[:, :2] ** 3)


def test_complete_qr():
    check_grads(completed, TALL)


def test_raw_qr_is_refused():
    def f(a):
        return np.sum(np.linalg.qr(a, mode="raw")[0])

    with pytest.raises(NotImplementedError, match="raw"):
        grad(f)(SQUARE)


def occupation(a):
    """Of a Hermitian matrix; the matrix is made Hermitian, so that all of it may vary."""
    h = (a + np.conj(a).T) / 2
    w, v = np.linalg.eigh(h)
    return np.sum(np.abs(v[0]) ** 4 * w) + np.sum(w**3)


def eigenvectors(a):
    w, v = np.linalg.eig(a)
    return np.sum(np.abs(v[0]) ** 4 * np.abs(w)) + np.sum(np.real(w) ** 2)


def triangular(a):
    h = a @ np.conj(a).T + np.eye(3)
    return np.sum(np.abs(np.linalg.cholesky(h)) ** 3)


def decomposed(a):
    q, r = np.linalg.qr(a)
    return np.sum(np.abs(q[0]) ** 4) + np.sum(np.abs(r) ** 3)


def fitted(a):
    solution, residuals, _, s = np.linalg.lstsq(a[:, :2], a[:, 2], rcond=None)
    return np.sum(np.abs(solution) ** 2) + np.sum(residuals) + np.sum(s**2)


@pytest.mark.parametrize("f", [occupation, eigenvectors, triangular, decomposed, fitted])
def test_complex_matrices(f):
    agrees(f, x.complex(3, 3))


@pytest.mark.parametrize("f", [occupation, eigenvectors, triangular, decomposed, fitted])
def test_real_matrices(f):
    check_grads(f, x(3, 3))


def test_projectors_are_right_where_eigenvalues_are_equal():
    """Equal eigenvalues: the projector onto their space is smooth, its basis is not."""

    def f(a):
        w, v = np.linalg.eigh((a + a.T) / 2)
        pair = v[:, :2]
        return np.sum(pair @ pair.T * W3)

    turn = np.linalg.qr(x(3, 3))[0]
    check_grads(f, turn @ np.diag([1.0, 1.0, 3.0]) @ turn.T)


def test_scales_of_stacked_matrices_do_not_mix():
    """Eigenvalues of a small matrix are not taken for equal beside a large one."""
    small = np.array([[1.0, 0.3], [0.3, 2.0]])

    def f(a):
        return np.sum(np.linalg.eigh(a)[1] ** 3)

    both = grad(f)(np.stack([1e-17 * small, small]))
    np.testing.assert_allclose(1e-17 * both[0], both[1], rtol=1e-10)


@pytest.mark.parametrize("eig", [np.linalg.eig, linalg.eig])
def test_eigenvectors_of_a_real_matrix_may_be_complex(eig):
    """Their imaginary parts are in the second derivative."""

    def f(a):
        return np.sum(eig(a)[0].real * np.array([1.0, 2.0, 3.0]))

    check_grads(f, np.array([[0.3, -0.8, 0.4], [0.9, 0.5, -0.2], [0.1, 0.7, 0.2]]), order=2)
