"""Rearranging elements."""

import numpy as np

from tests.rules.sample import Numbers, call, since

x = Numbers(4)
F = np.asfortranarray(x(2, 3))

PADDINGS = ("edge", "reflect", "symmetric", "wrap", "linear_ramp", "mean", "maximum", "minimum")
PADDINGS += ("median",)
OF_WINDOWS = ("mean", "maximum", "minimum", "median")

SAMPLES = {
    np.reshape: [
        *(call(x(6), (2, 3)), call(x(2, 3), 6), call(x(2, 3), (3, -1)), call(F, (3, 2), order="F")),
        *(call(x(2, 3), (3, 2), order="A"), call(F, (3, 2), order="A"), call(x(1), ())),
        *(call(x(2, 3), (3, 2), order=letter) for letter in ("f", "a", None)),
    ],
    np.ravel: [
        *(call(x(2, 3)), call(x(2, 3), "F"), call(F, "A"), call(F, order="K"), call(x.number())),
        *(call(x(2, 3), order="K"), call(x(2, 3), "f"), call(F, "a"), call(F, "k")),
    ],
    np.ndarray.flatten: [call(x(2, 3)), call(x(2, 3), "F"), call(F, "A")],
    np.squeeze: [call(x(2, 1, 3, 1)), call(x(2, 1, 3, 1), 1), call(x(1, 2, 1), (0, 2))],
    np.expand_dims: [call(x(2, 3), 0), call(x(3), (0, -1)), call(x(3), axis=1)],
    np.atleast_1d: [call(1.5), call(x(2)), call(1.5, x(2))],
    np.atleast_2d: [call(1.5), call(x(2)), call(x(2, 2), x(2))],
    np.atleast_3d: [call(1.5), call(x(2)), call(x(2, 2), x(2), 2.0)],
    np.transpose: [
        *(call(x(2, 3)), call(x(2, 3, 4)), call(x(2, 3, 4), (1, 2, 0)), call(x(2, 3), (1, 0))),
        *(call(x(2, 3, 4), (-1, 0, -2)), call(x(3)), call(x(2, 3, 4), axes=[2, 0, 1])),
    ],
    np.swapaxes: [call(x(2, 3), 0, 1), call(x(2, 3, 4), -1, 0)],
    np.moveaxis: [call(x(2, 3, 4), 0, -1), call(x(2, 3, 4), (0, 1), (-1, 0))],
    np.rollaxis: [
        *(call(x(2, 3, 4), 2), call(x(2, 3, 4), 0, 2), call(x(2, 3, 4), -1, 1)),
        *(call(x(2, 3, 4), 0, 3), call(x(2, 3, 4), 1, -1)),
    ],
    np.flip: [call(x(3)), call(x(2, 3)), call(x(2, 3), 1), call(x(2, 3), (0, 1))],
    np.fliplr: [call(x(2, 3))],
    np.flipud: [call(x(2, 3)), call(x(3))],
    np.roll: [
        *(call(x(5), 2), call(x(5), -1), call(x(2, 3), 1), call(x(2, 3), 1, 0)),
        *(call(x(2, 3), (1, 2), (0, 1)), call(x(2, 3), 1, axis=(0, 1))),
    ],
    np.rot90: [call(x(2, 3)), call(x(2, 3), 2), call(x(2, 3), -1), call(x(2, 3, 4), 1, (1, 2))],
    np.tile: [
        *(call(x(3), 2), call(x(2, 3), (2, 1)), call(x(3), (2, 2)), call(x(2, 3), 2)),
        *(call(x.number(), 3), call(x(2, 2), (2, 1, 3))),
    ],
    np.repeat: [
        *(call(x(3), 2), call(x(2, 3), 2), call(x(2, 3), 2, 0), call(x(2, 3), 3, axis=-1)),
        *(call(x(3), [1, 0, 2]), call(x(2, 3), [2, 1], 0), call(x(2, 3), [3], 1)),
    ],
    np.resize: [call(x(3), (2, 4)), call(x(2, 3), 4)],
    np.pad: [
        *(call(x(3), 2), call(x(3), (1, 2)), call(x(2, 3), ((1, 0), (2, 1))), call(x(2, 3), 1)),
        *(call(x(3), 2, "constant", constant_values=1.5), call(x(3), 2, mode="edge")),
        *(call(x(4), 2, "reflect"), call(x(2, 3), 1, "symmetric"), call(x(3), (2, 1), "wrap")),
        *(call(x(3, 4), w, mode) for mode in PADDINGS for w in (1, (2, 1), ((1, 0), (0, 2)))),
        *(call(x(3, 4), 1, mode, stat_length=2) for mode in OF_WINDOWS),
        *(call(x(4), (2, 1), mode, stat_length=((2, 3),)) for mode in OF_WINDOWS),
        *(call(x(3), 2, constant_values=v) for v in (0.5, (0.5, 1.5), np.array([[0.5, 1.5]]))),
        *(call(x(2, 3), 1, constant_values=v) for v in (0.5, (0.5, 1.5), x(2, 2))),
        *(call(x(2, 3), 2, "linear_ramp", end_values=v) for v in (0.5, (0.5, 1.5), x(2, 2))),
        *since((2, 3), call(x(2, 3), {0: 1, 1: (0, 2)})),
        *(
            call(x(*shape), w, mode, reflect_type="odd")
            for mode in ("reflect", "symmetric")
            for shape, w in (((4,), (1, 2)), ((2, 3), 1), ((3, 4), ((1, 0), (0, 2))), ((3,), 7))
        ),
        *(call(x(1, 2), 2, "reflect", reflect_type="odd"), call(x(4), 3, "symmetric")),
        call(x.complex(4), (0, 2), "reflect", reflect_type="odd"),
        *(call(x(2, 2, 2), 1, "edge"), call(x.complex(3), 1, "mean"), call(x(3), 0)),
        *(call(x(n), w, mode="edge") for n in (1, 2, 4) for w in (0, 1)),
    ],
    np.unwrap: [
        call(np.array([0.0, 1.0, 8.0, 14.0])),
        call(5 * x(2, 4), axis=0),
        call(5 * x(5), period=2.0),
    ],
}
if hasattr(np, "matrix_transpose"):  # NumPy 2.0
    SAMPLES[np.matrix_transpose] = [call(x(2, 3)), call(x(2, 3, 4))]
    SAMPLES[np.linalg.matrix_transpose] = [call(x(2, 3)), call(x(2, 3, 4))]
