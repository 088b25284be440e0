"""Products, linear algebra, transforms."""

from __future__ import annotations

import numpy as np

from tests.benchmarks.workload import Workload, pair


def dot(x, y, w):
    return np.dot(x, y) * w


def dot_by_hand(x, y, w):
    return w * y, w * x


def product(x, y, w):
    return np.sum(np.dot(x, y) * w)


def product_by_hand(x, y, w):
    return w @ y.T, x.T @ w


def layer(x, y, b):
    return np.sum((x @ y + b) ** 2)


def layer_by_hand(x, y, b):
    g = 2 * (x @ y + b)
    return g @ y.T, x.T @ g, np.sum(g, axis=0)


def tensordot(x, y, w):
    return np.sum(np.tensordot(x, y, 1) * w)


def tensordot_by_hand(x, y, w):
    return w @ y.T, np.tensordot(x, w, [[0, 1], [0, 1]])


def outer(x, y, w):
    return np.sum(np.outer(x, y) * w)


def outer_by_hand(x, y, w):
    return w @ y, x @ w


def inner(x, y, w):
    return np.sum(np.inner(x, y) * w)


def inner_by_hand(x, y, w):
    return w @ y, w.T @ x


def einsum_stack(x, y, w):
    return np.sum(np.einsum("bij,bjk->bik", x, y) * w)


def einsum_stack_by_hand(x, y, w):
    return np.einsum("bik,bjk->bij", w, y), np.einsum("bij,bik->bjk", x, w)


def quadratic_form(x, y, w):
    return x @ y @ x * w


def quadratic_form_by_hand(x, y, w):
    return w * (y @ x + x @ y), w * np.outer(x, x)


def kron(x, y, w):
    return np.sum(np.kron(x, y) * w)


def kron_by_hand(x, y, w):
    blocks = w.reshape(x.shape[0], y.shape[0], x.shape[1], y.shape[1])
    return np.einsum("ikjl,kl->ij", blocks, y), np.einsum("ikjl,ij->kl", blocks, x)


def cross(x, y, w):
    return np.sum(np.cross(x, y) * w)


def cross_by_hand(x, y, w):
    return np.cross(y, w), np.cross(w, x)


def trace(x, w):
    return np.trace(x) * w


def trace_by_hand(x, w):
    return w * np.eye(len(x))


def solve(a, b, w):
    return np.sum(np.linalg.solve(a, b) * w)


def solve_by_hand(a, b, w):
    x = np.linalg.solve(a, b)
    b_bar = np.linalg.solve(a.T, w)
    return -np.outer(b_bar, x), b_bar


def inv(a, w):
    return np.sum(np.linalg.inv(a) * w)


def inv_by_hand(a, w):
    y = np.linalg.inv(a).T
    return -y @ w @ y


def det(a, w):
    return np.linalg.det(a) * w


def det_by_hand(a, w):
    return w * np.linalg.det(a) * np.linalg.inv(a).T


def slogdet(a, w):
    return np.linalg.slogdet(a)[1] * w


def slogdet_by_hand(a, w):
    return w * np.linalg.inv(a).T


def of_lower(a_bar):
    """The adjoint of the lower triangle of a symmetric matrix, which stands for both."""
    lower = np.tril(a_bar + a_bar.T)
    lower[np.diag_indices(len(lower))] /= 2
    return lower


def cholesky(a, w):
    return np.sum(np.linalg.cholesky(a) * w)


def cholesky_by_hand(a, w):
    y = np.linalg.cholesky(a)
    m = np.tril(y.T @ np.tril(w))
    m[np.diag_indices(len(m))] /= 2
    a_bar = np.linalg.solve(y.T, np.linalg.solve(y.T, m).T)
    return of_lower(a_bar)


def eigh(a, w):
    values, vectors = np.linalg.eigh(a)
    return np.sum(values) + np.sum(vectors**2 * w)


def eigh_by_hand(a, w):
    values, v = np.linalg.eigh(a)
    gaps = values - values[:, None]
    np.fill_diagonal(gaps, 1)
    inner = v.T @ (2 * v * w) / gaps
    np.fill_diagonal(inner, 1)
    a_bar = v @ inner @ v.T
    return of_lower(a_bar)


