"""Calls into SALib: sensitivity indices of samples of a model."""

from __future__ import annotations

import numpy as np
from SALib.analyze import fast, ff, morris
from SALib.analyze import sobol as sobol_analyze
from SALib.analyze.sobol import first_order, second_order, total_order
from SALib.sample import ff as ff_sample
from SALib.sample import finite_diff
from SALib.test_functions import Ishigami, Sobol_G, lake_problem, linear_model_1, oakley2004
from SALib.util import scale_samples
from SALib.util.problem import ProblemSpec

from tests.world.calls import call

DISTRIBUTION = "SALib"
X3 = np.array([[0.1, 0.5, -0.3], [1.2, -2.0, 0.8], [2.2, 0.4, -1.5], [-0.7, 1.9, 2.6]])


def problem():
    return {"num_vars": 3, "names": ["x1", "x2", "x3"], "bounds": [[-3.1, 3.1]] * 3}



@call(7.0, 3.0)
def ishigami(a):
    return np.sum(Ishigami.evaluate(X3, A=a, B=0.1) ** 2)


@call(np.array([0.1, 0.5, -0.3]), np.array([1.2, 0.7, 2.0]))
def ishigami_input(x):
    return Ishigami.evaluate(x.reshape(1, 3))[0]


@call(np.array([0.1, 0.7, 0.3]), np.array([0.9, 0.2, 0.6]))
def g_function(x):
    return Sobol_G.evaluate(x.reshape(1, 3), a=np.array([0.0, 1.0, 4.5]))[0]


@call(np.array([0.1, 0.7, 3.0]), np.array([0.9, 0.2, 6.0]))
def g_variance(a):
    return Sobol_G.total_sensitivity_index(a)[0] + Sobol_G.sensitivity_index(a)[1]


@call(np.array([0.5, 1.5, 2.5]), np.array([1.0, -2.0, 0.5]))
def linear(x):
    return linear_model_1.evaluate(np.stack([x, x**2]))[0]


@call(np.array([0.3, 0.6]), np.array([0.2, 0.8]))
def scaled(u):
    x = np.stack([u, u**2])
    s = scale_samples(x.copy(), {"num_vars": 2, "bounds": [[0.0, 10.0], [-2.0, 4.0]]})
    return np.sum(s**2)


Y = np.array([1.0, 2.5, 0.3, 4.1, 2.2, 1.7, 3.3, 0.9])


@call(Y[:4], Y[4:])
def first(y):
    return first_order(y, y * np.array([1.0, 1.2, 0.7, 0.4]), y[::-1])


@call(Y[:4], Y[4:])
def total(y):
    return total_order(y, y * np.array([1.0, 1.2, 0.7, 0.4]), y[::-1])


@call(Y[:4], Y[4:])
def second(y):
    k = np.array([1.0, 1.2, 0.7, 0.4])
    return second_order(y, y * k, y**2, y + k, y[::-1])


@call(2.0, 5.0)
def factorial(k):
    x = ff_sample.sample(problem())
    y = k * x[:, 0] + x[:, 1] ** 2 + 0.3 * k**2 * x[:, 2]
    return ff.analyze(problem(), x, y)["ME"][2]


@call(2.0, 5.0)
def effects(k):
    x = np.array(
        [[0, 0, 0], [1, 0, 0], [1, 1, 0], [1, 1, 1], [1, 0, 1], [0, 0, 1], [0, 1, 1], [0, 1, 0.0]]
    )
    x = np.where(x > 0, 3.1, -3.1)
    y = k * x[:, 0] + k * x[:, 1] * x[:, 2]
    return morris.analyze(problem(), x, y, num_levels=2, seed=1)["mu_star"][0]


@call(1.0, 2.5)
def fourier(k):
    s = np.linspace(-np.pi, np.pi, 65)
    y = np.concatenate([np.sin(k * np.sin(8 * s)), k * np.cos(s), s * np.sin(k * s)])
    return fast.analyze(problem(), y, M=4, seed=1)["S1"][0]


@call(1.0, 2.5)
def indices(k):
    n = np.arange(64) / 7.0
    y = np.sin(k * n) + n**0.5
    return sobol_analyze.analyze(problem(), y, calc_second_order=True, seed=3)["S1"][0]


@call(1.0, 2.5)
def specification(k):
    sp = ProblemSpec({"names": ["x", "y"], "bounds": [[0.0, 1.0], [0.0, 2.0]]})
    sp.set_samples(np.array([[0.1, 0.4], [0.6, 1.2]]))
    sp.evaluate(lambda x: k * x[:, 0] ** 2 + x[:, 1])
    return sp.results[1] * k


@call(0.36, 0.45)
def lake(b):
    v = lake_problem.lake_problem(np.array([0.5, 0.7]), a=np.array([0.1, 0.2]), b=b)
    return float(v[1])


@call(np.array([0.5, 1.5, 2.5]), np.array([1.0, -2.0, 0.5]))
def oakley(x):
    m = np.diag([0.2, 0.3, 0.1])
    a = [np.array([1.0, 2.0, 0.5])] * 3
    return oakley2004.evaluate(x.reshape(1, 3), a, m)[0]


@call(0.1, 0.4)
def differences(delta):
    x = finite_diff.sample(problem(), 2, delta=0.01, seed=1)
    return np.sum((x * delta) ** 2)
