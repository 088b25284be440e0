# Derivative of leapfrog (transforms.py:54), written by autodiff.

import numpy as np
from autodiff.runtime import Tape


def leapfrog_grad(q, k, steps):
    """Gradient of leapfrog (transforms.py:54) with respect to q, k."""
    tape = Tape()

    # Forward sweep
    p = np.zeros_like(q)
    for _ in range(steps):
        p_2 = p - 0.05 * (k * q - np.sin(q))
        tape.push(q)
        q = q + 0.1 * p_2
        p = p_2 - 0.05 * (k * q - np.sin(q))

    # Reverse sweep
    # return np.sum(q**2)
    q_bar = 2 * q
    k_bar = 0.0
    p_bar = np.zeros_like(p)
    for _ in reversed(range(steps)):
        # p = p - 0.05 * force(q, k)
        force_q_2_bar = -p_bar * 0.05
        # return k * q - np.sin(q)
        q_bar -= force_q_2_bar * np.cos(q)
        k_bar += np.vdot(force_q_2_bar, q)
        q_bar += force_q_2_bar * k
        q = tape.pop()
        # q = q + 0.1 * p
        p_2_bar = p_bar + q_bar * 0.1
        # p = p - 0.05 * force(q, k)
        force_q_bar = -p_2_bar * 0.05
        # return k * q - np.sin(q)
        q_bar -= force_q_bar * np.cos(q)
        k_bar += np.vdot(force_q_bar, q)
        q_bar += force_q_bar * k
        p_bar = p_2_bar
    return q_bar, k_bar
