"""Programs with interpolants of SciPy's of several coordinates, on grids and scattered."""

from __future__ import annotations

import numpy as np
from scipy import interpolate as I
from scipy import sparse

W = np.array([0.5, 1.45, 0.8, 1.1, 2.3])
T = np.arange(5.0)
V = np.array([0.5, 1.45, 0.8, 1.1, 2.3, 1.2])
S = np.array([0.0, 1, 2, 3.5, 4, 5])
Q = np.array([[0, 0], [1, 0], [0, 1], [1, 1.0], [0.4, 0.6]])


def rgi_at(p):
    return I.RegularGridInterpolator((T, np.arange(2.0)), np.outer(T**2, [1, 2.0]))(
        np.column_stack([p, p * 0.3])
    ).sum()


def rbs_at(p):
    return (
        I.RectBivariateSpline(S, np.arange(4.0), np.outer(S**2, [1, 2.0, 4, 3]), kx=2)
        .ev(p, p * 0.4)
        .sum()
    )


def rbf_at(p):
    return I.RBFInterpolator(np.array([[0.0, 0], [1, 0], [0, 1], [1, 1.2], [0.5, 0.6]]), W)(
        p[None, :2]
    )[0]


def rgi_3d(p):
    return I.RegularGridInterpolator(
        (T, np.arange(2.0), np.arange(3.0)), np.einsum("i,j,k", p, [1, 2.0], [1, 2, 4.0])
    )([[p[0], 0.3, 0.2]]).sum()


def rgi_grid(p):
    return I.RegularGridInterpolator((T + p * 0.1, np.arange(2.0)), np.outer(T**2, [1, 2.0]))(
        [[1.2, 0.3], [2.4, 0.6]]
    ).sum()


def rgi_nearest(p):
    return I.RegularGridInterpolator(
        (T, np.arange(2.0)),
        np.outer(p**2, [1, 2.0]),
        method="nearest",
        bounds_error=False,
        fill_value=0.0,
    )([[1.2, 0.3], [2.4, 0.6], [9.0, 0]]).sum()


def rgi_ext(p):
    return I.RegularGridInterpolator(
        (T, np.arange(2.0)), np.outer(p**2, [1, 2.0]), bounds_error=False, fill_value=None
    )([[5.2, 0.3], [-1.0, 0.6]]).sum()


def rgi_slin(p):
    return I.RegularGridInterpolator(
        (T, np.arange(4.0)), np.outer(p**2, [1, 2.0, 1, 3]), method="slinear"
    )([[1.2, 0.3], [2.4, 0.6]]).sum()


def rgi_cubl(p):
    return I.RegularGridInterpolator(
        (T, np.arange(4.0)), np.outer(p**2, [1, 2.0, 1, 3]), method="cubic_legacy"
    )([[1.2, 0.3], [2.4, 0.6]]).sum()


def rgi_pchip(p):
    return I.RegularGridInterpolator(
        (T, np.arange(4.0)), np.outer(p**2, [1, 2.0, 1, 3]), method="pchip"
    )([[1.2, 0.3], [2.4, 0.6]]).sum()


def lnd_at(p):
    return I.LinearNDInterpolator(Q, W**2)(p[:2] * 0.5, p[1:3] * 0.4).sum()


def lnd_pts(p):
    return I.LinearNDInterpolator(Q + np.outer(p, [0.01, 0.02]), W**2)(
        np.array([[0.3, 0.4], [0.5, 0.7]])
    ).sum()


def gd(p):
    return (
        I.griddata(
            (Q[:, 0], Q[:, 1]), p, (np.array([0.3, 0.2]), np.array([0.4, 0.1])), method="linear"
        ).sum()
        + I.griddata(Q, p, Q * 0.9, method="nearest").sum()
        + I.griddata(T, p, np.array([1.3, 2.6]), method="cubic").sum()
    )


def gd_rescale(p):
    return I.griddata(Q * [1, 5], p, np.array([[0.3, 0.4]]), rescale=True)[0]


def rbf_k(p):
    return sum(
        I.RBFInterpolator(Q, p, kernel=k, epsilon=1.3, degree=1)(
            np.array([[0.4, 0.3], [0.1, 0.7]])
        ).sum()
        for k in (
            "linear",
            "cubic",
            "multiquadric",
            "inverse_multiquadric",
            "inverse_quadratic",
            "gaussian",
        )
    )


