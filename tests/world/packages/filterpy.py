"""Calls into filterpy: Kalman filters and friends."""

from __future__ import annotations

import numpy as np
from filterpy.common import Q_continuous_white_noise, Q_discrete_white_noise, Saver
from filterpy.discrete_bayes import normalize, predict, update
from filterpy.gh import GHFilter, GHKFilter
from filterpy.hinfinity import HInfinityFilter
from filterpy.kalman import (
    CubatureKalmanFilter,
    ExtendedKalmanFilter,
    FadingKalmanFilter,
    FixedLagSmoother,
    IMMEstimator,
    InformationFilter,
    JulierSigmaPoints,
    KalmanFilter,
    MerweScaledSigmaPoints,
    MMAEFilterBank,
    SquareRootKalmanFilter,
    UnscentedKalmanFilter,
    rts_smoother,
)
from filterpy.kalman import (
    update as kf_update,
)
from filterpy.leastsq import LeastSquaresFilter
from filterpy.memory import FadingMemoryFilter
from filterpy.stats import gaussian, logpdf, mahalanobis

from tests.world.calls import call

DISTRIBUTION = "filterpy"
ZS = [1.1, 1.9, 3.2, 3.9, 5.1, 6.2]


def tracker(r=5.0, q=0.1, dt=1.0):
    f = KalmanFilter(dim_x=2, dim_z=1)
    f.x = np.array([0.0, 1.0])
    f.F = np.array([[1.0, dt], [0.0, 1.0]])
    f.H = np.array([[1.0, 0.0]])
    f.P *= 10.0
    f.R = np.array([[r]])
    f.Q = Q_discrete_white_noise(dim=2, dt=dt, var=q)
    return f


@call(2.0, 5.5)
def kalman_noise(r):
    f = tracker(r=r)
    for z in ZS:
        f.predict()
        f.update(z)
    return f.x[0] + 0.5 * f.x[1]


@call(0.05, 0.4)
def kalman_process(q):
    f = tracker(q=q)
    for z in ZS:
        f.predict()
        f.update(z)
    return f.P[0, 0]


@call(np.array(ZS), np.array([0.5, 2.2, 2.9, 4.4]))
def kalman_likelihood(zs):
    f = tracker()
    total = 0.0
    for z in zs:
        f.predict()
        f.update(z)
        total += f.log_likelihood
    return total


@call(np.array(ZS), np.array([0.5, 2.2, 2.9, 4.4]))
def batch_smooth(zs):
    f = tracker()
    mu, cov, _, _ = f.batch_filter(zs)
    xs, _, _, _ = f.rts_smoother(mu, cov)
    return xs[0, 0] ** 2 + xs[1, 1]


@call(2.0, 3.0)
def smoother_function(r):
    f = tracker(r=r)
    mu, cov, _, _ = f.batch_filter(ZS)
    xs, ps, _, _ = rts_smoother(mu, cov, [f.F] * len(ZS), [f.Q] * len(ZS))
    return xs[1, 0] + ps[0, 1, 1]


@call(1.2, 3.4)
def scalar_update(r):
    x, p = kf_update(np.array([1.0, 2.0]), np.diag([3.0, 4.0]), 1.4, r, np.array([[1.0, 0.0]]))[:2]
    return x[0] + p[0, 0]


@call(0.3, 1.7)
def extended(noise):
    def h(x):
        return np.array([np.sqrt(x[0] ** 2 + x[2] ** 2)])

    def jacobian(x):
        d = np.sqrt(x[0] ** 2 + x[2] ** 2)
        return np.array([[x[0] / d, 0.0, x[2] / d]])

    f = ExtendedKalmanFilter(dim_x=3, dim_z=1)
    f.x = np.array([10.0, 1.0, 5.0])
    f.F = np.eye(3) + np.array([[0, 1, 0], [0, 0, 0], [0, 0, 0]]) * 0.1
    f.R *= noise
    f.Q *= 0.01
    f.P *= 5.0
    for z in (11.3, 11.5, 11.4):
        f.update(np.array([z]), jacobian, h)
        f.predict()
    return f.x[0] * 2 + f.x[2]


