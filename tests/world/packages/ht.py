"""Calls into ht: heat transfer."""

from __future__ import annotations

import fluids
import ht
import numpy as np

from tests.world.calls import call

DISTRIBUTION = "ht"


@call(1.2e4, 2.6e5)
def pipe_nusselt(re):
    return ht.Nu_conv_internal(Re=re, Pr=0.7)


@call(1e4, 4e5)
def gnielinski(re):
    fd = fluids.friction_factor(Re=re, eD=1e-4)
    return ht.conv_internal.turbulent_Gnielinski(Re=re, Pr=1.2, fd=fd)


@call(320.0, 365.0)
def lmtd(t):
    return ht.LMTD(Thi=373.0, Tho=t, Tci=295.0, Tco=311.0)


@call(2.3, 7.9)
def effectiveness(mh):
    return ht.effectiveness_NTU_method(
        mh=mh, mc=1.45, Cph=2.13, Cpc=4.18, subtype="crossflow", Thi=130.0, Tci=15.0, UA=3.04
    )["Q"]


@call(0.4, 1.9)
def ntu_shell(ntu):
    return ht.effectiveness_from_NTU(NTU=ntu, Cr=0.6, subtype="S&T")


@call(0.31, 0.72)
def p_ntu(p):
    return ht.temperature_effectiveness_TEMA_J(R1=p, NTU1=1.3, Ntp=1)


@call(0.05, 0.31)
def boiling(x):
    return ht.Chen_Edelstein(
        m=0.106,
        x=x,
        D=0.0212,
        rhol=567.0,
        rhog=18.09,
        mul=156e-6,
        mug=7.11e-6,
        kl=0.086,
        Cpl=2730.0,
        Hvap=2e5,
        sigma=0.02,
        dPsat=1e5,
        Te=3.0,
    )


@call(4.3, 16.0)
def nucleate(te):
    return ht.Rohsenow(
        rhol=957.854,
        rhog=0.595593,
        mul=2.79e-4,
        kl=0.680,
        Cpl=4217.0,
        Hvap=2.257e6,
        sigma=0.0589,
        Te=te,
        Csf=0.011,
        n=1.26,
    )


@call(0.12, 0.66)
def condensation(x):
    return ht.Shah(m=1.0, x=x, D=0.3, rhol=800.0, mul=1e-5, kl=0.6, Cpl=2300.0, P=1e6, Pc=2e7)


@call(1.1e4, 2.7e4)
def tube_bank(re):
    return ht.Nu_Zukauskas_Bejan(
        Re=re, Pr=7.0, tube_rows=10, pitch_parallel=0.05, pitch_normal=0.05
    )


@call(1.3e6, 4.4e9)
def free_convection(gr):
    return ht.Nu_horizontal_cylinder(Pr=0.69, Gr=gr) + ht.Nu_free_vertical_plate(
        Pr=0.69, Gr=gr, buoyancy=True
    )


@call(1200.0, 2750.0)
def planck(t):
    return ht.blackbody_spectral_radiance(t, 4e-6) / 1e9


@call(320.0, 790.0)
def radiation(t):
    return ht.q_rad(0.8, t, T2=293.0)


@call(0.11, 0.35)
def wall(d):
    r = ht.R_cylinder(0.05, 0.05 + d, 0.04, 10.0)
    return 1.0 / (r + ht.R_to_k(0.2, 0.1) * 0.01) + ht.S_isothermal_pipe_to_plane(d, 2.0)


@call(0.02, 0.061)
def fin_efficiency(d):
    return ht.fin_efficiency_Kern_Kraus(d, 0.1, 0.0004, 200.0, 50.0)


@call(0.3, 1.5)
def submerged(z):
    return ht.S_isothermal_sphere_to_plane(0.4, z + 0.5)


@call(np.array([0.01, 0.05, 0.1]), np.array([0.03, 0.02, 0.2]))
def composite_wall(thickness):
    ks = [45.0, 0.04, 0.7]
    r = sum(ht.k_to_R(k, t=t) for k, t in zip(ks, thickness))
    return ht.R_value_to_k(r) + ht.LMTD(100.0, 60.0, 30.0, 40.2 + r)


@call(0.7, 2.6)
def air_cooler(v):
    return ht.air_cooler.Ft_aircooler(Thi=125.0, Tho=45.0 + v, Tci=25.0, Tco=95.0, Ntp=1, rows=4)
