"""Calls into PyAstronomy: orbits, broadening, Planck's law, models with parameters."""

from __future__ import annotations

import numpy as np
from PyAstronomy import funcFit as fuf
from PyAstronomy import modelSuite as ms
from PyAstronomy import pyasl

from tests.world.calls import call

DISTRIBUTION = "PyAstronomy"
T = np.linspace(0.0, 3.0, 7)
WAVES = np.linspace(5000.0, 5010.0, 41)


@call(0.1, 0.4)
def orbit(e):
    own = pyasl.KeplerEllipse(1.0, 2.5, e=e, Omega=30.0, i=60.0, w=20.0)
    return np.sum(own.xyzPos(T))


@call(1.8, 3.1)
def orbit_period(per):
    own = pyasl.KeplerEllipse(1.0, per, e=0.2, Omega=30.0, i=60.0, w=20.0)
    return np.sum(own.radius(T)) + np.sum(own.xyzVel(0.7))


@call(0.3, 1.1)
def kepler(m):
    return pyasl.MarkleyKESolver().getE(m, 0.3)


@call(4800.0, 6200.0)
def planck(t):
    return np.sum(pyasl.planck(t, lam=np.array([5e-7, 9e-7]))) / 1e13


@call(0.3, 0.9)
def phase(angle):
    return pyasl.lambertPhaseFunction(angle)


@call(5200.0, 7100.0)
def air(wave):
    return pyasl.airtovac2(wave) + pyasl.vactoair2(wave) / 2


@call(8.0, 30.0)
def broadened(v):
    flux = 1.0 - 0.4 * np.exp(-((WAVES - 5005.0) ** 2) / 0.2)
    return np.sum((pyasl.rotBroad(WAVES, flux, 0.5, v) ** 2)[15:25])


@call(8.0, 30.0)
def fast_broadened(v):
    flux = 1.0 - 0.4 * np.exp(-((WAVES - 5005.0) ** 2) / 0.2)
    return np.sum((pyasl.fastRotBroad(WAVES, flux, 0.5, v) ** 2)[15:25])


@call(0.5, 1.3)
def shifted(v):
    flux = 1.0 - 0.4 * np.exp(-((WAVES - 5005.0) ** 2) / 0.2)
    moved, _ = pyasl.dopplerShift(WAVES, flux, 20.0 * v, edgeHandling="firstlast")
    return np.sum(moved * np.arange(41.0))


@call(0.5, 1.3)
def gaussian(sig):
    own = fuf.GaussFit1d()
    own["A"], own["mu"], own["sig"], own["off"] = 2.0, 1.2, sig, 0.1
    return np.sum(own.evaluate(T))


@call(0.5, 1.3)
def voigt(width):
    own = fuf.Voigt1d()
    own["A"], own["mu"], own["ad"], own["al"] = 2.0, 1.2, width, 0.4
    return np.sum(own.evaluate(T))


@call(0.5, 1.3)
def sinusoid(freq):
    own = fuf.SinusFit1d() + fuf.PolyFit1d(2)
    own.assignValues({"A_Sine": 1.5, "nu_Sine": freq, "c1_Poly": 0.3})
    return np.sum(own.evaluate(T) ** 2)


@call(8.0, 21.0)
def radial_velocity(k):
    own = ms.SinRadVel()
    own["P"], own["T0"], own["K"], own["rv0"] = 1.8, 0.3, k, 2.0
    return np.sum(own.evaluate(T) ** 2)


@call(10.0, 41.0)
def angular_distance(dec):
    return pyasl.getAngDist(10.0, dec, 30.0, 20.0) + pyasl.positionAngle(10.0, dec, 30.0, 20.0)


@call(0.1, 0.4)
def reddening(ebv):
    return np.sum(pyasl.unred(np.array([3000.0, 5000.0, 8000.0]), np.array([1.0, 2.0, 1.5]), ebv))
