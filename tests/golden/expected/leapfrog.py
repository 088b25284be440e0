# Derivative of leapfrog (transforms.py:54), written by autodiff.

import numpy as np
from autodiff.runtime import Tape


def leapfrog_grad(q, k, steps):
    """Gradient of leapfrog (transforms.py:54) with respect to q, k."""
    tape = Tape()

    # Forward sweep
    p = np.zeros_like(q)
    for _ in range(steps):
        tape.push(q)
        p = p - 0.05 * (2 * (0.5 * k) * q - np.sin(q))
        q = q + 0.1 * p
        p = p - 0.05 * (2 * (0.5 * k) * q - np.sin(q))

    # Reverse sweep
    p_bar = np.zeros_like(p)
    # return np.sum(q**2)
    q_bar = 2 * q
    k_bar = 0.0
    for q_2 in reversed(tape):
        # p = p - 0.05 * force(q, k)
        q_bar_bar = -p_bar * 0.05
        # return 0.5 * k * np.sum(q**2) + np.sum(np.cos(q))
        q_bar += q_bar_bar * k - q_bar_bar * np.cos(q)
        # q = q + 0.1 * p
        p_bar += q_bar * 0.1
        # p = p - 0.05 * force(q, k)
        q_bar_2_bar = -p_bar * 0.05
        # return 0.5 * k * np.sum(q**2) + np.sum(np.cos(q))
        k_bar = k_bar + np.vdot(q_bar_bar, q) + np.vdot(q_bar_2_bar, q_2)
        q_bar += q_bar_2_bar * k - q_bar_2_bar * np.cos(q_2)
        q = q_2
    return q_bar, k_bar
