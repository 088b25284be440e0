"""Reductions over axes, scans along them."""

import numpy as np

from tests.rules.sample import Numbers, call, since

x = Numbers(3)


AXES = (None, 0, 1, 2, -1, -2, (0, 2), (-1, 0), (1, 2), (0, 1, 2))
MASK = np.array([[True, False, True], [True, True, False]])


def over_axes(**keywords):
    """Calls over no, one, several and negative axes, with axes kept and not."""
    yield call(x.apart(4), **keywords)
    yield call(x.apart(1), **keywords)
    yield call(x.number(), **keywords)
    yield call(np.asarray(x.number()), **keywords)
    for axis in AXES:
        for keepdims in (False, True):
            yield call(x.apart(2, 3, 2), axis=axis, keepdims=keepdims, **keywords)
    for axis in (0, 1, -1, (0, 1)):
        yield call(x.apart(2, 3), axis, **keywords)


def masked(**keywords):
    """Calls that leave elements out, by a mask of the shape of the array or of its last axes."""
    for keepdims in (False, True):
        yield call(x(2, 3), where=MASK, keepdims=keepdims, **keywords)
        yield call(x(2, 3), axis=(0, 1), where=MASK, keepdims=keepdims, **keywords)
        for axis in (0, 1, -1):
            yield call(x(2, 3), axis=axis, where=MASK, keepdims=keepdims, **keywords)
        yield call(x(2, 3), axis=1, where=MASK[:1], keepdims=keepdims, **keywords)
        yield call(x(3, 2), axis=0, where=MASK[:1].T, keepdims=keepdims, **keywords)
        yield call(x(2, 2, 3), axis=(0, 2), where=MASK, keepdims=keepdims, **keywords)
    yield call(x(3), where=MASK[0], **keywords)
    yield call(x(3), 0, where=[False, True, True], **keywords)


def started(initial, **keywords):
    """Calls with an initial value."""
    yield call(x(3), initial=initial, **keywords)
    yield call(x(2, 3), initial=initial, axis=1, **keywords)
    yield call(x(2, 3), initial=initial, axis=0, keepdims=True, **keywords)
    yield call(x(2, 3), initial=initial, axis=(0, 1), **keywords)


def scans():
    yield call(x(5))
    yield call(x(1))
    yield call(x(2, 3))
    yield call(x(5), -1)
    for axis in (0, 1, 2, -1, -2):
        yield call(x(2, 3, 2), axis)
        yield call(x(2, 3, 2), axis=axis)


WITH_NAN = np.array([[1.0, np.nan, 2.0], [0.5, 1.5, np.nan]])
NANS = [
    *(call(WITH_NAN), call(WITH_NAN, axis=0), call(WITH_NAN, axis=1, keepdims=True)),
    *(call(x(3)), call(WITH_NAN, axis=(0, 1))),
]
ZEROS = [np.array([0.0, 2.0, 3.0]), np.array([0.0, 2.0, 0.0]), np.array([[1.0, 0.0], [2.0, 3.0]])]

SPREAD = [
    *masked(),
    *(call(x(4), ddof=1), call(x(2, 3), axis=1, ddof=1), call(x(2, 3), axis=0, ddof=0.5)),
    *(call(x(2, 3), 1, np.float64), call(x(2, 3), ddof=1), call(x(2, 3), where=MASK, ddof=1)),
    *(call(x.complex(4)), call(x.complex(2, 3), axis=1), call(x.complex(2, 3), where=MASK)),
]
if np.__version__ >= "2":
    SPREAD += [
        *(call(x(2, 3), correction=1), call(x(2, 3), axis=1, correction=1)),
        *(call(x(2, 3), mean=x(1, 3), axis=0), call(x(2, 3), mean=x(1, 1))),
        *(call(x(2, 3), mean=x(1, 3), axis=0, where=MASK),),
        *(call(x(2, 3), mean=x(2, 1), axis=1, keepdims=True),),
    ]

