"""Derivatives, inside of a function, of methods, partials and what else holds arguments."""

from dataclasses import dataclass
from functools import partial

import numpy as np

from autodiff import (
    elementwise_grad,
    grad,
    hessian,
    hvp,
    jacfwd,
    jacobian,
    jvp,
    value_and_grad,
    vjp,
)
from tests.language.corpus import program

V3 = np.array([0.7, 1.3, 0.4])


class Layer:
    def __init__(self, w, gain):
        self.w = w
        self.gain = gain

    def loss(self, x):
        return np.sum(np.tanh(self.w * x) ** 2) * self.gain

    def out(self, x):
        return np.tanh(self.w * x) * self.gain

    def scaled(self, x, a=2.0, b=1.0):
        return np.sum(a * np.sin(self.w * x) + b * x**3)

    @grad
    def slope(self, x):
        return np.sum(self.w * x**2 * np.cos(x))

    def steepness(self, x):
        return np.sum(grad(self.loss)(x) ** 2)

    def __call__(self, x):
        return np.sum(np.exp(self.w * x))


LAYER = Layer(np.array([1.0, 2.0, 3.0]), 1.5)
OF_METHOD = grad(LAYER.loss)
OF_METHOD_WITH_DEFAULTS = grad(LAYER.scaled)
OF_OBJECT = grad(LAYER)


def cubes(x, a, b=1.5):
    return np.sum(a * x**3) * b


OF_PARTIAL = grad(partial(cubes, a=3.0))
PARTIAL = partial(grad(cubes), b=2.0)
CUBES = partial(lambda a, x: a * np.sum(x**3), 2.0)


@program([(V3,)])
def of_a_method(x):
    return np.sum(OF_METHOD(x) ** 2)


@program([(V3,)])
def of_a_method_with_keywords(x):
    return np.sum(OF_METHOD_WITH_DEFAULTS(x, 3.0) * OF_METHOD_WITH_DEFAULTS(x, b=x[0]))


@program([(V3,)])
def of_an_object_to_call(x):
    return np.sum(OF_OBJECT(x) ** 2 + grad(LAYER)(x) ** 2)


@program([(V3,)])
def made_of_a_method(x):
    return np.sum(grad(LAYER.loss)(x) ** 2) + LAYER.steepness(x)


@program([(V3,)])
def of_a_method_of_what_is_made(x):
    layer = Layer(x, x[1])
    return np.sum(grad(layer.loss)(x**2) ** 2)


@program([(V3,)])
def of_methods_in_a_loop(x):
    total = 0.0
    for k in range(3):
        layer = Layer(x * k, 1.0)
        total = total + np.sum(grad(layer.loss)(x) ** 2)
    return total


@program([(V3,)])
def that_are_methods(x):
    return np.sum(LAYER.slope(x) ** 2)


@program([(V3,)])
def of_partials(x):
    return np.sum(OF_PARTIAL(x) ** 2 + PARTIAL(x, 2.0) ** 2 + grad(CUBES)(x) ** 2)


@program([(V3,)])
def of_partials_of_what_varies(x):
    first = grad(partial(cubes, a=x[0]))(x)
    second = grad(partial(cubes, b=x[0]))(x, 2.0)
    return np.sum(first**2 + second**2 + grad(cubes)(x, b=2.0, a=x[1]) ** 2)


@program([(V3,)])
def along_directions(x):
    slope = jvp(LAYER.loss, (x,), (x**2,))[1]
    return slope * np.sum(jvp(LAYER.out, (x,), (x**2,))[1] ** 2)


@program([(V3,)])
def pulled_back(x):
    _, pullback = vjp(LAYER.out, x)
    return np.sum(pullback(x**2)[0] ** 2)


@program([(V3,)])
def of_several_sweeps(x):
    total = np.sum(hessian(LAYER.loss)(x) ** 2) + np.sum(jacobian(LAYER.out)(x) ** 2)
    total = total + np.sum(hvp(LAYER.loss)(x, x) ** 2) + np.sum(jacfwd(LAYER.out)(x) ** 2)
    return total + np.sum(elementwise_grad(LAYER.out)(x) ** 2)


@program([(V3,)], repeatable=False)  # what is summed is a product of vectors where sizes are known
def twice(x):
    first = grad(grad(lambda t: LAYER.loss(t * x)))(x[0])
    second = grad(grad(partial(lambda a, t: np.sum(a * np.sin(t * x)), x[0])))(x[1])
    return first * second


@program([(V3,)])
def with_the_value(x):
    value, slope = value_and_grad(LAYER.scaled)(x, a=x[0])
    return value * np.sum(slope**2)


@dataclass
class Weights:
    w: np.ndarray

    def total(self, x):
        return np.sum(np.tanh(self.w * x))


@program([(Weights(V3), V3 * V3)])
def of_a_method_of_an_argument(weights, x):
    return np.sum(grad(weights.total)(x) ** 2)


@program([(V3,)])
def of_a_function_of_a_class(x):
    return np.sum(grad(Weights.total, wrt="x")(Weights(x), x**2) ** 2)


def folded(t, n):
    return t if n == 0 else t * np.sin(folded(t, n - 1))


@program([(V3,)])
def of_a_recursion(x):
    return sum(grad(folded)(t, 3) ** 2 for t in x)


@program([(V3,)], repeatable=False)  # the slope is summed in another order than outside
def of_a_nested_recursion(x):
    def inner(t, n):
        return t * x[1] if n == 0 else t * np.sin(inner(t, n - 1))

    return grad(inner)(x[0], 3)


def halves(x):
    if len(x) == 1:
        return np.sin(x[0])
    middle = len(x) // 2
    return halves(x[:middle]) * halves(x[middle:]) + np.sum(x)


@program([(V3,)])
def of_a_recursion_over_arrays(x):
    return np.sum(grad(halves)(x) ** 2)


def both(x, n):
    if n == 0:
        return x, x * x
    a, b = both(x, n - 1)
    return a * np.sin(b), a + b


@program([(V3,)])
def of_a_recursion_with_two_results(x):
    return np.sum(grad(lambda t: np.sum(both(t, 2)[0] * both(t, 1)[1]))(x / 2) * x)
