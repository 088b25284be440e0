"""Calls into PINTS: toy models, likelihoods, priors and transformations as objects."""

from __future__ import annotations

import numpy as np
import pints
import pints.noise
import pints.toy

from tests.world.calls import call

DISTRIBUTION = "pints"
TIMES = np.linspace(0.0, 100.0, 15)
SEEN = pints.toy.LogisticModel().simulate([0.1, 50.0], TIMES) + np.sin(TIMES)


def problem():
    return pints.SingleOutputProblem(pints.toy.LogisticModel(), TIMES, SEEN)


@call(np.array([0.1, 50.0]), np.array([0.07, 42.0]))
def logistic(p):
    return np.sum(pints.toy.LogisticModel(2.0).simulate(p, TIMES))


@call(np.array([0.1, 50.0, 2.0]), np.array([0.07, 42.0, 3.5]))
def gaussian_likelihood(p):
    return pints.GaussianLogLikelihood(problem())(p)


@call(np.array([0.1, 50.0]), np.array([0.07, 42.0]))
def known_sigma(p):
    return pints.GaussianKnownSigmaLogLikelihood(problem(), 2.0)(p)


@call(np.array([0.1, 50.0, 4.0, 2.0]), np.array([0.07, 42.0, 6.0, 3.0]))
def student(p):
    return pints.StudentTLogLikelihood(problem())(p)


@call(np.array([0.1, 50.0, 0.4, 2.0]), np.array([0.07, 42.0, 0.2, 3.0]))
def autoregressive(p):
    return pints.AR1LogLikelihood(problem())(p)


@call(np.array([0.1, 50.0, 0.7, 1.1, 0.4]), np.array([0.07, 42.0, 1.2, 0.9, 0.3]))
def mixed_noise(p):
    return pints.ConstantAndMultiplicativeGaussianLogLikelihood(problem())(p)


@call(np.array([0.1, 50.0]), np.array([0.07, 42.0]))
def errors(p):
    of = problem()
    total = pints.MeanSquaredError(of)(p) + pints.RootMeanSquaredError(of)(p)
    return total + pints.SumOfSquaresError(of)(p) / 100.0


@call(np.array([0.1, 50.0, 2.0]), np.array([0.07, 42.0, 3.5]))
def posterior(p):
    prior = pints.ComposedLogPrior(
        pints.NormalLogPrior(0.1, 0.05),
        pints.LogNormalLogPrior(3.9, 0.2),
        pints.HalfCauchyLogPrior(0.0, 5.0),
    )
    return pints.LogPosterior(pints.GaussianLogLikelihood(problem()), prior)(p)


@call(0.4, 0.8)
def priors(x):
    at = [x]
    total = pints.BetaLogPrior(2.0, 3.0)(at) + pints.GammaLogPrior(2.0, 0.7)(at)
    total += pints.CauchyLogPrior(0.1, 0.5)(at) + pints.ExponentialLogPrior(0.8)(at)
    return total + pints.StudentTLogPrior(0.2, 4.0, 0.9)(at) + pints.InverseGammaLogPrior(3, 2)(at)


@call(np.array([0.4, 1.2]), np.array([-0.8, 0.3]))
def multivariate(x):
    return pints.MultivariateGaussianLogPrior([0.1, 0.4], [[1.0, 0.3], [0.3, 0.7]])(x)


@call(np.array([0.1, 50.0]), np.array([0.07, 42.0]))
def transformed(p):
    turn = pints.ComposedTransformation(
        pints.LogTransformation(1), pints.ScalingTransformation([0.02])
    )
    inner = turn.to_search(p)
    back = turn.to_model(inner * 1.01)
    return np.sum(back) + turn.log_jacobian_det(inner)


@call(np.array([0.4, 1.2]), np.array([-0.8, 0.3]))
def rosenbrock(x):
    return pints.toy.RosenbrockLogPDF()(x) + pints.toy.TwistedGaussianLogPDF(2)(x)


@call(np.array([0.4, 1.2]), np.array([-0.8, 0.3]))
def shapes(x):
    total = pints.toy.AnnulusLogPDF(2, 1.0, 0.5)(x) + pints.toy.ConeLogPDF()(x)
    return total + pints.toy.MultimodalGaussianLogPDF()(x) + pints.toy.NealsFunnelLogPDF(2)(x)


@call(np.array([0.2, 0.7, 2.8]), np.array([0.3, 0.5, 2.0]))
def fitzhugh(p):
    model = pints.toy.FitzhughNagumoModel()
    return np.sum(model.simulate(p, np.linspace(0.0, 3.0, 5)))


@call(np.array([1.0, -0.1]), np.array([0.7, 0.3]))
def oscillator(p):
    model = pints.toy.SimpleHarmonicOscillatorModel()
    return np.sum(model.simulate([p[0], p[1], 0.4], np.linspace(0.0, 3.0, 8)) ** 2)


@call(np.array([0.7, 0.9]), np.array([0.3, 0.5]))
def annealed(p):
    of = problem()
    penal = pints.ProbabilityBasedError(pints.GaussianKnownSigmaLogLikelihood(of, 3.0))
    return penal([0.1 * p[0], 50.0 * p[1]])


@call(np.array([1.5, 1.0, 3.0, 1.0]), np.array([1.2, 0.8, 2.0, 0.7]))
def predators(p):
    model = pints.toy.LotkaVolterraModel()
    return np.sum(model.simulate(p, np.linspace(0.0, 2.0, 4)))


@call(np.array([0.4, 2.2]), np.array([0.7, 1.1]))
def scores(p):
    made = pints.toy.ParabolicError([0.1, 0.3])(p) + pints.toy.RosenbrockError()(p)
    return made + pints.toy.SimpleEggBoxLogPDF(2.0, 4.0)(p)
