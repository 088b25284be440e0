"""Calls into windpowerlib: wind at hub height, power curves."""

from __future__ import annotations

import numpy as np
import pandas as pd
from windpowerlib import density, power_curves, power_output, temperature, tools, wind_speed

from tests.world.calls import call

DISTRIBUTION = "windpowerlib"
SPEEDS = np.array([3.5, 6.2, 9.1, 12.3])
CURVE_SPEEDS = pd.Series([0.0, 3.0, 6.0, 9.0, 12.0, 25.0])
CURVE = pd.Series([0.0, 50e3, 400e3, 1.5e6, 3e6, 3e6])


@call(SPEEDS, SPEEDS + 1)
def logarithmic(v):
    return np.sum(wind_speed.logarithmic_profile(v, 10.0, 135.0, 0.15))


@call(0.1, 0.4)
def roughness(z0):
    return np.sum(wind_speed.logarithmic_profile(SPEEDS, 10.0, 135.0, z0))


@call(SPEEDS, SPEEDS + 1)
def power_law(v):
    return np.sum(wind_speed.hellman(v, 10.0, 100.0, roughness_length=0.2))


@call(0.1, 0.3)
def exponent(alpha):
    return np.sum(wind_speed.hellman(SPEEDS, 10.0, 100.0, hellman_exponent=alpha))


@call(280.0, 295.0)
def air(t):
    own = temperature.linear_gradient(t, 2.0, 100.0)
    return density.barometric(101125.0, 0.0, 100.0, own)


@call(280.0, 295.0)
def ideal(t):
    return density.ideal_gas(101125.0, 0.0, 100.0, t)


@call(SPEEDS, SPEEDS - 0.4)
def power(v):
    return np.sum(power_output.power_curve(v, CURVE_SPEEDS, CURVE)) / 1e5


@call(1.1, 1.2)
def corrected(rho):
    own = np.full(4, rho)
    return np.sum(power_output.power_curve(SPEEDS, CURVE_SPEEDS, CURVE, own, True)) / 1e5


@call(0.1, 0.5)
def gauss(mean):
    return tools.gauss_distribution(np.array([0.1, 0.4]), 0.3, mean).sum()


@call(0.1, 0.15)
def smoothed(intensity):
    own = power_curves.smooth_power_curve(
        CURVE_SPEEDS,
        CURVE,
        standard_deviation_method="turbulence_intensity",
        turbulence_intensity=intensity,
    )
    return own["value"].sum() / 1e6
