"""Fourier, cosine and sine transforms of scipy.fft.

The adjoint of each Fourier transform is the inverse with the scale of the other, as in `np.fft`;
that of a cosine or sine transform is another one of its kind.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from autodiff.templates.scipy import hermitian
from scipy import fft as scipy_fft

from autodiff.rules import adjoint, d, linear, nondifferentiable, registry
from autodiff.runtime import frequency_counts, irfftn_adjoint, resized, rfftn_adjoint
from autodiff.runtime.fourier import transformed

_TRANSPOSED = {1: 1, 2: 3, 3: 2, 4: 4}


def transposed(g: Any, x: Any, type: int, n: Any, axis: int, norm: Any, sine: bool) -> Any:
    """The adjoint of `x` when `g` is that of `scipy.fft.dct(x, type, n, axis, norm)`, or of `dst`.

    The ends of a sequence count once where all others count twice.
    """
    transform: Any = scipy_fft.dst if sine else scipy_fft.dct
    if norm == "ortho":
        back = transform(g, _TRANSPOSED[type], axis=axis, norm=norm)
    else:
        twice = _ends(np.shape(g)[axis], np.ndim(g), axis, type, sine)
        before, after = type in (1, 2), type in (1, 3)
        back = transform(g * twice if before else g, _TRANSPOSED[type], axis=axis, norm=norm)
        back = back / twice if after else back
    return back if n is None else resized(back, like=x)


def _ends(n: int, ndim: int, axis: int, type: int, sine: bool) -> Any:
    """2 at the ends that count once, 1 elsewhere; to be broadcast along an axis."""
    counts = np.ones(n, np.int8)  # the narrowest type leaves float32 as it is
    if type != 4 and not (sine and type == 1):
        counts[-1 if sine else 0] = 2
        if type == 1:
            counts[-1] = 2
    shape = [1] * ndim
    shape[axis] = n
    return np.reshape(counts, shape)


def transposed_along(g: Any, x: Any, type: int, s: Any, axes: Any, norm: Any, sine: bool) -> Any:
    """As `transposed`, for `scipy.fft.dctn(x, type, s, axes, norm)` and `dstn`."""
    for axis in transformed(np.ndim(x), s, axes):
        g = transposed(g, x, type, None, axis, norm, sine)
    return g if s is None else resized(g, like=x)


registry.add_making([transposed])
registry.add_pure([transposed_along])  # along no axis it gives what it is given


@linear(transposed)
def transposed_again(y, g, x, type, n, axis, norm, sine):
    d[g] = (
        scipy_fft.dst(d[y], type, n, axis, norm)
        if sine
        else scipy_fft.dct(d[y], type, n, axis, norm)
    )
    d[x] = 0.0


@linear(transposed_along)
def transposed_along_again(y, g, x, type, s, axes, norm, sine):
    d[g] = (
        scipy_fft.dstn(d[y], type, s, axes, norm)
        if sine
        else scipy_fft.dctn(d[y], type, s, axes, norm)
    )
    d[x] = 0.0


def fourier(forward, inverse):
    @linear(forward)
    def transform(y, x, n=None, axis=-1, norm=None, *, workers=None):
        scale = "ortho" if norm == "ortho" else "backward" if norm == "forward" else "forward"
        back = inverse(d[y], axis=axis, norm=scale)
        d[x] = back if n is None else resized(back, like=x)


def of_real(forward, inverse):
    @linear(forward)
    def transform(y, x, n=None, axis=-1, norm=None, *, workers=None):
        scale = "ortho" if norm == "ortho" else "backward" if norm == "forward" else "forward"
        length = np.shape(x)[axis] if n is None else n
        counts = frequency_counts(length, np.ndim(y), axis)
        back = inverse(d[y] / counts, length, axis, scale)
        d[x] = back if n is None else resized(back, like=x)


def to_real(forward, inverse):
    @linear(forward)
    def transform(y, x, n=None, axis=-1, norm=None, *, workers=None):
        scale = "ortho" if norm == "ortho" else "backward" if norm == "forward" else "forward"
        counts = frequency_counts(np.shape(y)[axis], np.ndim(y), axis)
        back = counts * inverse(d[y], axis=axis, norm=scale)
        d[x] = back if n is None else resized(back, like=x)


def of_planes(forward, inverse):
    @linear(forward)
    def transform(y, x, s=None, axes=(-2, -1), norm=None, *, workers=None):
        scale = "ortho" if norm == "ortho" else "backward" if norm == "forward" else "forward"
        back = inverse(d[y], axes=axes, norm=scale)
        d[x] = back if s is None else resized(back, like=x)


def of_all_axes(forward, inverse):
    @linear(forward)
    def transform(y, x, s=None, axes=None, norm=None, *, workers=None):
        scale = "ortho" if norm == "ortho" else "backward" if norm == "forward" else "forward"
        last = axes if s is None or axes is not None else range(-len(s), 0)
        back = inverse(d[y], axes=last, norm=scale)
        d[x] = back if s is None else resized(back, like=x)


fourier(scipy_fft.fft, scipy_fft.ifft)
fourier(scipy_fft.ifft, scipy_fft.fft)
of_real(scipy_fft.rfft, scipy_fft.irfft)
of_real(scipy_fft.ihfft, scipy_fft.hfft)
to_real(scipy_fft.irfft, scipy_fft.rfft)
to_real(scipy_fft.hfft, scipy_fft.ihfft)
of_planes(scipy_fft.fft2, scipy_fft.ifft2)
of_planes(scipy_fft.ifft2, scipy_fft.fft2)
of_all_axes(scipy_fft.fftn, scipy_fft.ifftn)
of_all_axes(scipy_fft.ifftn, scipy_fft.fftn)


@linear(scipy_fft.rfft2)
def rfft2(y, x, s=None, axes=(-2, -1), norm=None, *, workers=None):
    d[x] = rfftn_adjoint(d[y], x, s, axes, norm)


@linear(scipy_fft.irfft2)
def irfft2(y, x, s=None, axes=(-2, -1), norm=None, *, workers=None):
    d[x] = irfftn_adjoint(d[y], x, s, axes, norm)


@linear(scipy_fft.rfftn)
def rfftn(y, x, s=None, axes=None, norm=None, *, workers=None):
    d[x] = rfftn_adjoint(d[y], x, s, axes, norm)


@linear(scipy_fft.irfftn)
def irfftn(y, x, s=None, axes=None, norm=None, *, workers=None):
    d[x] = irfftn_adjoint(d[y], x, s, axes, norm)


@linear(scipy_fft.fftshift)
def fftshift(y, x, axes=None):
    d[x] = scipy_fft.ifftshift(d[y], axes)


@linear(scipy_fft.ifftshift)
def ifftshift(y, x, axes=None):
    d[x] = scipy_fft.fftshift(d[y], axes)


def trigonometric(forward, inverse, several, several_inverse, sine):
    @linear(forward)
    def transform(y, x, type=2, n=None, axis=-1, norm=None, *, workers=None):
        d[x] = (
            inverse(d[y], type, axis=axis, norm="ortho")
            if norm == "ortho" and n is None
            else transposed(d[y], x, type, n, axis, norm, sine)
        )

    @linear(inverse)
    def back(y, x, type=2, n=None, axis=-1, norm=None, *, workers=None):
        scale = "ortho" if norm == "ortho" else "backward" if norm == "forward" else "forward"
        kind = (0, 1, 3, 2, 4)[type]
        d[x] = (
            forward(d[y], type, axis=axis, norm="ortho")
            if norm == "ortho" and n is None
            else transposed(d[y], x, kind, n, axis, scale, sine)
        )

    @linear(several)
    def transform_several(y, x, type=2, s=None, axes=None, norm=None, *, workers=None):
        d[x] = transposed_along(d[y], x, type, s, axes, norm, sine)

    @linear(several_inverse)
    def back_several(y, x, type=2, s=None, axes=None, norm=None, *, workers=None):
        scale = "ortho" if norm == "ortho" else "backward" if norm == "forward" else "forward"
        kind = (0, 1, 3, 2, 4)[type]
        d[x] = transposed_along(d[y], x, kind, s, axes, scale, sine)


trigonometric(scipy_fft.dct, scipy_fft.idct, scipy_fft.dctn, scipy_fft.idctn, False)
trigonometric(scipy_fft.dst, scipy_fft.idst, scipy_fft.dstn, scipy_fft.idstn, True)


@adjoint(scipy_fft.fht, linear_in=("a",))
def fht(y, a, dln, mu, offset=0.0, bias=0.0):
    """Symmetric without bias, and with one it is divided by the powers that the result has."""
    d[a] = fht_transposed(d[y], dln, mu, offset, bias)


def fht_transposed(g: Any, dln: float, mu: float, offset: float, bias: float) -> Any:
    """The adjoint of `a` when `g` is that of `scipy.fft.fht(a, dln, mu, offset, bias)`."""
    if bias != 0:
        raise NotImplementedError("scipy.fft.fht with a bias has no derivative rule")
    return np.asarray(scipy_fft.fht(g, dln, mu, offset))


@adjoint(scipy_fft.ifht, linear_in=("A",))
def ifht(y, A, dln, mu, offset=0.0, bias=0.0):
    d[A] = ifht_transposed(d[y], dln, mu, offset, bias)


def ifht_transposed(g: Any, dln: float, mu: float, offset: float, bias: float) -> Any:
    if bias != 0:
        raise NotImplementedError("scipy.fft.ifht with a bias has no derivative rule")
    return np.asarray(scipy_fft.ifht(g, dln, mu, offset))


registry.add_making([fht_transposed, ifht_transposed])
nondifferentiable(scipy_fft.next_fast_len, scipy_fft.prev_fast_len)
registry.add_pure([scipy_fft.fftfreq, scipy_fft.rfftfreq])


def fftfreq(n, d=1.0, *, xp=None, device=None):
    """`scipy.fft.fftfreq`."""
    return np.fft.fftfreq(n, d)


def rfftfreq(n, d=1.0, *, xp=None, device=None):
    """`scipy.fft.rfftfreq`."""
    return np.fft.rfftfreq(n, d)


registry.add_written({scipy_fft.fftfreq: fftfreq, scipy_fft.rfftfreq: rfftfreq})

registry.add_sharing(  # an array without axes is its own transform
    [scipy_fft.dctn, scipy_fft.idctn, scipy_fft.dstn, scipy_fft.idstn]
    + [scipy_fft.fft2, scipy_fft.ifft2, scipy_fft.fftn, scipy_fft.ifftn]
)

__all__ = ["hermitian"]
