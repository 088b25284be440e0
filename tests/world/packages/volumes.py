"""Calls into discretize: finite volumes over SciPy's sparse matrices."""

from __future__ import annotations

import discretize
import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import spsolve

from tests.world.calls import call

DISTRIBUTION = "discretize"
MESH = discretize.TensorMesh([4, 5])
CUBE = discretize.TensorMesh([3, 3, 3])
CELLS = np.arange(MESH.n_cells) / MESH.n_cells
P, Q = np.array([0.7, 0.4]), np.array([1.3, -0.2])


@call(P, Q)
def operator(p):
    faces = MESH.get_face_inner_product(p[0] + p[1] * CELLS)
    whole = MESH.face_divergence @ faces @ MESH.face_divergence.T
    return (whole @ CELLS) @ CELLS


@call(P, Q)
def potential(p):
    faces = MESH.get_face_inner_product(p[0] + p[1] * CELLS, invert_model=True, invert_matrix=True)
    whole = MESH.face_divergence @ faces @ MESH.face_divergence.T + 0.1 * sp.eye(MESH.n_cells)
    return spsolve(whole.tocsc(), CELLS).sum()


@call(P, Q)
def nodes(p):
    edges = MESH.get_edge_inner_product(np.exp(p[0] + p[1] * CELLS))
    whole = MESH.nodal_gradient.T @ edges @ MESH.nodal_gradient
    whole = whole + sp.diags(np.full(MESH.n_nodes, p[0] ** 2))
    return spsolve(whole.tocsc(), np.ones(MESH.n_nodes)).max()


@call(P, Q)
def averaged(p):
    return np.sum((MESH.average_cell_to_face @ (p[0] + p[1] * CELLS)) ** 2)


@call(P, Q)
def curls(p):
    faces = CUBE.get_face_inner_product(np.full(CUBE.n_cells, p[0]))
    whole = CUBE.edge_curl.T @ faces @ CUBE.edge_curl
    e = np.linspace(0, 1, CUBE.n_edges) * p[1]
    return e @ (whole @ e)


@call(P, Q)
def interpolated(p):
    at = MESH.get_interpolation_matrix(np.array([[0.31, 0.62]]), "CC")
    return (at @ (CELLS * p[0] + p[1]) ** 2)[0]


@call(P, Q)
def anisotropic(p):
    model = np.c_[np.full(MESH.n_cells, p[0]), p[0] + p[1] * CELLS]
    whole = MESH.get_face_inner_product(model)
    return np.sum((whole @ np.ones(MESH.n_faces)) ** 2)


@call(P, Q)
def steps(p):
    whole = MESH.face_divergence @ MESH.face_divergence.T
    u = CELLS
    for _ in range(3):
        u = spsolve((sp.eye(MESH.n_cells) + 0.01 * p[0] ** 2 * whole).tocsc(), u + 0.1 * p[1])
    return u @ CELLS


@call(P, Q)
def gradients(p):
    u = np.sin(p[0] * MESH.cell_centers[:, 0]) * p[1]
    return np.sum((MESH.stencil_cell_gradient @ u) ** 2)
