"""Programs with interpolants of SciPy's, of a vector of five or six numbers."""

from __future__ import annotations

import numpy as np
from scipy import interpolate as I

W = np.array([0.5, 1.45, 0.8, 1.1, 2.3])
T = np.arange(5.0)
V = np.array([0.5, 1.45, 0.8, 1.1, 2.3, 1.2])
S = np.array([0.0, 1, 2, 3.5, 4, 5])
Q = np.array([[0, 0], [1, 0], [0, 1], [1, 1.0], [0.4, 0.6]])


def cs_pts(p):
    return I.CubicSpline(T + p * 0.1, T**2)(1.7)


def cs_integrate(p):
    return I.CubicSpline(T, p).integrate(0, 2.5)


def cs_nu(p):
    return (
        I.CubicSpline(T, p)(1.3, 1)
        + I.CubicSpline(T, p).derivative()(1.3)
        + I.CubicSpline(T, p).antiderivative()(1.3)
    )


def cs_c(p):
    return I.CubicSpline(T, p).c.sum()


def pchip(p):
    return I.PchipInterpolator(T, p)(np.array([0.3, 2.2])).sum()


def pchip_at(p):
    return I.PchipInterpolator(T, T**2)(p).sum()


def akima(p):
    return I.Akima1DInterpolator(T, p)(np.array([0.3, 2.2])).sum()


def hermite(p):
    return I.CubicHermiteSpline(T, p, p**2)(1.3)


def ppoly(p):
    return I.PPoly(p.reshape(5, 1), np.array([0.0, 1]))(0.4)


def bpoly(p):
    return I.BPoly(p.reshape(5, 1), np.array([0.0, 1]))(0.4)


def mis_d(p):
    return (
        I.make_interp_spline(T, p, k=3).derivative()(2.2)
        + I.make_interp_spline(T, p, k=2).integrate(0, 2.0)
        + I.make_interp_spline(T, p).antiderivative(2)(1.2)
    )


def mlsq(p):
    return I.make_lsq_spline(T, p, [0, 0, 0, 2, 4, 4, 4], k=2)(1.1)


def bspl_m(p):
    b = I.BSpline(np.array([0, 0, 0, 0, 2, 4, 4, 4, 4.0]), p, 3)
    return b.derivative()(1.1) + b.integrate(0, 2) + b(p).sum()


def smth(p):
    return I.make_smoothing_spline(T, p, lam=0.3)(1.2)


def usp1(p):
    s = I.UnivariateSpline(S, p, s=0, k=1)
    return s(1.5) + s([0.2, 7.0])[1] + s.derivative()(2.3) + s.integral(0.5, 3.1) + s(p).sum()


def spr1(p):
    t = I.splrep(S, p, k=1)
    return I.splev(1.4, t) + I.splint(0.2, 2, t) + I.splev(p, t, der=1).sum()


def usp2(p):
    s = I.UnivariateSpline(S, p, s=0, k=2)
    return s(1.5) + s([0.2, 7.0])[1] + s.derivative()(2.3) + s.integral(0.5, 3.1) + s(p).sum()


def usp3(p):
    s = I.UnivariateSpline(S, p, s=0, k=3)
    return s(1.5) + s([0.2, 7.0])[1] + s.derivative()(2.3) + s.integral(0.5, 3.1) + s(p).sum()


def spr3(p):
    t = I.splrep(S, p, k=3)
    return I.splev(1.4, t) + I.splint(0.2, 2, t) + I.splev(p, t, der=1).sum()


def usp4(p):
    s = I.UnivariateSpline(S, p, s=0, k=4)
    return s(1.5) + s([0.2, 7.0])[1] + s.derivative()(2.3) + s.integral(0.5, 3.1) + s(p).sum()


def spr4(p):
    t = I.splrep(S, p, k=4)
    return I.splev(1.4, t) + I.splint(0.2, 2, t) + I.splev(p, t, der=1).sum()


def usp5(p):
    s = I.UnivariateSpline(S, p, s=0, k=5)
    return s(1.5) + s([0.2, 7.0])[1] + s.derivative()(2.3) + s.integral(0.5, 3.1) + s(p).sum()


