"""Linear algebra."""

import math

import numpy as np

from tests.rules.sample import HALF, Numbers, call, since

NUMPY_2 = np.__version__ >= "2"

x = Numbers(10)
R = x.regular
S = x.positive_definite
C = x.complex(3, 3) + 2 * np.eye(3)
H = x.complex(3, 3)
H = H @ H.conj().T + np.eye(3)

ROTATION = np.array([[1.0, -2.0], [1.5, 0.8]])

VECTOR_ORDERS = (None, 2, 1, np.inf, -np.inf, 3, 0.5, -1, -2)
MATRIX_ORDERS = (None, "fro", "nuc", 2, -2, 1, -1, np.inf, -np.inf)


def distinct(*shape):
    """Matrices with real eigenvalues that are well apart."""
    return np.diag(np.arange(1.0, shape[-1] + 1)) + 0.2 * x(*shape)


def complex_regular(*shape):
    return x.complex(*shape) + 2 * np.eye(shape[-1])


def regular_tensor(*shape, columns=1, matrix=R):
    """A tensor that is a regular matrix when its last `columns` axes are the columns."""
    n = math.prod(shape[len(shape) - columns :])
    return matrix(n, n).reshape(shape)


def complex_definite(*shape):
    a = x.complex(*shape)
    return a @ np.conj(np.swapaxes(a, -1, -2)) + 0.5 * np.eye(shape[-1])


def low_rank(m, n, rank):
    return x(m, rank) @ x(rank, n)


SHAPES = ((3, 2), (2, 3), (3, 3), (4, 1), (1, 4), (5, 4), (1, 1))

