"""scipy.fft."""

from autodiff.templates.scipy import fft as rules
from scipy import fft

from tests.rules.sample import Numbers, call

x = Numbers(29)
C = x.complex
NORMS = (None, "backward", "ortho", "forward")


def plain(array):
    """Odd and even lengths, cut off and filled up, along any axis."""
    return [
        *(call(array(n), norm=norm) for n in (4, 5) for norm in NORMS),
        *(call(array(4), n) for n in (3, 6)),
        *(call(array(3, 4), axis=0), call(array(3, 4), 5, 0, "ortho")),
    ]


def spatial(array):
    return [
        *(call(array(3, 4), norm=norm) for norm in NORMS),
        *(call(array(2, 3, 4)), call(array(3, 4), (2, 5)), call(array(2, 3, 4), axes=(0, 2))),
    ]


def of_types():
    return [
        *(call(x(5), type, norm=norm) for type in (1, 2, 3, 4) for norm in NORMS),
        *(call(x(4), type) for type in (1, 2, 3, 4)),
        *(call(x(3, 4), 2, 6, 1), call(x(3, 4), 3, 2, 0, "ortho"), call(C(4), 2)),
    ]


def along_axes():
    return [
        *(call(x(3, 4), type, norm=norm) for type in (1, 2, 3, 4) for norm in NORMS[1:]),
        *(call(x(2, 3, 4), axes=(0, -1)), call(x(3, 4), 2, (4, 3)), call(x(2, 3, 4), 2, (2, 5))),
        call(x(2, 3), axes=1),
    ]


SAMPLES = {
    **{f: plain(C) + plain(x)[:3] for f in (fft.fft, fft.ifft)},
    **{f: plain(x) for f in (fft.rfft, fft.ihfft)},
    **{f: plain(C) + [call(C(4), 7), call(C(4), 6)] for f in (fft.irfft, fft.hfft)},
    **{f: spatial(C) for f in (fft.fft2, fft.ifft2, fft.fftn, fft.ifftn)},
    **{f: spatial(x) for f in (fft.rfft2, fft.rfftn)},
    **{f: spatial(C) for f in (fft.irfft2, fft.irfftn)},
    **{
        f: [call(x(5)), call(x(3, 4)), call(x(3, 4), 1), call(C(2, 3), (0, 1))]
        for f in (fft.fftshift, fft.ifftshift)
    },
    **{f: of_types() for f in (fft.dct, fft.idct, fft.dst, fft.idst)},
    **{f: along_axes() for f in (fft.dctn, fft.idctn, fft.dstn, fft.idstn)},
    fft.ifht: [call(x(8), 0.1, 0.5, wrt=("A",)), call(x(7), 0.2, 1.0, 0.1, wrt=("A",))],
    fft.fht: [call(x(8), 0.1, 0.5, wrt=("a",)), call(x(7), 0.2, 1.0, 0.1, wrt=("a",))],
}

TRANSPOSED = [
    *((type, None, 0, "backward", False) for type in (1, 2, 3, 4)),
    *((type, None, -1, "ortho", True) for type in (1, 2, 3, 4)),
    (2, 4, 1, "forward", True),
]
SAMPLES |= {
    rules.transposed: [call(x(3, 4), x(3, 4), *own, wrt=("g",)) for own in TRANSPOSED],
    rules.transposed_along: [
        call(x(3, 4), x(3, 4), 2, None, None, "backward", False, wrt=("g",)),
        call(x(2, 3, 4), x(2, 3, 4), 1, None, (0, -1), "ortho", True, wrt=("g",)),
        call(x(3, 4), x(3, 4), 3, (3, 4), None, "forward", False, wrt=("g",)),
    ],
}
