"""Calls into ambiance: the standard atmosphere."""

from __future__ import annotations

import numpy as np
from ambiance import Atmosphere

from tests.world.calls import call

DISTRIBUTION = "ambiance"
HEIGHTS = np.array([500.0, 9000.0, 15000.0, 32500.0])


@call(1000.0, 15000.0)
def density(h):
    return Atmosphere(h).density[0]


@call(HEIGHTS, HEIGHTS + 700.0)
def pressures(h):
    return np.sum(Atmosphere(h).pressure)


@call(3000.0, 40000.0)
def speed_of_sound(h):
    return float(Atmosphere(h).speed_of_sound[0])


@call(HEIGHTS, HEIGHTS + 700.0)
def viscosities(h):
    own = Atmosphere(h)
    return np.sum(own.kinematic_viscosity * 1e5 + own.dynamic_viscosity * 1e5)


@call(2000.0, 11500.0)
def reynolds(h):
    own = Atmosphere(h)
    return (0.3 * own.speed_of_sound * 2.0 / own.kinematic_viscosity)[0]


@call(2000.0, 21000.0)
def mean_free_path(h):
    own = Atmosphere(h)
    return (own.mean_free_path * own.collision_frequency + own.thermal_conductivity)[0]


@call(2000.0, 11500.0)
def geopotential(h):
    return (Atmosphere.geom2geop_height(h) + Atmosphere(h).grav_accel)[0]


@call(90000.0, 40000.0)
def height_of_pressure(p):
    return Atmosphere.from_pressure(p).h[0]
