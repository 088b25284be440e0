"""Order statistics, and reductions that leave NaN out."""

import numpy as np

from tests.rules.sample import Numbers, call, since
from tests.rules.samples.reductions import MASK, NANS, WITH_NAN, masked, over_axes, started

x = Numbers(12)
A = x.apart(3, 4)

LEVELS = (0.3, 0.75, 0.5)
METHODS = (
    *("linear", "hazen", "weibull", "median_unbiased", "normal_unbiased", "lower", "higher"),
    *("nearest", "midpoint", "inverted_cdf", "averaged_inverted_cdf", "closest_observation"),
    "interpolated_inverted_cdf",
)
EDGES = [
    call(x.apart(5), 1.0, wrt=("a",)),
    call(x.apart(5), 0.0, wrt=("a",)),
    call(x.apart(1), 0.3),
]
QUANTILES = [
    *(
        call(x.apart(6), q, axis, keepdims=k)
        for q in LEVELS
        for axis in (None, 0)
        for k in (False, True)
    ),
    *(call(x.apart(2, 3, 4), 0.35, axis) for axis in (0, 1, -1, (0, 2), (-1, 1), None)),
    *(
        call(x.apart(2, 3, 4), np.array([0.2, 0.65]), axis=axis)
        for axis in (0, 1, -1, (0, 2), None)
    ),
    *(call(x.apart(7), 0.37, method=method) for method in METHODS),
    *(call(A, [0.21, 0.68], 1, method=method) for method in METHODS),
    *(call(x.apart(5), np.array([[0.1, 0.9]])), call(A, [0.55, 0.25], axis=0, keepdims=True)),
]
W3, JUMPS = np.array([1.0, 0.5, 2.0, 1.5]), "inverted_cdf"
WEIGHTED_QUANTILES = [
    *(call(A, q, 1, method=JUMPS, weights=W3, wrt=("a",)) for q in (0.3, [0.21, 0.68])),
    call(x.apart(4), 0.4, method=JUMPS, weights=W3, wrt=("a",)),
    call(A, 0.4, (0, 1), method=JUMPS, weights=A + 2, keepdims=True, wrt=("a",)),
]


def nan_samples(*levels):
    for q in levels:
        for value in (WITH_NAN, x.apart(3, 4), x.apart(5)):
            yield call(value, *q)
            yield call(value, *q, axis=-1)
            yield call(value, *q, axis=0, keepdims=True)


SAMPLES = {
    np.median: [
        *(
            call(x.apart(5)),
            call(x.apart(4)),
            call(A),
            call(A, 0),
            call(A, axis=1, keepdims=True),
            call(x.apart(1)),
        ),
        *(call(x.apart(2, 3, 4), axis=(0, 2)), call(x.apart(2, 3, 4), (1, 0), keepdims=True)),
        *(call(x.apart(2, 3, 4), axis=axis) for axis in (0, 1, 2, -1, -2)),
    ],
    np.quantile: [*EDGES, *QUANTILES, *since((2, 0), *WEIGHTED_QUANTILES)],
    np.percentile: [
        *(
            call(x.apart(5), 30.0),
            call(A, [20.0, 70.0], 1),
            call(A, 55.0, axis=-1),
            call(x.apart(5), 30),
        ),
        *(call(x.apart(7), 37.0, method=method) for method in METHODS),
        *since((2, 0), call(A, 37.0, 1, method=JUMPS, weights=W3, wrt=("a",))),
    ],
    np.nanmedian: [*nan_samples(())],
    np.nanquantile: [*nan_samples((0.4,), ([0.2, 0.65],)), call(WITH_NAN, 0.4, method="hazen")],
    np.nanpercentile: [*nan_samples((40,), ([20, 65],)), call(WITH_NAN, [20.0, 65.0], 1)],
    np.nanmax: [*NANS, *over_axes(), *masked(initial=-5.0), call(WITH_NAN, initial=1.7)],
    np.nanmin: [*NANS, *over_axes(), *masked(initial=5.0), call(WITH_NAN, initial=0.7)],
    np.nanprod: [
        *(*NANS, *over_axes(), *masked(), *started(1.5), call(WITH_NAN, where=MASK)),
        *(call(WITH_NAN, 1, initial=0.5), call(x.complex(3), initial=1 + 2j)),
    ],
    np.nanvar: [*NANS, *over_axes(), *masked(), call(WITH_NAN, axis=0, ddof=0.5)],
    np.nanstd: [
        *(call(WITH_NAN), call(WITH_NAN, axis=1, keepdims=True), call(x(3)), call(x(4), ddof=1)),
        *(s for s in over_axes() if np.size(s.args[0]) > 1),
        *(call(x(2, 3), where=MASK), call(x(2, 3), where=MASK, axis=1)),
    ],
}
for function in (np.nanvar, np.nanstd):
    if np.__version__ >= "2":
        SAMPLES[function] += [
            *(call(WITH_NAN, mean=x(1, 3), axis=0), call(WITH_NAN, correction=0.5)),
            *(call(x(2, 3), mean=x(2, 1), axis=1, where=MASK),),
        ]
