"""Calls into scikit-fuzzy: memberships, defuzzification, control."""

from __future__ import annotations

import numpy as np
import skfuzzy as fuzz
from skfuzzy import control as ctrl

from tests.world.calls import call

DISTRIBUTION = "scikit-fuzzy"
U = np.arange(0.0, 11.0, 1.0)


@call(2.3, 4.6)
def triangle(b):
    return np.sum(fuzz.trimf(U, [1.0, b, 9.0]) ** 2)


@call(2.3, 4.6)
def trapezoid(b):
    return np.sum(fuzz.trapmf(U, [1.0, b, 7.5, 9.2]) * U)


@call(1.3, 2.6)
def bells(s):
    return np.sum(fuzz.gaussmf(U, 4.2, s)) + fuzz.gbellmf(U, 2.0, s, 5.1)[3]


@call(1.3, 2.6)
def sigmoids(b):
    return (
        fuzz.sigmf(U, b, 0.8)[2]
        + fuzz.dsigmf(U, b, 1.0, 7.0, 2.0)[4]
        + fuzz.psigmf(U, b, 1.0, 7.0, -2.0)[4]
    )


@call(2.3, 3.6)
def curves(a):
    s = fuzz.smf(U, a, 8.3) + fuzz.zmf(U, a, 8.3)
    return s[4] * 2 + fuzz.pimf(U, a, 4.7, 6.2, 9.4)[4] + fuzz.gauss2mf(U, a, 1.0, 6.0, 2.0)[2]


@call(2.3, 4.6)
def centroid(b):
    return fuzz.defuzz(U, fuzz.trimf(U, [1.0, b, 9.0]), "centroid")


@call(2.3, 4.6)
def bisector(b):
    return fuzz.defuzz(U, fuzz.trimf(U, [1.0, b, 9.0]), "bisector")


@call(3.2, 6.7)
def interpolated(x):
    return fuzz.interp_membership(U, fuzz.gaussmf(U, 4.2, 2.0), x)


@call(1.3, 2.6)
def combined(s):
    a = fuzz.gaussmf(U, 4.2, s)
    b = fuzz.trimf(U, [2.0, 6.0, 9.0])
    _, c = fuzz.fuzzy_and(U, a, U, b)
    _, d = fuzz.fuzzy_or(U, a, U, fuzz.fuzzy_not(b))
    return np.sum(c) + d[3]


@call(0.3, 0.7)
def relation(x):
    a, b = np.array([0.2, x, 0.9]), np.array([0.4, 0.8])
    r = fuzz.cartprod(a, b)
    return np.sum(fuzz.maxprod_composition(r, np.array([[0.3, x], [0.5, 0.6]])))


@call(1.3, 2.6)
def intervals(a):
    x = np.array([a, 3.0])
    return np.sum(fuzz.addval(x, np.array([0.5, 1.0]))) + np.prod(
        fuzz.multval(x, np.array([1.0, 2.0]))
    )


def tipping(service_value, quality_value=6.5, bad=(0, 0, 5)):
    quality = ctrl.Antecedent(np.arange(0, 11, 1), "quality")
    service = ctrl.Antecedent(np.arange(0, 11, 1), "service")
    tip = ctrl.Consequent(np.arange(0, 26, 1), "tip")
    quality.automf(3)
    service.automf(3)
    tip["low"] = fuzz.trimf(tip.universe, [0, 0, 13])
    tip["medium"] = fuzz.trimf(tip.universe, [0, 13, 25])
    tip["high"] = fuzz.trimf(tip.universe, [13, 25, 25])
    rules = [
        ctrl.Rule(quality["poor"] | service["poor"], tip["low"]),
        ctrl.Rule(service["average"], tip["medium"]),
        ctrl.Rule(service["good"] | quality["good"], tip["high"]),
    ]
    sim = ctrl.ControlSystemSimulation(ctrl.ControlSystem(rules))
    sim.input["quality"] = quality_value
    sim.input["service"] = service_value
    sim.compute()
    return sim.output["tip"]


@call(9.8, 3.3)
def tip(service):
    return tipping(service)


@call(2.2, 3.1)
def tip_quality(quality):
    return tipping(3.4, quality)


@call(3.7, 6.3)
def simple_control(x):
    speed = ctrl.Antecedent(np.linspace(0, 10, 11), "speed")
    brake = ctrl.Consequent(np.linspace(0, 1, 11), "brake")
    speed["slow"] = fuzz.gaussmf(speed.universe, 2.0, 2.0)
    speed["fast"] = fuzz.gaussmf(speed.universe, 8.0, 2.0)
    brake["soft"] = fuzz.trimf(brake.universe, [0, 0.2, 0.6])
    brake["hard"] = fuzz.trimf(brake.universe, [0.4, 0.8, 1.0])
    system = ctrl.ControlSystem(
        [ctrl.Rule(speed["slow"], brake["soft"]), ctrl.Rule(speed["fast"], brake["hard"])]
    )
    sim = ctrl.ControlSystemSimulation(system)
    sim.input["speed"] = x
    sim.compute()
    return sim.output["brake"]


@call(1.6, 3.3)
def by_hand(value):
    low, high = fuzz.trimf(U, [0, 2.4, 5]), fuzz.trimf(U, [2, 5.3, 9])
    level = fuzz.interp_membership(U, low, value)
    active = np.fmin(level, high)
    return fuzz.defuzz(U, np.fmax(active, 0.1 * low), "centroid")


@call(1.3, 2.6)
def cuts(s):
    mf = fuzz.gaussmf(U, 4.2, s)
    return np.sum(fuzz.lambda_cut_boundaries(U, mf, 0.4))


@call(0.3, 0.7)
def contrasts(x):
    a = np.array([0.1, x, 0.9, 0.45])
    return np.sum(fuzz.contrast(a, 0.4) * a) + fuzz.sigmoid(a, 4.0)[1]
