"""Programs with splines near values, and with zeros of splines, of a vector of nine numbers."""

from __future__ import annotations

import numpy as np
from scipy import interpolate as I

X = np.array([0.0, 0.7, 1.3, 2.1, 2.6, 3.4, 4.2, 4.9, 6.0])
Y = np.sin(1.7 * X) + np.array([0.05, -0.1, 0.08, 0.02, -0.07, 0.1, -0.03, 0.04, -0.06])
ENDS = np.repeat([X[0], X[-1]], 4)
KNOTS = np.concatenate((ENDS[:4], [2.0, 4.0], ENDS[4:]))
MANY = np.linspace(0, 6, 20)
ROUND = np.linspace(0, 2 * np.pi, 10)


def by_default(p):
    return I.UnivariateSpline(X, p)(2.2)


def in_values(p):
    return I.UnivariateSpline(X, p, s=0.3)(2.2)


def in_weights(p):
    return I.UnivariateSpline(X, Y, w=1 + p**2, s=0.3)(2.2)


def in_points(p):
    return I.UnivariateSpline(X + 0.01 * p, Y, s=0.3)(2.2)


def in_the_sum(p):
    return I.UnivariateSpline(X, Y, s=0.3 + 0.01 * np.sum(p))(2.2)


def in_the_ends(p):
    return I.UnivariateSpline(X, Y, bbox=[-0.5 - p[0] ** 2, 7 + p[1] ** 2], s=0.3)(2.2)


def lines(p):
    return I.UnivariateSpline(X + 0.01 * p, p, s=0.1, k=1)(2.2)


def parabolas(p):
    return I.UnivariateSpline(X, p, s=0.3, k=2).derivative()(2.2)


def quintics(p):
    return I.UnivariateSpline(X + 0.01 * p, p, s=0.02, k=5)(2.2)


def through_between_points(p):
    return I.UnivariateSpline(X + 0.01 * p, p, s=0, k=4)(2.2)


def area(p):
    spline = I.UnivariateSpline(X, p, s=0.3)
    return spline.integral(0.3, 4) * spline.antiderivative()(2.0) + spline.get_residual()


def other_sum(p):
    spline = I.UnivariateSpline(X, p, s=0.5)
    spline.set_smoothing_factor(0.2)
    return spline(2.2) + np.sum(spline.get_coeffs() ** 2)


def by_coefficients(p):
    t, c, k = I.splrep(X, p, s=0.3)
    return I.splev(2.2, I.insert(2.0 + 0.1 * p[0], (t, c, k))) + I.spalde(1.1, (t, c, k)).sum()


def periodic(p):
    own = np.concatenate((p[:-1], p[:1]))
    near = I.splev(2.2, I.splrep(X + 0.01 * p, own, s=0.1, per=True))
    return near + I.splev(2.2, I.splrep(X + 0.01 * p, own, k=4, per=True))


def curve(p):
    tck, u = I.splprep([np.cos(X) + p, np.sin(X) * (1 + p)], s=0.1)
    x, y = I.splev(0.4, tck)
    return x * y + np.sum(u**2)


def curve_with_parameter(p):
    tck, _ = I.splprep([np.cos(X) + p, np.sin(X)], u=X + 0.01 * p, s=0.1, k=2)
    return I.splev(2.2, tck)[0]


def closed_curve(p):
    x = np.cos(ROUND) * (1 + 0.1 * np.append(p, p[0]))
    y = np.sin(ROUND) * (1 + 0.1 * np.append(p, p[0]) ** 2)
    through, u = I.splprep([x, y], s=0, per=True)
    near, _ = I.splprep([x, y], s=0.01, per=True)
    return np.prod(I.splev(0.3, through)) + np.prod(I.splev(0.3, near)) + u[3]


def made(p):
    spline, u = I.make_splprep([np.cos(X) + p, np.sin(X) * (1 + p)], s=0.1)
    return I.make_splrep(X, p, s=0.1)(2.2) + np.sum(spline(0.4)) + u[3]


def chosen_by_validation(p):
    values = np.sin(MANY) + 0.2 * np.cos(37 * MANY**2) + 0.1 * p[0] * np.cos(p[1] * MANY)
    return I.make_smoothing_spline(MANY, values)(2.2)


def penalized(p):
    return I.make_smoothing_spline(X + 0.01 * p, Y, w=1 + p**2, lam=0.1)(2.2)


def given_knots(p):
    return I.make_lsq_spline(X, Y + p, KNOTS, w=1 + p**2)(2.2)


def normal_equations(p):
    return I.make_lsq_spline(X, p, KNOTS, w=1 + p**2, method="norm-eq")(2.2)


def moving_knots(p):
    return I.LSQUnivariateSpline(X, Y, [2.0 + 0.1 * p[0], 4.0])(2.2)


def rows(p):
    at = X[1:-1] + 0.01 * p[1:-1]
    return np.sum(I.BSpline.design_matrix(at, KNOTS, 3).toarray()[2] ** 2)


def zeros(p):
    found = I.UnivariateSpline(X, p, s=0).roots()
    return np.sum(found**2) + I.sproot(I.splrep(X, p, s=0.1))[0]


def zeros_of_polynomials(p):
    spline, monotone = I.CubicSpline(X, p), I.PchipInterpolator(X, p)
    crossed = spline.solve(0.3, extrapolate=False) ** 2
    return spline.roots()[1] + np.sum(crossed) + np.sum(monotone.roots(extrapolate=False) ** 2)


PROGRAMS = [own for own in list(globals().values()) if getattr(own, "__module__", "") == __name__]
