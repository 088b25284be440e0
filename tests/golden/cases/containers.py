"""Tuples, lists, dicts and objects."""

from dataclasses import dataclass

import numpy as np

from tests.golden.case import case
from tests.language.data import M23, M32, M33, V3, W3


@case((1.2, 0.3))
def tuple_argument(point):
    x, y = point
    return x * x * y


@case({"scale": 2.0, "shift": 0.5}, V3)
def dict_argument(params, x):
    return np.sum((params["scale"] * x + params["shift"]) ** 2)


@case([M32, V3[:2]], W3)
def list_argument(layers, x):
    w, b = layers
    return np.sum(np.tanh(x @ w + b))


@case([1.0, 2.0, 3.0])
def list_of_numbers(xs):
    s = 0.0
    for k in range(1, len(xs)):
        s = s + xs[k] * xs[k - 1]
    return s


@case(0.7, 4)
def list_append(x, n):
    terms = []
    for k in range(n):
        terms.append(x**k / (k + 1.0))
    return sum(terms)


@case(V3)
def comprehension(x):
    return sum([v * v for v in x if v > 0.0])


@case(V3, W3, wrt=("x", "y"))
def local_dict(x, y):
    parts = {"dot": x @ y, "norm": x @ x}
    return parts["dot"] / parts["norm"]


@dataclass
class Spring:
    stiffness: float
    length: float


@case(Spring(2.0, 0.5), 0.8, wrt=("spring", "x"))
def object_argument(spring, x):
    stretch = x - spring.length
    return 0.5 * spring.stiffness * stretch**2


@case([(M23, V3), (M33, W3)], M32, 0.1)
def layers_in_pairs(layers, x, decay):
    h = x
    for w, b in layers:
        h = np.tanh(h @ w + b)
    penalty = 0.0
    for w, _ in layers:
        penalty += np.sum(w**2)
    return np.sum(h**2) + decay * penalty


@case([M33, 0.5 * M33], M23)
def list_of_weights(weights, x):
    h = x
    for w in weights:
        h = np.tanh(h @ w)
    return np.sum(h)
