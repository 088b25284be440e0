"""Calls into PsychroLib: moist air, in plain Python."""

from __future__ import annotations

import psychrolib as ps

from tests.world.calls import call

DISTRIBUTION = "psychrolib"
ps.SetUnitSystem(ps.SI)


@call(25.0, 12.0)
def saturation(t):
    return ps.GetSatVapPres(t)


@call(-5.0, -14.0)
def frost(t):
    return ps.GetSatVapPres(t)


@call(0.4, 0.8)
def humidity_ratio(rh):
    return 1e3 * ps.GetHumRatioFromRelHum(26.0, rh, 101325.0)


@call(0.4, 0.8)
def dew_point(rh):
    return ps.GetTDewPointFromRelHum(26.0, rh)


@call(0.4, 0.8)
def wet_bulb(rh):
    return ps.GetTWetBulbFromRelHum(26.0, rh, 101325.0)


@call(26.0, 33.0)
def humidity_of_wet_bulb(t):
    return ps.GetRelHumFromTWetBulb(t, 19.0, 101325.0)


@call(12.0, 17.0)
def humidity_of_dew_point(t):
    return ps.GetRelHumFromTDewPoint(25.0, t)


@call(26.0, 33.0)
def enthalpy(t):
    return ps.GetMoistAirEnthalpy(t, 0.011)


@call(26.0, 33.0)
def saturated_enthalpy(t):
    return ps.GetSatAirEnthalpy(t, 98000.0)


@call(26.0, 33.0)
def density(t):
    return ps.GetMoistAirDensity(t, 0.011, 101325.0)


@call(40000.0, 61000.0)
def temperature(h):
    return ps.GetTDryBulbFromEnthalpyAndHumRatio(h, 0.009)


@call(0.006, 0.012)
def deficit(w):
    return ps.GetVaporPressureDeficit(28.0, w, 101325.0) / 100 + ps.GetDegreeOfSaturation(
        28.0, w, 101325.0
    )


@call(500.0, 1800.0)
def altitude(z):
    return ps.GetStandardAtmPressure(z) + ps.GetStandardAtmTemperature(z)


@call(500.0, 1800.0)
def sea_level(z):
    return ps.GetSeaLevelPressure(94000.0, z, 17.0)


@call(17.0, 21.0)
def all_from_wet_bulb(t):
    return sum(ps.CalcPsychrometricsFromTWetBulb(27.0, t, 101325.0)) / 1e3


@call(0.3, 0.7)
def all_from_humidity(rh):
    return sum(ps.CalcPsychrometricsFromRelHum(27.0, rh, 101325.0)) / 1e3
