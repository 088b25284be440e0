# Derivative of conjugate_gradients (loops.py:161), written by autodiff.

import numpy as np
from autodiff.runtime import Tape


def conjugate_gradients_grad(a, b, n):
    """Gradient of conjugate_gradients (loops.py:161) with respect to a, b."""
    tape = Tape()

    # Forward sweep
    x = np.zeros_like(b)
    r = b - a @ x
    p = r
    rs = r @ r
    x_start = x
    for _ in range(n):
        ap = a @ p
        p_at_ap = p @ ap
        alpha = rs / p_at_ap
        x = x + alpha * p
        tape.push(r)
        r = r - alpha * ap
        new = r @ r
        new_over_rs = new / rs
        tape.push((p, rs, ap, p_at_ap, new_over_rs))
        p = r + new_over_rs * p
        rs = new

    # Reverse sweep
    # return x @ b
    b_bar = x
    a_bar = np.zeros_like(a)
    p_bar = np.zeros_like(b)
    r_bar = np.zeros_like(b)
    rs_bar = 0.0
    x_bar = b.copy()
    for _ in reversed(range(n)):
        p, rs, ap, p_at_ap, new_over_rs = tape.pop()
        # p = r + new / rs * p
        r_bar += p_bar
        new_over_rs_bar = np.vdot(p_bar, p)
        p_bar = p_bar * new_over_rs
        scaled = new_over_rs_bar / rs
        new_bar = rs_bar + scaled
        rs_bar = -scaled * new_over_rs
        # new = r @ r
        r_bar += 2.0 * new_bar * r
        r = tape.pop()
        # r = r - alpha * ap
        alpha_times_ap_bar = -r_bar
        # alpha = rs / (p @ ap)
        alpha = rs / p_at_ap
        # r = r - alpha * ap
        alpha_bar = np.vdot(alpha_times_ap_bar, ap)
        ap_bar = alpha_times_ap_bar * alpha
        # x = x + alpha * p
        alpha_bar += np.vdot(x_bar, p)
        p_bar += x_bar * alpha
        # alpha = rs / (p @ ap)
        scaled_2 = alpha_bar / p_at_ap
        rs_bar += scaled_2
        p_at_ap_bar = -scaled_2 * alpha
        p_bar += p_at_ap_bar * ap
        ap_bar += p_at_ap_bar * p
        # ap = a @ p
        a_bar += np.outer(ap_bar, p)
        p_bar += a.T @ ap_bar
    # for _ in range(n):
    x = x_start
    # rs = r @ r
    r_bar += 2.0 * rs_bar * r
    # p = r
    r_bar += p_bar
    # r = b - a @ x
    a_at_x_bar = -r_bar
    a_bar += np.outer(a_at_x_bar, x)
    x_bar += a.T @ a_at_x_bar
    return a_bar, b_bar + r_bar
