"""Bases of ranges and null spaces, RQ and the matrix sign: what is determined has a derivative."""

import numpy as np
import pytest

from autodiff import check_grads, grad, hvp, jvp

linalg = pytest.importorskip("scipy.linalg")

RNG = np.random.default_rng(7)
W = RNG.standard_normal((5, 5))
WIDE = RNG.standard_normal((2, 5))
TALL = RNG.standard_normal((5, 2))
COMPLEX = WIDE + 1j * RNG.standard_normal((2, 5))


def null_projector(a):
    z = linalg.null_space(a)
    return np.real(np.sum(z @ np.conj(z.T) * W[: len(z), : len(z)]))


def range_projector(a):
    q = linalg.orth(a)
    return np.real(np.sum(q @ np.conj(q.T) * W[: len(q), : len(q)]))


def a_basis(a):
    return np.sum(linalg.null_space(a) * W[:, :3])


def sign(a):
    return np.sum(linalg.signm(a) * W[:3, :3])


def rows(a):
    r, q = linalg.rq(a)
    return np.sum(r * r[::-1] * W[:2]) + np.sum(q[-2:] ** 2 * W[:2])


@pytest.mark.parametrize("a", [WIDE, COMPLEX], ids=["real", "complex"])
@pytest.mark.parametrize("order", [1, 2])
def test_projectors_have_derivatives(a, order):
    if order == 2 and np.iscomplexobj(a):
        pytest.skip("differences of second order are of real numbers")
    check_grads(null_projector, a, order=order)
    check_grads(range_projector, np.conj(a.T), order=order)


def test_projectors_of_equal_singular_values():
    check_grads(range_projector, np.eye(4)[:, :2])
    check_grads(null_projector, np.eye(4)[:2])


def test_the_rows_that_are_determined():
    check_grads(rows, WIDE, order=2)


def test_at_constant_rank():
    """What keeps the rank moves the spaces; the adjoint is that of `pinv`."""
    low = TALL[:4] @ WIDE[:, :4]
    left, right = RNG.standard_normal((4, 4)), RNG.standard_normal((4, 4))
    step = left @ low + low @ right
    h = 1e-6
    for f in (null_projector, range_projector):
        moved = [linalg.expm(t * left) @ low @ linalg.expm(t * right) for t in (h, -h)]
        expected = (f(moved[0]) - f(moved[1])) / (2 * h)
        np.testing.assert_allclose(np.sum(grad(f)(low) * step), expected, rtol=1e-6)
        np.testing.assert_allclose(jvp(f, (low,), (step,))[1], expected, rtol=1e-6)


def test_a_basis_is_refused():
    with pytest.raises(ValueError, match="the basis found of a null space"):
        grad(a_basis)(WIDE)


def test_the_sign_of_a_matrix():
    a = np.diag([1.0, -2.0, 3.0]) + 0.2 * W[:3, :3]
    check_grads(sign, a, order=2)
    defective = np.array([[2.0, 1.0, 0.0], [0.0, 2.0, 0.3], [0.0, 0.0, -1.0]])
    check_grads(sign, defective)
    np.testing.assert_allclose(grad(sign)(np.eye(3)), 0, atol=1e-14)


def test_the_sign_jumps_where_no_real_part_is():
    with pytest.raises(ValueError, match="no real part"):
        grad(sign)(np.diag([1.0, 0.0, -1.0]))


def test_what_tells_of_matrices_has_none():
    def f(a):
        return np.sum(a) * (1 + sum(linalg.bandwidth(a)) + linalg.ishermitian(a))

    np.testing.assert_array_equal(grad(f)(np.eye(3)), 2.0)


def test_products_with_toeplitz_matrices():
    def f(c, r, x):
        return np.sum(linalg.matmul_toeplitz((c, r), x) ** 2)

    def g(c, x):
        return np.sum(linalg.matmul_toeplitz(c, x) ** 2)

    c, r, x = W[0, :4], W[1], W[:, 2:]
    check_grads(f, c, r, x, order=2)
    check_grads(g, c, x[:4], order=2)
    narrow = hvp(g)(c.astype(np.float32), x[:4].astype(np.float32), c.astype(np.float32))
    assert narrow.dtype == np.float32
