"""Calls into galpy: gravitational potentials and orbits of a galaxy."""

from __future__ import annotations

import numpy as np
from galpy import potential
from galpy.orbit import Orbit
from galpy.potential import (
    HernquistPotential,
    IsochronePotential,
    LogarithmicHaloPotential,
    MiyamotoNagaiPotential,
    MWPotential2014,
    NFWPotential,
    PlummerPotential,
)
from galpy.util import conversion, coords

from tests.world.calls import call

DISTRIBUTION = "galpy"


@call(0.8, 1.4)
def disk(r):
    return MiyamotoNagaiPotential(amp=1.0, a=0.5, b=0.0375, normalize=1.0)(r, 0.1)


@call(0.3, 0.7)
def disk_scale(a):
    return MiyamotoNagaiPotential(a=a, b=0.04).Rforce(1.0, 0.2)


@call(0.8, 1.4)
def halo(r):
    p = NFWPotential(a=16.0 / 8.0, normalize=0.35)
    return p(r, 0.1) + p.zforce(r, 0.1) + p.dens(r, 0.1)


@call(0.8, 1.4)
def circular(r):
    return potential.vcirc(MWPotential2014, r)


@call(0.8, 1.4)
def together(r):
    return potential.evaluatePotentials(MWPotential2014, r, 0.1)


@call(0.8, 1.4)
def forces(r):
    pots = [HernquistPotential(amp=1.0, a=0.5), PlummerPotential(amp=0.5, b=0.3)]
    return potential.evaluateRforces(pots, r, 0.2) + potential.evaluatezforces(pots, r, 0.2)


@call(0.5, 0.9)
def logarithmic(q):
    p = LogarithmicHaloPotential(normalize=1.0, q=q, core=0.1)
    return p(1.1, 0.3) + p.R2deriv(1.1, 0.3)


@call(0.8, 1.4)
def isochrone(r):
    p = IsochronePotential(b=0.7)
    return p.dens(r, 0.0) + p.mass(r)


@call(0.8, 1.4)
def frequencies(r):
    p = MiyamotoNagaiPotential(a=0.5, b=0.0375, normalize=1.0)
    return p.epifreq(r) + p.omegac(r) + p.verticalfreq(r)


@call(0.8, 1.4)
def velocity(r):
    p = HernquistPotential(amp=2.0, a=1.0)
    return p.vcirc(r) + p.vesc(r)


@call(0.8, 1.4)
def summed(r):
    p = HernquistPotential(amp=2.0, a=1.0) + 0.5 * PlummerPotential(amp=1.0, b=0.4)
    return p(r, 0.1)


@call(0.2, 1.1)
def orbit_energy(vt):
    o = Orbit([1.0, 0.1, vt, 0.1, 0.05, 0.0])
    return o.E(pot=HernquistPotential(amp=2.0, a=1.0))


@call(0.2, 1.1)
def orbit_momentum(vt):
    o = Orbit([1.0, 0.1, vt, 0.1, 0.05, 0.3])
    return o.Lz() + o.x()


@call(0.9, 1.1)
def orbit(vt):
    o = Orbit([1.0, 0.1, vt, 0.0, 0.1, 0.0])
    ts = np.linspace(0, 1.0, 11)
    o.integrate(ts, MiyamotoNagaiPotential(a=0.5, b=0.04, normalize=1.0), method="leapfrog")
    return o.R(1.0)


@call(20.0, 110.0)
def galactic(longitude):
    xyz = coords.lbd_to_XYZ(longitude, 20.0, 2.0, degree=True)
    return xyz[0] + 2 * xyz[1]


@call(20.0, 110.0)
def equatorial(ra):
    return coords.radec_to_lb(ra, 30.0, degree=True)[1]


@call(0.8, 1.4)
def cylindrical(x):
    r, phi, z = coords.rect_to_cyl(x, 0.4, 0.2)
    vr, vt, vz = coords.rect_to_cyl_vec(0.1, 0.2, 0.3, x, 0.4, 0.2)
    return r + phi + vr * vt


@call(200.0, 230.0)
def units(vo):
    return conversion.dens_in_msolpc3(vo, 8.0) + conversion.freq_in_Gyr(vo, 8.0)
