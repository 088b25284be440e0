"""Branches: if, elif, else, conditional expressions, selections."""

import numpy as np

from tests.language.corpus import program
from tests.language.data import F32, M23, P3, V3, V4, V5, W3, X32, ZERO_D


@program([(0.7,), (-0.7,), (X32,), (ZERO_D,)])
def leaky_relu(x):
    if x > 0:
        y = x
    else:
        y = 0.1 * x
    return y * y


@program([(0.4,), (1.5,), (2.5,), (3.5,)])
def piecewise(x):
    if x < 1:
        y = x**2
    elif x < 2:
        y = 2 * x - 1
    elif x < 3:
        y = np.sin(x) + x
    else:
        y = np.exp(-x)
    return y * x


@program([(0.4, 1.2), (1.4, 1.2)])
def no_else(x, y):
    z = x * y
    if x > y:
        z = z * z * x
    return z * y


@program([(0.4, 1.2), (1.4, 1.2), (1.4, -1.2), (-0.4, -1.2)])
def nested(x, y):
    z = x
    if x > 0:
        z = z * y
        if y > 0:
            z = z * z
            if x > y:
                z = np.sin(z)
        else:
            z = z - x * y * y
    else:
        z = np.exp(y)
    return z * x


@program([(0.7, "l1"), (0.7, "l2"), (-0.4, "huber"), (2.4, "huber")])
def option(x, kind):
    if kind == "l1":
        return abs(x)
    if kind == "l2":
        return 0.5 * x**2
    if kind == "huber":
        return 0.5 * x**2 if abs(x) < 1 else abs(x) - 0.5
    raise ValueError(kind)


@program([(0.7, True), (0.7, False), (V3, True), (V3, False)])
def flag(x, normalize):
    y = np.exp(x)
    if normalize:
        y = y / np.sum(y)
    return np.sum(y * y)


@program([(0.7, None), (0.7, 1.4), (V3, None), (V3, 0.3)])
def optional_argument(x, weight):
    if weight is None:
        weight = 1.0
    return np.sum(weight * x * x)


@program([(0.3,), (-0.3,)])
def defined_in_one_branch(x):
    if x > 0:
        scale = x * 3
        y = scale * x
    else:
        y = x * x
    if x > 0:
        y = y + scale
    return y


@program([(0.3, 1.4), (1.7, 1.4)])
def overwrites_condition_name(x, y):
    c = x - y
    if c > 0:
        c = c * c
        y = y * c
    else:
        c = c * y
    return c * y


@program([(V5,), (np.abs(V5),), (F32,)])
def condition_on_reduction(x):
    s = np.sum(x)
    if s > 1.0:
        z = x / s
    else:
        z = x * s
    return np.sum(z * z)


@program([(V3,), (-V3,)])
def condition_on_all_any(x):
    if np.all(x > -1) and np.any(x > 0.5):
        return np.sum(x**2)
    return np.sum(np.sin(x))


@program([(V5,), (M23,)])
def where(x):
    return np.sum(np.where(x > 0, x**2, np.sin(x)))


@program([(np.array([0.3, 0.0, 2.0]) + 0.5,), (P3,)])
def guarded_where(x):
    safe = np.where(x > 0, x, 1.0)
    return np.sum(np.where(x > 0, np.log(safe), 0.0))


@program([(V5, 0.2), (M23, -0.3)])
def maximum_minimum_clip(x, y):
    z = np.maximum(x, y) * 2 + np.minimum(x, 2 * y)
    return np.sum(z * np.clip(x, -0.6, 0.9))


@program([(V5,), (0.4,), (-0.4,)])
def absolute(x):
    return np.sum(np.abs(x) * x + abs(x) ** 1.5)


@program([(0.4,), (-0.4,)])
def sign(x):
    return np.sign(x) * x**2


@program([(0.4, 1.3), (1.3, 0.4)])
def builtin_max_min(x, y):
    return max(x, y) ** 2 * min(x, y) + max(x * y, 0.1)


@program([(0.4,), (1.4,)])
def pass_branch(x):
    y = x * x
    if x > 1:
        pass
    else:
        y = y * x
    return y


@program([(V4,), (-V4,)])
def ternary_inside_loop(x):
    total = 0.0
    for xi in x:
        total += xi if xi > 0 else 0.01 * xi * xi
    return total


@program([(V4,), (P3,)])
def branch_inside_loop(x):
    total = 1.0
    for i in range(len(x)):
        if x[i] > 0.5:
            total = total * x[i]
        elif x[i] > 0:
            total = total + np.sin(x[i] * total)
        else:
            total = total - x[i] ** 2 * total
    return total


@program([(0.4, 2), (0.4, 3)], analytic=True)
def branch_on_integer(x, n):
    if n % 2 == 0:
        y = x**n
    else:
        y = np.sin(n * x)
    return y


@program([(0.4, 1.3), (1.3, 0.4)])
def branch_with_tuple(x, y):
    lo, hi = (x, y) if x < y else (y, x)
    return hi**2 - lo * hi


@program([(0.4, W3), (-0.4, W3)])
def branches_of_different_kind(x, w):
    if x > 0:
        y = x * w
    else:
        y = x
    return np.sum(y * 2)


@program([(0.4, V3), (0.4, 1.2)])
def isinstance_dispatch(x, w):
    if isinstance(w, np.ndarray):
        return np.sum(x * w**2)
    elif isinstance(w, float):
        return x * w
    else:
        raise TypeError("w")


@program([(0.4, V3), (0.4, 1.2), (0.4, M23)])
def dispatch_on_ndim(x, w):
    if np.ndim(w) == 0:
        return x * w
    if np.ndim(w) == 1:
        return x * np.sum(w**2)
    return x * np.sum(np.sin(w))


@program([(0.6, 1.1), (2.6, 1.1)])
def three_states(x, y):
    state = "low"
    if x > 1:
        state = "high"
        y = y * x
    if state == "high":
        return y**2
    return y * x


@program([(V4, W3[:1])], wrt=(0, 1))
def select_with_np_where_indices(x, s):
    (found,) = np.where(x > 0)
    return np.sum(x[found]) * s[0] ** 2


@program([(V3, W3)])
def conditional_assignment_of_function(x, y):
    f = np.sin if y[0] > 0 else np.cos
    g = np.tanh if y[2] > 0 else np.exp
    return np.sum(f(x) * g(y))


def half_of(p):
    return 0.5 * p


@program([(0.7, 1), (0.7, 0)], wrt=0, analytic=True)
def constant_of_a_call_on_one_branch(x, flag):
    def half():
        return 0.5

    t = x * x
    t += half() if flag else t
    t *= half_of(1.5) if flag > 2 else t
    return t