A_FEW = np.arange(1.0, 7.0).reshape(2, 3)
WEIGHTS = [
    *(call(x(4), weights=x(4, low=0.2)), call(x(2, 3), axis=1, weights=x(3, low=0.2))),
    *(call(x(2, 3), axis=0, weights=x(2, low=0.2)), call(x(2, 3), weights=x(2, 3, low=0.2))),
    *(call(x(2, 3), 1, x(2, 3, low=0.2)), call(x(2, 3), 1, x(3, low=0.2), keepdims=True)),
    *(call(x(2, 3), 1, x(3, low=0.2), True), call(x(4), weights=x(4, low=0.2), returned=True)),
    *(call(x(2, 3), returned=True), call(x(2, 3), 0, returned=True), call(x.complex(4))),
    *(call(x(2, 3), 0, x(2, 3, low=0.2), True, keepdims=True),),
]
if np.__version__ >= "2":
    WEIGHTS += [
        call(x(2, 3, 4), axis=(0, 1), weights=x(2, 3, low=0.2)),
        call(x(2, 3, 4), axis=(2, 0), weights=x(4, 2, low=0.2)),
    ]
TURNED = since((2, 0), call(A_FEW, axis=(1, 0), weights=1 + A_FEW.T**2))  # weights by axes in turn

SAMPLES = {
    np.sum: [
        *(
            *over_axes(),
            *masked(),
            *started(1.5),
            *started(0.5, where=np.array([True, False, True])),
        ),
        *(call(x.complex(2, 3)), call(x.complex(2, 3), axis=0), call(x(0)), call(x(0, 2), 0)),
        *(call(x(2, 0), axis=1), call(x(2, 3), 1, np.float64), call(x(2, 3), dtype=complex)),
        *(call(x(2, 3), dtype=np.longdouble), call(x.complex(3), where=[True, False, True])),
        *(call(x.complex(3), initial=1 + 2j), call([1.0, 2.0]), call([[1.0, 2.0], [3.0, 4.0]], 1)),
    ],
    np.mean: [
        *(*over_axes(), *masked(), call(x.complex(2, 3)), call(x.complex(2, 3), axis=0)),
        *(call(x(2, 3), 1, np.float64), call(x(2, 3), dtype=complex), call([1.0, 2.0])),
    ],
    np.prod: [
        *(*over_axes(), *masked(), *started(1.5), *started(-0.5, where=MASK[0])),
        *(*map(call, ZEROS), call(ZEROS[2], axis=0), call(x.complex(3)), call(x(0), initial=1.5)),
        *(call(x.complex(2, 3), axis=1), call(x.complex(3), initial=1 + 2j), call(ZEROS[2], 1)),
        *(call(ZEROS[2], (0, 1)), call(x(2, 3), 1, np.float64), call(x(2, 3), dtype=complex)),
        *(call(ZEROS[0], initial=2.0), call(x.complex(2, 3), axis=0, where=MASK)),
    ],
    np.max: [
        *(*over_axes(), *masked(initial=-5.0), *started(-5.0), *started(5.0), *started(0.3)),
        *(call(x(0), initial=1.5), call(x(0, 2), initial=1.5, axis=0)),
    ],
    np.min: [
        *(*over_axes(), *masked(initial=5.0), *started(-5.0), *started(5.0), *started(-0.3)),
        *(call(x(0), initial=1.5), call(x(0, 2), initial=1.5, axis=0)),
    ],
    np.amax: [call(x(3)), call(x(3, 2), 0)],
    np.amin: [call(x(3)), call(x(3, 2), 0)],
    np.ptp: [*over_axes()],
    np.var: [*over_axes(), *SPREAD],
    np.std: [*(s for s in over_axes() if np.size(s.args[0]) > 1), *SPREAD],
    np.average: [*over_axes(), *WEIGHTS, *TURNED],
    np.nansum: [
        *NANS,
        *masked(),
        *started(1.5),
        call(WITH_NAN, where=MASK),
        call(WITH_NAN, 1, float),
    ],
    np.nanmean: [*NANS, *masked(), call(WITH_NAN, where=MASK), call(WITH_NAN, 1, float)],
}