@call(0.5, 0.2)
def unscented(alpha):
    def fx(x, dt):
        return np.array([x[0] + dt * x[1], 0.98 * x[1]])

    def hx(x):
        return np.array([np.sin(x[0]) + x[0]])

    points = MerweScaledSigmaPoints(n=2, alpha=alpha, beta=2.0, kappa=1.0)
    f = UnscentedKalmanFilter(dim_x=2, dim_z=1, dt=0.1, fx=fx, hx=hx, points=points)
    f.x = np.array([0.5, 1.0])
    f.P *= 0.4
    f.R *= 0.3
    f.Q = Q_discrete_white_noise(2, dt=0.1, var=0.2)
    for z in (0.7, 1.1, 1.3):
        f.predict()
        f.update(z)
    return f.x[0] + f.x[1] ** 2


@call(np.array([0.7, 1.1, 1.3]), np.array([0.4, 0.6, 1.0]))
def unscented_measurements(zs):
    def fx(x, dt):
        return np.array([x[0] + dt * x[1], x[1]])

    def hx(x):
        return x[:1] ** 2

    points = JulierSigmaPoints(n=2, kappa=1.0)
    f = UnscentedKalmanFilter(2, 1, 0.1, hx, fx, points)
    f.x = np.array([0.5, 1.0])
    for z in zs:
        f.predict()
        f.update(z)
    return f.x[0]


@call(0.3, 1.2)
def cubature(noise):
    def fx(x, dt):
        return np.array([x[0] + dt * x[1], x[1]])

    def hx(x):
        return np.array([x[0] ** 2])

    f = CubatureKalmanFilter(dim_x=2, dim_z=1, dt=0.1, hx=hx, fx=fx)
    f.x = np.array([1.0, 0.5])
    f.P *= 0.2
    f.R *= noise
    f.Q *= 0.01
    f.predict()
    f.update(np.array([1.3]))
    return f.x[0, 0]


@call(1.5, 4.0)
def square_root(noise):
    f = SquareRootKalmanFilter(dim_x=2, dim_z=1)
    f.x = np.array([[0.0], [1.0]])
    f.F = np.array([[1.0, 1.0], [0.0, 1.0]])
    f.H = np.array([[1.0, 0.0]])
    f.P = np.eye(2) * 5
    f.R = np.array([[noise]])
    f.Q = np.eye(2) * 0.1
    for z in ZS[:3]:
        f.predict()
        f.update(z)
    return f.x[0, 0] + f.x[1, 0]


@call(1.05, 1.2)
def fading(alpha):
    f = FadingKalmanFilter(alpha=alpha, dim_x=2, dim_z=1)
    f.x = np.array([0.0, 1.0])
    f.F = np.array([[1.0, 1.0], [0.0, 1.0]])
    f.H = np.array([[1.0, 0.0]])
    for z in ZS:
        f.predict()
        f.update(z)
    return f.x[0]


@call(0.4, 1.4)
def information(noise):
    f = InformationFilter(dim_x=2, dim_z=1)
    f.x = np.array([[2.0], [0.5]])
    f.F = np.array([[1.0, 1.0], [0.0, 1.0]])
    f.H = np.array([[1.0, 0.0]])
    f.R_inv *= 1.0 / noise
    f.Q = np.eye(2) * 0.01
    for z in ZS[:3]:
        f.predict()
        f.update(z)
    return f.x[0, 0]


@call(1.0, 2.5)
def models(noise):
    filters = [tracker(r=noise, q=0.1), tracker(r=noise, q=2.0)]
    trans = np.array([[0.97, 0.03], [0.03, 0.97]])
    imm = IMMEstimator(filters, (0.5, 0.5), trans)
    for z in ZS[:4]:
        imm.predict()
        imm.update(np.array([z]))
    return imm.x[0] + imm.mu[0]


