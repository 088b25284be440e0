"""Calls into pykalman: Kalman filters and smoothers."""

from __future__ import annotations

import numpy as np
from pykalman import AdditiveUnscentedKalmanFilter, KalmanFilter, UnscentedKalmanFilter
from pykalman.sqrt import BiermanKalmanFilter, CholeskyKalmanFilter

from tests.world.calls import call

DISTRIBUTION = "pykalman"
SEEN = np.array([[1.0, 0.2], [0.7, 0.1], [0.4, 0.3], [0.6, -0.1], [0.2, 0.0]])


def model(kind=KalmanFilter, q=0.1, r=0.5):
    return kind(
        transition_matrices=np.array([[1.0, 0.1], [0.0, 0.9]]),
        observation_matrices=np.array([[1.0, 0.2], [0.3, 1.0]]),
        transition_covariance=q * np.eye(2),
        observation_covariance=r * np.eye(2),
        initial_state_mean=np.array([0.5, 0.1]),
        initial_state_covariance=np.eye(2),
    )


@call(SEEN, SEEN + 0.3)
def filtered(seen):
    means, _ = model().filter(seen)
    return np.sum(means)


@call(0.1, 0.4)
def covariance(q):
    _, covariances = model(q=q).filter(SEEN)
    return np.trace(covariances[-1])


@call(SEEN, SEEN + 0.3)
def smoothed(seen):
    means, covariances = model().smooth(seen)
    return np.sum(means) + np.sum(covariances)


@call(0.3, 0.8)
def likelihood(r):
    return model(r=r).loglikelihood(SEEN)


@call(0.3, 0.8)
def update(z):
    mean, covariance = model().filter_update(
        np.array([0.5, 0.1]), np.eye(2), observation=np.array([z, 0.2])
    )
    return mean[0] + covariance[0, 1]


@call(0.3, 0.8)
def expectation(r):
    return model(r=r).em(SEEN, n_iter=2).transition_covariance[0, 0]


@call(0.3, 0.8)
def masked(z):
    seen = np.ma.asarray(np.array([1.0, 0.5, z, 0.2, 0.4]))
    seen[1] = np.ma.masked
    means, _ = KalmanFilter(n_dim_state=1, n_dim_obs=1).filter(seen)
    return np.sum(means)


@call(0.3, 0.8)
def cholesky(r):
    means, _ = model(CholeskyKalmanFilter, r=r).filter(SEEN)
    return np.sum(means)


@call(0.3, 0.8)
def bierman(r):
    means, _ = model(BiermanKalmanFilter, r=r).filter(SEEN)
    return np.sum(means)


def moved(state, noise):
    return state + np.sin(noise)


def observed(state, noise):
    return np.array([state[0] * state[1], state[0] + 0.1 * state[1] ** 2]) + noise


@call(SEEN, SEEN + 0.3)
def unscented(seen):
    own = UnscentedKalmanFilter(
        moved, observed, 0.1 * np.eye(2), 0.5 * np.eye(2), np.array([0.5, 0.1]), np.eye(2)
    )
    return np.sum(own.filter(seen)[0])


@call(0.3, 0.8)
def additive(r):
    own = AdditiveUnscentedKalmanFilter(
        lambda state: 0.9 * np.tanh(state),
        lambda state: state**2,
        0.1 * np.eye(2),
        r * np.eye(2),
        np.array([0.5, 0.1]),
        np.eye(2),
    )
    return np.sum(own.smooth(SEEN)[0])