def spr5(p):
    t = I.splrep(S, p, k=5)
    return I.splev(1.4, t) + I.splint(0.2, 2, t) + I.splev(p, t, der=1).sum()


def usp_pts(p):
    return I.InterpolatedUnivariateSpline(S + p * 0.1, S**2)(1.5)


def usp_ext(p):
    return (
        sum(
            I.UnivariateSpline(S, p, s=0, ext=e)(np.array([-1.0, 1.3, 7.0])).sum()
            for e in (0, 1, 3)
        )
        + I.UnivariateSpline(S, p, s=0, ext=3)(np.array([-1.0, 1.3, 7.0]), 1).sum()
    )


def usp_der(p):
    return I.UnivariateSpline(S, p, s=0).derivatives(1.3).sum()


def usp_anti(p):
    return I.UnivariateSpline(S, p, s=0).antiderivative()(1.3)


def usp_w(p):
    return I.UnivariateSpline(S, p, w=V, s=0, bbox=[-1, 6])(1.3)


def a2(p):
    return I.splint(0.2, 2, I.splrep(S, p, k=1))


def mis_bc(p):
    return (
        I.make_interp_spline(T, p, k=3, bc_type=([(1, p[0])], [(1, 0.0)]))(2.2)
        + I.make_interp_spline(T, p, k=3, bc_type="natural")(0.3)
        + I.make_interp_spline(T, np.append(p[:4], p[0]), k=3, bc_type="periodic")(0.3)
    )


def mis_2d(p):
    return I.make_interp_spline(T, np.outer(p, p), k=3, axis=1)(2.2).sum() + I.make_interp_spline(
        T + p * 0.1, T**2
    ).derivative()(1.3)


def cs_bc(p):
    return (
        I.CubicSpline(T, p, bc_type=((1, p[0]), (2, 0.1)))(1.2)
        + I.CubicSpline(T, np.append(p[:4], p[0]), bc_type="periodic")(7.2)
        + I.CubicSpline(T, p, extrapolate=False)(np.array([-1.0, 1.3]))[1]
    )


def bs_basis(p):
    return I.BSpline.basis_element(p[[0, 2, 3, 1, 4]])(1.0)


def bs_from(p):
    return I.BSpline.from_power_basis(I.CubicSpline(T, p))(1.2) + I.PPoly.from_spline(
        I.splrep(T, p)
    )(1.3)


def pp_ext(p):
    return I.PPoly(np.outer([1, 2.0], p[:4]), T, extrapolate="periodic")(5.3) + I.PPoly(
        np.outer([1, 2.0], p[:4]), T
    ).integrate(-1, 6)


def cplx(p):
    return np.abs(I.CubicSpline(T, p * (1 + 2j))(1.2)) + np.abs(
        I.BSpline(np.array([0, 0, 0, 0, 2, 4, 4, 4, 4.0]), p * (1 + 2j), 3)(1.1)
    )


def ak2(p):
    return I.Akima1DInterpolator(T, p, method="makima")(
        np.array([0.3, 2.2])
    ).sum() + I.Akima1DInterpolator(T, p).derivative()(1.2)


PROGRAMS = {
    cs_pts: W,
    cs_integrate: W,
    cs_nu: W,
    cs_c: W,
    pchip: W,
    pchip_at: W,
    akima: W,
    hermite: W,
    ppoly: W,
    bpoly: W,
    mis_d: W,
    mlsq: W,
    bspl_m: W,
    smth: W,
    usp1: V,
    spr1: V,
    usp2: V,
    usp3: V,
    spr3: V,
    usp4: V,
    spr4: V,
    usp5: V,
    spr5: V,
    usp_pts: V,
    usp_ext: V,
    usp_der: V,
    usp_anti: V,
    usp_w: V,
    a2: V,
    mis_bc: W,
    mis_2d: W,
    cs_bc: W,
    bs_basis: W,
    bs_from: W,
    pp_ext: W,
    cplx: W,
    ak2: W,
}
