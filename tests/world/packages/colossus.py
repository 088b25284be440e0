"""Calls into COLOSSUS: cosmology, halos, large-scale structure."""

from __future__ import annotations

import numpy as np
from colossus.cosmology import cosmology
from colossus.halo import (
    concentration,
    mass_defs,
    mass_so,
    profile_dk14,
    profile_einasto,
    profile_hernquist,
    profile_nfw,
    splashback,
)
from colossus.lss import bias, mass_function, peaks

from tests.world.calls import call

DISTRIBUTION = "colossus"
cosmology.setCosmology("planck18", persistence="")
R = np.array([20.0, 110.0, 400.0])


@call(0.4, 1.1)
def hubble(z):
    return cosmology.getCurrent().Hz(z)


@call(0.4, 1.1)
def densities(z):
    own = cosmology.getCurrent()
    return own.rho_c(z) + own.rho_m(z) / own.rho_c(z) + own.Om(z) + own.Ode(z)


@call(0.29, 0.34)
def matter(om):
    own = cosmology.setCosmology(
        "mine", flat=True, H0=70.0, Om0=om, Ob0=0.049, sigma8=0.81, ns=0.95, persistence=""
    )
    found = own.Ez(0.7)
    cosmology.setCosmology("planck18", persistence="")
    return found


@call(0.4, 1.1)
def distances(z):
    return cosmology.getCurrent().luminosityDistance(z)


@call(0.4, 1.1)
def age(z):
    return cosmology.getCurrent().age(z)


@call(0.4, 1.1)
def growth(z):
    return cosmology.getCurrent().growthFactor(z)


@call(1e14, 6e14)
def virial_radius(m):
    return mass_so.M_to_R(m, 0.3, "200m") + mass_so.M_to_R(m, 0.3, "vir")


@call(0.2, 0.9)
def overdensity(z):
    return mass_so.deltaVir(z) + mass_so.densityThreshold(z, "500c")


@call(3e6, 8e6)
def nfw_density(rho):
    profile = profile_nfw.NFWProfile(rhos=rho, rs=200.0)
    return np.sum(profile.density(R))


@call(4.0, 9.0)
def nfw_mass(c):
    profile = profile_nfw.NFWProfile(M=1e14, c=c, z=0.2, mdef="200c")
    return np.sum(profile.enclosedMass(R)) / 1e12


@call(150.0, 300.0)
def nfw_surface(rs):
    profile = profile_nfw.NFWProfile(rhos=4e6, rs=rs)
    return np.sum(profile.surfaceDensity(R)) / 1e6 + np.sum(profile.circularVelocity(R))


@call(150.0, 300.0)
def einasto(rs):
    profile = profile_einasto.EinastoProfile(rhos=4e6, rs=rs, alpha=0.2)
    return np.sum(profile.density(R)) + np.sum(profile.densityDerivativeLog(R))


@call(150.0, 300.0)
def hernquist(rs):
    profile = profile_hernquist.HernquistProfile(rhos=4e6, rs=rs)
    return np.sum(profile.enclosedMass(R)) / 1e12


@call(150.0, 300.0)
def diemer_kravtsov(rs):
    profile = profile_dk14.DK14Profile(rhos=4e6, rs=rs, rt=900.0, alpha=0.2, beta=4.0, gamma=8.0)
    return np.sum(profile.density(R))


@call(4.0, 9.0)
def changed_definition(c):
    m, r, c2 = mass_defs.changeMassDefinition(1e14, c, 0.2, "200c", "500c", profile="nfw")
    return m / 1e12 + r + c2


@call(1e14, 6e14)
def mean_concentration(m):
    return concentration.concentration(m, "200m", 0.3, model="duffy08")


@call(0.4, 1.1)
def collapse(z):
    return peaks.collapseOverdensity(corrections=True, z=z) / (1 + z)


@call(1.2, 2.7)
def halo_bias(nu):
    return bias.haloBiasFromNu(nu, z=0.1, mdef="200m", model="tinker10")


@call(0.6, 1.4)
def multiplicity(sigma):
    return mass_function.massFunction(1.686 / sigma, 0.0, q_in="nu", q_out="f", model="sheth99")


@call(0.7, 2.4)
def splash(rate):
    out, _ = splashback.splashbackModel(
        "RspR200m", Gamma=rate, z=0.2, model="more15", rspdef="mean"
    )
    return out
