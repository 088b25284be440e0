# Derivative of dict_filled_by_key (memory.py:204), written by autodiff.

import numpy as np
from autodiff.runtime import Slot, Tape, sequence


def dict_filled_by_key_grad(x, labels):
    """Gradient of dict_filled_by_key (memory.py:204) with respect to x."""
    tape = Tape()

    # Forward sweep
    sums = {}
    sums_bar = {}
    labels_seq = sequence(labels)
    for i in range(min(len(x), len(labels_seq))):
        v = x[i]
        label = labels_seq[i]
        get_label = sums.get(label, 0.0)
        get_label_slot = sums_bar.get(label, Slot())
        sums[label] = get_label + v * v
        total_slot = Slot()
        sums_bar[label] = total_slot
        tape.push((get_label_slot, total_slot))
    sums_a_value_slot = sums_bar["a"]
    sums_b_value = sums["b"]
    sums_b_value_slot = sums_bar["b"]

    # Reverse sweep
    # return sums["a"] * sums["b"]
    sums_b_value_slot.value += sums["a"]
    sums_a_value_slot.value += sums_b_value
    x_seq_bar = np.zeros_like(x)
    for i in reversed(range(min(len(x), len(labels_seq)))):
        get_label_slot, total_slot = tape.pop()
        # for v, label in zip(x, labels):
        v = x[i]
        # sums[label] = sums.get(label, 0.0) + v * v
        total_bar = total_slot.value
        get_label_slot.value += total_bar
        # for v, label in zip(x, labels):
        x_seq_bar[i] = 2.0 * total_bar * v
    return x_seq_bar
