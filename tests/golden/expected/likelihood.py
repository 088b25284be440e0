# Derivative of likelihood (library.py:11), written by autodiff.

import numpy as np
from scipy import stats
from scipy.stats import norm


def likelihood_grad(mean, width, data):
    """Gradient of likelihood (library.py:11) with respect to mean, width."""
    # Forward sweep
    logsf_data = stats.norm.logsf(data, mean)

    # Reverse sweep
    # return inside + stats.gamma.logpdf(width, 2.0) + np.sum(stats.norm.logsf(data, mean))
    finite = np.where(np.isneginf(logsf_data), np.inf, logsf_data)
    ratio = np.exp(norm.logpdf(data, mean, 1) - finite)
    mean_bar = ratio.sum()
    width_bar = 1.0 / (width if width > 0 else 1.0) - 1 if width > 0 else 0.0
    # inside = np.sum(stats.norm.logpdf(data, mean, width))
    g = 1.0 / width
    z = (data - mean) / width
    return mean_bar + np.sum(g * z), width_bar + np.sum(g * (z**2 - 1))
