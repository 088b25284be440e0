"""scipy.signal: spectra of segments."""

import numpy as np
from autodiff.templates.scipy.signal.segments import (
    istft_adjoint,
    lengthened,
    shortened,
    spectra_of,
    stft_adjoint,
)
from scipy import signal

from tests.rules.sample import Numbers, call

x = Numbers(31)
WINDOW = np.array([0.5, 1.0, 0.8, 1.2, 0.3])

SAMPLES = {
    signal.stft: [
        *(call(x(15), nperseg=n) for n in (4, 5)),
        *(call(x(11), nperseg=4, boundary=b) for b in ("even", "odd", "constant", "zeros", None)),
        *(call(x(10), nperseg=4, padded=False, boundary=b) for b in ("even", None)),
        *(call(x(11), 2.0, WINDOW, 5, overlap, nfft=6) for overlap in (0, 2, 4)),
        *(call(x(12), window="boxcar", nperseg=6, detrend=t) for t in ("linear", "constant")),
        *(call(x(11), nperseg=4, return_onesided=False), call(x(11), nperseg=4, scaling="psd")),
        *(call(x.complex(9), nperseg=4, return_onesided=False), call(x(9, 2), nperseg=4, axis=0)),
        *(call(x(2, 9), nperseg=4, axis=1), call(x(2, 9, 2), nperseg=4, nfft=7, axis=-2)),
        call(x(2, 9), nperseg=4, return_onesided=False, axis=-1, boundary="odd"),
    ],
    signal.istft: [
        *(call(x.complex(3, 4)), call(x.complex(3, 4), nperseg=5), call(x(3, 4))),
        *(call(x.complex(4, 5), 2.0, WINDOW, 5, 3, 7), call(x.complex(4, 5), nperseg=4, nfft=8)),
        *(call(x.complex(4, 3), input_onesided=False), call(x.complex(3, 4), scaling="psd")),
        *(call(x.complex(2, 3, 4), nperseg=4), call(x.complex(4, 3), time_axis=0, freq_axis=1)),
        call(x.complex(3, 2, 4), time_axis=2, freq_axis=0),
        call(x.complex(3, 4), window="boxcar", boundary=False),
        call(x.complex(6, 4), nperseg=4, nfft=6),
    ],
    signal.csd: [
        *(call(x(15), x(15), nperseg=n) for n in (4, 5)),
        *(call(x(11), x(11), nperseg=4, average=a) for a in ("mean", "median")),
        *(call(x(11), x(11), 2.0, WINDOW, 5, overlap, 6) for overlap in (0, 2, 4)),
        *(call(x(9), x(12), nperseg=4), call(x(12), x(9), nperseg=4)),
        *(call(x(12), x(12), nperseg=4, detrend=t) for t in (False, "linear")),
        call(x(11), x(11), nperseg=4, scaling="spectrum", return_onesided=False),
        call(x.complex(9), x.complex(9), nperseg=4, return_onesided=False),
        *(call(x(9, 2), x(9, 2), nperseg=4, axis=0), call(x(2, 9), x(2, 9), nperseg=3)),
        call(x(4), x(4), window="boxcar", nperseg=4, detrend=False),
    ],
    signal.welch: [
        *(call(x(15), nperseg=n) for n in (4, 5)),
        *(call(x(11), nperseg=4, average=a) for a in ("mean", "median")),
        *(call(x(11), 2.0, WINDOW, 5, overlap, 6) for overlap in (0, 2, 4)),
        *(call(x(12), nperseg=4, detrend=t) for t in (False, "linear")),
        call(x(11), nperseg=4, scaling="spectrum", return_onesided=False),
        call(x.complex(9), nperseg=4, return_onesided=False),
        *(call(x(9, 2), nperseg=4, axis=0), call(x(2, 9, 2), nperseg=3, axis=1)),
    ],
    signal.periodogram: [
        *(call(x(n)) for n in (6, 7)),
        *(call(x(6), nfft=n) for n in (4, 5, 6, 9)),
        *(call(x(6), 2.0, "hann"), call(x(5), 1.0, WINDOW, detrend="linear")),
        *(call(x(6), window=None, detrend=False), call(x(6), return_onesided=False)),
        *(call(x(6), scaling="spectrum"), call(x.complex(6), return_onesided=False)),
        *(call(x(2, 6)), call(x(6, 2), axis=0)),
    ],
    stft_adjoint: [
        call(
            *(x.complex(4, 6), x(10), 1, "hann", 4, None, None, False, False, "zeros", True),
            *(-1, "spectrum"),
            wrt=("g",),
        ),
    ],
    istft_adjoint: [
        call(
            *(x(8), x.complex(3, 5), 1, "hann", None, None, None, True, True, -1, -2),
            "spectrum",
            wrt=("g",),
        ),
    ],
    lengthened: [call(x(3), 5, -1), call(x(3, 2), 5, -2), call(x(3), 3, -1)],
    spectra_of: [
        call(x(12), 1.0, WINDOW, 5, 2, 6, "constant", False, -1, "psd"),
        call(x(2, 9), 2.0, WINDOW, 5, 0, 5, False, False, 1, "spectrum"),
    ],
    shortened: [call(x(5), 3, -1), call(x(5, 2), 3, -2)],
}
