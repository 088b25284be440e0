# Derivative of orbit (implicit.py:23), written by autodiff.

import numpy as np
from tests.golden.cases.implicit import anomaly_of


def orbit_grad(mean, eccentricity):
    """Gradient of orbit (implicit.py:23) with respect to mean, eccentricity."""
    # Forward sweep
    anomaly = anomaly_of(mean, eccentricity)

    # Reverse sweep
    # anomaly = anomaly_of(mean, eccentricity)
    jacobian = anomaly_of.jacobian(mean, eccentricity, anomaly)
    anomaly_residual_bar = np.sin(anomaly) / jacobian
    mean_bar, eccentricity_bar = anomaly_of.adjoints(
        anomaly_residual_bar, mean, eccentricity, anomaly, wrt=("mean", "eccentricity")
    )
    return mean_bar, -1.0 + eccentricity_bar
