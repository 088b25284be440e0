"""Calls into chemicals: correlations of physical properties."""

from __future__ import annotations

import chemicals
import numpy as np

from tests.world.calls import call

DISTRIBUTION = "chemicals"


@call(305.0, 372.0)
def antoine(t):
    return chemicals.Antoine(t, A=8.95894, B=510.595, C=-15.95)


@call(310.0, 590.0)
def lee_kesler(t):
    return chemicals.Lee_Kesler(t, Tc=617.1, Pc=36e5, omega=0.299)


@call(290.0, 470.0)
def wagner(t):
    return chemicals.Wagner_original(t, Tc=617.1, Pc=36e5, a=-7.2, b=1.4, c=-2.4, d=-3.1)


@call(300.0, 350.0)
def rackett(t):
    return chemicals.Rackett(t, Tc=369.83, Pc=4248000.0, Zc=0.2763)


@call(295.0, 410.0)
def costald(t):
    return chemicals.COSTALD(t, Tc=469.7, Vc=0.000311, omega=0.252)


@call(280.0, 360.0)
def surface_tension(t):
    return chemicals.Brock_Bird(t, Tb=329.4, Tc=508.1, Pc=4.7e6)


@call(np.array([0.2, 0.5, 0.3]), np.array([0.5, 0.3, 0.2]))
def rachford_rice(z):
    v, xs, ys = chemicals.Rachford_Rice_solution(
        zs=z.tolist(), Ks=[1.685, 0.742, 0.532], fprime=True
    )
    return v + xs[0]


@call(1.3, 2.4)
def flash_two(k):
    v, xs, ys = chemicals.flash_inner_loop(zs=[0.5, 0.3, 0.2], Ks=[k, 0.742, 0.532])
    return v * ys[1]


@call(300.0, 440.0)
def water_density(t):
    return chemicals.iapws95_rho(t, 2e7)


@call(310.0, 455.0)
def water_viscosity(t):
    return chemicals.mu_IAPWS(t, 998.0)


@call(320.0, 470.0)
def water_conductivity(t):
    return chemicals.k_IAPWS(t, 950.0)


@call(300.0, 560.0)
def water_psat(t):
    return chemicals.iapws95_Psat(t)


@call(305.0, 480.0)
def gas_viscosity(t):
    return chemicals.viscosity_gas_Gharagheizi(t, Tc=190.564, Pc=4599000.0, MW=16.04246)


@call(np.array([1.2e-5, 0.9e-5]), np.array([2.1e-5, 1.6e-5]))
def wilke(mu):
    return chemicals.Wilke([0.05, 0.95], mu.tolist(), [64.06, 28.0]) * 1e5


@call(320.0, 610.0)
def virial(t):
    return chemicals.BVirial_Tsonopoulos(t, Tc=425.0, Pc=38e5, omega=0.193) * 1e4


@call(300.0, 710.0)
def zabransky(t):
    return chemicals.heat_capacity.TRCCp(t, 4.0, 7.65e5, 720.0, 3.565, -0.052, -1.55e6, 52.0, 201.0)


@call(310.0, 650.0)
def shomate(t):
    return chemicals.Shomate(t, 30.09200, 6.832514, 6.793435, -2.534480, 0.082139)


@call(1.4, 2.3)
def refractive(n):
    return chemicals.molar_refractivity_from_RI(n, 5.8676e-5) * 1e5


@call(290.0, 370.0)
def vapor_enthalpy(t):
    return chemicals.Watson(t, Hvap_ref=43908.0, T_ref=298.15, Tc=512.5)


@call(300.0, 420.0)
def dippr(t):
    return chemicals.EQ105(t, 0.70824, 0.26411, 507.6, 0.27537) + chemicals.EQ107(
        t, 33363.0, 26790.0, 2610.5, 8896.0, 1169.0
    )
