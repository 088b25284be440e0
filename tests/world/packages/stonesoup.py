"""Calls into stonesoup: tracking, with states, models, predictors and updaters as objects."""

from __future__ import annotations

from datetime import datetime, timedelta

import numpy as np
from stonesoup.measures import Euclidean, GaussianHellinger, Mahalanobis
from stonesoup.models.measurement.linear import LinearGaussian
from stonesoup.models.measurement.nonlinear import CartesianToBearingRange
from stonesoup.models.transition.linear import (
    CombinedLinearGaussianTransitionModel,
    ConstantAcceleration,
    ConstantVelocity,
    KnownTurnRate,
    OrnsteinUhlenbeck,
    Singer,
)
from stonesoup.predictor.kalman import (
    ExtendedKalmanPredictor,
    KalmanPredictor,
    SqrtKalmanPredictor,
    UnscentedKalmanPredictor,
)
from stonesoup.smoother.kalman import KalmanSmoother
from stonesoup.types.array import StateVector
from stonesoup.types.detection import Detection
from stonesoup.types.hypothesis import SingleHypothesis
from stonesoup.types.state import GaussianState, SqrtGaussianState, State
from stonesoup.types.track import Track
from stonesoup.updater.kalman import (
    ExtendedKalmanUpdater,
    IteratedKalmanUpdater,
    KalmanUpdater,
    SqrtKalmanUpdater,
    UnscentedKalmanUpdater,
)

from tests.world.calls import call

DISTRIBUTION = "stonesoup"
START = datetime(2026, 1, 1)
SECOND = timedelta(seconds=1)


def planar(q):
    return CombinedLinearGaussianTransitionModel([ConstantVelocity(q), ConstantVelocity(q)])


def prior(x=0.0):
    return GaussianState([[x], [1.0], [0.5], [0.8]], np.diag([1.5, 0.5, 1.5, 0.5]), timestamp=START)


def position(noise):
    return LinearGaussian(ndim_state=4, mapping=(0, 2), noise_covar=np.diag([noise, noise]))


@call(0.05, 0.4)
def predicted_variance(q):
    predictor = KalmanPredictor(planar(q))
    prediction = predictor.predict(prior(), timestamp=START + 3 * SECOND)
    return np.trace(prediction.covar)


@call(0.5, 2.5)
def updated_state(noise):
    predictor = KalmanPredictor(planar(0.05))
    updater = KalmanUpdater(position(noise))
    prediction = predictor.predict(prior(), timestamp=START + SECOND)
    detection = Detection(StateVector([1.3, 1.1]), timestamp=START + SECOND)
    posterior = updater.update(SingleHypothesis(prediction, detection))
    return posterior.state_vector[0, 0] + posterior.covar[0, 1]


@call(1.3, 0.2)
def measured_at(z):
    predictor = KalmanPredictor(planar(0.05))
    updater = KalmanUpdater(position(0.7))
    state = prior()
    for k in range(1, 4):
        when = START + k * SECOND
        prediction = predictor.predict(state, timestamp=when)
        detection = Detection(StateVector([z * k, 0.5 + k]), timestamp=when)
        state = updater.update(SingleHypothesis(prediction, detection))
    return float(state.state_vector[0] ** 2 + state.state_vector[1])


@call(0.4, 1.7)
def extended(noise):
    model = CartesianToBearingRange(4, (0, 2), np.diag([0.01 * noise, noise]))
    predictor = ExtendedKalmanPredictor(planar(0.1))
    updater = ExtendedKalmanUpdater(model)
    prediction = predictor.predict(prior(2.0), timestamp=START + SECOND)
    seen = model.function(State(StateVector([3.2, 1.0, 1.2, 0.7])), noise=False)
    detection = Detection(seen, timestamp=START + SECOND, measurement_model=model)
    posterior = updater.update(SingleHypothesis(prediction, detection))
    return posterior.state_vector[0, 0] * posterior.covar[0, 0]


@call(0.4, 1.7)
def unscented(q):
    model = CartesianToBearingRange(4, (0, 2), np.diag([0.01, 0.3]))
    predictor = UnscentedKalmanPredictor(planar(q))
    updater = UnscentedKalmanUpdater(model)
    prediction = predictor.predict(prior(2.0), timestamp=START + SECOND)
    seen = model.function(State(StateVector([3.2, 1.0, 1.2, 0.7])), noise=False)
    posterior = updater.update(
        SingleHypothesis(prediction, Detection(seen, timestamp=START + SECOND))
    )
    return posterior.state_vector[0, 0]


