# Derivative of dict_filled_by_key (memory.py:204), written by autodiff.

import numpy as np
from autodiff.runtime import Tape


def dict_filled_by_key_grad(x, labels):
    """Gradient of dict_filled_by_key (memory.py:204) with respect to x."""
    tape = Tape()

    # Forward sweep
    left_3 = len(x)
    items = ["a", "b", "c", "a"]
    sums = {}
    sums_bar = {}
    for k in range(min(left_3, 4)):
        v = x[k]
        label = items[k]
        condition = label in sums
        tape.push(condition)
        if condition:
            result = sums[label]
        else:
            result = 0.0
        sums[label] = result + v * v
        sums_bar[label] = 0.0

    # Reverse sweep
    # return sums["a"] * sums["b"]
    sums_bar["b"] += sums["a"]
    sums_bar["a"] += sums["b"]
    x_bar = np.zeros_like(x)
    for k in reversed(range(min(left_3, 4))):
        condition = tape.pop()
        # sums[label] = sums.get(label, 0.0) + v * v
        label = items[k]
        total_bar = sums_bar[label]
        sums_bar[label] = 0.0
        if condition:
            # return table[key]
            sums_bar[label] += total_bar
        # return self.items[place]
        x_bar[k] = 2.0 * total_bar * x[k]
    return x_bar
