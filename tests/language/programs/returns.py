"""Early, multiple and structured returns."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.language.corpus import program
from tests.language.data import M33, P3, V3, V4, V5, W3


@program([(0.4, 1.3), (-0.4, 1.3), (2.4, 1.3)])
def early(x, y):
    if x < 0:
        return x * y
    z = x * x * y
    if x > 2:
        return np.sin(z)
    z = z + y
    return z * z


@program([(V5, 1.0), (V5, 100.0)])
def from_loop(x, limit):
    total = 0.0
    for xi in x:
        total += xi**2
        if total > limit:
            return total * xi
    return -total


@program([(M33, 1.1), (M33, 100.0)])
def from_nested_loop(a, limit):
    total = 1.0
    for row in a:
        for v in row:
            total = total + v * v * total
            if total > limit:
                return total
        total = total * 0.9
    return total * total


@program([(0.4, 1.3), (1.4, 1.3)])
def from_every_branch(x, y):
    if x > y:
        if y > 0:
            return x * y
        else:
            return x
    elif x > 0:
        return y * y * x
    else:
        return x + y


@program([(0.4, 1.3), (V3, W3)], analytic=True)
def a_tuple(x, y):
    return x * y, x + y, np.sin(x)


@program([(0.4, 1.3)], analytic=True)
def a_list(x, y):
    return [x * y, x - y]


@program([(0.4, 1.3), (V3, W3)], analytic=True)
def a_dict(x, y):
    return {"product": x * y, "inner": {"difference": x - y}}


@program([(0.4, 1.3), (-0.4, 1.3)])
def tuples_of_branches(x, y):
    if x > 0:
        return x * y, y
    return y * y, x


@program([(0.4,), (V3,)])
def the_argument_itself(x):
    return x


@program([(0.4, 1.3), (V3, W3)])
def both_arguments(x, y):
    return y, x, x


@program([(V3,)], analytic=True)
def an_array_of_items(x):
    return np.array([x[0] * x[1], x[1] - x[2], x[2] ** 2])


@program([(V3, W3)], analytic=True)
def a_stack(x, y):
    return np.stack([x * y, x + y, np.ones(3)])


@program([(V4,), (P3,)])
def a_constant_from_one_path(x):
    if x[0] > 0.5:
        return 0.0
    return np.sum(x**2)


@program([(0.7,), (-0.7,)])
def constant_guard(x):
    if x < 0:
        return 0
    return x**1.5


@program([(0.7, 1.3)], analytic=True)
def after_return_nothing_counts(x, y):
    return x * y
    x = x * 100
    return x


@dataclass
class Reading:
    out: Any
    file: Any
    overwrite: float


@program([(V4,)])
def an_object_with_parts_named_like_options(x):
    """`Reading(out=h)` writes into nothing."""
    h = x * x
    h[1:] *= h[:-1].copy()
    return {"h": h, "read": Reading(out=h * 2, file=h[1:] * x[0], overwrite=h @ h)}
