"""Calls into PyCBA: continuous beams and their loads."""

from __future__ import annotations

import numpy as np
import pycba as cba

from tests.world.calls import call

DISTRIBUTION = "PyCBA"


def beam(length=7.5, ei=30 * 600e7 * 1e-6, settled=None):
    return cba.BeamAnalysis([length, 7.0], ei, [-1, 0, -1, 0, -1, 0])


@call(7.5, 9.0)
def span(length):
    analysis = beam(length)
    analysis.add_udl(1, 20.0)
    analysis.add_udl(2, 15.0)
    analysis.analyze()
    return np.min(analysis.beam_results.results.M)


@call(15.0, 25.0)
def uniform(w):
    analysis = beam()
    analysis.add_udl(1, w)
    analysis.analyze()
    return np.max(analysis.beam_results.results.M) + np.sum(analysis.beam_results.R)


@call(2.3, 4.1)
def point_load(a):
    analysis = beam()
    analysis.add_pl(1, 50.0, a)
    analysis.analyze()
    return analysis.beam_results.R[1]


@call(2.3, 4.1)
def partial(c):
    analysis = beam()
    analysis.add_pudl(2, 10.0, 1.0, c)
    analysis.analyze()
    return np.min(analysis.beam_results.results.V)


@call(15.0, 25.0)
def moment(m):
    analysis = beam()
    analysis.add_ml(1, m, 2.0)
    analysis.analyze()
    return analysis.beam_results.R[0] + 1e3 * np.max(analysis.beam_results.results.D)


@call(1.5e5, 2.5e5)
def stiffness(ei):
    analysis = beam(ei=ei)
    analysis.add_udl(1, 20.0)
    analysis.analyze()
    return 1e3 * np.min(analysis.beam_results.results.D)


@call(15.0, 25.0)
def trapezoid(w):
    analysis = beam()
    analysis.add_trap(1, w, 10.0)
    analysis.analyze()
    return np.max(analysis.beam_results.results.M)


@call(7.3, 9.1)
def influence(length):
    lines = cba.InfluenceLines([length, 7.0], 180.0, [-1, 0, -1, 0, -1, 0])
    lines.create_ils(step=0.5)
    _, eta = lines.get_il(3.0, "M")
    return np.sum(eta)


@call(7.3, 9.1)
def bridge(length):
    analysis = beam(length)
    vehicle = cba.Vehicle(axle_spacings=np.array([2.0]), axle_weights=np.array([100.0, 60.0]))
    bridge = cba.BridgeAnalysis(analysis, vehicle)
    env = bridge.run_vehicle(0.5)
    return np.max(env.Mmax)


@call(15.0, 25.0)
def load_list(w):
    loads = [[1, 1, w, 0, 0], [2, 2, 3 * w, 2.0, 0]]
    analysis = cba.BeamAnalysis([7.5, 7.0], 180.0, [-1, 0, -1, 0, -1, 0], loads)
    analysis.analyze()
    return np.max(analysis.beam_results.results.M)


@call(500.0, 2000.0)
def spring(k):
    analysis = cba.BeamAnalysis([7.5, 7.0], 180e3, [-1, 0, k, 0, -1, 0])
    analysis.add_udl(1, 20.0)
    analysis.analyze()
    return analysis.beam_results.R[0]