SAMPLES = {
    np.linalg.inv: [
        *(call(R(3, 3)), call(R(2, 3, 3)), call(C), call(R(1, 1)), call(R(2, 1, 2, 2))),
        *(call(complex_regular(2, 2, 2)), call(np.asfortranarray(R(3, 3))), call(R(5, 5))),
    ],
    np.linalg.solve: [
        *(call(R(3, 3), x(3)), call(R(3, 3), x(3, 2)), call(R(2, 3, 3), x(2, 3, 2)), call(C, x(3))),
        # A stack of vectors in NumPy 1; NumPy 2 takes one vector for all matrices, or matrices.
        *(
            (call(R(2, 3, 3), x(3)), call(R(2, 3, 3), x(3, 2)))
            if NUMPY_2
            else (call(R(2, 3, 3), x(2, 3)),)
        ),
        *(call(R(3, 3), x(2, 3, 2)), call(C, x.complex(3, 2)), call(R(1, 1), x(1))),
        *since((2, 0), call(R(2, 1, 3, 3), x(4, 3, 2))),
        call(R(4, 3, 3), x(2, 1, 3, 2)),
        *(call(R(3, 3), x.complex(3)), call(complex_regular(2, 3, 3), x.complex(2, 3, 1))),
    ],
    np.linalg.det: [
        *(call(R(3, 3)), call(R(2, 3, 3)), call(np.diag([1.0, 2.0, 0.0])), call(C)),
        *(call(np.diag([1.0, 0.0, 0.0])), call(np.array([[1.0, 2.0], [2.0, 4.0]]))),
        *(call(R(1, 1)), call(x(4, 4)), call(complex_regular(2, 2, 2)), call(R(2, 2, 2, 2))),
        *(call(low_rank(3, 3, 2)), call(np.stack([low_rank(3, 3, 2), R(3, 3)]))),
        *(call(np.zeros((2, 2))), call(x.complex(3, 1) * x.complex(3))),
    ],
    np.linalg.slogdet: [
        *(call(R(3, 3)), call(-R(3, 3)), call(R(2, 3, 3)), call(C), call(R(1, 1))),
        *(call(x(4, 4)), call(complex_regular(2, 2, 2)), call(R(2, 2, 3, 3))),
    ],
    np.linalg.norm: [
        *(call(x(4), order) for order in VECTOR_ORDERS),
        *(call(x(2, 3), ord=order, axis=1) for order in VECTOR_ORDERS),
        *(call(x(3, 4), order) for order in MATRIX_ORDERS),
        *(call(x(2, 3, 4), order, axis=(1, 2)) for order in MATRIX_ORDERS),
        *(call(x(2, 3, 4), order, (2, 0), True) for order in MATRIX_ORDERS),
        *(call(x(2, 3), axis=0, keepdims=True), call(x(2, 3), axis=(0, 1)), call(x(2, 3, 2))),
        *(call(x.complex(3)), call(x.complex(2, 3), "fro"), call(x.complex(3), 1)),
        *(call(x.complex(2, 3), "nuc"), call(x.complex(3), 3), call(x(2, 3), "f")),
        *(call(x(4), 0), call(x(2, 3), 0, 1)),
        *(call(x(2, 3), order, (1,)) for order in VECTOR_ORDERS),
        *(call(x(2, 3), order, -2, True) for order in VECTOR_ORDERS),
        *(call(x.complex(4), order) for order in VECTOR_ORDERS[1:]),
        *(call(x.complex(3, 4), order) for order in MATRIX_ORDERS[1:]),
        *(call(x(2, 3, 4), order, axis=(-1, 0)) for order in MATRIX_ORDERS),
    ],
    # Of complex matrices, and of null spaces: tests/rules/test_factorizations.py.
    np.linalg.svd: [
        *(call(x(m, n), False) for m, n in SHAPES),
        *(call(x(2, m, n), full_matrices=False) for m, n in ((3, 2), (2, 3), (2, 2))),
        *(call(R(3, 3)), call(R(2, 3, 3)), call(x(2, 2, 3, 2), False)),
        *(call(x(m, n), compute_uv=False) for m, n in ((3, 3), (4, 2), (2, 4))),
        *(call(x(2, m, n), False, False) for m, n in ((3, 3), (4, 2), (2, 4))),
        *(call(x.complex(m, n), compute_uv=False) for m, n in ((3, 3), (3, 2), (2, 3))),
        call(x.complex(2, 3, 2), compute_uv=False),
        *(call(S(3, 3), hermitian=True), call(HALF, hermitian=True)),
        call(HALF, compute_uv=False, hermitian=True),
        call(S(3, 3) - np.eye(3), hermitian=True),
        call(S(2, 3, 3), compute_uv=False, hermitian=True),
        call(complex_definite(3, 3), compute_uv=False, hermitian=True),
    ],
    np.linalg.qr: [
        *(call(R(3, 3)), call(x(4, 2)), call(x(2, 4)), call(x(2, 3, 2)), call(x(4, 2), "r")),
        *(call(x(2, 4), mode="r"), call(C), call(R(3, 3), "complete"), call(x(2, 4), "complete")),
        *(call(x(m, n)) for m, n in ((1, 1), (5, 1), (1, 5), (5, 4), (4, 5))),
        *(call(x(2, m, n), mode) for m, n in ((3, 3), (2, 4)) for mode in ("reduced", "complete")),
        *(call(x(2, m, n), mode="r") for m, n in ((3, 3), (2, 4), (4, 3))),
        *(call(x.complex(m, n)) for m, n in ((4, 2), (2, 4), (3, 3))),
        *(call(x.complex(m, n), "r") for m, n in ((4, 2), (2, 4), (3, 3))),
        *(call(x.complex(2, 3, 2)), call(x.complex(2, 4), "complete")),
    ],
    np.linalg.eigvals: [
        *(call(distinct(3, 3)), call(C), call(ROTATION), call(distinct(2, 3, 3))),
        *(call(np.stack([ROTATION, 2 * ROTATION.T])), call(complex_regular(2, 2, 2))),
        call(x(1, 1)),
    ],
    np.linalg.cholesky: [
        *(call(S(n, n)) for n in (1, 2, 3, 5)),
        *(call(S(2, 2, 2)), call(S(2, 1, 3, 3))),
        *(call(complex_definite(n, n)) for n in (2, 3)),
        *(call(complex_definite(2, 3, 3)), call(HALF)),
    ],
    np.linalg.eigvalsh: [
        *(call(HALF), call(HALF.T, UPLO="U")),
        *(call(S(3, 3)), call(S(2, 3, 3), "U")),
        *(call(S(n, n), UPLO=uplo) for n in (1, 2, 4) for uplo in "LU"),
        *(call(complex_definite(3, 3), uplo) for uplo in "LU"),
        call(complex_definite(2, 2, 2)),
    ],
    np.linalg.eigh: [
        *(call(S(3, 3)), call(S(2, 3, 3))),
        *(call(S(n, n), UPLO=uplo) for n in (1, 2, 4) for uplo in "LU"),
        *(call(S(2, 2, 3, 3), "U"), call(HALF), call(HALF.T, "U")),
    ],
    np.linalg.pinv: [
        *(call(x(m, n)) for m, n in ((3, 2), (2, 3), (3, 3), (5, 2), (1, 3), (3, 1))),
        *(call(x(2, m, n)) for m, n in ((3, 2), (2, 3), (3, 3))),
        *(call(x.complex(m, n)) for m, n in ((3, 2), (2, 3), (3, 3))),
        *(call(x(2, 2, 3, 2)), call(x(3, 2), 1e-10), call(x(3, 2), rcond=1e-10)),
        *(call(S(3, 3), hermitian=True), call(HALF, hermitian=True)),
        *(call(complex_definite(3, 3), hermitian=True),),
    ],
    # With residuals (tall, of full rank) and without.
    np.linalg.lstsq: [
        *(call(x(m, n), x(m), rcond=None) for m, n in ((4, 2), (3, 3), (2, 4), (5, 1))),
        *(call(x(m, n), x(m, 2), rcond=None) for m, n in ((4, 2), (3, 3), (2, 4), (1, 3))),
        *(call(x(4, 2), x(4), 1e-10), call(x(4, 2), x(4, 1), rcond=None)),
        *(call(x.complex(m, n), x.complex(m, 2), rcond=None) for m, n in ((4, 2), (3, 3), (2, 4))),
        *(call(x(4, 2), x(4), rcond=None, wrt=(name,)) for name in "ab"),
    ],
    np.linalg.cond: [
        *(call(R(3, 3), order) for order in MATRIX_ORDERS),
        *(call(R(2, 3, 3), p=order) for order in MATRIX_ORDERS),
        # of a complex matrix NumPy before 2.3 gives a complex number for most orders
        *since((2, 3), *(call(complex_regular(3, 3), order) for order in MATRIX_ORDERS)),
        *(call(x(m, n), order) for m, n in ((4, 2), (2, 4)) for order in (None, 2, -2)),
    ],
    np.linalg.tensorinv: [
        *(call(regular_tensor(*shape)) for shape in ((2, 2, 4), (2, 3, 6))),
        *(call(regular_tensor(6, 2, 3, columns=2), 1), call(R(3, 3), ind=1)),
        call(regular_tensor(4, 2, 2, columns=2), ind=1),
        call(regular_tensor(2, 3, 6, matrix=complex_regular)),
    ],
    np.linalg.tensorsolve: [
        call(regular_tensor(2, 3, 6), x(2, 3)),
        *(call(regular_tensor(2, 3, 3, 2, columns=2), x(2, 3)), call(R(3, 3), x(3))),
        call(np.moveaxis(regular_tensor(2, 3, 6), -1, 0), x(2, 3), (0,)),
        call(np.moveaxis(regular_tensor(6, 3, 2, columns=2), 0, 1), x(6), (0, 2)),
        call(regular_tensor(2, 3, 6, matrix=complex_regular), x.complex(2, 3)),
    ],
    np.linalg.matrix_power: [
        *(call(R(2, 2), n) for n in (0, 1, 2, 3, 5, -1, -2)),
        *(call(R(2, 3, 3), n) for n in (0, 1, 3, 4, -3)),
        *(call(C, n) for n in (0, 1, 3, -1, -2)),
    ],
    np.linalg.multi_dot: [
        *(call([x(2, 3), x(3, 4)]), call([x(2, 3), x(3, 4), x(4, 2)]), call([x(3), x(3, 2), x(2)])),
        *(call([x(2, 3), x(3, 4), x(4, 2), x(2, 5)]), call([x(2, 3), x(3, 4), x(4)])),
        *(call((x(3), x(3, 2))), call([x(2, 3), x(3)]), call([x.complex(2, 2), x.complex(2, 2)])),
    ],
}
# Eigenvectors of length 1 whose largest component is real: what is differentiated is the primitive
# as LAPACK scales it, which for real eigenvalues is unique up to a sign.
SAMPLES[np.linalg.eig] = [call(distinct(*shape)) for shape in ((3, 3), (2, 2), (2, 3, 3), (1, 1))]
if NUMPY_2:
    SAMPLES[np.linalg.vector_norm] = [
        *(call(x(4), ord=order) for order in VECTOR_ORDERS[1:]),
        *(call(x(2, 3), axis=1, ord=order) for order in VECTOR_ORDERS[1:]),
        *(call(x(2, 3)), call(x(2, 3), ord=1), call(x(2, 3), axis=0, keepdims=True)),
        *(call(x(2, 3), axis=(0, 1), ord=3), call(x(2, 3), ord=np.inf)),
    ]
    SAMPLES[np.linalg.matrix_norm] = [
        *(call(x(3, 4), ord=order) for order in MATRIX_ORDERS[1:]),
        *(call(x(2, 3, 4), keepdims=True, ord=order) for order in MATRIX_ORDERS[1:]),
        call(x(2, 3)),
    ]
    SAMPLES[np.linalg.vector_norm] += [
        *(call(x.complex(4), ord=order) for order in VECTOR_ORDERS[1:]),
        *(call(x(2, 3, 2), axis=(0, 2), ord=order, keepdims=True) for order in VECTOR_ORDERS[1:]),
    ]
    SAMPLES[np.linalg.matrix_norm] += [
        call(x.complex(2, 3), ord=order) for order in MATRIX_ORDERS[1:]
    ]
    SAMPLES[np.linalg.svdvals] = [
        *(call(x(m, n)) for m, n in ((3, 2), (2, 3), (3, 3), (1, 4))),
        *(call(x(2, 2, 3)), call(x.complex(3, 2)), call(x.complex(2, 2, 3))),
    ]
    SAMPLES[np.linalg.cholesky] += [
        *(call(S(n, n), upper=upper) for n in (2, 3) for upper in (True, False)),
        call(complex_definite(3, 3), upper=True),
        *(call(S(2, 3, 3), upper=True), call(HALF.T, upper=True)),
    ]
    SAMPLES[np.linalg.pinv] += [call(x(4, 2), rtol=1e-10), call(x(2, 4), rtol=None)]
