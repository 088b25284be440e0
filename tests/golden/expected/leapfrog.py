# Derivative of leapfrog (transforms.py:54), written by autodiff.

import numpy as np
from autodiff.runtime import Tape


def leapfrog_grad(q, k, steps):
    """Gradient of leapfrog (transforms.py:54) with respect to q, k."""
    tape = Tape()

    # Forward sweep
    p = np.zeros_like(q)
    for _ in range(steps):
        p_2 = p - 0.05 * (-np.sin(q) + k * q)
        tape.push(q)
        q = q + 0.1 * p_2
        p = p_2 - 0.05 * (-np.sin(q) + k * q)

    # Reverse sweep
    # return np.sum(q**2)
    q_bar = 2 * q
    k_bar = 0.0
    p_bar = np.zeros_like(p)
    for _ in reversed(range(steps)):
        # p = p - 0.05 * force(q, k)
        force_q_2_2_bar = -p_bar * 0.05
        # q_bar += k * q
        k_bar += np.vdot(force_q_2_2_bar, q)
        q_bar += force_q_2_2_bar * k
        # q_bar = -np.sin(q)
        q_bar -= force_q_2_2_bar * np.cos(q)
        q = tape.pop()
        # q = q + 0.1 * p
        p_2_bar = p_bar + q_bar * 0.1
        # p = p - 0.05 * force(q, k)
        force_q_3_bar = -p_2_bar * 0.05
        # q_bar += k * q
        k_bar += np.vdot(force_q_3_bar, q)
        q_bar += force_q_3_bar * k
        # q_bar = -np.sin(q)
        q_bar -= force_q_3_bar * np.cos(q)
        p_bar = p_2_bar
    return q_bar, k_bar
