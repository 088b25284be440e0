# Derivative of layers_in_pairs (containers.py:67), written by autodiff.

import numpy as np
from autodiff.runtime import Tape, accumulate, zeros_like


def layers_in_pairs_grad(layers, x, decay):
    """Gradient of layers_in_pairs (containers.py:67) with respect to layers."""
    tape = Tape()

    # Forward sweep
    h = x
    for i in range(len(layers)):
        layers_seq_i = layers[i]
        w, b = layers_seq_i
        tape.push(h)
        h = np.tanh(h @ w + b)

    # Reverse sweep
    # return np.sum(h**2) + decay * penalty
    h_bar = 2 * h
    layers_seq_2_bar = zeros_like(layers)
    decay_times_2 = 2 * decay
    for i in reversed(range(len(layers))):
        # for w, _ in layers:
        layers_seq_2_i = layers[i]
        w_2 = layers_seq_2_i[0]
        # penalty += np.sum(w**2)
        w_2_bar = w_2 * decay_times_2
        # for w, _ in layers:
        layers_seq_2_bar[i] = accumulate(
            layers_seq_2_bar[i],
            (np.broadcast_to(w_2_bar, layers_seq_2_i[0].shape), np.zeros((len(x),))),
        )
    # for w, _ in layers:
    layers_0_0_bar = layers_seq_2_bar[0][0]
    layers_0_1_bar = layers_seq_2_bar[0][1]
    layers_1_0_bar = layers_seq_2_bar[1][0]
    layers_1_1_bar = layers_seq_2_bar[1][1]
    layers_seq_bar = zeros_like(layers)
    for i in reversed(range(len(layers))):
        # for w, b in layers:
        layers_seq_i = layers[i]
        w = layers_seq_i[0]
        # h = np.tanh(h @ w + b)
        h_at_w_plus_b_bar = h_bar * (1 - h**2)
        h = tape.pop()
        b_bar = h_at_w_plus_b_bar.sum(axis=0)
        h_bar = h_at_w_plus_b_bar @ w.T
        # for w, b in layers:
        layers_seq_i_bar_kept = h.T @ h_at_w_plus_b_bar
        layers_seq_bar[i] = accumulate(
            layers_seq_bar[i],
            (np.broadcast_to(layers_seq_i_bar_kept, layers_seq_i[0].shape), b_bar),
        )
    # for w, b in layers:
    layers_0_0_bar = layers_0_0_bar + layers_seq_bar[0][0]
    layers_0_1_bar = layers_0_1_bar + layers_seq_bar[0][1]
    layers_1_0_bar = layers_1_0_bar + layers_seq_bar[1][0]
    layers_1_1_bar = layers_1_1_bar + layers_seq_bar[1][1]
    return [(layers_0_0_bar, layers_0_1_bar), (layers_1_0_bar, layers_1_1_bar)]
