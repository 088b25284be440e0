# Derivative of compliance (implicit.py:45), written by autodiff.

import numpy as np
from tests.golden.cases.implicit import displacement


def compliance_grad(stiffness, load):
    """Gradient of compliance (implicit.py:45) with respect to stiffness, load."""
    # Forward sweep
    displacement_value = displacement(stiffness, load)

    # Reverse sweep
    # return load @ displacement(stiffness, load)
    jacobian = displacement.jacobian(stiffness, load, displacement_value)
    transposed = jacobian.T
    u_residual_bar = np.linalg.solve(transposed, -load)
    stiffness_bar, load_bar = displacement.adjoints(
        u_residual_bar, stiffness, load, displacement_value, wrt=("stiffness", "load")
    )
    return stiffness_bar.copy(), displacement_value + load_bar.copy()
