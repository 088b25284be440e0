"""What scipy.ndimage stands on: correlations, places, selections, labels."""

import numpy as np
from autodiff.templates.scipy.ndimage import filters, interpolated, labels, morphology, ranks
from autodiff.templates.scipy.ndimage import transforms as moves

from tests.rules.sample import Numbers, call

x = Numbers(47)
MODES = ("reflect", "mirror", "nearest", "wrap", "constant")
GRIDS = (*MODES, "grid-wrap", "grid-constant")
MATRIX, OFFSET = np.array([[0.9, 0.2], [-0.3, 1.1]]), np.array([0.31, -0.42])
AT = np.array([[0.3, 1.7, 3.6, -0.4], [2.2, 0.6, 4.3, 1.4]])
FAR = AT * 3.1 - 4.0
BESIDE = ("nearest", 0.0, True)
LABELS = np.array([[0, 1, 1, 3, 2], [2, 2, 0, 1, 3], [1, 1, 5, 5, 0], [3, 3, 3, 2, 0]])
PARTS = (None, None), (LABELS, None), (LABELS, 3), (LABELS, np.array([3, 1, 7, 1]))
WINDOWS = (
    *(("minimum_filter", (3, None), None), ("maximum_filter", (None, [[1, 0], [1, 1]]), None)),
    *(("median_filter", ((2, 3), None), None), ("rank_filter", (-2, 3, None), None)),
    *(("percentile_filter", (30, (3,), None), (1,)), ("minimum_filter1d", (2,), 0)),
)


def chosen(name, window, axes, mode, *between):
    given = x(4, 5)
    y = ranks.chosen(given, name, window, None, mode, 0.3, 0, axes)
    return call(x(4, 5), y, given, name, window, mode, 0.3, 0, axes, wrt=between)


