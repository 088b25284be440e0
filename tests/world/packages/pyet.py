"""Calls into pyet: evaporation from meteorological series."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyet

from tests.world.calls import call

DISTRIBUTION = "pyet"
DAYS = pd.date_range("2021-05-01", periods=6, freq="D")
T = pd.Series([12.0, 14.5, 9.0, 16.2, 18.0, 17.1], index=DAYS)
RS = pd.Series([15.0, 18.0, 8.0, 20.0, 22.0, 19.0], index=DAYS)
RH = pd.Series([60.0, 55.0, 80.0, 50.0, 45.0, 52.0], index=DAYS)
WIND = pd.Series([2.0, 3.0, 1.5, 2.2, 1.8, 2.6], index=DAYS)
LAT = 0.82


@call(12.0, 21.0)
def saturation(t):
    return pyet.calc_e0(t)


@call(12.0, 21.0)
def slope(t):
    return pyet.calc_vpc(t) * pyet.calc_lambda(t) + pyet.calc_psy(101.0)


@call(300.0, 900.0)
def pressure(z):
    return pyet.calc_press(z)


@call(12.0, 21.0)
def air_density(t):
    return pyet.calc_rho(101.0, t, pyet.calc_ea(tmean=t, rh=60.0))


@call(0.01, 0.02)
def calibrated_turc(k):
    return np.sum(pyet.turc(T, RS, RH, k=k))


@call(0.5, 0.7)
def calibrated_makkink(k):
    return pyet.makkink(T, RS, elevation=200.0, k=k).sum()


@call(90.0, 120.0)
def calibrated_oudin(k):
    return pyet.oudin(T, LAT, k1=k).sum()


@call(0.01, 0.02)
def calibrated_hargreaves(k):
    return np.sum(pyet.hargreaves(T, T + 5.0, T - 4.0, LAT, k=k).values)


@call(0.2, 0.3)
def reference(albedo):
    own = pyet.pm_fao56(
        T, WIND, rs=RS, elevation=200.0, lat=LAT, tmax=T + 5, tmin=T - 4, rh=RH, albedo=albedo
    )
    return own.sum()


@call(1.1, 1.4)
def priestley(alpha):
    own = pyet.priestley_taylor(T, rs=RS, elevation=200.0, lat=LAT, rh=RH, alpha=alpha)
    return own.mean()


@call(50.0, 90.0)
def resistance(r):
    own = pyet.pm(T, WIND, rs=RS, elevation=200.0, lat=LAT, tmax=T + 5, tmin=T - 4, rh=RH, r_s=r)
    return own.sum()


@call(0.3, 0.5)
def sunset(declination):
    return float(pyet.sunset_angle(declination, LAT))
