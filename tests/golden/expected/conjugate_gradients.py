# Derivative of conjugate_gradients (loops.py:161), written by autodiff.

import numpy as np
from autodiff.runtime import Tape


def conjugate_gradients_grad(a, b, n):
    """Gradient of conjugate_gradients (loops.py:161) with respect to a, b."""
    tape = Tape()

    # Forward sweep
    x = np.zeros_like(b)
    r = b - a @ x
    rs = r @ r
    x_2 = x
    r_2 = r
    p = r
    for _ in range(n):
        ap = a @ p
        p_at_ap = p @ ap
        alpha = rs / p_at_ap
        x_2 = x_2 + alpha * p
        r_2 = r_2 - alpha * ap
        new = r_2 @ r_2
        new_over_rs = new / rs
        tape.push((p, rs, ap, p_at_ap, r_2, new_over_rs))
        p = r_2 + new_over_rs * p
        rs = new

    # Reverse sweep
    a_bar = np.zeros_like(a)
    r_bar = np.zeros_like(r_2)
    p_bar = np.zeros_like(p)
    rs_bar = 0.0
    for p, rs, ap, p_at_ap, r_2, new_over_rs in reversed(tape):
        # p = r + new / rs * p
        scaled = np.vdot(p_bar, p) / rs
        # new = r @ r
        r_bar = r_bar + p_bar + 2.0 * (rs_bar + scaled) * r_2
        # r = r - alpha * ap
        alpha = rs / p_at_ap
        # alpha = rs / (p @ ap)
        scaled_2 = (np.vdot(b, p) - np.vdot(r_bar, ap)) / p_at_ap
        p_at_ap_bar = -scaled_2 * alpha
        ap_bar = p_at_ap_bar * p - r_bar * alpha
        # ap = a @ p
        a_bar += np.outer(ap_bar, p)
        p_bar = p_bar * new_over_rs + b * alpha + p_at_ap_bar * ap + a.T @ ap_bar
        # alpha = rs / (p @ ap)
        rs_bar = scaled_2 - scaled * new_over_rs
    # rs = r @ r
    r_bar = r_bar + p_bar + 2.0 * rs_bar * r
    # r = b - a @ x
    a_bar -= np.outer(r_bar, x)
    return a_bar, x_2 + r_bar
