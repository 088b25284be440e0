"""Calls into fluids: fluid dynamics of pipes, fittings and beds."""

from __future__ import annotations

import fluids
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
