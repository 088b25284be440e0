"""Calls into fluids: fluid dynamics of pipes, fittings and beds."""

from __future__ import annotations

import fluids
import numpy as np
from fluids import fittings, friction

from tests.world.calls import call

DISTRIBUTION = "fluids"


@call(1.2, 3.7)
def reynolds(v):
    return fluids.Reynolds(V=v, D=0.15, nu=1.1e-6)


@call(2.1e4, 1.3e6)
def friction_factor(re):
    return fluids.friction_factor(Re=re, eD=1e-4)


@call(1.5, 4.0)
def pressure_drop(v):
    rho, mu, d = 998.0, 1e-3, 0.1
    re = fluids.Reynolds(V=v, D=d, rho=rho, mu=mu)
    f = friction.Colebrook(re, 1e-4)
    k = fittings.entrance_sharp() + fluids.K_from_f(f, L=100.0, D=d)
    return fluids.dP_from_K(k, rho=rho, V=v)


@call(2.3e4, 4.1e5)
def pipe_system(re):
    f = fluids.friction_factor(Re=re, eD=2e-4)
    k = fluids.K_from_f(f, L=20.0, D=0.1)
    k += fittings.bend_rounded(Di=0.1, rc=0.15, angle=45, fd=f)
    k += fittings.contraction_sharp(Di1=0.1, Di2=0.05)
    k += fittings.diffuser_conical(Di1=0.05, Di2=0.1, angle=15.0, fd=f)
    return k


@call(0.011, 0.052)
def control_valve(q):
    return fluids.size_control_valve_l(
        rho=965.4, Psat=70.1e3, Pc=22120e3, mu=3.1472e-4, P1=680e3, P2=220e3, Q=q
    )


@call(900.0, 4300.0)
def gas_valve(q):
    return fluids.size_control_valve_g(
        T=433.0, MW=44.01, mu=1.4665e-4, gamma=1.30, Z=0.988, P1=680e3, P2=310e3, Q=q / 3600
    )


@call(1500.0, 12500.0)
def atmosphere(z):
    at = fluids.ATMOSPHERE_1976(z)
    return at.rho * at.v_sonic**2 + at.mu


@call(3000.0, 21000.0)
def atmosphere_pressure(z):
    return fluids.ATMOSPHERE_1976(Z=z, dT=5.0).P


@call(0.6, 2.1)
def tank_volume(h):
    tank = fluids.TANK(
        D=2.5,
        L=6.0,
        horizontal=True,
        sideA="conical",
        sideB="ellipsoidal",
        sideA_a=0.8,
        sideB_a=0.6,
    )
    return tank.V_from_h(h)


@call(1.1, 2.9)
def tank_total(d):
    tank = fluids.TANK(
        D=d, L=5.0, horizontal=False, sideA="torispherical", sideA_f=0.9, sideA_k=0.1
    )
    return tank.V_total + 0.1 * tank.A


@call(3.2e-3, 7.4e-3)
def packed_bed(vs):
    return fluids.dP_packed_bed(dp=8e-4, voidage=0.4, vs=vs, rho=1e3, mu=1e-3, L=2.0)


@call(0.31, 0.77)
def two_phase(m):
    return fluids.two_phase_dP(
        m=m,
        x=0.1,
        rhol=915.0,
        rhog=2.67,
        mul=180e-6,
        mug=14e-6,
        sigma=0.0487,
        D=0.05,
        L=1.0,
        roughness=2e-5,
        Method="Friedel",
    )


@call(0.05, 0.42)
def lockhart(x):
    return fluids.Lockhart_Martinelli(
        m=0.6, x=x, rhol=915.0, rhog=2.67, mul=180e-6, mug=14e-6, D=0.05, L=1.0
    )


@call(7.1, 38.0)
def isothermal_flow(length):
    return fluids.isothermal_gas(rho=11.3, fd=0.00185, P1=1e6, P2=9e5, L=length, D=0.5)


@call(1.3e3, 8.8e4)
def drag_of_sphere(re):
    return fluids.drag_sphere(re)


@call(2e-4, 9e-4)
def terminal_velocity(d):
    return fluids.v_terminal(D=d, rhop=2600.0, rho=1000.0, mu=1e-3)


@call(0.012, 0.027)
def orifice(m):
    return fluids.flow_meter.C_Reader_Harris_Gallagher(
        D=0.07391, Do=0.0222, rho=1.1645, mu=1.85861e-5, m=m, taps="flange"
    )


@call(1.4, 4.6)
def hydraulic_power(m):
    pump = 3.4e5 * m / 998.0
    return fluids.specific_speed(m / 998.0, pump / 50.0, n=1500.0) + fluids.Froude(m, L=0.4)


@call(np.array([0.5, 1.5, 2.5]), np.array([2.2, 0.7, 1.9]))
def network_losses(v):
    total = 0.0
    for speed, diameter in zip(v, (0.05, 0.08, 0.1)):
        re = fluids.Reynolds(V=speed, D=diameter, nu=1e-6)
        fd = fluids.friction_factor(Re=re, eD=0.0001, Method="Haaland")
        total += fluids.dP_from_K(fluids.K_from_f(fd, L=12.0, D=diameter), rho=998.0, V=speed)
    return total
