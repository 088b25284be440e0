"""Calls into tmm: optics of thin films."""

from __future__ import annotations

import numpy as np
import tmm
from numpy import inf, pi

from tests.world.calls import call

DISTRIBUTION = "tmm"
N = [1, 2.2 + 0.1j, 3.3 + 0.3j, 1]


@call(100.0, 220.0)
def reflected(d):
    return tmm.coh_tmm("s", N, [inf, d, 300, inf], 0.1, 400)["R"]


@call(100.0, 220.0)
def transmitted(d):
    return tmm.coh_tmm("p", N, [inf, d, 300, inf], 0.3, 500)["T"]


@call(400.0, 610.0)
def wavelength(lam):
    return tmm.coh_tmm("p", [1, 1.5, 2.2, 1.5], [inf, 100, 80, inf], 0.3, lam)["R"]


@call(1.4, 2.3)
def index(n):
    return tmm.coh_tmm("s", [1.0, n, 3.5], [inf, 120.0, inf], 0.0, 550.0)["R"]


@call(0.2, 0.9)
def angle(theta):
    return tmm.coh_tmm("p", [1, 1.46, 3.5 + 0.01j], [inf, 120, inf], theta, 633)["R"]


@call(0.2, 0.9)
def amplitude(theta):
    r = tmm.coh_tmm("p", [1, 1.46, 3.5 + 0.01j], [inf, 120, inf], theta, 633)["r"]
    return r.real + np.angle(r)


@call(0.3, 0.9)
def unpolarized(theta):
    return tmm.unpolarized_RT(N, [inf, 100, 300, inf], theta, 400)["T"]


@call(100.0, 220.0)
def ellipsometry(d):
    data = tmm.ellips([1, 1.46, 3.87 + 0.02j], [inf, d, inf], 70 * pi / 180, 633)
    return data["psi"] + data["Delta"]


@call(100.0, 220.0)
def absorbed(d):
    data = tmm.coh_tmm("s", N, [inf, d, 300, inf], 0.1, 400)
    return tmm.absorp_in_each_layer(data)[1]


@call(10.0, 60.0)
def resolved(depth):
    data = tmm.coh_tmm("p", N, [inf, 100, 300, inf], 0.3, 400)
    return tmm.position_resolved(1, depth, data)["poyn"]


@call(10.0, 60.0)
def resolved_absorption(d):
    data = tmm.coh_tmm("p", N, [inf, d, 300, inf], 0.3, 400)
    return 100 * tmm.position_resolved(2, 20.0, data)["absor"]


@call(10.0, 60.0)
def analytic(z):
    data = tmm.coh_tmm("p", N, [inf, 100, 300, inf], 0.3, 400)
    f = tmm.absorp_analytic_fn()
    f.fill_in(data, 1)
    return 100 * f.run(z).real


@call(10.0, 60.0)
def found(d):
    layer, inside = tmm.find_in_structure_with_inf([inf, 100, 300, inf], d + 100)
    return layer * inside


@call(300.0, 500.0)
def incoherent(d):
    return tmm.inc_tmm("s", N, [inf, 100, d, inf], ["i", "c", "i", "i"], 0.1, 400)["T"]


@call(100.0, 220.0)
def incoherent_absorption(d):
    data = tmm.inc_tmm("p", N, [inf, d, 300, inf], ["i", "c", "i", "i"], 0.1, 400)
    return tmm.inc_absorp_in_each_layer(data)[1]


@call(0.2, 0.9)
def interface(theta):
    t = tmm.snell(1.0, 1.5, theta)
    r = tmm.interface_r("s", 1.0, 1.5, theta, t)
    return tmm.R_from_r(r) + tmm.interface_T("p", 1.0, 1.5, theta, t)


@call(0.2, 0.9)
def angles(theta):
    return tmm.list_snell([1.0, 1.5, 1.3], theta)[2].real


@call(100.0, 220.0)
def reverse(d):
    return tmm.coh_tmm_reverse("s", N, [inf, d, 300, inf], 0.1, 400)["power_entering"]


@call(np.array([100.0, 50.0, 200.0]), np.array([30.0, 90.0, 120.0]))
def thicknesses(d):
    data = tmm.coh_tmm("s", [1, 2.2, 1.5, 2.2, 1.5], [inf, *d, inf], 0.1, 600)
    return data["T"]
