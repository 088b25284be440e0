"""Calls into CALFEM: finite elements, element by element."""

from __future__ import annotations

import calfem.core as cfc
import numpy as np

from tests.world.calls import call

DISTRIBUTION = "calfem-python"
EDOF = np.array([[1, 2], [2, 3]])


@call(1500.0, 2600.0)
def springs(k):
    stiffness, f = np.zeros((3, 3)), np.zeros((3, 1))
    for edof, own in zip(EDOF, (k, 2000.0)):
        cfc.assem(edof, stiffness, cfc.spring1e(own))
    f[1] = 100.0
    a, r = cfc.solveq(stiffness, f, np.array([1, 3]))
    return float(a[1, 0]) + float(r[0, 0])


@call(2.0, 3.0)
def bar(e):
    return np.sum(cfc.bar2e([0.0, 1.6], [0.0, 1.2], [e, 0.5])[0] * [1.0, 2.0, 3.0, 5.0])


@call(2.0, 3.0)
def truss(x):
    stiffness = np.zeros((6, 6))
    for edof, ex, ey in (
        ([1, 2, 5, 6], [0.0, x], [0.0, 1.2]),
        ([3, 4, 5, 6], [0.0, x], [1.2, 1.2]),
    ):
        cfc.assem(np.array(edof), stiffness, cfc.bar2e(ex, ey, [200.0, 0.6]))
    f = np.zeros((6, 1))
    f[5] = -8.0
    a, _ = cfc.solveq(stiffness, f, np.array([1, 2, 3, 4]))
    return float(a[5, 0])


@call(2.0, 3.0)
def beam(e):
    ke, fe = cfc.beam2e([0.0, 3.0], [0.0, 1.0], [e, 0.4, 0.2], [0.0, -5.0])
    return np.sum(ke[0]) + np.sum(fe)


@call(2.0, 3.0)
def sections(ea):
    ed = np.array([0.01, 0.02, 0.0, 0.03, -0.01, 0.01])
    es = cfc.beam2s(np.array([0.0, 3.0]), np.array([0.0, 1.0]), [ea, 0.4, 0.2], ed)
    return np.sum(np.asarray(es[0] if isinstance(es, (tuple, list)) else es))


@call(0.2, 0.4)
def hooke(v):
    return np.sum(cfc.hooke(1, 210.0, v))


@call(0.2, 0.4)
def triangle(v):
    d = cfc.hooke(1, 210.0, v)
    ke = cfc.plante(np.array([0.0, 1.0, 0.2]), np.array([0.0, 0.1, 0.9]), [1, 0.1], d)
    return ke[0, 0] + ke[1, 2]


@call(0.2, 0.4)
def quad(v):
    d = cfc.hooke(2, 210.0, v)[np.ix_([0, 1, 3], [0, 1, 3])]
    ke = cfc.plani4e(
        np.array([0.0, 1.0, 1.1, 0.1]),
        np.array([0.0, 0.1, 0.9, 1.0]),
        [2, 0.1, 2],
        cfc.hooke(2, 210.0, v),
    )
    return np.sum(np.asarray(ke[0] if isinstance(ke, tuple) else ke)[0, :3]) + d[0, 0]


@call(0.7, 1.6)
def heat(k):
    ke = cfc.flw2te(np.array([0.0, 1.0, 0.2]), np.array([0.0, 0.1, 0.9]), [0.1], k * np.eye(2))
    return ke[0, 0] + ke[1, 2]


@call(0.7, 1.6)
def heat_quad(k):
    ke = cfc.flw2i4e(
        np.array([0.0, 1.0, 1.1, 0.1]), np.array([0.0, 0.1, 0.9, 1.0]), [0.1, 2], k * np.eye(2)
    )
    return np.sum(np.asarray(ke[0] if isinstance(ke, tuple) else ke)[0, :3])


@call(0.7, 1.6)
def frequencies(m):
    stiffness = np.array([[2.0, -1.0, 0.0], [-1.0, 2.0, -1.0], [0.0, -1.0, 1.5]])
    values, _ = cfc.eigen(stiffness, m * np.diag([1.0, 2.0, 1.0]))
    return float(values[0])


@call(0.7, 1.6)
def condensed(k):
    stiffness = np.array([[2.0 + k, -1.0, 0.0], [-1.0, 2.0, -k], [0.0, -k, 1.5 + k]])
    made, _ = cfc.statcon(stiffness, np.array([[1.0], [0.5], [0.2]]), np.array([2]))
    return np.sum(np.asarray(made))
