# Derivative of layers_in_pairs (containers.py:67), written by autodiff.

import numpy as np
from autodiff.runtime import Tape


def layers_in_pairs_grad(layers, x, decay):
    """Gradient of layers_in_pairs (containers.py:67) with respect to layers."""
    tape = Tape()

    # Forward sweep
    layers_0_0_bar = np.zeros_like(layers[0][0])
    layers_0_1_bar = np.zeros_like(layers[0][1])
    layers_1_0_bar = np.zeros_like(layers[1][0])
    layers_1_1_bar = np.zeros_like(layers[1][1])
    layers = [(layers[0][0], layers[0][1]), (layers[1][0], layers[1][1])]
    layers_bar = [[layers_0_0_bar, layers_0_1_bar], [layers_1_0_bar, layers_1_1_bar]]
    h = x
    for i in range(2):
        tape.push(h)
        layers_i = layers[i]
        w = layers_i[0]
        b = layers_i[1]
        h = np.tanh(h @ w + b)

    # Reverse sweep
    for i in reversed(range(len(layers))):
        # penalty += np.sum(w**2)
        layers_bar[i][0] += 2 * decay * layers[i][0]
    h_bar = np.full_like(h, 2 * h)
    for i in reversed(range(2)):
        h_2 = tape.pop()
        # h = np.tanh(h @ w + b)
        h_at_w_plus_b_bar = h_bar * (1 - h**2)
        layers_i_bar = layers_bar[i]
        layers_i_bar[1] += h_at_w_plus_b_bar.sum(axis=0)
        layers_i_bar[0] += h_2.T @ h_at_w_plus_b_bar
        h_bar = np.full_like(h_2, h_at_w_plus_b_bar @ layers[i][0].T)
        h = h_2
    return [(layers_0_0_bar, layers_0_1_bar), (layers_1_0_bar.copy(), layers_1_1_bar.copy())]
