"""Order statistics, and reductions that leave NaN out."""

import numpy as np

from tests.rules.sample import Numbers, call
from tests.rules.samples.reductions import NANS, WITH_NAN

x = Numbers(12)
A = x(3, 4)

SAMPLES = {
    np.median: [
        *(call(x(5)), call(x(4)), call(A), call(A, 0), call(A, axis=1, keepdims=True), call(x(1))),
        *(call(x(2, 3, 4), axis=(0, 2)), call(x(2, 3, 4), (1, 0), keepdims=True)),
    ],
    np.quantile: [
        *(
            call(x(5), 0.3),
            call(x(5), 1.0),
            call(x(5), 0.0),
            call(A, 0.6, 0),
            call(A, [0.2, 0.7], 1),
        ),
        *(call(x(5), np.array([[0.1, 0.9]])), call(A, [0.5, 0.25], axis=0, keepdims=True)),
    ],
    np.percentile: [call(x(5), 30), call(A, [20, 70], 1), call(A, 55.0, axis=-1)],
    np.nanmax: NANS,
    np.nanmin: NANS,
    np.nanprod: NANS,
    np.nanvar: [*NANS, call(WITH_NAN, axis=0, ddof=0.5)],
    np.nanstd: [
        *(call(WITH_NAN), call(WITH_NAN, axis=1, keepdims=True), call(x(3)), call(x(4), ddof=1)),
    ],
    np.nancumsum: [call(WITH_NAN), call(WITH_NAN, 1), call(x(4)), call(x(4), axis=0)],
    np.ediff1d: [call(x(4)), call(x(2, 3))],
}
if hasattr(np, "cumulative_sum"):  # NumPy 2.1
    SAMPLES[np.cumulative_sum] = [call(x(4)), call(A, axis=1), call(A, axis=0), call(x(3), axis=-1)]
