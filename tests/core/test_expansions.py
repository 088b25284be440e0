"""Rules are expanded once: what one function calls an object is not what others call it."""

from math import log, sin, sqrt

import numpy as np

from autodiff import grad


def renamed(x):
    import math as log_2

    return log_2.log(x) * np.cos(x) * log_2.sqrt(x) * log_2.sin(x)


def plain(x):
    return sqrt(x) * sin(x) * log(x)


def test_names_stay_in_their_function():
    assert grad(renamed)(0.7) != 0.0
    text = grad(plain).source_for(0.7)
    assert "log_2" not in text
