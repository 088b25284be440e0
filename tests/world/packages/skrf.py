"""Calls into scikit-rf: networks, lines, media."""

from __future__ import annotations

import numpy as np
import skrf as rf
from skrf import mathFunctions as mf
from skrf import network
from skrf import tlineFunctions as tl
from skrf.media import DefinedGammaZ0, Freespace, RectangularWaveguide

from tests.world.calls import call

DISTRIBUTION = "scikit-rf"
BAND = rf.Frequency(1, 10, 7, "GHz")


@call(50.0, 75.0)
def reflection(z):
    return np.abs(tl.zl_2_Gamma0(50.0, z + 10j))


@call(0.3, 1.2)
def seen_through_a_line(theta):
    return np.real(tl.zl_2_zin(50.0, 30.0 + 5j, theta))


@call(0.3, 0.6)
def standing_wave_ratio(gamma):
    return tl.Gamma0_2_swr(gamma + 0.1j)


@call(1e9, 4e9)
def skin(f):
    return tl.skin_depth(f, 1.7e-8, 1.0) * 1e6


@call(60.0, 90.0)
def scattering_of_impedances(z):
    own = np.array([[[z, 10.0 + 2j], [10.0 + 2j, 40.0]]])
    return np.sum(np.abs(network.z2s(own)) ** 2)


@call(0.3, 0.5)
def impedances_of_scattering(r):
    own = np.array([[[r, 0.4 + 0.1j], [0.4 + 0.1j, 0.2]]])
    return np.real(network.s2z(own)).sum()


@call(0.3, 0.5)
def transfer(r):
    own = np.array([[[r, 0.4 + 0.1j], [0.4 + 0.1j, 0.2]]])
    return np.abs(network.t2s(network.s2t(own) @ network.s2t(own))).sum()


@call(1e-12, 3e-12)
def capacitor(c):
    own = DefinedGammaZ0(BAND, z0=50).capacitor(c)
    return np.sum(np.abs(own.s[:, 1, 0]))


@call(1e-9, 3e-9)
def ladder(inductance):
    medium = DefinedGammaZ0(BAND, z0=50)
    own = medium.inductor(inductance) ** medium.shunt_capacitor(1e-12)
    return np.sum(np.abs(own.s[:, 0, 0]) ** 2)


@call(0.01, 0.03)
def line(length):
    own = Freespace(BAND).line(length, "m") ** Freespace(BAND).short()
    return np.sum(np.real(own.s) * np.arange(7).reshape(7, 1, 1))


@call(20.0, 50.0)
def termination(z):
    own = DefinedGammaZ0(BAND, z0=50).load(tl.zl_2_Gamma0(50.0, z))
    return np.sum(own.s_db)


@call(0.02, 0.03)
def waveguide(a):
    own = RectangularWaveguide(rf.Frequency(8, 12, 5, "GHz"), a=a)
    return np.sum(np.imag(own.gamma))


@call(0.3, 0.7)
def decibels(r):
    return mf.complex_2_db(r + 0.2j) + mf.complex_2_degree(r + 0.2j)
