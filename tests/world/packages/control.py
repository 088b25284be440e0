"""Calls into control: linear systems in time and frequency."""

from __future__ import annotations

import control as ct
import numpy as np

from tests.world.calls import call

DISTRIBUTION = "control"


@call(0.7, 2.3)
def dc_gain(k):
    return ct.tf([1.0, k], [1.0, 3.0, 4.0]).dcgain()


@call(1.4, 6.2)
def loop_magnitude(k):
    plant = ct.tf([1.0], [1.0, 2.0, 0.0])
    controller = ct.tf([k, 1.0], [0.1, 1.0])
    loop = ct.feedback(plant * controller, 1)
    return abs(loop(2j))


@call(0.8, 3.1)
def frequency_response(w):
    system = ct.tf([1.0, 0.5], [1.0, 1.2, 4.0])
    response = ct.frequency_response(system, np.array([w, 2 * w]))
    return np.sum(response.magnitude)


@call(0.3, 0.9)
def phase(zeta):
    system = ct.tf([4.0], [1.0, 4.0 * zeta, 4.0])
    mag, ph, omega = ct.frequency_response(system, [0.5, 1.5])
    return ph[1]


@call(0.2, 1.3)
def step_response(a):
    system = ct.ss([[-a, 1.0], [0.0, -2.0]], [[0.0], [1.0]], [[1.0, 0.0]], [[0.0]])
    response = ct.step_response(system, T=np.linspace(0, 3, 20))
    return response.outputs[-1]


@call(0.4, 1.8)
def forced_response(a):
    system = ct.tf([a], [1.0, a])
    t = np.linspace(0, 2, 15)
    return np.sum(ct.forced_response(system, T=t, U=np.sin(t)).y ** 2)


@call(0.15, 0.6)
def state_feedback(k):
    a = np.array([[0.0, 1.0], [-2.0, -k]])
    b = np.array([[0.0], [1.0]])
    gain, s, e = ct.lqr(a, b, np.eye(2), np.array([[1.0]]))
    return gain[0, 1]


@call(0.4, 0.7)
def poles(k):
    system = ct.feedback(ct.tf([k], [1.0, 3.0]), ct.tf([1.0], [1.0, 1.0]))
    return np.sum(np.real(system.poles()) ** 2)


@call(0.5, 2.1)
def natural_frequency(k):
    system = ct.ss([[0.0, 1.0], [-k, -0.4]], [[0.0], [1.0]], [[1.0, 0.0]], 0.0)
    wn, zeta, poles = ct.damp(system, doprint=False)
    return wn[0] + zeta[0]


@call(np.array([1.0, 2.0, 5.0]), np.array([0.6, 1.7, 2.4]))
def by_coefficients(c):
    system = ct.tf([1.0, 1.0], c)
    return np.abs(system(1.5j)) + system.dcgain()


@call(0.5, 1.4)
def series(k):
    first = ct.ss([[-1.0]], [[k]], [[1.0]], [[0.0]])
    second = ct.ss([[-2.0]], [[1.0]], [[k]], [[0.1]])
    return ct.series(first, second).dcgain()


@call(1.3, 4.1)
def conversion(k):
    system = ct.tf2ss(ct.tf([k, 1.0], [1.0, 2.0, 3.0]))
    return np.sum(system.A**2) + np.sum(system.C @ system.B)


@call(0.31, 0.77)
def discrete(t):
    system = ct.sample_system(
        ct.ss([[-1.0, 0.4], [0.0, -2.0]], [[0.0], [1.0]], [[1.0, 0.0]], 0.0), t, method="zoh"
    )
    return np.sum(system.A) + system.B[1, 0]


@call(0.7, 1.9)
def observability(a):
    system = ct.ss([[-a, 1.0], [0.0, -2.0]], [[0.0], [1.0]], [[1.0, 0.0]], 0.0)
    seen = ct.obsv(system.A, system.C)
    return np.linalg.det(seen @ seen.T + ct.ctrb(system.A, system.B))


@call(0.4, 1.2)
def pendulum(damping):
    def update(t, x, u, params):
        return np.array([x[1], -np.sin(x[0]) - params["b"] * x[1] + u[0]])

    system = ct.nlsys(
        update,
        None,
        inputs=["tau"],
        outputs=["th", "dth"],
        states=["th", "dth"],
        params={"b": damping},
    )
    return np.sum(system.dynamics(0.0, np.array([0.5, -0.3]), np.array([0.1])) ** 2)


@call(0.6, 2.6)
def lyapunov(a):
    x = ct.lyap(np.array([[-a, 1.0], [0.0, -1.0]]), np.eye(2))
    return x[0, 1] + x[0, 0]


@call(0.9, 2.2)
def margins(k):
    gm, pm, wcg, wcp = ct.margin(ct.tf([k * 3], [1.0, 3.0, 3.0, 1.0]))
    return gm


@call(0.4, 1.1)
def pade_delay(t):
    num, den = ct.pade(t, 2)
    return abs(ct.tf(num, den)(0.7j) + 1)
