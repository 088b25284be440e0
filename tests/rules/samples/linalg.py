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