@call(1.0, 2.5)
def bank(noise):
    filters = [tracker(r=noise, q=0.1), tracker(r=noise, q=2.0)]
    b = MMAEFilterBank(filters, [0.4, 0.6], dim_x=2, H=np.array([[1.0, 0.0]]))
    for z in ZS[:4]:
        b.predict()
        b.update(z)
    return b.x[0]


@call(0.02, 0.05)
def h_infinity(gamma):
    f = HInfinityFilter(dim_x=2, dim_z=1, dim_u=1, gamma=gamma)
    f.F = np.array([[1.0, 0.1], [0.0, 1.0]])
    f.H = np.array([[1.0, 0.0]])
    f.G = np.array([[0.005, 0.1]]).T
    f.P = np.eye(2) * 0.01
    f.Q = np.eye(2) * 0.02
    f.V = np.array([[0.05]])
    f.W = np.eye(2) * 0.03
    for z in ZS[:3]:
        f.update(z)
        f.predict(u=0.2)
    return f.x[0, 0]


@call(0.4, 0.8)
def alpha_beta(g):
    f = GHFilter(x=0.0, dx=1.0, dt=1.0, g=g, h=0.2)
    for z in ZS:
        f.update(z)
    return f.x + f.dx + f.VRF()[0]


@call(0.3, 0.7)
def alpha_beta_gamma(g):
    f = GHKFilter(x=0.0, dx=1.0, ddx=0.1, dt=1.0, g=g, h=0.2, k=0.05)
    for z in ZS:
        f.update(z)
    return f.x + f.ddx


@call(0.4, 0.8)
def fading_memory(beta):
    f = FadingMemoryFilter(x0=np.array([0.0, 1.0]), dt=1.0, order=1, beta=beta)
    for z in ZS:
        f.update(z)
    return f.x[0]


@call(np.array(ZS), np.array([0.5, 2.2, 2.9, 4.4]))
def least_squares(zs):
    f = LeastSquaresFilter(dt=0.5, order=1, noise_sigma=1.8)
    for z in zs:
        f.update(z)
    return f.x[0] + f.x[1]


@call(np.array(ZS), np.array([0.5, 2.2, 2.9, 4.4, 5.0]))
def fixed_lag(zs):
    f = FixedLagSmoother(dim_x=2, dim_z=1, N=3)
    f.x = np.array([[0.0], [0.5]])
    f.F = np.array([[1.0, 1.0], [0.0, 1.0]])
    f.H = np.array([[1.0, 0.0]])
    f.P *= 20.0
    f.R *= 5.0
    f.Q *= 0.01
    for z in zs:
        f.smooth(z)
    return f.xSmooth[1][0, 0]


@call(np.array(ZS), np.array([0.5, 2.2, 2.9, 4.4]))
def saved(zs):
    f = tracker()
    s = Saver(f)
    for z in zs:
        f.predict()
        f.update(z)
        s.save()
    s.to_array()
    return np.sum(s.y**2) + s.x[-1, 0]


@call(np.array([0.1, 0.5, 0.3, 0.2]), np.array([1.0, 2.0, 0.5, 0.7]))
def bayes(prior):
    belief = normalize(prior.copy())
    belief = predict(belief, 1, np.array([0.1, 0.8, 0.1]))
    belief = update(np.array([0.9, 0.2, 0.3, 0.4]), belief)
    return belief[1] ** 2


@call(0.5, 2.0)
def densities(x):
    p = np.array([[2.0, 0.3], [0.3, 1.0]])
    q = Q_continuous_white_noise(2, dt=x, spectral_density=0.5)
    m = mahalanobis(np.array([x, 1.0]), np.array([0.2, 0.3]), p)
    return gaussian(x, 1.0, 2.0) + m + logpdf(np.array([x, 1.0]), np.zeros(2), p) + q[0, 0]
