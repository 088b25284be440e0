"""Reductions over axes, scans along them."""

import numpy as np

from tests.rules.sample import Numbers, call

x = Numbers(3)


def over_axes(**keywords):
    """Calls over no, one, several and negative axes, with axes kept and not."""
    yield call(x(4), **keywords)
    yield call(x.number(), **keywords)
    for axis in (None, 0, 1, -1, (0, 2), (-1, 0), (0, 1, 2)):
        for keepdims in (False, True):
            yield call(x(2, 3, 2), axis=axis, keepdims=keepdims, **keywords)
    yield call(x(2, 3), 1, **keywords)


def scans():
    yield call(x(5))
    yield call(x(2, 3))
    for axis in (0, 1, -1):
        yield call(x(2, 3, 2), axis)


WITH_NAN = np.array([[1.0, np.nan, 2.0], [0.5, 1.5, np.nan]])
NANS = [
    *(call(WITH_NAN), call(WITH_NAN, axis=0), call(WITH_NAN, axis=1, keepdims=True)),
    *(call(x(3)), call(WITH_NAN, axis=(0, 1))),
]
ZEROS = [np.array([0.0, 2.0, 3.0]), np.array([0.0, 2.0, 0.0]), np.array([[1.0, 0.0], [2.0, 3.0]])]

SAMPLES = {
    np.sum: [*over_axes(), call(x.complex(2, 3)), call(x.complex(2, 3), axis=0), call(x(0))],
    np.mean: [*over_axes(), call(x.complex(2, 3)), call(x.complex(2, 3), axis=0)],
    np.prod: [*over_axes(), *map(call, ZEROS), call(ZEROS[2], axis=0), call(x.complex(3))],
    np.max: [*over_axes()],
    np.min: [*over_axes()],
    np.amax: [call(x(3)), call(x(3, 2), 0)],
    np.amin: [call(x(3)), call(x(3, 2), 0)],
    np.ptp: [*over_axes()],
    np.var: [*over_axes(), call(x(4), ddof=1), call(x(2, 3), axis=1, ddof=1), call(x.complex(4))],
    np.std: [
        *(s for s in over_axes() if np.ndim(s.args[0])),
        *(call(x(4), ddof=1), call(x(2, 3), axis=1, ddof=1), call(x.complex(4))),
    ],
    np.average: [
        *over_axes(),
        *(call(x(4), weights=x(4, low=0.2)), call(x(2, 3), axis=1, weights=x(3, low=0.2))),
        *(call(x(2, 3), axis=0, weights=x(2, low=0.2)), call(x(2, 3), weights=x(2, 3, low=0.2))),
        *(call(x(2, 3), 1, x(2, 3, low=0.2)), call(x(2, 3), 1, x(3, low=0.2), keepdims=True)),
    ],
    np.cumsum: [*scans()],
    np.cumprod: [*scans(), *map(call, ZEROS), call(ZEROS[2], 1), call(x.complex(3))],
    np.nansum: [*NANS],
    np.nanmean: [*NANS],
    np.diff: [
        *(call(x(5)), call(x(5), 2), call(x(2, 4)), call(x(2, 4), axis=0), call(x(3, 4), 3, 1)),
        *(call(x(5), 0), call(x.complex(4))),
    ],
    getattr(np, "trapezoid", None) or np.trapz: [
        *(call(x(5)), call(x(5), dx=0.5), call(x(5), np.sort(x(5))), call(x(2, 4), axis=0)),
        *(call(x(2, 4), np.sort(x(4))), call(x(3, 2), np.sort(x(3)), axis=0)),
        *(call(x(2, 4), np.sort(x(2, 4))),),
    ],
}
