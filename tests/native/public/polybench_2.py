"""More kernels of Polybench, and the arguments of all."""

from __future__ import annotations

import numpy as np

from tests.native.public import polybench as one


def lu(A):
    for i in range(A.shape[0]):
        for j in range(i):
            A[i, j] -= A[i, :j] @ A[:j, j]
            A[i, j] /= A[j, j]
        for j in range(i, A.shape[0]):
            A[i, j] -= A[i, :i] @ A[:i, j]


def lu_total(A):
    lu(A)
    return np.sum(A)


def ludcmp(A, b):
    x = np.zeros_like(b)
    y = np.zeros_like(b)
    for i in range(A.shape[0]):
        for j in range(i):
            A[i, j] -= A[i, :j] @ A[:j, j]
            A[i, j] /= A[j, j]
        for j in range(i, A.shape[0]):
            A[i, j] -= A[i, :i] @ A[:i, j]
    for i in range(A.shape[0]):
        y[i] = b[i] - A[i, :i] @ y[:i]
    for i in range(A.shape[0] - 1, -1, -1):
        x[i] = (y[i] - A[i, i + 1 :] @ x[i + 1 :]) / A[i, i]
    return x, y


def ludcmp_total(A, b):
    x, y = ludcmp(A, b)
    return np.sum(x)


def mvt(x1, x2, y_1, y_2, A):
    x1 += A @ y_1
    x2 += y_2 @ A


def mvt_total(x1, x2, y_1, y_2, A):
    mvt(x1, x2, y_1, y_2, A)
    return np.sum(x1) + np.sum(x2)


def match(b1, b2):
    if b1 + b2 == 3:
        return 1
    else:
        return 0


def nussinov(N, seq, table):
    for i in range(N - 1, -1, -1):
        for j in range(i + 1, N):
            if j - 1 >= 0:
                table[i, j] = max(table[i, j], table[i, j - 1])
            if i + 1 < N:
                table[i, j] = max(table[i, j], table[i + 1, j])
            if j - 1 >= 0 and i + 1 < N:
                if i < j - 1:
                    table[i, j] = max(table[i, j], table[i + 1, j - 1] + match(seq[i], seq[j]))
                else:
                    table[i, j] = max(table[i, j], table[i + 1, j - 1])
            for k in range(i + 1, j):
                table[i, j] = max(table[i, j], table[i, k] + table[k + 1, j])
    return table


def nussinov_total(N, seq, table):
    return np.sum(nussinov(N, seq, table))


def seidel_2d(TSTEPS, N, A):
    for t in range(0, TSTEPS - 1):
        for i in range(1, N - 1):
            A[i, 1:-1] += (
                A[i - 1, :-2]
                + A[i - 1, 1:-1]
                + A[i - 1, 2:]
                + A[i, 2:]
                + A[i + 1, :-2]
                + A[i + 1, 1:-1]
                + A[i + 1, 2:]
            )
            for j in range(1, N - 1):
                A[i, j] += A[i, j - 1]
                A[i, j] /= 9.0


def seidel_2d_total(TSTEPS, N, A):
    seidel_2d(TSTEPS, N, A)
    return np.sum(A)


def symm(alpha, beta, C, A, B):
    temp2 = np.empty((C.shape[1],), dtype=C.dtype)
    C *= beta
    for i in range(C.shape[0]):
        for j in range(C.shape[1]):
            C[:i, j] += alpha * B[i, j] * A[i, :i]
            temp2[j] = B[:i, j] @ A[i, :i]
        C[i, :] += alpha * B[i, :] * A[i, i] + alpha * temp2


def symm_total(alpha, beta, C, A, B):
    symm(alpha, beta, C, A, B)
    return np.sum(C)


def syr2k(alpha, beta, C, A, B):
    for i in range(A.shape[0]):
        C[i, : i + 1] *= beta
        for k in range(A.shape[1]):
            C[i, : i + 1] += A[: i + 1, k] * alpha * B[i, k] + B[: i + 1, k] * alpha * A[i, k]


def syr2k_total(alpha, beta, C, A, B):
    syr2k(alpha, beta, C, A, B)
    return np.sum(C)


