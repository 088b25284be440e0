"""Functions that run along an axis."""

import numpy as np

from tests.rules.sample import Numbers, call
from tests.rules.samples.reductions import WITH_NAN, ZEROS, scans

x = Numbers(13)
A = x(3, 4)
ENDS = [
    *(call(x(4), prepend=0.5), call(x(4), append=x(2)), call(x(4), 2, prepend=x(1), append=1.5)),
    *(call(A, axis=0, prepend=x(1, 4)), call(A, append=x(3, 2)), call(A, 2, 1, prepend=0.5)),
    *(call(A, 1, 0, x(2, 4), x(1, 4)), call(A, axis=-2, append=0.5)),
]

SAMPLES = {
    np.cumsum: [
        *scans(),
        call(A, 1, np.float64),
        call(x.complex(2, 3), 1),
        call(x(0)),
        call(x(2, 0), 1),
    ],
    np.cumprod: [
        *(*scans(), *map(call, ZEROS), call(ZEROS[2], 1), call(ZEROS[2], 0), call(x.complex(3))),
        *(call(A, 1, np.float64), call(x.complex(2, 3), 1), call(np.array([2.0, 0.0, 0.0, 3.0]))),
    ],
    np.nancumsum: [*scans(), call(WITH_NAN), call(WITH_NAN, 1), call(WITH_NAN, axis=0)],
    np.nancumprod: [
        *(*scans(), call(WITH_NAN), call(WITH_NAN, 1), call(WITH_NAN, axis=0)),
        *(call(np.array([2.0, np.nan, 0.0, 3.0])), call(x.complex(3))),
    ],
    np.diff: [
        *(call(x(5)), call(x(5), 2), call(x(2, 4)), call(x(2, 4), axis=0), call(x(3, 4), 3, 1)),
        *(call(x(5), 0), call(x.complex(4)), call(x(2, 3, 4), axis=1), call(x(2, 4, 3), 2, -2)),
        *(*ENDS, call(x(1)), call([1.0, 3.0, 2.5])),
    ],
    np.ediff1d: [
        *(call(x(4)), call(x(2, 3)), call(x(4), 1.5), call(x(4), x(2)), call(x(4), x(2), x(3))),
        *(call(x(2, 2), to_begin=x(2)), call(x(3), to_begin=0.5), call(x(3), to_end=x(1, 2))),
    ],
    getattr(np, "trapezoid", None) or np.trapz: [
        *(call(x(5)), call(x(5), dx=0.5), call(x(5), np.sort(x(5))), call(x(2, 4), axis=0)),
        *(call(x(2, 4), np.sort(x(4))), call(x(3, 2), np.sort(x(3)), axis=0)),
        *(call(x(2, 4), np.sort(x(2, 4))), call(x(2, 4), None, 0.3), call(x(2, 4), None, 0.3, 0)),
        *(call(x(2, 4), dx=x(3)), call(x.complex(4)), call(x(2, 3, 4), axis=1), call(x(1))),
        *(call(x(2, 3, 4), np.sort(x(3)), axis=-2), call(x(2, 4), dx=x(2, 3))),
    ],
}
if hasattr(np, "cumulative_sum"):  # NumPy 2.1
    WITH_FIRST = [call(x(4), include_initial=True), call(A, axis=1, include_initial=True)]
    SCANS = [call(x(4)), call(A, axis=1), call(A, axis=0), call(x(3), axis=-1), *WITH_FIRST]
    SCANS += [call(A, axis=0, dtype=np.float64), call(A, axis=-2, include_initial=True)]
    SAMPLES[np.cumulative_sum] = SCANS
    SAMPLES[np.cumulative_prod] = [*SCANS, *map(call, ZEROS[:2]), call(ZEROS[2], axis=1)]
