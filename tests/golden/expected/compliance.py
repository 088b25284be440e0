# Derivative of compliance (implicit.py:45), written by autodiff.

import numpy as np
from tests.golden.cases.implicit import displacement


def compliance_grad(stiffness, load):
    """Gradient of compliance (implicit.py:45) with respect to stiffness, load."""
    # Forward sweep
    displacement_value = displacement(stiffness, load)

    # Reverse sweep
    # return load @ displacement(stiffness, load)
    u_residual_bar = np.linalg.solve(
        displacement.jacobian(stiffness, load, displacement_value).T, -load
    )
    stiffness_bar, load_bar_2 = displacement.adjoints(
        u_residual_bar, stiffness, load, displacement_value, wrt=("stiffness", "load")
    )
    load_bar = displacement_value + load_bar_2
    return stiffness_bar.copy(), load_bar
