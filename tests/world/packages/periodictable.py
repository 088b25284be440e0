"""Calls into periodictable: scattering lengths and masses."""

from __future__ import annotations

import numpy as np
import periodictable as pt
from periodictable import nsf, xsf

from tests.world.calls import call

DISTRIBUTION = "periodictable"


@call(5.0, 9.0)
def wavelength(energy):
    return xsf.xray_wavelength(energy)


@call(1.5, 4.0)
def neutron_energy(wavelength):
    return nsf.neutron_energy(wavelength) + nsf.neutron_wavelength(wavelength)


@call(2.2, 2.6)
def neutron_density(density):
    return pt.neutron_sld("SiO2", density=density, wavelength=4.75)[0]


@call(2.2, 2.6)
def x_ray_density(density):
    return pt.xray_sld("SiO2", density=density, wavelength=1.54)[0]


@call(4.5, 6.0)
def absorption(wavelength):
    return pt.neutron_sld("B4C", density=2.5, wavelength=wavelength)[1]


@call(2.2, 2.6)
def refraction(density):
    return np.real(xsf.index_of_refraction("SiO2", density=density, wavelength=1.54)) * 1e5


@call(0.3, 0.6)
def mixture(fraction):
    return nsf.D2O_sld("C3H4H[1]NO@1.29n", volume_fraction=0.4, D2O_fraction=fraction)[0]


@call(0.8, 2.0)
def form_factor(q):
    return pt.Si.xray.f0(q)


@call(2.0, 3.0)
def mass(n):
    return pt.formula([(n, pt.H), (1.0, pt.O)]).mass


@call(0.001, 0.004)
def reflectivity(angle):
    own = xsf.mirror_reflectivity("Au", density=19.3, energy=8.0, angle=angle * 57.3)
    return np.sum(own)
