"""`with` and `try` around what is differentiated."""

import math

import numpy as np

from tests.golden.case import case
from tests.language.data import V3


@case(V3)
def with_errstate(x):
    with np.errstate(divide="ignore"):
        y = 1.0 / x
    return np.sum(y * x**3)


@case(0.4)
def try_except(x):
    try:
        y = math.log(x) * x
    except ValueError:
        y = x * x
    return y * y


@case(0.4, "2.5")
def try_inactive(x, text):
    try:
        factor = float(text)
    except ValueError:
        factor = 1.0
    return factor * x**2
