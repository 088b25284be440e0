"""Calls into cirq: circuits whose gates have parameters, and their simulation."""

from __future__ import annotations

import cirq
import numpy as np

from tests.world.calls import call

DISTRIBUTION = "cirq-core"
A, B = cirq.LineQubit.range(2)


@call(0.3, 0.8)
def unitary(t):
    return np.real(np.sum(cirq.unitary(cirq.rx(t)))) + np.imag(cirq.unitary(cirq.ry(t))[0, 0])


@call(0.3, 0.8)
def powers(t):
    return np.real(cirq.unitary(cirq.X**t)[0, 1]) + np.imag(cirq.unitary(cirq.CZ**t)[3, 3])


@call(0.3, 0.8)
def state_vector(t):
    circuit = cirq.Circuit(cirq.rx(t)(A), cirq.CNOT(A, B), cirq.rz(0.3)(B))
    return abs(circuit.final_state_vector(dtype=np.complex128)[3]) ** 2


@call(0.3, 0.8)
def circuit_unitary(t):
    circuit = cirq.Circuit(cirq.ry(t)(A), cirq.CZ(A, B) ** t)
    return np.real(circuit.unitary()[0, 2])


@call(0.3, 0.8)
def simulated(t):
    circuit = cirq.Circuit(cirq.H(A), cirq.ZPowGate(exponent=t)(A), cirq.H(A))
    result = cirq.Simulator(dtype=np.complex128).simulate(circuit)
    return abs(result.final_state_vector[0]) ** 2


@call(0.3, 0.8)
def expectation(t):
    circuit = cirq.Circuit(cirq.rx(t)(A), cirq.CNOT(A, B))
    found = cirq.Simulator(dtype=np.complex128).simulate_expectation_values(
        circuit, observables=[cirq.Z(A) * cirq.Z(B) + cirq.Z(A)]
    )
    return np.real(found[0])


@call(0.1, 0.3)
def noise(p):
    circuit = cirq.Circuit(cirq.X(A), cirq.depolarize(p)(A))
    found = cirq.DensityMatrixSimulator(dtype=np.complex128).simulate(circuit)
    return np.real(found.final_density_matrix[1, 1])


@call(0.1, 0.3)
def channel(p):
    return np.real(sum(np.sum(k) for k in cirq.kraus(cirq.amplitude_damp(p))))


@call(0.3, 0.8)
def fidelity(t):
    one = cirq.unitary(cirq.rx(t)) @ np.array([1.0, 0.0])
    return cirq.fidelity(one, np.array([0.6, 0.8j]))


@call(0.3, 0.8)
def pauli_sum(a):
    return np.real(np.sum((a * cirq.X(A) + a**2 * cirq.Z(A) * cirq.Z(B)).matrix()[0]))


@call(0.3, 0.8)
def gate(theta):
    return np.real(np.sum(cirq.unitary(cirq.FSimGate(theta, 0.3)) * np.arange(4)))
