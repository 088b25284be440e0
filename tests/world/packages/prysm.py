"""Calls into prysm: optics."""

from __future__ import annotations

import numpy as np
from prysm import (
    MTF,
    PSF,
    AiryDisk,
    FringeZernike,
    Jitter,
    NollZernike,
    PixelAperture,
    Pupil,
    QBFSSag,
    Slit,
    Wavefront,
    geometry,
    otf,
    propagation,
    psf,
    qpoly,
    refractive,
    thinfilm,
    thinlens,
    util,
    zernike,
)
from prysm.coordinates import cart_to_polar, make_rho_phi_grid, polar_to_cart
from prysm.fttools import mdft, pad2d
from prysm.jacobi import jacobi, jacobi_sequence

from tests.world.calls import call

DISTRIBUTION = "prysm"


@call(100.0, 240.0)
def lens(efl):
    d = thinlens.object_to_image_dist(efl, -1000.0)
    return d + thinlens.image_dist_epd_to_fno(d, 25.0) + thinlens.twolens_efl(efl, 50.0, 10.0)


@call(2.0, 5.6)
def apertures(fno):
    na = thinlens.fno_to_na(fno)
    return thinlens.na_to_fno(na * 0.9) + thinlens.defocus_to_image_displacement(0.5, fno, 0.55)


@call(0.45, 0.7)
def glass(wvl):
    a = [1.03961212, 0.231792344, 1.01046945]
    b = [0.00600069867, 0.0200179144, 103.560653]
    return refractive.sellmeier(wvl, a, b) + refractive.cauchy(wvl, 1.5, 0.004, 0.0001)


@call(1.4, 1.8)
def fresnel(n):
    theta = thinfilm.snell_aor(1.0, n, 0.4, degrees=False)
    r = thinfilm.fresnel_rs(1.0, n, 0.4, theta) + thinfilm.fresnel_tp(1.0, n, 0.4, theta)
    return r + thinfilm.brewsters_angle(1.0, n)


@call(0.08, 0.15)
def stack(d):
    layers = [(1.38, d), (2.1, 0.06), (1.52, 1.0)]
    r, t = thinfilm.multilayer_stack_rt("s", 0.55, layers, aoi=20.0)
    return abs(r) ** 2 + abs(t) ** 2


@call(1.3, 2.0)
def stack_index(n):
    r, t = thinfilm.multilayer_stack_rt("p", 0.55, [(n, 0.1), (1.52, 1.0)], aoi=10.0)
    return np.abs(r) ** 2


@call(0.3, 0.8)
def polynomials(x):
    x = np.array([x, 0.5 * x])
    return np.sum(
        jacobi(4, 0.0, 2.0, x) + jacobi_sequence(3, 1, 1, x)[2] + qpoly.qbfs_recurrence_Q(3, x)
    )


@call(0.3, 0.8)
def zernike_terms(r):
    z = zernike.primary_coma_y(r, 0.4) + zernike.primary_spherical(r, 0.4)
    return z + zernike.primary_trefoil_x(r, 0.7)


@call(0.3, 0.8)
def polar(x):
    rho, phi = cart_to_polar(x, 0.5)
    u, v = polar_to_cart(rho * x, phi + 0.1)
    return u + v


@call(1.0, 3.0)
def airy(r):
    return (
        psf.airydisk(r, 4.0, 0.55) + AiryDisk(4.0, 0.55).analytic_ft(np.array([100.0 * r]), 0.0)[0]
    )


@call(0.05, 0.2)
def pupil_rms(w):
    p = FringeZernike(Z4=w, Z9=0.1, samples=32, norm=True)
    return p.rms + p.strehl


@call(0.05, 0.2)
def pupil_noll(w):
    p = NollZernike(Z4=w, Z8=0.1, samples=24)
    return np.nansum(p.phase**2) + p.pv


@call(0.05, 0.2)
def point_spread(w):
    p = FringeZernike(Z4=500 * w, samples=16, dia=10.0)
    return np.sum(PSF.from_pupil(p, efl=40.0, Q=2).data ** 2)


@call(0.05, 0.2)
def transfer(w):
    p = FringeZernike(Z9=500 * w, samples=16, dia=10.0)
    return MTF.from_pupil(p, efl=40.0).data[18, 16]


@call(0.05, 0.2)
def sag(a):
    return np.nansum(QBFSSag(A2=a, A4=0.1, samples=16, dia=10.0).phase ** 2)


@call(0.4, 0.9)
def combined(w):
    total = Pupil(samples=16) + FringeZernike(Z5=0.1 * w, samples=16)
    return total.rms


@call(30.0, 60.0)
def wavefront(efl):
    x = np.linspace(-5, 5, 12)
    field = np.exp(-(x**2) / 8)[:, None] * np.exp(-(x**2) / 8)[None, :] + 0j
    w = Wavefront(x, x, field, 0.6)
    far = w.focus_fixed_sampling(efl, 1.0, 8)
    return np.sum(far.intensity.data[2]) * 1e3


@call(np.array([1.0, 0.5, 0.2, 0.1]), np.array([0.3, 0.8, 0.4, 0.6]))
def focused(a):
    field = np.outer(a, a) + 0j
    return propagation.focus(field, Q=2)[3, 4] + abs(mdft.dft2(field, 2, 4)[1, 2])


@call(0.5, 2.0)
def detector(width):
    p = PixelAperture(width)
    j = Jitter(width)
    f = np.array([10.0, 20.0])
    return p.analytic_ft(f, f)[0] + j.analytic_ft(f, f)[1] + Slit(width).analytic_ft(f, f)[1]


@call(0.2, 0.7)
def diffraction(f):
    nu = np.array([f * 100, 30.0])
    return otf.diffraction_limited_mtf(4.0, 0.55, frequencies=nu)[0] + otf.komogorov(f, 0.5)


@call(0.2, 0.7)
def utilities(x):
    rho, _ = make_rho_phi_grid(8, radius=x)
    a = pad2d(rho, Q=2)
    return util.rms(a) + util.pv(a) + util.Sa(a) + np.sum(geometry.gaussian(x, 8))
