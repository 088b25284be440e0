"""Calls into scikit-fem: finite elements over SciPy's sparse matrices."""

from __future__ import annotations

import numpy as np
import skfem
from skfem import BilinearForm, Functional, LinearForm, asm, condense, enforce, solve
from skfem.helpers import ddot, dot, grad, sym_grad, trace
from skfem.models.elasticity import lame_parameters, linear_elasticity
from skfem.models.poisson import laplace, mass, unit_load

from tests.world.calls import call

DISTRIBUTION = "scikit-fem"
MESH = skfem.MeshTri().refined(2)
BASIS = skfem.Basis(MESH, skfem.ElementTriP1())
SQUARES = skfem.Basis(skfem.MeshQuad().refined(1), skfem.ElementVector(skfem.ElementQuad1()))
LINE = skfem.Basis(skfem.MeshLine().refined(3), skfem.ElementLineP1())


@BilinearForm
def conduction(u, v, w):
    return w["k"] * dot(grad(u), grad(v))


@BilinearForm
def advection(u, v, w):
    return u.grad[0] * v


@LinearForm
def source(v, w):
    return w["f"] * v


@Functional
def squared(w):
    return w["u"] ** 2


@call(1.0, 2.2)
def poisson(k):
    system = asm(laplace, BASIS) * k, asm(unit_load, BASIS)
    return solve(*condense(*system, D=MESH.boundary_nodes())).sum()


@call(0.5, 2.0)
def reaction(c):
    system = asm(laplace, BASIS) + c * asm(mass, BASIS), asm(unit_load, BASIS)
    return solve(*condense(*system, D=MESH.boundary_nodes())).max()


@call(np.array([1.0, 0.5]), np.array([2.0, -0.4]))
def field(p):
    k = BASIS.interpolate(p[0] + p[1] * BASIS.doflocs[0])
    load = asm(unit_load, BASIS)
    u = solve(*condense(asm(conduction, BASIS, k=k), load, D=MESH.boundary_nodes()))
    return load @ u


@call(np.array([1.0, 0.5]), np.array([2.0, -0.4]))
def sources(p):
    f = BASIS.interpolate(p[0] * BASIS.doflocs[0] + p[1] * BASIS.doflocs[1] ** 2)
    u = solve(*condense(asm(laplace, BASIS), asm(source, BASIS, f=f), D=MESH.boundary_nodes()))
    return u @ u


@call(0.1, 0.7)
def boundary(g):
    u = BASIS.zeros()
    u[MESH.boundary_nodes()] = g
    found = solve(
        *condense(asm(laplace, BASIS), asm(unit_load, BASIS), x=u, D=MESH.boundary_nodes())
    )
    return found.sum()


@call(0.5, 2.0)
def enforced(k):
    system = enforce(k * asm(laplace, BASIS), asm(unit_load, BASIS), D=MESH.boundary_nodes())
    return solve(*system) @ np.ones(BASIS.N)


@call(0.5, 2.0)
def energy_norm(k):
    u = solve(*condense(k * asm(laplace, BASIS), asm(unit_load, BASIS), D=MESH.boundary_nodes()))
    return asm(squared, BASIS, u=BASIS.interpolate(u))


@call(0.2, 0.35)
def elasticity(nu):
    stiffness = asm(linear_elasticity(*lame_parameters(10.0, nu)), SQUARES)
    load = np.zeros(SQUARES.N)
    load[-1] = 1.0
    held = SQUARES.get_dofs(lambda x: x[0] == 0.0)
    return solve(*condense(stiffness, load, D=held))[-1]


@call(5.0, 12.0)
def plane_strain(young):
    lam, mu = lame_parameters(young, 0.3)

    @BilinearForm
    def form(u, v, w):
        return 2 * mu * ddot(sym_grad(u), sym_grad(v)) + lam * trace(sym_grad(u)) * trace(
            sym_grad(v)
        )

    load = np.ones(SQUARES.N)
    held = SQUARES.get_dofs(lambda x: x[0] == 0.0)
    return solve(*condense(asm(form, SQUARES), load, D=held)) @ load


@call(0.05, 0.3)
def heat(dt):
    stiffness, own = asm(laplace, LINE), asm(mass, LINE)
    u = np.sin(np.pi * LINE.doflocs[0])
    for _ in range(3):
        ends = LINE.mesh.boundary_nodes()
        u = solve(*condense(own + dt * stiffness, own @ u, D=ends))
    return u.sum()


@call(0.5, 3.0)
def transport(c):
    system = asm(laplace, LINE) + c * asm(advection, LINE), asm(unit_load, LINE)
    return solve(*condense(*system, D=LINE.mesh.boundary_nodes())).max()


@call(0.5, 1.5)
def newton(c):
    u = np.zeros(LINE.N)
    for _ in range(6):
        w = LINE.interpolate(u)
        slope = asm(
            BilinearForm(lambda a, v, w: dot(grad(a), grad(v)) + 3 * c * w.u**2 * a * v), LINE, u=w
        )
        rest = asm(LinearForm(lambda v, w: v - dot(grad(w.u), grad(v)) - c * w.u**3 * v), LINE, u=w)
        u = u + solve(*condense(slope, rest, D=LINE.mesh.boundary_nodes()))
    return u.sum()


@call(1.2, 2.0)
def stretched(scale):
    mesh = MESH.scaled((scale, 1.0))
    basis = skfem.Basis(mesh, skfem.ElementTriP1())
    u = solve(*condense(asm(laplace, basis), asm(unit_load, basis), D=mesh.boundary_nodes()))
    return u.max()


@call(np.array([0.3, 0.4]), np.array([0.6, 0.2]))
def probed(x):
    u = np.sin(BASIS.doflocs[0]) * BASIS.doflocs[1]
    return (BASIS.probes(x.reshape(2, 1)) @ u)[0]
