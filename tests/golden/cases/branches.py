"""Branches and returns."""

import math

import numpy as np

from tests.golden.case import case
from tests.language.data import V3


@case(1.5)
def branch(x):
    if x > 1.0:
        y = x * x
    else:
        y = 3.0 * x
    return y


@case(0.5)
def branch_without_else(x):
    y = x
    if y > 0.2:
        y = y * math.sin(y)
    return y * y


@case(1.5, 0.4, wrt=("x", "y"))
def nested_branch(x, y):
    if x > y:
        if y > 0.0:
            z = x * y
        else:
            z = x - y
        z = z * z
    elif x < -1.0:
        z = math.exp(x)
    else:
        z = 0.0
    return z


@case(1.5)
def early_return(x):
    if x < 0.0:
        return -x
    y = math.log(x)
    if y > 1.0:
        return y * y
    return x * y


@case(0.6, "cubic")
def matched(x, form):
    match form:
        case "square":
            return x * x
        case "cubic":
            return x**3
        case _:
            return x


@case(V3, 0.5, wrt=("x", "delta"))
def huber(x, delta):
    r = np.abs(x)
    return np.sum(np.where(r < delta, 0.5 * r**2, delta * (r - 0.5 * delta)))
