# Derivative of elementwise_rule_of_ones_own (calls.py:109), written by autodiff.

import numpy as np
from autodiff.runtime import adjoint_of, scalar_seed, unbroadcast, unreduce
from tests.golden.cases.calls import softplus


def elementwise_rule_of_ones_own_grad(x, b):
    """Gradient of elementwise_rule_of_ones_own (calls.py:109) with respect to x, b."""
    # Forward sweep
    x_plus_b = x + b
    softplus_x_plus_b = softplus(x_plus_b)
    product = softplus_x_plus_b * x

    # Reverse sweep
    result_bar = scalar_seed(np.sum(product))
    # return np.sum(softplus(x + b) * x)
    product_bar = unreduce(result_bar, like=product, axis=None, keepdims=False)
    softplus_x_plus_b_bar = unbroadcast(product_bar * x, softplus_x_plus_b)
    x_bar = unbroadcast(product_bar * softplus_x_plus_b, x)
    x_plus_b_bar = softplus_x_plus_b_bar / (1.0 + np.exp(-x_plus_b))
    b_bar = np.sum(np.broadcast_to(x_plus_b_bar, x_plus_b.shape))
    return adjoint_of(x_bar + x_plus_b_bar, x), adjoint_of(b_bar, b)