SAMPLES = {
    filters.correlated: [
        *(call(x(4, 5), x(3), k, None, mode, 0.3) for k in (0, 1) for mode in GRIDS),
        *(call(x(4, 5), x(2, 3), None, None, mode, 0.3, (-1, 1)) for mode in MODES),
        *(call(x(2, 3), x(7), -1, None, mode) for mode in MODES),
        *(call(x.complex(4), x.complex(3), 0, None, "wrap"), call(x(1), x(3), 0, None, "mirror")),
        call(x.complex(3, 4), x(2, 2), None, None, "reflect", 0.0, 0),
    ],
    filters.averaged: [
        *(call(x(4, 5), size, 1, None, mode, 0.3, -1) for size in (2, 3) for mode in MODES),
        call(x(4), 7, 0, None, "reflect"),
    ],
    filters.uncorrelated: [
        *(call(x(4, 5), x(3), x(4, 5), 1, mode, 1) for mode in MODES),
        *(call(x(4, 5), x(3, 2), x(4, 5), None, mode, 0) for mode in MODES),
    ],
    filters.of_weights: [
        *(call(x(4, 5), x(4, 5), x(3), 0, mode, 0.3, 1, wrt=("x", "g")) for mode in MODES),
        call(x(4, 5), x(4, 5), x(2, 3), None, "wrap", 0.0, 0, wrt=("x", "g")),
    ],
    interpolated.sampled: [
        *(call(x(4, 5), at, k, mode) for k in (0, 1, 3) for mode in GRIDS for at in (AT, FAR)),
        *(call(x(4, 5), AT, k, "mirror", orders) for k in (2, 5) for orders in ((1, 0), (2, 1))),
        *(call(x(5), np.array([[0.3, 2.6]]), 4, "reflect"), call(x.complex(4, 5), AT, 3, "wrap")),
        call(x(1, 4), AT, 3, "mirror"),
    ],
    interpolated.scattered: [
        *(call(x(4), AT, (4, 5), 3, mode) for mode in GRIDS),
        call(x(4), AT, (4, 5), 2, "mirror", (1, 0)),
    ],
    interpolated.at_places: [
        *(call(x(4), x(4, 5), AT, 3, mode) for mode in GRIDS),
    ],
    interpolated.moved_places: [
        call(x(2, 4), x(4, 5), AT, k, "mirror", wrt=("c",)) for k in (2, 3)
    ],
    interpolated.scattered_moved: [call(x(2, 4), x(4), AT, (4, 5), 3, "reflect", wrt=("g",))],
    moves.solved: [
        *(call(x(4, 5), k, 0, np.float64, mode) for k in (1, 2, 3, 5) for mode in GRIDS),
        *(call(x(70), k, 0, np.float64, mode) for k in (3, 5) for mode in MODES),
        call(x.complex(4, 5), 3, 1, np.complex128, "mirror"),
    ],
    moves.unsolved: [*(call(x(n), 3, 0, mode) for n in (5, 70) for mode in MODES)],
    moves.coefficients: [
        *(call(x(4, 5), k, mode, 0.3, True) for k in (1, 3) for mode in GRIDS),
        call(x(4, 5), 3, "mirror", 0.0, False),
    ],
    moves.uncoefficients: [
        *(call(x(4, 5), x(4, 5), k, "mirror", True, wrt=("g",)) for k in (1, 3)),
        call(x(28, 29), x(4, 5), 3, "nearest", True, wrt=("g",)),
    ],
    moves.read: [
        *(call(x(4, 5), AT, None, k, mode, 0.3, True) for k in (1, 2, 3) for mode in GRIDS),
        *(call(x(4, 5), FAR, None, k, mode, 0.3, False) for k in (4, 5) for mode in GRIDS),
        call(x.complex(4, 5), AT, None, 3, "mirror", 0.0, True),
    ],
    moves.moved: [
        *(call(x(4, 5), MATRIX, OFFSET, (3, 4), None, 3, m, 0.3, True) for m in GRIDS),
        call(x(4, 5), np.diag(MATRIX), OFFSET, (4, 5), None, 1, "wrap", 0.0, True),
        call(x(4, 5), np.ones(2), OFFSET, (4, 5), None, 3, *BESIDE, "shift", wrt=("x",)),
    ],
    moves.places: [*(call(m, OFFSET, (3, 4), 2) for m in (MATRIX, np.diag(MATRIX)))],
    moves.of_matrix: [*(call(x(2, 3, 4), m, (3, 4), wrt=("g",)) for m in (MATRIX, OFFSET))],
    ranks.chosen: [
        call(x(4, 5), name, window, None, mode, 0.3, 0, axes)
        for name, window, axes in WINDOWS
        for mode in (*MODES, "grid-wrap")
    ],
    ranks.shared: [chosen(*own, mode, "g") for own in WINDOWS for mode in MODES[-2:]],
    ranks.gathered: [chosen(*own, mode, "v") for own in WINDOWS for mode in MODES[-2:]],
    labels.summed: [call(x(4, 5), *own) for own in PARTS],
    labels.spread: [
        *(call(x(), *own, x(4, 5), wrt=("g",)) for own in PARTS[:3]),
        call(x(4), *PARTS[3], x(4, 5), wrt=("g",)),
    ],
    labels.extreme: [
        call(x(4, 5), name, *own)
        for name in ("minimum", "maximum")
        for own in (*PARTS[:3], (LABELS, np.array([3, 1, 1])))
    ],
    morphology.of_spectrum: [
        call(x.complex(4, 5), "fourier_shift", 0.3, -1, -1),
        call(x(4), "fourier_shift", 1, -1, 0),
        *(call(x(4, 5), f"fourier_{own}", (2, 3), -1, 0) for own in ("gaussian", "uniform")),
        call(x(4, 4), "fourier_ellipsoid", 2.5, 6, 1),
    ],
    labels.ndimage.distance_transform_edt: [call(x(4, 5))],
    labels.ndimage.distance_transform_bf: [call(x(4, 5))],
}
