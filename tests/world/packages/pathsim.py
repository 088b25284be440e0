"""Calls into PathSim: block diagrams that are simulated."""

from __future__ import annotations

import numpy as np
from pathsim import Connection, Interface, Simulation, Subsystem
from pathsim.blocks import (
    ODE,
    PID,
    PT1,
    Adder,
    Amplifier,
    ButterworthLowpassFilter,
    Delay,
    Function,
    Integrator,
    Multiplier,
    Pow,
    Scope,
    Sin,
    Source,
    StateSpace,
    StepSource,
    TransferFunctionPRC,
)
from pathsim.solvers import BDF2, ESDIRK32, RKBS32, SSPRK22

from tests.world.calls import call

DISTRIBUTION = "pathsim"


def run(blocks, connections, duration=1.0, **options):
    simulation = Simulation(blocks, connections, dt=0.05, log=False, **options)
    simulation.run(duration)
    return simulation


@call(1.5, 0.4)
def decay(rate):
    state, gain, scope = Integrator(2.0), Amplifier(-rate), Scope()
    run(
        [state, gain, scope],
        [Connection(gain, state), Connection(state, gain, scope)],
    )
    _, (x,) = scope.read()
    return x[-1]


@call(1.5, 0.4)
def oscillator(k):
    position, speed, gain, scope = Integrator(1.0), Integrator(0.0), Amplifier(-k), Scope()
    run(
        [position, speed, gain, scope],
        [Connection(speed, position), Connection(position, gain, scope), Connection(gain, speed)],
    )
    _, (x,) = scope.read()
    return np.sum(x)


@call(1.5, 0.4)
def driven(amplitude):
    source, state, adder, gain = (
        Source(lambda t: amplitude * np.sin(3 * t)),
        Integrator(0.0),
        Adder("+-"),
        Amplifier(2.0),
    )
    run(
        [source, state, adder, gain],
        [
            Connection(source, adder[0]),
            Connection(gain, adder[1]),
            Connection(adder, state),
            Connection(state, gain),
        ],
    )
    return state.outputs[0]


@call(0.6, 1.4)
def van_der_pol(mu):
    def right(x, u, t):
        return np.array([x[1], mu * (1 - x[0] ** 2) * x[1] - x[0]])

    block = ODE(right, np.array([2.0, 0.0]))
    run([block], [])
    return block.outputs[0]


@call(0.6, 1.4)
def stiff(rate):
    def right(x, u, t):
        return -rate * x + u

    block, source = ODE(right, np.array([1.0])), StepSource(1.0)
    run([block, source], [Connection(source, block)], Solver=ESDIRK32)
    return block.outputs[0]


@call(0.6, 1.4)
def backward(rate):
    state, gain = Integrator(2.0), Amplifier(-rate)
    run([state, gain], [Connection(gain, state), Connection(state, gain)], Solver=BDF2)
    return state.outputs[0]


@call(0.6, 1.4)
def adaptive(rate):
    state, gain = Integrator(2.0), Amplifier(-rate)
    simulation = Simulation(
        [state, gain],
        [Connection(gain, state), Connection(state, gain)],
        dt=0.1,
        log=False,
        Solver=RKBS32,
    )
    simulation.run(1.0, adaptive=False)
    return state.outputs[0] ** 2


@call(0.6, 1.4)
def state_space(a):
    block = StateSpace(
        A=np.array([[0.0, 1.0], [-a, -0.5]]),
        B=np.array([[0.0], [1.0]]),
        C=np.array([[1.0, 0.0]]),
        D=np.array([[0.0]]),
    )
    source = StepSource(1.0)
    run([source, block], [Connection(source, block)])
    return block.outputs[0]


@call(0.6, 1.4)
def lag(time):
    source, block = StepSource(1.0), PT1(2.0, time)
    run([source, block], [Connection(source, block)])
    return block.outputs[0]


@call(1.6, 3.4)
def controlled(kp):
    source, error, plant = StepSource(1.0), Adder("+-"), PT1(1.0, 0.4)
    pid = PID(kp, 0.5, 0.05, f_max=20)
    run(
        [source, error, pid, plant],
        [
            Connection(source, error[0]),
            Connection(plant, error[1]),
            Connection(error, pid),
            Connection(pid, plant),
        ],
        Solver=SSPRK22,
    )
    return plant.outputs[0]


@call(1.6, 3.4)
def algebra(x):
    source, power, sine, product = Source(lambda t: x * t), Pow(2), Sin(), Multiplier()
    run(
        [source, power, sine, product],
        [
            Connection(source, power, sine),
            Connection(power, product[0]),
            Connection(sine, product[1]),
        ],
        0.5,
    )
    return product.outputs[0]


@call(0.3, 0.7)
def loop(gain):
    source, adder, amplifier = StepSource(1.0), Adder(), Amplifier(gain)
    run(
        [source, adder, amplifier],
        [
            Connection(source, adder[0]),
            Connection(amplifier, adder[1]),
            Connection(adder, amplifier),
        ],
        0.2,
    )
    return adder.outputs[0]


@call(0.3, 0.7)
def nested(gain):
    inlet, state, amplifier = Interface(), Integrator(1.0), Amplifier(-gain)
    system = Subsystem(
        [inlet, state, amplifier],
        [Connection(state, amplifier, inlet[0]), Connection(amplifier, state)],
    )
    scope = Scope()
    run([system, scope], [Connection(system, scope)], 0.5)
    _, (x,) = scope.read()
    return x[-1]


@call(0.3, 0.7)
def function_block(a):
    source = Source(lambda t: np.cos(t))
    block = Function(lambda u: a * u**2 + np.exp(-a * u))
    run([source, block], [Connection(source, block)], 0.3)
    return block.outputs[0]


@call(0.3, 0.7)
def delayed(amplitude):
    source, block = Source(lambda t: amplitude * t**2), Delay(0.2)
    run([source, block], [Connection(source, block)], 0.6)
    return block.outputs[0]


@call(0.3, 0.7)
def filtered(amplitude):
    source, block = Source(lambda t: amplitude * np.sin(t)), ButterworthLowpassFilter(1.0, 2)
    run([source, block], [Connection(source, block)], 0.6)
    return block.outputs[0]


@call(0.3, 0.7)
def poles(pole):
    source = StepSource(1.0)
    block = TransferFunctionPRC(Poles=[-pole, -2.0], Residues=[1.0, 0.5], Const=0.0)
    run([source, block], [Connection(source, block)], 0.6)
    return block.outputs[0]
