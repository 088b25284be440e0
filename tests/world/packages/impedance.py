"""Calls into impedance: circuits of electrochemistry."""

from __future__ import annotations

import numpy as np
from impedance.models.circuits import CustomCircuit, Randles, elements, fitting

from tests.world.calls import call

DISTRIBUTION = "impedance"
FREQUENCIES = np.logspace(3, -1, 9)


@call(0.02, 0.05)
def resistance(r):
    circuit = CustomCircuit("R0-p(R1,C1)", initial_guess=[0.01, r, 3.0])
    return np.sum(np.abs(circuit.predict(FREQUENCIES, use_initial=True)))


@call(np.array([0.01, 0.005, 100.0, 0.9]), np.array([0.02, 0.009, 60.0, 0.8]))
def guesses(guess):
    circuit = CustomCircuit("R0-p(R1,CPE1)", initial_guess=list(guess))
    return np.sum(circuit.predict(FREQUENCIES, use_initial=True).real)


@call(0.02, 0.05)
def randles(r):
    circuit = Randles(initial_guess=[0.01, r, 1.0, 0.05, 100.0])
    return np.sum(circuit.predict(FREQUENCIES, use_initial=True).imag)


@call(0.02, 0.05)
def constants(r):
    circuit = CustomCircuit(
        "R0-p(R1,C1)-Wo1", initial_guess=[r, 0.01, 3.0, 120.0], constants={"Wo1_0": 0.05}
    )
    return np.sum(np.abs(circuit.predict(FREQUENCIES, use_initial=True)))


@call(0.7, 0.9)
def phase_element(alpha):
    return np.sum(np.abs(elements.CPE([0.5, alpha], FREQUENCIES)))


@call(10.0, 60.0)
def warburg(tau):
    return np.sum(elements.Wo([0.1, tau], FREQUENCIES).real)


@call(0.1, 0.6)
def gerischer(r):
    return np.sum(np.abs(elements.Gs([r, 0.3, 0.8], FREQUENCIES)))


@call(np.array([0.1, 2.0, 0.05, 3.0]), np.array([0.3, 1.0, 0.09, 2.0]))
def porous(p):
    return np.sum(np.abs(elements.T(list(p), FREQUENCIES)))


@call(0.1, 0.6)
def combined(r):
    parts = [elements.R([r], FREQUENCIES), elements.C([0.3], FREQUENCIES)]
    return np.sum(elements.s([elements.p(parts), elements.R([0.2], FREQUENCIES)]).real)


@call(0.02, 0.05)
def wrapped(r):
    model = fitting.wrapCircuit("R0-p(R1,C1)", {})
    return np.sum(model(FREQUENCIES, 0.01, r, 3.0)[: len(FREQUENCIES)])


@call(0.02, 0.05)
def error(r):
    measured = elements.R([0.03], FREQUENCIES) + elements.C([3.0], FREQUENCIES)
    modelled = elements.R([r], FREQUENCIES) + elements.C([2.5], FREQUENCIES)
    return fitting.rmse(measured, modelled)


@call(0.02, 0.05)
def fitted(r):
    z = r + 0.04 / (1 + 2j * np.pi * FREQUENCIES * 0.04 * 3.0)
    circuit = CustomCircuit("R0-p(R1,C1)", initial_guess=[0.03, 0.05, 2.0])
    return circuit.fit(FREQUENCIES, z).parameters_[0]