def rbf_n(p):
    return I.RBFInterpolator(Q, p, neighbors=4)(np.array([[0.4, 0.3], [0.1, 0.7]])).sum()


def rbf_sm(p):
    return I.RBFInterpolator(Q, p, smoothing=p * 0.1)(np.array([[0.4, 0.3], [0.1, 0.7]])).sum()


def rbf_pts(p):
    return I.RBFInterpolator(Q + np.outer(p, [0.01, 0.02]), W)(
        np.array([[0.4, 0.3], [0.1, 0.7]])
    ).sum()


def nbs(p):
    return I.NdBSpline(
        (np.array([0, 0, 0, 1, 2, 2, 2.0]), np.array([0, 0, 1, 1.0])),
        np.outer(p[:4], [1, 2.0]),
        k=(2, 1),
    )([[0.4, 0.3]])[0]


def lnd_resc(p):
    return I.LinearNDInterpolator(Q * [1, 5], np.outer(W, [1, 2.0]), rescale=True)(
        p[:2] * 0.5, p[1:3] * 0.4
    ).sum()


def lnd_many(p):
    return I.LinearNDInterpolator(Q, np.outer(p, [1, 2.0]))(p[:2] * 0.5, p[1:3] * 0.4).sum()


def rbs_int(p):
    return I.RectBivariateSpline(S, np.arange(4.0), np.outer(p, [1, 2.0, 4, 3])).integral(
        0, 1, 0.5, 1.5
    )


def lsqu(p):
    return I.LSQUnivariateSpline(S, p, [2.0])(1.2)


def rgi_by_splines(p):
    total = 0.0
    for method in ("cubic", "quintic"):
        table = I.RegularGridInterpolator(
            (S, S + 1), np.outer(p**2, p), method, solver=sparse.linalg.spsolve
        )
        total = total + table([[1.2, 1.3 + 0.1 * p[0]], [2.4, 2.6]]).sum()
    return total


def smooth_on_triangles(p):
    own = I.CloughTocher2DInterpolator(Q, p)(0.3, 0.4)
    moved = I.CloughTocher2DInterpolator(Q + np.outer(p, [0.01, 0.02]), W)(0.3, 0.4)
    columns = I.CloughTocher2DInterpolator(Q, np.outer(p, [1, 2]), fill_value=0.0)
    outside = np.sum(columns(np.array([[4.0, 4.0]])))
    return own + outside + moved * np.sum(columns(np.array([[0.3, 0.4], [3, 3]])))


def smooth_in_places(p):
    constant = I.CloughTocher2DInterpolator(Q * [1, 5], W, rescale=True)
    return np.sum(constant(p[:2] * 0.3, p[1:3]))


def smooth_by_griddata(p):
    own = Q * [1, 5] + np.outer(p, [0.01, 0.02])
    return I.griddata(own, p, Q * [0.7, 3.5] + 0.1, method="cubic", rescale=True).sum()


def smooth_between_many(p):
    at = np.random.default_rng(1).uniform(0, 1, (25, 2))
    values = np.sin(at[:, 0] * 3 * p[0]) * np.exp(at[:, 1] * p[1])
    own = I.CloughTocher2DInterpolator(at, values, tol=1e-14, rescale=True)
    return np.sum(own(0.3 * Q + 0.35 + 0.01 * p[2]) ** 2)


PROGRAMS = {
    smooth_on_triangles: W,
    smooth_in_places: W,
    smooth_by_griddata: W,
    smooth_between_many: W,
    rgi_by_splines: V,
    rgi_at: W,
    rbs_at: V,
    rbf_at: W,
    rgi_3d: W,
    rgi_grid: W,
    rgi_nearest: W,
    rgi_ext: W,
    rgi_slin: W,
    rgi_cubl: W,
    rgi_pchip: W,
    lnd_at: W,
    lnd_pts: W,
    gd: W,
    gd_rescale: W,
    rbf_k: W,
    rbf_n: W,
    rbf_sm: W,
    rbf_pts: W,
    nbs: W,
    lnd_resc: W,
    lnd_many: W,
    rbs_int: V,
    lsqu: V,
}
