"""Calls into ase: atoms, cells, calculators, equations of state."""

from __future__ import annotations

import numpy as np
from ase import Atoms, units
from ase.build import bulk, molecule
from ase.calculators.emt import EMT
from ase.calculators.harmonic import SpringCalculator
from ase.calculators.lj import LennardJones
from ase.calculators.morse import MorsePotential
from ase.calculators.tip3p import TIP3P
from ase.cell import Cell
from ase.constraints import FixAtoms
from ase.eos import EquationOfState, birchmurnaghan, vinet
from ase.geometry import cellpar_to_cell, find_mic, get_distances
from ase.quaternions import Quaternion
from ase.thermochemistry import HarmonicThermo, IdealGasThermo

from tests.world.calls import call

DISTRIBUTION = "ase"


@call(1.1, 1.35)
def lennard_jones(d):
    atoms = Atoms("Ar3", positions=[[0, 0, 0], [d, 0, 0], [0.2, 1.2, 0.3]])
    atoms.calc = LennardJones(sigma=1.0, epsilon=0.7)
    return atoms.get_potential_energy()


@call(0.9, 1.1)
def lennard_jones_sigma(sigma):
    atoms = Atoms("Ar2", positions=[[0, 0, 0], [1.3, 0, 0]])
    atoms.calc = LennardJones(sigma=sigma)
    return atoms.get_forces()[0, 0]


@call(1.2, 2.0)
def morse(d):
    atoms = Atoms("H2", positions=[[0, 0, 0], [0, 0, d]])
    atoms.calc = MorsePotential(epsilon=2.0, r0=1.1, rho0=4.0)
    return atoms.get_potential_energy()


@call(2.4, 2.8)
def effective_medium(d):
    atoms = Atoms("Cu2", positions=[[0, 0, 0], [0, 0, d]])
    atoms.calc = EMT()
    return atoms.get_potential_energy()


@call(3.5, 3.7)
def crystal(a):
    cu = bulk("Cu", "fcc", a=a)
    cu.calc = EMT()
    return cu.get_potential_energy()


@call(np.array([0.1, 0.2, 1.3]), np.array([1.0, -0.3, 0.8]))
def distances(x):
    atoms = Atoms("OH2", positions=[x, [0.0, 0.8, 0.5], [0.3, -0.8, 0.5]])
    return atoms.get_distance(0, 1) + atoms.get_all_distances()[0, 2]


@call(np.array([0.1, 0.2, 1.3]), np.array([1.0, -0.3, 0.8]))
def angle(x):
    atoms = molecule("H2O")
    atoms.positions[0] = x
    return atoms.get_angle(1, 0, 2)


@call(0.4, 1.2)
def dihedral(z):
    atoms = Atoms("H2O2", positions=[[1, 0, 0], [1, 1, z], [0, 0, 0.3], [0, 1, 0]])
    return atoms.get_dihedral(0, 2, 3, 1)


@call(0.4, 1.2)
def mass_centre(x):
    atoms = Atoms("COH", positions=[[x, 0, 0], [1, 1, x], [0.2, 0, 0.3]])
    return atoms.get_center_of_mass()[0] + atoms.get_moments_of_inertia()[2]


@call(20.0, 70.0)
def rotated(a):
    atoms = molecule("CH4")
    atoms.rotate(a, "z")
    atoms.translate([0.0, 0.1, 0.2])
    return atoms.positions[1, 0] + atoms.get_positions()[2, 1]


@call(4.0, 6.5)
def periodic(a):
    atoms = Atoms("NaCl", scaled_positions=[[0, 0, 0], [0.4, 0.45, 0.3]], cell=[a, a, a], pbc=True)
    return atoms.get_distance(0, 1, mic=True) + atoms.get_volume()


@call(4.0, 6.5)
def cells(a):
    c = Cell.fromcellpar([a, 5.0, 6.0, 80.0, 95.0, 110.0])
    return c.volume + c.reciprocal()[0, 1] + c.cellpar()[3] + c.lengths()[0]


@call(4.0, 6.5)
def geometry(a):
    c = cellpar_to_cell([a, 5.0, 6.0, 80.0, 95.0, 110.0])
    v, d = find_mic(np.array([[3.0, 2.0, 1.0]]), np.array(c), pbc=True)
    _, e = get_distances(np.array([[0.1, 0.2, a]]), np.array([[1.0, 2.0, 0.5]]))
    return d[0] + e[0, 0]


@call(0.1, 0.5)
def velocities(v):
    atoms = molecule("N2")
    atoms.set_velocities([[v, 0, 0], [0, -v, 0.1]])
    return atoms.get_kinetic_energy() + atoms.get_temperature() / 1e4


@call(0.1, 0.4)
def strained(eps):
    atoms = bulk("Al", cubic=True)
    atoms.set_cell(atoms.cell * (1.0 + 0.1 * eps), scale_atoms=True)
    atoms.calc = LennardJones(sigma=2.5, epsilon=0.3, rc=6.0)
    return atoms.get_potential_energy()


@call(0.1, 0.4)
def constrained(x):
    atoms = Atoms("Ar3", positions=[[0, 0, 0], [1.2, x, 0], [0.2, 1.2, 0.3]])
    atoms.set_constraint(FixAtoms(indices=[0]))
    atoms.calc = LennardJones()
    return np.sum(atoms.get_forces()[:, 1] ** 2)


@call(1.0, 3.0)
def springs(k):
    atoms = Atoms("Ar2", positions=[[0.1, 0, 0], [1.3, 0.2, 0]])
    atoms.calc = SpringCalculator([[0, 0, 0], [1.2, 0, 0]], k)
    return atoms.get_potential_energy()


@call(2.6, 3.2)
def water(d):
    dimer = Atoms(
        "OH2OH2",
        positions=[
            [0, 0, 0], [0.757, 0.586, 0], [-0.757, 0.586, 0],
            [0, -d, 0], [0.757, 0.586 - d, 0], [-0.757, 0.586 - d, 0],
        ],
    )  # fmt: skip
    dimer.calc = TIP3P(rc=9.0)
    dimer.cell = [20.0, 20.0, 20.0]
    return dimer.get_potential_energy()


@call(15.0, 17.0)
def state(v):
    return birchmurnaghan(v, -5.0, 0.6, 4.5, 16.0) + vinet(v, -5.0, 0.6, 4.5, 16.0)


@call(np.array([-4.9, -5.0, -5.05, -5.02, -4.95]), np.array([-4.8, -4.95, -5.05, -5.01, -4.9]))
def fitted(e):
    eos = EquationOfState([14.0, 15.0, 16.0, 17.0, 18.0], e, eos="sj")
    v0, e0, b = eos.fit()
    return v0 + e0


@call(300.0, 500.0)
def thermo(t):
    h = HarmonicThermo(np.array([0.02, 0.1, 0.25]), potentialenergy=-1.0)
    return h.get_helmholtz_energy(t, verbose=False)


@call(300.0, 500.0)
def gas(t):
    n2 = molecule("N2")
    g = IdealGasThermo([0.29], "linear", atoms=n2, symmetrynumber=2, spin=0, potentialenergy=-3.0)
    return g.get_gibbs_energy(t, 101325.0, verbose=False)


@call(0.2, 0.9)
def quaternion(a):
    q = Quaternion.from_euler_angles(a, 0.4, 0.6) * Quaternion([0.9, a, 0.1, 0.2])
    return q.rotate(np.array([1.0, 2.0, 3.0]))[0] * units.Bohr
