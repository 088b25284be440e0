"""Calls into MetPy: meteorology with units."""

from __future__ import annotations

import metpy.calc as mpcalc
import numpy as np
from metpy.interpolate import interpolate_1d, inverse_distance_to_points
from metpy.units import units

from tests.world.calls import call

DISTRIBUTION = "MetPy"
PRESSURE = np.array([1000.0, 925.0, 850.0, 700.0, 500.0, 300.0])
WARMTH = np.array([24.0, 18.0, 13.0, 3.0, -12.0, -40.0])


@call(10.0, 25.0)
def theta(t):
    return mpcalc.potential_temperature(850.0 * units.hPa, t * units.degC).m_as("K")


@call(10.0, 25.0)
def vapor(t):
    return mpcalc.saturation_vapor_pressure(t * units.degC).m_as("Pa")


@call(0.3, 0.8)
def dewpoint(rh):
    found = mpcalc.dewpoint_from_relative_humidity(20.0 * units.degC, rh * units.dimensionless)
    return found.m_as("degC")


@call(3.0, 12.0)
def wind(u):
    eastward, northward = u * units("m/s"), 4.0 * units("m/s")
    return mpcalc.wind_speed(eastward, northward).m_as("knot")


@call(10.0, 16.0)
def equivalent(td):
    return mpcalc.equivalent_potential_temperature(
        850.0 * units.hPa, 20.0 * units.degC, td * units.degC
    ).magnitude


@call(10.0, 16.0)
def condensation(td):
    pressure, warmth = mpcalc.lcl(950.0 * units.hPa, 22.0 * units.degC, td * units.degC)
    return pressure.m_as("hPa") + warmth.m_as("degC")


@call(WARMTH, WARMTH + 2.0)
def thickness(t):
    return mpcalc.thickness_hydrostatic(PRESSURE * units.hPa, t * units.degC).m_as("m")


@call(WARMTH, WARMTH + 2.0)
def stability(t):
    found = mpcalc.static_stability(PRESSURE * units.hPa, t * units.degC)
    return np.sum(found.magnitude) * 1e6


@call(np.outer(np.arange(1.0, 5.0), np.ones(4)), np.outer(np.arange(1.0, 5.0), np.arange(2.0, 6.0)))
def vorticity(u):
    v = np.ones((4, 4)) * units("m/s")
    apart = 1000.0 * units.m
    return np.sum(mpcalc.vorticity(u * units("m/s"), v, dx=apart, dy=apart).magnitude) * 1e3


@call(np.array([3.0, 4.0, 7.0, 5.0]), np.array([2.0, 8.0, 1.0, 5.0]))
def turbulence(u):
    v, w = np.array([1.0, 2.0, 0.5, 1.5]), np.array([0.1, 0.4, -0.2, 0.0])
    speed = units("m/s")
    return mpcalc.tke(u * speed, v * speed, w * speed).magnitude


@call(WARMTH, WARMTH + 2.0)
def interpolated(t):
    return np.sum(interpolate_1d(np.array([900.0, 600.0]), PRESSURE, t))


@call(np.array([3.0, 4.0, 7.0, 5.0]), np.array([2.0, 8.0, 1.0, 5.0]))
def distances(values):
    points = np.array([[0.0, 0.0], [1.0, 0.2], [0.3, 1.0], [1.1, 1.2]])
    return inverse_distance_to_points(points, values, np.array([[0.5, 0.6]]), 2.0)[0]
