"""Calls into sfs: synthesis of sound fields."""

from __future__ import annotations

import numpy as np
import sfs

from tests.world.calls import call

DISTRIBUTION = "sfs"
GRID = sfs.util.xyz_grid([-1.0, 1.0], [0.5, 2.0], 0, spacing=0.5)


@call(300.0, 900.0)
def point(omega):
    return np.sum(np.abs(1 + sfs.fd.source.point(omega, [0.1, -1.2, 0], GRID)))


@call(np.array([0.1, -1.2, 0.0]), np.array([0.7, -2.0, 0.3]))
def position(x0):
    return np.sum(sfs.fd.source.point(600.0, x0, GRID).real)


@call(300.0, 900.0)
def line(omega):
    return np.sum(sfs.fd.source.line(omega, [0.1, -1.2, 0], GRID).imag)


@call(300.0, 900.0)
def plane(omega):
    n = sfs.util.direction_vector(np.radians(40.0))
    return np.sum(sfs.fd.source.plane(omega, [0, 0, 0], n, GRID).real)


@call(300.0, 900.0)
def velocity(omega):
    return np.sum(sfs.fd.source.point_velocity(omega, [0.1, -1.2, 0], GRID)[1].real)


@call(0.3, 0.9)
def synthesis(x):
    omega = 800.0
    array = sfs.array.linear(6, 0.3, orientation=[0, 1, 0])
    d, selection, secondary = sfs.fd.wfs.point_25d(omega, array.x, array.n, [x, -2.0, 0])
    weights = sfs.tapering.tukey(selection, alpha=0.3)
    return np.sum(np.abs(sfs.fd.synthesize(d, weights, array, secondary, grid=GRID)))


@call(300.0, 900.0)
def ambisonics(omega):
    array = sfs.array.circular(8, 1.5)
    d, selection, secondary = sfs.fd.nfchoa.plane_25d(omega, array.x, 1.5, [0, -1, 0])
    taper = sfs.tapering.none(selection)
    inside = sfs.util.xyz_grid([-0.5, 0.5], [-0.5, 0.5], 0, spacing=0.5)
    return np.sum(np.abs(sfs.fd.synthesize(d, taper, array, secondary, grid=inside)))


@call(0.8, 1.9)
def geometry(radius):
    array = sfs.array.circular(8, radius)
    return np.sum(array.x[:, 0] ** 2) + np.sum(array.a)


@call(2.5, 4.0)
def room(length):
    sources, order = sfs.util.image_sources_for_box([1.0, 0.7], [length, 3.0], 2)
    return np.sum(sources[:, 0] * 0.8 ** np.sum(order, axis=1))


@call(0.3, 0.9)
def delays(x):
    array = sfs.array.linear(6, 0.3)
    delay, weights, _, _ = sfs.td.wfs.point_25d(array.x, array.n, [-2.0, x, 0])
    return 1e3 * np.sum(delay) + np.sum(weights)


@call(0.3, 0.9)
def edge(x):
    return np.sum(np.abs(sfs.fd.source.line_dirichlet_edge(400.0, [1.0 + x, -1.0, 0], GRID, Nc=8)))


@call(np.array([0.1, 0.3, 0.2]), np.array([0.4, -0.3, 0.2]))
def coordinates(v):
    alpha, beta, r = sfs.util.cart2sph(*v)
    turned = sfs.util.rotation_matrix([1, 0, 0], v)
    return alpha + beta * r + np.sum(turned) + sfs.util.db(r)
