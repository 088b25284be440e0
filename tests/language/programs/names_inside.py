"""Names that functions and comprehensions in helpers bind, like those that the compiler makes."""

import numpy as np

from tests.language.corpus import program


def _lambda_over(x):
    k = x * 2.0
    return (lambda k_2: k_2 * k)(3.0)


@program([(0.7,)], analytic=True)
def parameter_of_a_lambda(x):
    k = x * x
    return _lambda_over(k) * k


def _named_lambda(x):
    k = x * 2.0
    times = lambda k_2: k_2 * k  # noqa: E731
    return times(3.0)


@program([(0.7,)], analytic=True)
def parameter_of_a_named_lambda(x):
    k = x * x
    return _named_lambda(k) * k


def _nested(x):
    k = x * 2.0

    def times(k_2):
        return k_2 * k

    return times(3.0)


@program([(0.7,)], analytic=True)
def parameter_of_a_nested_function(x):
    k = x * x
    return _nested(k) * k


def _local_of_nested(x):
    k = x * 2.0

    def three_times():
        k_2 = 3.0
        return k_2 * k

    return three_times()


@program([(0.7,)], analytic=True)
def variable_of_a_nested_function(x):
    k = x * x
    return _local_of_nested(k) * k


def _result_of(x):
    r = x * 2.0
    times = lambda y: y * r  # noqa: E731
    s = times(3.0)
    r = r * 2.0 + s
    return r


@program([(0.7,)], analytic=True)
def parameter_called_as_the_result(x):
    y = _result_of(x)
    return y * x


def _of_argument(x):
    times = lambda k_2: k_2 * x  # noqa: E731
    return times(3.0)


@program([(0.7,)], analytic=True)
def parameter_called_as_the_argument(x):
    k_2 = x * x
    return _of_argument(k_2) * k_2


def _comprehension(x, weights):
    k = x * 2.0
    return np.sum(np.array([k_2 * k for k_2 in weights]))


@program([(0.7, [1.0, 2.0])], wrt=0, analytic=True)
def variable_of_a_comprehension(x, weights):
    k = x * x
    return _comprehension(k, weights) * k


@program([(np.array([0.3, -0.7, 1.1]),)], analytic=True)
def called_as_what_is_generated(x):
    pullback = 0.0
    tape = []
    for steps in range(3):
        tape.append(x[steps] * (steps + 1))
    for x_bar in tape:
        pullback = pullback * 0.5 + x_bar**2
    result_bar = pullback * tape[0]
    return result_bar, pullback
