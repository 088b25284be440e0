"""Reading parts of arrays and containers."""

import operator

import numpy as np

from tests.rules.sample import Numbers, call, since

x = Numbers(6)
A = x(3, 4)
ROWS = np.array([[2, 0, 1, 1]])

SAMPLES = {
    operator.getitem: [
        *(
            call(x(4), 1),
            call(x(4), -1),
            call(x(4), slice(1, 3)),
            call(x(4), slice(None, None, -1)),
        ),
        *(call(A, 1), call(A, (1, 2)), call(A, (slice(None), 1)), call(A, (Ellipsis, 0))),
        *(call(A, (None, slice(1, None))), call(A, A > 0), call(A, (A[:, 0] > -2, 1))),
        *(call(x(4), [0, 2, 2]), call(A, [1, 1]), call(A, ([0, 0, 1], [1, 1, 2]))),
        *(call(A, (slice(None), np.array([[0, 1], [1, 3]]))), call(A, ()), call(A, Ellipsis)),
        *(call(A, (np.array([0, 2]), slice(1, 3))), call(x(2, 3, 4), (0, [1, 1], slice(2)))),
        *(call([1.0, 2.0, 3.0], 1), call([1.0, 2.0, 3.0], slice(1, None)), call((1.0, x(2)), -1)),
        *(
            call({"a": 1.0, "b": x(2)}, "b"),
            call([[1.0, 2.0], [3.0]], 0),
            call(x.complex(3), [0, 0]),
        ),
        *(call((1.0, 2.0, 3.0), slice(0, 2)),),
        *(call(A, (slice(None), (0, 0))), call(A, ((1, 1),)), call(A, ((0, 0), slice(1, 3)))),
    ],
    np.take: [
        *(call(x(4), [0, 2, 2]), call(A, 5), call(A, [1, 1], 0), call(A, [[0, 1], [3, 3]], axis=1)),
        *(call(A, (1, 1), axis=1), call(A, (0, 1), axis=0), call(A, (1, 1), 0, mode="wrap")),
        *(call(A, 2, axis=-1), call(A, [5, -6], 1, mode="wrap"), call(A, [9, -1], 0, mode="clip")),
        *(
            call(A, [13, -1], mode="clip"),
            call(x(4), [7, 0], mode="wrap"),
            call(x(2, 3, 4), [0, 2], 1),
        ),
        *(call(x.complex(4), [0, 0, 2]), call(x(2, 3, 4), [[0, 1], [1, 2]], axis=-2)),
    ],
    np.take_along_axis: [
        *(call(A, np.argsort(A, 1), 1), call(A, ROWS, 0), call(A, np.array([0, 3, 3]), None)),
        *(call(A, np.array([[0], [1], [1]]), axis=-1),),
    ],
    np.delete: [call(x(4), 1), call(A, [0, 2], 1), call(A, 1), call(A, slice(0, 2), 0)],
    np.compress: [
        call([True, False, True], x(3)),
        call([False, True], A, axis=0),
        call([1, 0, 1], A),
    ],
    np.extract: [call(A > 0, A), call(np.array([True, False]), x(2))],
    np.diagonal: [
        *(call(A), call(A, 1), call(A, -1), call(x(2, 3, 4), 0, 1, 2), call(x(2, 3, 4), axis1=2)),
        *(call(x(3, 3), 2), call(x(3, 3), 5)),
    ],
    np.trace: [
        *(call(A), call(A, 1), call(A, offset=-1), call(x(2, 3, 3), axis1=1, axis2=2)),
        *(call(x(3, 3, 2)),),
    ],
    np.diag: [call(x(3)), call(x(3), 1), call(x(3), -2), call(A), call(A, 1), call(x(4, 2), -1)],
    np.diagflat: [call(x(3)), call(x(2, 2)), call(x(3), 1)],
    np.tril: [call(A), call(A, 1), call(x(2, 3, 3), -1), call(x(3))],
    np.triu: [call(A), call(A, 1), call(x(2, 3, 3), -1), call(x(3))],
    np.choose: [
        *(call(np.array([0, 1, 1]), [x(3), x(3)]), call(np.array([[0], [1]]), (x(2), 1.5))),
        *(call(1, [x(2), x(2)]),),
        *(call(np.array([-1, 0, 5]), [x(3), x(3)], mode=mode) for mode in ("wrap", "clip")),
    ],
    np.select: [
        *(call([A > 0.5, A > 0], [A, 2 * A]), call([x(3) > 0], [x(3)], 1.5)),
        *(call([A > 0], [x(4)], default=x(3, 1)),),
    ],
    np.sort: [
        call(x(5), kind="stable"),
        call(x(5)),
        call(A),
        call(A, 0),
        call(A, axis=None),
        call(x(2, 3, 2), -2),
        *since((2, 0), call(x(5), stable=True)),
    ],
    np.sort_complex: [call(x.complex(4)), call(x.apart(4)), call(x.complex(2, 3))],
    np.partition: [
        *(call(x(6), 2), call(A, 1, axis=0), call(A, (0, 2)), call(A, 1, kind="introselect")),
    ],
    np.lib.stride_tricks.sliding_window_view: [
        *(call(x(5), 2), call(x(5), (3,)), call(x(3, 4), (2, 3)), call(x(3, 4), 2, 0)),
        *(call(x(3, 4), 2, axis=-1), call(x(6), (2, 3), (0, 0)), call(x.complex(2, 4), (2,), (1,))),
        call(x(3, 4), (2, 2), axis=(1, 0)),
    ],
    np.bincount: [call(np.array([0, 2, 2, 1]), x(4)), call(np.array([1, 1]), x(2), 4)],
}
if hasattr(np.linalg, "diagonal"):  # NumPy 2.0
    SAMPLES[np.linalg.diagonal] = [call(A), call(x(2, 3, 3)), call(x(2, 3, 3), offset=1)]
    SAMPLES[np.linalg.trace] = [call(A), call(x(2, 3, 3)), call(x(2, 3, 3), offset=-1)]
    SAMPLES[np.linalg.trace] += [call(x(2, 3, 3), dtype=float)]