@call(0.4, 1.7)
def iterated(noise):
    model = CartesianToBearingRange(4, (0, 2), np.diag([0.01, noise]))
    predictor = ExtendedKalmanPredictor(planar(0.1))
    updater = IteratedKalmanUpdater(model, tolerance=1e-13, max_iterations=50)
    prediction = predictor.predict(prior(2.0), timestamp=START + SECOND)
    seen = model.function(State(StateVector([3.2, 1.0, 1.2, 0.7])), noise=False)
    posterior = updater.update(
        SingleHypothesis(prediction, Detection(seen, timestamp=START + SECOND))
    )
    return posterior.state_vector[0, 0]


@call(0.5, 2.5)
def smoothed(noise):
    predictor = KalmanPredictor(planar(0.05))
    updater = KalmanUpdater(position(noise))
    track = Track([prior()])
    for k in range(1, 4):
        when = START + k * SECOND
        prediction = predictor.predict(track[-1], timestamp=when)
        detection = Detection(StateVector([1.1 * k, 0.4 + k]), timestamp=when)
        track.append(updater.update(SingleHypothesis(prediction, detection)))
    smooth = KalmanSmoother(planar(0.05)).smooth(track)
    return smooth[1].state_vector[0, 0]


@call(np.array([0.3, 1.1, 0.5, 0.9]), np.array([1.3, -0.4, 2.5, 0.2]))
def bearing_range(x):
    model = CartesianToBearingRange(4, (0, 2), np.diag([0.01, 0.3]))
    seen = model.function(State(StateVector(x)), noise=False)
    return float(seen[0, 0]) + float(seen[1, 0])


@call(np.array([0.3, 1.1, 0.5, 0.9]), np.array([1.3, -0.4, 2.5, 0.2]))
def likelihood(x):
    model = position(0.6)
    state = State(StateVector(x))
    return model.logpdf(State(StateVector([0.8, 0.9])), state)


@call(0.2, 1.5)
def acceleration(q):
    model = ConstantAcceleration(q)
    return np.sum(model.covar(time_interval=timedelta(seconds=1.5)))


@call(0.2, 1.5)
def turn(rate):
    model = KnownTurnRate([0.1, 0.1], turn_rate=rate)
    matrix = model.matrix(time_interval=timedelta(seconds=2))
    return np.sum(matrix @ np.array([0.5, 1.0, -0.2, 0.7]))


@call(0.2, 1.5)
def singer(damping):
    model = Singer(0.3, damping)
    step = timedelta(seconds=2)
    return np.sum(model.matrix(time_interval=step)) + np.sum(model.covar(time_interval=step))


@call(0.2, 1.5)
def ornstein(damping):
    model = OrnsteinUhlenbeck(0.3, damping)
    step = timedelta(seconds=2)
    return np.sum(model.matrix(time_interval=step)) + np.sum(model.covar(time_interval=step))


@call(0.7, 2.2)
def mahalanobis(x):
    measure = Mahalanobis(mapping=[0, 2])
    return measure(prior(x), State(StateVector([1.5, 0.0, 0.2, 0.0])))


@call(0.7, 2.2)
def euclidean(x):
    return Euclidean([0, 2])(prior(x), State(StateVector([1.5, 0.0, 0.2, 0.0])))


@call(0.7, 2.2)
def hellinger(x):
    return GaussianHellinger()(prior(x), prior(0.1))


@call(0.5, 2.5)
def square_root(noise):
    start = SqrtGaussianState(
        [[0.0], [1.0], [0.5], [0.8]], np.diag([1.2, 0.7, 1.2, 0.7]), timestamp=START
    )
    prediction = SqrtKalmanPredictor(planar(0.05)).predict(start, timestamp=START + SECOND)
    updater = SqrtKalmanUpdater(position(noise))
    detection = Detection(StateVector([1.3, 1.1]), timestamp=START + SECOND)
    posterior = updater.update(SingleHypothesis(prediction, detection))
    return np.trace(posterior.covar)