def syrk(alpha, beta, C, A):
    for i in range(A.shape[0]):
        C[i, : i + 1] *= beta
        for k in range(A.shape[1]):
            C[i, : i + 1] += alpha * A[i, k] * A[: i + 1, k]


def syrk_total(alpha, beta, C, A):
    syrk(alpha, beta, C, A)
    return np.sum(C)


def trisolv(L, x, b):
    for i in range(x.shape[0]):
        x[i] = (b[i] - L[i, :i] @ x[:i]) / L[i, i]


def trisolv_total(L, x, b):
    trisolv(L, x, b)
    return np.sum(x)


def trmm(alpha, A, B):
    for i in range(B.shape[0]):
        for j in range(B.shape[1]):
            B[i, j] += np.dot(A[i + 1 :, i], B[i + 1 :, j])
    B *= alpha


def trmm_total(alpha, A, B):
    trmm(alpha, A, B)
    return np.sum(B)


def _of(*shape, seed=0):
    return np.random.default_rng(seed + sum(shape)).uniform(0.1, 1.0, shape)


def _definite(n):
    a = _of(n, n, seed=3)
    return a @ a.T + n * np.eye(n)


def _cases():
    A, B, C, D = (_of(9, 9, seed=k) for k in range(4))
    u, v, w, x, y, z = (_of(9, seed=k) for k in range(6))
    return [
        (one.adi_total, (3, 9, A), 2),
        (one.atax_total, (_of(8, 9), x), (0, 1)),
        (one.bicg_total, (_of(8, 9), x, _of(8)), (0, 1, 2)),
        (one.cholesky_total, (_definite(7),), 0),
        (one.cholesky2_total, (_definite(7),), 0),
        (one.correlation_total, (6, 12.0, _of(12, 6)), 2),
        (one.covariance_total, (6, 12.0, _of(12, 6)), 2),
        (one.deriche_total, (0.25, _of(9, 8)), 1),
        (one.doitgen_total, (4, 5, 6, _of(4, 5, 6), _of(6, 6)), (3, 4)),
        (one.durbin_total, (_of(9) / 10,), 0),
        (
            one.fdtd_2d_total,
            (5, _of(7, 8), _of(7, 8, seed=1), _of(7, 8, seed=2), _of(5)),
            (1, 2, 3),
        ),
        (one.floyd_warshall_total, (A,), 0),
        (one.gemm_total, (1.5, 1.2, _of(5, 6), _of(5, 7), _of(7, 6)), (2, 3, 4)),
        (one.gemver_total, (1.5, 1.2, A, u, v, w, x, y, z, u + 1, v + 1), (2, 3)),
        (one.gesummv_total, (1.5, 1.2, A, B, x), (2, 3, 4)),
        (one.gramschmidt_total, (_of(9, 6) + np.eye(9, 6),), 0),
        (one.heat_3d_total, (4, _of(6, 6, 6), _of(6, 6, 6, seed=1)), 1),
        (one.jacobi_1d_total, (5, x, y), 1),
        (one.jacobi_2d_total, (5, A, B), 1),
        (one.k2mm_total, (1.5, 1.2, _of(4, 5), _of(5, 6), _of(6, 7), _of(4, 7)), (2, 3, 4, 5)),
        (one.k3mm_total, (_of(4, 5), _of(5, 6), _of(6, 7), _of(7, 8)), (0, 1, 2, 3)),
        (lu_total, (_definite(7),), 0),
        (ludcmp_total, (_definite(7), _of(7)), (0, 1)),
        (mvt_total, (u, v, w, x, A), (0, 1, 2, 3, 4)),
        (nussinov_total, (7, np.array([0, 1, 2, 3, 1, 2, 0]), _of(7, 7)), 2),
        (seidel_2d_total, (4, 9, A), 2),
        (symm_total, (1.5, 1.2, C, A, B), (2, 3, 4)),
        (syr2k_total, (1.5, 1.2, C, A, B), (2, 3, 4)),
        (syrk_total, (1.5, 1.2, C, _of(9, 5)), (2, 3)),
        (trisolv_total, (A + 3 * np.eye(9), x, y), (0, 2)),
        (trmm_total, (1.5, A, B), (1, 2)),
    ]


CASES = _cases()
