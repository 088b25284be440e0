# Derivative of elementwise_rule_of_ones_own (calls.py:125), written by autodiff.

import numpy as np
from tests.golden.cases.calls import softplus


def elementwise_rule_of_ones_own_grad(x, b):
    """Gradient of elementwise_rule_of_ones_own (calls.py:125) with respect to x, b."""
    # Forward sweep
    x_plus_b = x + b

    # Reverse sweep
    # return np.sum(softplus(x + b) * x)
    x_plus_b_bar = x / (1.0 + np.exp(-x_plus_b))
    return softplus(x_plus_b) + x_plus_b_bar, x_plus_b_bar.sum()
