"""Linear algebra."""

import numpy as np

from tests.rules.sample import Numbers, call

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

SAMPLES = {
    np.linalg.inv: [call(R(3, 3)), call(R(2, 3, 3)), call(C), call(R(1, 1))],
    np.linalg.solve: [
        *(call(R(3, 3), x(3)), call(R(3, 3), x(3, 2)), call(R(2, 3, 3), x(2, 3, 2)), call(C, x(3))),
        # A stack of vectors in NumPy 1; NumPy 2 takes one vector for all matrices, or matrices.
        *(
            (call(R(2, 3, 3), x(3)), call(R(2, 3, 3), x(3, 2)))
            if NUMPY_2
            else (call(R(2, 3, 3), x(2, 3)),)
        ),
        *(call(R(3, 3), x(2, 3, 2)), call(C, x.complex(3, 2))),
    ],
    np.linalg.det: [
        *(call(R(3, 3)), call(R(2, 3, 3)), call(np.diag([1.0, 2.0, 0.0])), call(C)),
        *(call(np.diag([1.0, 0.0, 0.0])), call(np.array([[1.0, 2.0], [2.0, 4.0]]))),
    ],
    np.linalg.slogdet: [call(R(3, 3)), call(-R(3, 3)), call(R(2, 3, 3)), call(C)],
    np.linalg.norm: [
        *(call(x(4), order) for order in VECTOR_ORDERS),
        *(call(x(2, 3), ord=order, axis=1) for order in VECTOR_ORDERS),
        *(call(x(3, 4), order) for order in MATRIX_ORDERS),
        *(call(x(2, 3, 4), order, axis=(1, 2)) for order in MATRIX_ORDERS),
        *(call(x(2, 3, 4), order, (2, 0), True) for order in MATRIX_ORDERS),
        *(call(x(2, 3), axis=0, keepdims=True), call(x(2, 3), axis=(0, 1)), call(x(2, 3, 2))),
        *(call(x.complex(3)), call(x.complex(2, 3), "fro"), call(x.complex(3), 1)),
        *(call(x.complex(2, 3), "nuc"), call(x.complex(3), 3)),
    ],
    np.linalg.svd: [
        *(call(x(3, 2), False), call(x(2, 3), full_matrices=False), call(R(3, 3))),
        *(call(x(2, 3, 2), False), call(x(3, 3), compute_uv=False), call(x(3, 2), False, False)),
        *(call(x.complex(3, 2), compute_uv=False),),
    ],
    np.linalg.qr: [
        *(call(R(3, 3)), call(x(4, 2)), call(x(2, 4)), call(x(2, 3, 2)), call(x(4, 2), "r")),
        *(call(x(2, 4), mode="r"), call(C), call(R(3, 3), "complete")),
    ],
    np.linalg.eigvals: [call(np.diag([1.0, 2.0, 3.0]) + 0.2 * x(3, 3)), call(C), call(ROTATION)],
    np.linalg.cholesky: [call(S(3, 3), symmetric=True), call(S(2, 2, 2), symmetric=True)],
    np.linalg.eigvalsh: [call(S(3, 3), symmetric=True), call(S(2, 3, 3), "U", symmetric=True)],
    np.linalg.eigh: [call(S(3, 3), symmetric=True), call(S(2, 3, 3), symmetric=True)],
    np.linalg.pinv: [
        call(x(3, 2)),
        call(x(2, 3)),
        call(R(3, 3)),
        call(x(2, 3, 2)),
        call(x.complex(3, 2)),
    ],
    np.linalg.matrix_power: [
        *(call(R(2, 2), n) for n in (0, 1, 2, 3, 5, -1, -2)),
        *(call(R(2, 3, 3), 3), call(C, 3)),
    ],
    np.linalg.multi_dot: [
        *(call([x(2, 3), x(3, 4)]), call([x(2, 3), x(3, 4), x(4, 2)]), call([x(3), x(3, 2), x(2)])),
        *(call((x(3), x(3, 2))), call([x(2, 3), x(3)]), call([x.complex(2, 2), x.complex(2, 2)])),
    ],
}
# Eigenvectors of length 1 whose largest component is real: what is differentiated is the primitive
# as LAPACK scales it, which for real eigenvalues is unique up to a sign.
SAMPLES[np.linalg.eig] = [call(np.diag([1.0, 2.0, 3.0]) + 0.2 * x(3, 3))]
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
    SAMPLES[np.linalg.svdvals] = [call(x(3, 2)), call(x(2, 2, 3))]
