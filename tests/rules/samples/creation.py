"""Making arrays from values."""

import numpy as np

from tests.rules.sample import Numbers, call

x = Numbers(8)

MADE = [
    *(call(1.5), call([1.0, 2.0]), call((1.0, 2)), call([[1.0, 2.0], [3.0, 4.0]]), call(x(2, 3))),
    *(call([x(3), x(3)]), call([x(2), (1.0, 2.0)]), call(x(3), complex), call([1 + 2j, 1.0])),
]

SAMPLES = {
    np.array: [*MADE, call(x(3), dtype=float), call([1.0, 2.0], copy=True)],
    np.require: [*MADE[4:6], call(x(2, 3), float, "F"), call(x(3), requirements=["C", "W"])],
    np.asarray_chkfinite: [*MADE, call(x(3), float)],
    np.fromiter: [call([1.0, 2.0], float), call((1.0, 2.0), float, 2), call([1.0, 2], complex)],
    np.asarray: [*MADE, call(x(2, 3), order="F"), call([1.0, 2.0], float)],
    np.asanyarray: MADE,
    np.ascontiguousarray: [call(x(2, 3)), call([1.0, 2.0])],
    np.asfortranarray: [call(x(2, 3)), call([1.0, 2.0])],
    np.copy: [call(x(2, 3)), call(x(2, 3), "F"), call(x.complex(2)), call(x())],
    np.ndarray.astype: [call(x(3), complex), call(x(3), np.float64), call(x(3), float, copy=False)],
    np.ndarray.tolist: [call(x(3)), call(x(2, 3))],
    np.ndarray.item: [call(x(1)), call(x(2, 3), 4), call(x(2, 3), 1, 2), call(x(1, 1))],
    np.full: [
        call(3, 1.5, order="F"),
        call((2, 2), x(2), None, "C"),
        call(3, 1.5),
        call((2, 3), x(3)),
        call((2, 3), x(2, 1), float),
    ],
    np.full_like: [
        call(x(3), 0.5, shape=(2, 2)),
        call(x(2, 2), x(2), float, "F"),
        call(x(3), 1.5),
        call(x(2, 3), x(3)),
    ],
    np.linspace: [
        *(call(0.0, 1.5), call(0.5, 2.0, 7), call(0.5, 2.0, 7, endpoint=False)),
        *(call(x(2), x(2), 4), call(1.0, x(2, 3), num=3), call(0.5, 2.0, 5, retstep=True)),
        *(
            call(0.5, 2.0, 5, False, True),
            call(x(2), x(2), 4, axis=1),
            call(x(2), x(2), 4, axis=-1),
        ),
        *(call(x(2), x(2, 1), 3, True, True), call(0.5, 2.0, 1), call(0.5, 2.0, 3, dtype=complex)),
        *(call(x(2, 3), x(3), 4, axis=1), call(0.5, 2.0, 2), call(x.complex(2), x.complex(2), 3)),
    ],
    np.logspace: [
        *(
            call(0.1, 0.8, 4),
            call(0.1, 0.8, 4, False),
            call(0.1, 0.8, 4, base=2.5),
            call(0.1, x(2), 3),
        ),
        *(call(x(2), x(2), 4, axis=1), call(x(3), x(2, 1), 4), call(0.2, 0.5, 3, True, 3.0)),
    ],
    np.geomspace: [
        *(call(0.5, 8.0, 4), call(0.5, 8.0, 4, False), call(x(2, low=0.3), x(2, low=0.3), 4)),
        *(call(x(2, low=0.3), 2.0, 4, axis=1), call(8.0, 0.5, 5), call(-0.5, -8.0, 4)),
        *(call(x.complex(2) + 2, x.complex(2) + 3, 4),),
    ],
    np.kaiser: [call(5, 1.5), call(4, 0.3), call(7, 14.0), call(1, 2.0)],
    np.broadcast_to: [call(x(3), (2, 3)), call(1.5, (2, 2)), call(x(2, 1), (4, 2, 3))],
    np.broadcast_arrays: [call(x(3), x(2, 1)), call(1.5, x(2)), call(x(2))],
    np.ix_: [call(x(3)), call(x(3), x(2))],
    np.meshgrid: [
        *(call(x(2), x(3)), call(x(2), x(3), indexing="ij"), call(x(2), x(3), x(4)), call(x(3))),
        *(call(x(2), x(3), sparse=True), call(x(2), x(3), x(2), sparse=True, indexing="ij")),
        *(call(x(2), x(3), copy=True), call(1.5, x(2)), call(x(2), x(3), x(2), x(2))),
    ],
    np.vander: [call(x(3)), call(x(3), 2), call(x(3), 4, True), call(x.complex(3), 4)],
}


def converted(array, rough):
    return [call(v, rough=rough) for v in (1.5, array(3), array(2, 2), [1.0, 2.0])]


for kind in (np.double, np.longdouble):
    SAMPLES[kind] = converted(x, 0.0)
for kind in (np.cdouble, np.clongdouble):
    SAMPLES[kind] = converted(x, 0.0) + converted(x.complex, 0.0)
for kind, accuracy in ((np.single, 1e-5), (np.half, 0.05)):
    SAMPLES[kind] = converted(x, accuracy)
SAMPLES[np.csingle] = converted(x, 1e-5) + converted(x.complex, 1e-5)

if hasattr(np, "astype"):  # NumPy 2.1
    SAMPLES[np.astype] = [call(x(3), np.complex128), call(x(3), np.float64)]
# The values of arange depend smoothly on its arguments only between changes of its length.
SAMPLES[np.arange] = [call(1.5), call(0.5, 3.2), call(0.5, 3.2, 0.7), call(0.5, 3.2, dtype=float)]
