"""Calls into POPPY: wavefronts, Zernike polynomials, matrix Fourier transforms."""

from __future__ import annotations

import numpy as np
import poppy
from poppy import matrixDFT, zernike

from tests.world.calls import call

DISTRIBUTION = "poppy"
PLANE = np.exp(-np.add.outer(np.linspace(-1, 1, 8) ** 2, np.linspace(-1, 1, 8) ** 2))


@call(PLANE, PLANE * 1.2 + 0.1)
def transformed(plane):
    return np.sum(np.abs(matrixDFT.matrix_dft(plane, 3.0, 6)) ** 2)


@call(PLANE, PLANE * 1.2 + 0.1)
def there_and_back(plane):
    own = matrixDFT.MatrixFourierTransform()
    return np.sum(np.real(own.inverse(own.perform(plane, 3.0, 6), 3.0, 8)) * PLANE)


@call(0.3, 0.8)
def polynomial(rho):
    return zernike.R(4, 2, rho) if np.isscalar(rho) else zernike.R(4, 2, rho).sum()


@call(np.array([1e-7, 2e-7, 3e-8]), np.array([2e-7, -1e-7, 1e-7]))
def surface(coefficients):
    own = zernike.opd_from_zernikes(coefficients, npix=16, outside=0.0)
    return np.sum(own**2) * 1e12


@call(PLANE, PLANE + np.arange(8))
def fitted(opd):
    aperture = np.ones((8, 8))
    own = zernike.decompose_opd(opd, aperture=aperture, nterms=4)
    return np.sum(np.array(own))


@call(1.0, 1.4)
def focused(radius):
    own = poppy.OpticalSystem(oversample=1, npix=32)
    own.add_pupil(poppy.CircularAperture(radius=1.5))
    own.add_pupil(poppy.ThinLens(nwaves=radius, reference_wavelength=1e-6, radius=1.5))
    own.add_detector(pixelscale=0.1, fov_arcsec=1.6)
    return np.sum(own.calc_psf(1e-6)[0].data ** 2)


@call(1.0, 1.4)
def aberrated(waves):
    own = poppy.ZernikeWFE(radius=1.0, coefficients=[0, 0, 0, waves * 1e-7])
    return np.sum(np.real(own.get_phasor(poppy.Wavefront(wavelength=1e-6, npix=16, diam=2.0))))
