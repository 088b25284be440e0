"""Fourier transforms: odd and even lengths, cut off and padded, every axis and normalisation."""

import numpy as np

from tests.rules.sample import Numbers, call

x = Numbers(14)
NORMS = ("backward", "ortho", "forward")


def of_one_axis(array):
    """Samples of a transform along one axis; `array` makes its argument."""
    return [
        *(call(array(n)) for n in (2, 3, 4, 5)),
        *(call(array(m), n) for m in (4, 5) for n in (2, 3, 4, 5, 6, 7)),
        *(call(array(3, 4, 2), axis=axis) for axis in (0, 1, 2, -1, -2)),
        *(call(array(3, 5), n, axis) for n in (2, 4, 7) for axis in (0, 1)),
        *(call(array(m, 2), axis=0, norm=norm) for m in (4, 5) for norm in NORMS),
        *(call(array(4), n, norm=norm) for n in (3, 6) for norm in NORMS),
    ]


def of_two_axes(array):
    return [
        *(call(array(m, n)) for m in (2, 3) for n in (4, 5)),
        *(call(array(3, 4), s, axes=(-2, -1)) for s in ((2, 3), (4, 6), (3, 4), (5, 3))),
        *(call(array(3, 2, 4), axes=axes) for axes in ((0, 1), (1, 0), (0, 2), (2, 0))),
        *(call(array(3, 4), norm=norm) for norm in NORMS),
        *(call(array(2, 3, 4), (3, 5), (2, 0), norm) for norm in NORMS),
    ]


def of_many_axes(array):
    return [
        *(call(array(4)), call(array(3, 2)), call(array(2, 3, 4)), call(array(2, 3, 5))),
        *of_two_axes(array)[4:],
        *(call(array(2, 3, 4), axes=axes) for axes in ((1,), (2, 0, 1), (-1,))),
        *(call(array(2, 3, 4), s=(3, 2, 5), axes=(0, 1, 2), norm=norm) for norm in NORMS),
    ]


def real(*shape):
    return x(*shape)


def any_kind(make):
    """The samples for real and for complex arguments."""
    return [*make(real), *make(x.complex)]


SHIFTS = [
    *(call(x(n)) for n in (4, 5)),
    *(call(x(3, 4), axes) for axes in (None, 0, 1, -1, (0,), (1, 0))),
    call(x.complex(2, 3)),
]

SAMPLES = {
    np.fft.fft: any_kind(of_one_axis),
    np.fft.ifft: any_kind(of_one_axis),
    np.fft.rfft: of_one_axis(real),
    np.fft.irfft: any_kind(of_one_axis),
    np.fft.hfft: any_kind(of_one_axis),
    np.fft.ihfft: of_one_axis(real),
    np.fft.fft2: any_kind(of_two_axes),
    np.fft.ifft2: any_kind(of_two_axes),
    np.fft.rfft2: of_two_axes(real),
    np.fft.irfft2: any_kind(of_two_axes),
    np.fft.fftn: any_kind(of_many_axes),
    np.fft.ifftn: any_kind(of_many_axes),
    np.fft.rfftn: of_many_axes(real),
    np.fft.irfftn: any_kind(of_many_axes),
    np.fft.fftshift: SHIFTS,
    np.fft.ifftshift: SHIFTS,
}
