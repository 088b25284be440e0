"""scipy.linalg: Riccati equations, banded symmetric matrices, balanced matrices."""

import numpy as np
from scipy import linalg

from tests.rules.sample import Numbers, call

x = Numbers(43)
A, B, Q, R = x(3, 3), x(3, 2), x.positive_definite(3, 3), x.positive_definite(2, 2)


def half(count, lower=False):
    band = np.sort(x(count + 1, 5, low=0.1), axis=0)
    band[0 if lower else -1] = np.array([2.0, 3.1, 4.3, 5.2, 6.6])
    return band


SAMPLES = {
    # `q` and `r` have to be symmetric: see `test_riccati.py`
    linalg.solve_continuous_are: [
        *(call(A, B, Q, R, wrt=("a", "b")), call(A[:1, :1], B[:1, :1], Q[:1, :1], R[:1, :1])),
    ],
    linalg.solve_discrete_are: [
        *(call(A, B, Q, R, wrt=("a", "b")), call(A[:1, :1], B[:1, :1], Q[:1, :1], R[:1, :1])),
    ],
    linalg.eigvals_banded: [
        *(call(half(1)), call(half(2)), call(half(1, True), True), call(half(3, True), lower=True)),
        *(call(half(0)), call(half(1) + 0.2j * np.array([[1.0] * 5, [0.0] * 5]))),
    ],
    linalg.cholesky_banded: [
        *(call(half(1)), call(half(2)), call(half(1, True), lower=True)),
        *(call(half(3, True), lower=True), call(half(0)), call(half(3)[:, :3])),
    ],
    linalg.matrix_balance: [
        *(call(A), call(A * np.array([[1.0, 100.0, 1.0]]) * np.array([[3.0], [0.01], [2.0]]))),
        call(A, permute=False),
    ],
}
