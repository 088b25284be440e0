"""Calls into pyXSteam: water and steam by tables of units."""

from __future__ import annotations

from pyXSteam.XSteam import XSteam

from tests.world.calls import call

DISTRIBUTION = "pyXSteam"
STEAM = XSteam(XSteam.UNIT_SYSTEM_MKS)


@call(3.0, 25.0)
def saturation_temperature(p):
    return STEAM.tsat_p(p)


@call(120.0, 210.0)
def saturation_pressure(t):
    return XSteam(XSteam.UNIT_SYSTEM_MKS).psat_t(t)


@call(3.0, 25.0)
def liquid_enthalpy(p):
    return STEAM.hL_p(p) + STEAM.hV_p(p)


@call(60.0, 140.0)
def water(t):
    return STEAM.h_pt(10.0, t) + STEAM.s_pt(10.0, t)


@call(260.0, 340.0)
def steam(t):
    return STEAM.h_pt(10.0, t) + STEAM.v_pt(10.0, t)


@call(260.0, 340.0)
def heat_capacity(t):
    return STEAM.Cp_pt(10.0, t) + STEAM.Cv_pt(10.0, t)


@call(260.0, 340.0)
def sound(t):
    return STEAM.w_pt(10.0, t)


@call(60.0, 140.0)
def viscosity(t):
    return 1e6 * STEAM.my_pt(10.0, t)


@call(60.0, 140.0)
def conductivity(t):
    return STEAM.tc_pt(10.0, t)


@call(60.0, 140.0)
def surface_tension(t):
    return 1e3 * STEAM.st_t(t)


@call(900.0, 1900.0)
def quality(h):
    return STEAM.x_ph(5.0, h)


@call(2850.0, 3100.0)
def temperature(h):
    return STEAM.t_ph(10.0, h)


@call(900.0, 1900.0)
def wet(h):
    return STEAM.s_ph(5.0, h) + STEAM.rho_ph(5.0, h)


@call(0.2, 0.7)
def by_quality(x):
    return STEAM.h_px(5.0, x)


@call(300.0, 420.0)
def imperial(t):
    return XSteam(XSteam.UNIT_SYSTEM_FLS).h_pt(100.0, t)
