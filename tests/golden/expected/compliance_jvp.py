# Derivative of compliance (implicit.py:45), written by autodiff.

import numpy as np
from tests.golden.cases.implicit import displacement


def compliance_jvp(stiffness, load, stiffness_dot, load_dot):
    """Value and tangent of compliance (implicit.py:45) with respect to stiffness, load."""
    displacement_value = displacement(stiffness, load)
    tangent = displacement.tangent(
        stiffness, load, displacement_value, stiffness_dot, load_dot, wrt=("stiffness", "load")
    )
    jacobian = displacement.jacobian(stiffness, load, displacement_value)
    return (
        load @ displacement_value,
        load_dot @ displacement_value + load @ np.linalg.solve(jacobian, -tangent),
    )
