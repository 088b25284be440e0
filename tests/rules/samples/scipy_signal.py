"""scipy.signal: filters at several rates, recursive filters, waveforms."""

import numpy as np
from autodiff.templates.scipy.signal.multirate import upfirdn_back, upfirdn_filter
from autodiff.templates.scipy.signal.spline_filters import scaled_cosines
from scipy import signal

from tests.rules.sample import Numbers, call

x = Numbers(37)
RATES = ((1, 1), (2, 1), (1, 3), (3, 2), (4, 6), (1, 9))
EXACT = 1e-13  # how far the sums over mirror images go

SAMPLES = {
    signal.upfirdn: [
        *(call(x(4), x(7), *rates) for rates in RATES),
        *(call(x(1), x(1), 2, 3), call(x(7), x(2), 2), call(x(3), x(2, 6), 2, 3)),
        *(call(x(3), x(6, 2), 3, 2, 0), call(x(3), x(2, 5, 2), 2, 1, axis=-2)),
        *(call(x.complex(3), x.complex(6), 2, 3), call(x(3), x.complex(6), 3, 2)),
        call(x.complex(3), x(6), 2),
    ],
    upfirdn_back: [
        *(call(x(4), x(3), x(5), 1, 2, -1), call(x(8), x(3), x(5), 3, 2, -1)),
        call(x(8, 2), x(3), x(5, 2), 3, 2, 0),
    ],
    upfirdn_filter: [
        *(call(x(3), x(5), x(2), 1, 2, -1), call(x(8), x(5), x(3), 3, 2, -1)),
        call(x(2, 8), x(2, 5), x(3), 3, 2, 1),
    ],
    scaled_cosines: [call(x(5), x(5)), call(x(2, 5), x(5)), call(x(2, 5), x(2, 5))],
    signal.symiirorder1: [
        *(call(x(40), 1.3, z, EXACT) for z in (0.4, -0.3)),
        *(call(x(2, 40), 0.7, 0.2, precision=EXACT), call(x(40), 1.3, 0.4)),
    ],
    # SciPy has only the root of `precision` at the far end.
    signal.symiirorder2: [
        *(call(x(40, low=0.1), 0.3, w, EXACT, wrt=("input",), rough=1e-3) for w in (0.5, 1.2)),
        call(x(2, 40, low=0.1), 0.2, 0.4, precision=EXACT, wrt=("input",), rough=1e-3),
        call(x(60, low=0.1), 0.1, 0.5, 1e-28),
    ],
    signal.cspline2d: [
        *(call(x(40, 30, low=0.1), 0.0, EXACT), call(x(30, 40, low=0.1), precision=EXACT)),
        *(call(x(40, 30, low=0.1), 0.1, 1e-10, rough=1e-3), call(x(30, 40, low=0.1), rough=1e-3)),
    ],
    signal.qspline2d: [
        *(call(x(40, 30, low=0.1), 0.0, EXACT), call(x(30, 40, low=0.1), precision=EXACT)),
    ],
    signal.sepfir2d: [
        *(call(x(6, 7), x(3), x(5)), call(x(6, 7), x(5), x(1)), call(x(7, 7), x(7), x(7))),
    ],
    signal.sawtooth: [
        *(
            call(x(6) * 9, 0.4),
            call(x(6) * 9, wrt=("t",)),
            call(x(6) * 9, 0.0, wrt=("t",)),
            call(0.7, 0.3),
        ),
        *(call(x(3) * 9, x(2, 3, low=0.1)), call(4.3, np.array([0.2, 0.9]))),
    ],
}
