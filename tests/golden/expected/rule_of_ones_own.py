# Derivative of rule_of_ones_own (calls.py:95), written by autodiff.

import numpy as np
from autodiff.runtime import adjoint_of, scalar_seed, unbroadcast, unreduce
from tests.golden.cases.calls import cube_root


def rule_of_ones_own_grad(x):
    """Gradient of rule_of_ones_own (calls.py:95) with respect to x."""
    # Forward sweep
    cube_root_x = cube_root(x)
    product = cube_root_x * x

    # Reverse sweep
    result_bar = scalar_seed(np.sum(product))
    # return np.sum(cube_root(x) * x)
    product_bar = unreduce(result_bar, like=product, axis=None, keepdims=False)
    cube_root_x_bar = unbroadcast(product_bar * x, cube_root_x)
    x_bar = unbroadcast(product_bar * cube_root_x, x)
    return adjoint_of(x_bar + cube_root_x_bar / (3.0 * cube_root_x**2), x)
