"""The `match` statement."""

import dataclasses

import numpy as np

from tests.language.corpus import program
from tests.language.data import V3


@dataclasses.dataclass
class Circle:
    radius: float


@dataclasses.dataclass
class Box:
    width: float
    height: float


@program([(0.7, "square"), (0.7, "cube"), (0.7, "sin"), (0.7, "tan"), (V3, "square")])
def on_strings(x, kind):
    match kind:
        case "square":
            y = x**2
        case "cube":
            y = x**3
        case "sin" | "tan":
            y = np.sin(x)
        case _:
            y = x
    return y * x


@program([(0.7, 0), (0.7, 1), (0.7, 7), (0.7, -3)])
def on_integers(x, n):
    match n:
        case 0:
            return 1.0
        case 1:
            return x
        case k if k > 0:
            return x**k
        case k:
            return 1 / x ** (-k)


@program([((0.7, 1.3),), ((0.7, 1.3, 0.2),), ((0.7,),)], analytic=True)
def on_sequences(values):
    match values:
        case (x,):
            return x * x
        case (x, y):
            return x * y
        case (x, *rest):
            return x * rest[0] * rest[1]


@program([(("add", 0.7, 1.3),), (("mul", 0.7, 1.3),), (("neg", 0.7),)], analytic=True)
def on_tagged_tuples(expression):
    match expression:
        case ("add", a, b):
            return a + b * b
        case ("mul", a, b):
            return a * b
        case ("neg", a):
            return -a * a
    return 0.0


@program([({"kind": "ridge", "w": 0.7, "alpha": 0.3},), ({"kind": "none", "w": 0.7},)])
def on_mappings(model):
    match model:
        case {"kind": "ridge", "w": w, "alpha": alpha}:
            return w**2 * alpha
        case {"w": w}:
            return w**3


@program([(Circle(0.7),), (Box(0.7, 1.3),)], analytic=True)
def on_classes(shape):
    match shape:
        case Circle(radius=r):
            return np.pi * r**2
        case Box(w, h):
            return w * h


@program([(0.7,), (V3,)])
def on_types(x):
    match x:
        case float():
            return x**2
        case np.ndarray():
            return np.sum(x**3)


@program([(0.7, ["up", "down", "up", "stay"])], wrt=0)
def inside_loop(x, moves):
    y = x
    for move in moves:
        match move:
            case "up":
                y = y * 1.5 * x
            case "down":
                y = np.sin(y)
            case _:
                continue
    return y


@program([(0.7,), (-0.7,)])
def with_guard_on_data(x):
    match x:
        case v if v > 0:
            return v * v
        case v:
            return v * 3
