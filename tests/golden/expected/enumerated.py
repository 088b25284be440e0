# Derivative of enumerated (loops.py:125), written by autodiff.

import numpy as np
from autodiff.runtime import Tape


def enumerated_grad(x, rate):
    """Gradient of enumerated (loops.py:125) with respect to x."""
    tape = Tape()

    # Forward sweep
    for k in range(len(x)):
        tape.push(rate**k)

    # Reverse sweep
    x_seq_bar = np.zeros_like(x)
    for k in reversed(range(len(x))):
        rate_pow_k = tape.pop()
        # for k, v in enumerate(x):
        v = x[k]
        x_seq_bar[k] = rate_pow_k * (2 * v)
    return x_seq_bar
