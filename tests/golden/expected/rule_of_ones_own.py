# Derivative of rule_of_ones_own (calls.py:111), written by autodiff.

from tests.golden.cases.calls import cube_root


def rule_of_ones_own_grad(x):
    """Gradient of rule_of_ones_own (calls.py:111) with respect to x."""
    # Forward sweep
    cube_root_x = cube_root(x)

    # Reverse sweep
    return cube_root_x + x / (3.0 * cube_root_x**2)
