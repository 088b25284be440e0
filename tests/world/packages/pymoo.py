"""Calls into pymoo: problems and operators of multi-objective optimization."""

from __future__ import annotations

import numpy as np
from pymoo.core.problem import ElementwiseProblem
from pymoo.decomposition.asf import ASF
from pymoo.decomposition.pbi import PBI
from pymoo.decomposition.tchebicheff import Tchebicheff
from pymoo.decomposition.weighted_sum import WeightedSum
from pymoo.indicators.gd import GD
from pymoo.indicators.igd import IGD
from pymoo.problems import get_problem

from tests.world.calls import call

DISTRIBUTION = "pymoo"
X = np.array([0.3, 0.6, 0.2, 0.8])
Y = np.array([0.7, 0.1, 0.55, 0.35])


@call(X, Y)
def sphere(x):
    return np.sum(get_problem("sphere", n_var=4).evaluate(x))


@call(X, Y)
def ackley(x):
    return get_problem("ackley", n_var=4).evaluate(x)[0]


@call(X, Y)
def griewank(x):
    return np.sum(get_problem("griewank").evaluate(x[:2])) + np.sum(
        get_problem("rastrigin", n_var=4).evaluate(x)
    )


@call(X, Y)
def rosenbrock(x):
    return np.sum(get_problem("rosenbrock", n_var=4).evaluate(x))


@call(X, Y)
def zdt(x):
    problem = get_problem("zdt1", n_var=4)
    return np.sum(problem.evaluate(x) * [1.0, 2.0])


@call(X, Y)
def zdt_three(x):
    return np.sum(get_problem("zdt3", n_var=4).evaluate(x))


@call(X, Y)
def dtlz(x):
    return np.sum(get_problem("dtlz2", n_var=4, n_obj=3).evaluate(x) * [1.0, 2.0, 3.0])


@call(X, Y)
def constrained(x):
    f, g = get_problem("bnh").evaluate(x[:2], return_values_of=["F", "G"])
    return np.sum(f) + np.sum(g)


@call(X, Y)
def welded(x):
    return np.sum(get_problem("welded_beam").evaluate(x + 0.5, return_values_of=["F"])[0])


@call(X, Y)
def kursawe(x):
    return np.sum(get_problem("kursawe").evaluate(x[:3]))


class Own(ElementwiseProblem):
    def __init__(self, scale):
        super().__init__(n_var=2, n_obj=2, n_ieq_constr=1, xl=-2.0, xu=2.0)
        self.scale = scale

    def _evaluate(self, x, out, *args, **kwargs):
        out["F"] = [self.scale * np.sum(x**2), np.sum((x - 1.0) ** 2)]
        out["G"] = x[0] * self.scale - 0.3


@call(0.7, 1.9)
def user_problem(scale):
    out = Own(scale).evaluate(np.array([[0.3, 0.6], [0.1, 0.9]]), return_as_dictionary=True)
    return np.sum(out["F"]) + np.sum(out["G"])


@call(np.array([0.4, 0.9]), np.array([1.2, 0.3]))
def decomposed(f):
    weights, ideal = np.array([[0.3, 0.7]]), np.array([0.0, 0.1])
    total = ASF().do(f[None, :], weights, ideal_point=ideal)
    total = total + Tchebicheff().do(f[None, :], weights, ideal_point=ideal)
    total = total + PBI().do(f[None, :], weights, ideal_point=ideal)
    return np.sum(total + WeightedSum().do(f[None, :], weights))


@call(np.array([[0.4, 0.9], [0.8, 0.2]]), np.array([[1.2, 0.3], [0.1, 0.8]]))
def indicators(f):
    front = np.array([[0.0, 1.0], [0.5, 0.5], [1.0, 0.0]])
    return GD(front)(f) + IGD(front)(f)