def eigvalsh(a, w):
    return np.sum(np.linalg.eigvalsh(a) * w)


def eigvalsh_by_hand(a, w):
    v = np.linalg.eigh(a)[1]
    return of_lower((v * w) @ v.T)


def singular_values(a, w):
    return np.sum(np.linalg.svd(a, compute_uv=False) * w)


def singular_values_by_hand(a, w):
    u, _, vh = np.linalg.svd(a, full_matrices=False)
    return (u * w) @ vh


def qr(a, w):
    q, r = np.linalg.qr(a)
    return np.sum(r**2 * w) + np.sum(q**2)


def qr_by_hand(a, w):
    q, r = np.linalg.qr(a)
    q_bar, r_bar = 2 * q, np.triu(2 * r * w)
    m = r @ r_bar.T - q_bar.T @ q
    inner = q_bar + q @ (np.tril(m) + np.tril(m, -1).T)
    return np.linalg.solve(r, inner.T).T


def matrix_power(a, w):
    return np.sum(np.linalg.matrix_power(a, 3) * w)


def matrix_power_by_hand(a, w):
    b = a.T
    return w @ b @ b + b @ w @ b + b @ b @ w


def spectrum(x, w):
    return np.sum(np.fft.fft(x).real ** 2 * w)


def spectrum_by_hand(x, w):
    return np.fft.fft(2 * w * np.fft.fft(x).real).real.copy()


def real_spectrum(x, w):
    return np.sum(np.fft.rfft(x).real ** 2 * w)


def real_spectrum_by_hand(x, w):
    g = 2 * w * np.fft.rfft(x).real
    g[1 : (len(x) + 1) // 2] /= 2
    return len(x) * np.fft.irfft(g, len(x))


def convolve(x, k, w):
    return np.sum(np.convolve(x, k, "valid") * w)


def convolve_by_hand(x, k, w):
    return np.correlate(w, k, "full"), np.correlate(w, x, "valid")


def cases(n: int) -> list[Workload]:
    """Arrays of about `n` numbers, matrices of at most 100 rows where work is cubic."""
    rng = np.random.default_rng(n)
    side = max(3, min(100, int(n**0.5)))
    long, stack = max(2, n // side), max(1, n // 100)

    def random(*shape: int) -> np.ndarray:
        return rng.standard_normal(shape)

    both = ("x", "y")
    x, y = random(2, n)
    tall, square = random(long, side), random(side, side)
    regular = random(side, side) / side + np.eye(side)
    definite = regular @ regular.T + np.eye(side)
    of_square = random(side, side)
    return [
        pair(dot, both, x, y, 0.7),
        pair(product, both, tall, square, random(long, side)),
        pair(layer, (*both, "b"), tall, square, random(side)),
        pair(tensordot, both, random(2, long // 2, side), square, random(2, long // 2, side)),
        pair(outer, both, random(long), random(side), random(long, side)),
        pair(inner, both, tall, square, random(long, side)),
        pair(
            einsum_stack, both,
            random(stack, 5, 4), random(stack, 4, 5), random(stack, 5, 5),
        ),
        pair(quadratic_form, both, random(side), square, 0.7),
        pair(kron, both, random(2, 3), random(3, side), random(6, 3 * side)),
        pair(cross, both, random(long, 3), random(long, 3), random(long, 3)),
        pair(trace, "x", square, 0.7),
        pair(solve, ("a", "b"), regular, random(side), random(side)),
        pair(inv, "a", regular, of_square),
        pair(det, "a", regular, 0.7),
        pair(slogdet, "a", regular, 0.7),
        pair(cholesky, "a", definite, of_square),
        pair(eigh, "a", definite, of_square, tolerance=1e-6),
        pair(eigvalsh, "a", definite, random(side)),
        pair(singular_values, "a", random(long, side), random(min(long, side))),
        pair(qr, "a", random(max(long, side), side), of_square),
        pair(matrix_power, "a", regular, of_square),
        pair(spectrum, "x", x, y),
        pair(real_spectrum, "x", x, random(n // 2 + 1)),
        pair(convolve, ("x", "k"), x, random(5), random(n - 4)),
    ]
