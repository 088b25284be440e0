"""Calls into iapws: properties of water, steam and ice."""

from __future__ import annotations

import iapws
from iapws import IAPWS95, IAPWS97, SeaWater
from iapws.humidAir import HumidAir

from tests.world.calls import call

DISTRIBUTION = "iapws"


@call(310.0, 455.0)
def liquid_enthalpy(t):
    return IAPWS97(T=t, P=5.0).h


@call(530.0, 780.0)
def steam_density(t):
    return IAPWS97(T=t, P=1.0).rho


@call(0.4, 3.1)
def saturated_steam(p):
    steam = IAPWS97(P=p, x=1)
    water = IAPWS97(P=p, x=0)
    return steam.h - water.h


@call(0.15, 0.83)
def wet_steam(x):
    return IAPWS97(T=440.0, x=x).s


@call(3050.0, 3310.0)
def turbine(h):
    inlet = IAPWS97(P=8.0, h=h)
    outlet = IAPWS97(P=0.01, s=inlet.s)
    return inlet.h - outlet.h


@call(320.0, 610.0)
def saturation(t):
    return iapws.iapws97._PSat_T(t)


@call(0.5, 12.0)
def saturation_temperature(p):
    return iapws.iapws97._TSat_P(p)


@call(310.0, 470.0)
def viscosity(t):
    return iapws._iapws._Viscosity(998.0, t) * 1e6


@call(310.0, 520.0)
def conductivity(t):
    return iapws._iapws._ThCond(970.0, t)


@call(290.0, 590.0)
def tension(t):
    return iapws._iapws._Tension(t)


@call(300.0, 420.0)
def dielectric(t):
    return iapws._iapws._Dielectric(958.0, t)


@call(255.0, 268.0)
def ice(t):
    return iapws._iapws._Ice(t, 0.1)["h"]


@call(315.0, 402.0)
def helmholtz_state(t):
    return IAPWS95(T=t, P=1.5).h


@call(450.0, 630.0)
def helmholtz_density(t):
    return IAPWS95(T=t, rho=3.0).P


@call(286.0, 305.0)
def sea_water(t):
    return SeaWater(T=t, P=0.1, S=0.035).rho


@call(0.01, 0.042)
def salinity(s):
    return SeaWater(T=300.0, P=0.1, S=s).h


@call(300.0, 330.0)
def humid_air(t):
    return HumidAir(T=t, P=0.1, W=0.0054).h


@call(290.0, 341.0)
def liquid_at_ambient(t):
    return iapws._iapws._Liquid(t, 0.1)["rho"]
