"""Calls into seawater: properties of sea water by EOS-80."""

from __future__ import annotations

import numpy as np
import seawater as sw

from tests.world.calls import call

DISTRIBUTION = "seawater"
SALT = np.array([34.5487, 34.7275, 34.8605, 34.6810])
PRESSURE = np.array([10.0, 50.0, 125.0, 250.0])
WARMTH = np.array([28.785, 28.432, 22.786, 10.263])


@call(10.0, 25.0)
def density(t):
    return sw.dens(35.0, t, 1000.0)


@call(WARMTH, WARMTH - 3.0)
def profile(t):
    return np.sum(sw.dens(SALT, t, PRESSURE))


@call(34.0, 36.0)
def potential_density(s):
    return sw.pden(s, 12.0, 2000.0, 500.0)


@call(500.0, 3000.0)
def potential_temperature(p):
    return sw.ptmp(35.0, 8.0, p) + sw.temp(35.0, 7.5, p)


@call(10.0, 25.0)
def sound(t):
    return sw.svel(35.0, t, 1000.0)


@call(10.0, 25.0)
def heat(t):
    return sw.cp(34.5, t, 600.0) + 1e6 * sw.adtg(34.5, t, 600.0)


@call(10.0, 25.0)
def expansion(t):
    return 1e4 * (sw.alpha(34.5, t, 600.0) + sw.beta(34.5, t, 600.0) + sw.aonb(34.5, t, 600.0))


@call(0.8, 1.1)
def conductivity(ratio):
    return sw.salt(ratio, 12.0, 1000.0)


@call(20.0, 55.0)
def depth(lat):
    return sw.dpth(1200.0, lat) + sw.pres(1200.0, lat) + sw.g(lat) + 1e4 * sw.f(lat)


@call(20.0, 55.0)
def distance(lat):
    length, phase = sw.dist([lat, 40.0], [-30.0, -25.0])
    return length[0] + phase[0]


@call(WARMTH, WARMTH - 3.0)
def buoyancy(t):
    n2, _, _ = sw.bfrq(SALT[:, None], t[:, None], PRESSURE[:, None], 30.0)
    return 1e4 * np.sum(n2)


@call(WARMTH, WARMTH - 3.0)
def anomaly(t):
    return np.sum(sw.gpan(SALT[:, None], t[:, None], PRESSURE[:, None]))


@call(5.0, 25.0)
def solubility(t):
    return sw.satO2(34.0, t) + sw.satN2(34.0, t) + sw.satAr(34.0, t)


@call(80.0, 300.0)
def waves(length):
    return sw.swvel(length, 40.0)
