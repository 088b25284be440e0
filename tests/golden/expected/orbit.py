# Derivative of orbit (implicit.py:23), written by autodiff.

import numpy as np
from tests.golden.cases.implicit import anomaly_of


def orbit_grad(mean, eccentricity):
    """Gradient of orbit (implicit.py:23) with respect to mean, eccentricity."""
    # Forward sweep
    anomaly = anomaly_of(mean, eccentricity)

    # Reverse sweep
    # return np.cos(anomaly) - eccentricity
    eccentricity_bar = -1.0
    anomaly_bar = -np.sin(anomaly)
    # anomaly = anomaly_of(mean, eccentricity)
    anomaly_residual_bar = -anomaly_bar / anomaly_of.jacobian(mean, eccentricity, anomaly)
    mean_bar, eccentricity_bar_2 = anomaly_of.adjoints(
        anomaly_residual_bar, mean, eccentricity, anomaly, wrt=("mean", "eccentricity")
    )
    eccentricity_bar += eccentricity_bar_2
    return mean_bar, eccentricity_bar
