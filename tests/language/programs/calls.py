"""Helper functions and every way to pass arguments; recursion; functions as values."""

import functools
import math
import operator

import numpy as np

from tests.language.corpus import call, program
from tests.language.data import F32, M23, M33, M34, P3, V3, V4, V5, W3, X32

GRAVITY = 9.81
WEIGHTS = np.array([0.2, -0.5, 1.3])
SETTINGS = {"rate": 0.1, "power": 3, "scale": np.array([1.0, 2.0, 0.5])}


def square(x):
    return x * x


def scaled(x, factor=2.0, *, shift=0.0):
    return factor * x + shift


def weighted_sum(first, *rest, weight=1.0):
    total = first * weight
    for r in rest:
        total = total + r * weight**2
    return total


def configured(x, **options):
    y = x * options.get("scale", 1.0)
    if options.get("squared", False):
        y = y * y
    return y


def pair(x, y):
    return x * y, x - y


def sign_dependent(x):
    if x > 0:
        return x * x
    return -3 * x


def loop_helper(x, n):
    y = x
    for _ in range(n):
        y = y * x + 1
    return y


def normalize(v, eps=1e-12):
    """Docstrings of helpers do not matter."""
    norm = np.sqrt(np.sum(v**2) + eps)
    return v / norm


def log_sum_exp(x):
    top = np.max(x)
    return top + np.log(np.sum(np.exp(x - top)))


@program([(0.7, 1.3), (V3, W3), (X32, X32), (F32, F32)], analytic=True)
def helper(x, y):
    return square(x) * y + square(x * y)


@program([(0.7, 1.3), (V3, W3)], analytic=True)
def helper_of_helper(x, y):
    def outer(a):
        return square(square(a) + y)

    return outer(x) + square(outer(y))


@program([(0.7, 1.3), (V3, W3)], analytic=True)
def defaults_and_keywords(x, y):
    a = scaled(x)
    b = scaled(y, 3.0)
    c = scaled(x, shift=y)
    d = scaled(factor=y, x=x, shift=x * y)
    return a * b + c * d


@program([(0.7, 1.3, 2.1)], analytic=True)
def star_arguments(x, y, z):
    values = (y, z)
    return weighted_sum(x) + weighted_sum(x, y, z, weight=x) * weighted_sum(*values, x)


@program([(0.7, 1.3), (V3, 0.5)], analytic=True)
def double_star_arguments(x, y):
    options = {"scale": y, "squared": True}
    return configured(x, **options) + configured(x, scale=2.0) + configured(y)


@program([(0.7, 1.3, -0.4), (V3, W3, P3)], analytic=True)
def own_star_parameter(*values):
    total = values[0]
    for v in values[1:]:
        total = total * v + v
    return np.sum(total)


@program([call(0.7, scale=1.3), call(V3, scale=0.4, shift=W3)], analytic=True)
def own_keyword_parameters(x, **options):
    y = x * options["scale"]
    if "shift" in options:
        y = y + options["shift"] ** 2
    return np.sum(y * y)


@program([call(0.7), call(0.7, 1.3), call(0.7, y=1.3, power=3)], analytic=True)
def own_defaults(x, y=2.0, *, power=2):
    return x**power * y + y**2


@program([call(0.7, 1.3), call(V3, 0.3)], analytic=True)
def positional_only(x, y, /, *, half=0.5):
    return np.sum(half * x * y**2)


@program([(0.7, 1.3), (V3, W3)], analytic=True)
def helper_returning_tuple(x, y):
    p, d = pair(x, y)
    q = pair(p, d)
    return np.sum(q[0] * p + q[1])


@program([(0.7, 1.3), (-0.7, 1.3), (-0.7, -1.3)])
def helper_with_early_return(x, y):
    return sign_dependent(x) * sign_dependent(y) + sign_dependent(x * y)


@program([(0.7, 1.3)], analytic=True)
def helper_with_loop(x, y):
    return loop_helper(x, 3) * loop_helper(y, 2) + loop_helper(x * y, 0)


@program([(V3, W3), (V4, V4 * 1.5)], analytic=True)
def helper_on_arrays(x, y):
    return normalize(x) @ normalize(y, eps=1e-6)


@program([(V3, 4)], analytic=True)
def helper_inside_loop(x, n):
    for k in range(n):
        x = scaled(normalize(x + 0.1 * k), factor=1.5, shift=x)
    return np.sum(x**3)


@program([(V5,), (M23,)])
def stable_log_sum_exp(x):
    return log_sum_exp(x) + 0.5 * log_sum_exp(2 * x)


@program([(0.7,), (V3,)], analytic=True)
def lambdas(x):
    double = lambda v: 2 * v
    product = lambda a, b=3.0: a * b
    return np.sum(double(x) * product(x) + (lambda u: u * u)(x))


@program([(0.7, 1.3), (V3, W3)], analytic=True)
def nested_function(x, y):
    k = x * y

    def inner(z):
        return k * z + x

    return np.sum(inner(x) * inner(y))


@program([(0.7, 1.3)], analytic=True)
def closure_sees_later_value(x, y):
    k = x

    def inner(z):
        return k * z

    first = inner(y)
    k = y * y
    return first * inner(x)


@program([(0.7, 1.3)], analytic=True)
def nested_function_without_arguments(x, y):
    z = x * y

    def loss():
        r = z - 1
        return r * r

    return loss() + x * loss()


@program([(0.7, 1.3)], analytic=True)
def function_that_returns_a_function(x, y):
    def power_of(n):
        def power(v):
            return y * v**n

        return power

    cube, fourth = power_of(3), power_of(4)
    return cube(x) + fourth(x) * x


@program([(0.7, 1.3)], analytic=True, refusable=True)
def nonlocal_reads_and_writes(x, y):
    total = 0.0

    def add(v):
        nonlocal total
        total = total + v * v

    add(x)
    add(x * y)
    return total * x


@program([(0.7,), (V3,)], analytic=True)
def globals_read(x):
    return np.sum(x * GRAVITY + x**2 * WEIGHTS)


@program([(V3,)], analytic=True)
def global_dict_read(x):
    y = SETTINGS["rate"] * x ** SETTINGS["power"]
    return np.sum(y * SETTINGS["scale"])


@program([(0.7, 4), (1.2, 1), (1.2, 0)], analytic=True)
def recursive_power(x, n):
    if n == 0:
        return 1.0
    return x * recursive_power(x, n - 1)


@program([(0.7, 5)], analytic=True, refusable=True)
def recursive_helper(x, n):
    def chebyshev(k):
        if k == 0:
            return 1.0
        if k == 1:
            return x
        return 2 * x * chebyshev(k - 1) - chebyshev(k - 2)

    return chebyshev(n) * x


def even_part(x, n):
    if n == 0:
        return x
    return np.sin(odd_part(x, n - 1)) + x


def odd_part(x, n):
    if n == 0:
        return x * x
    return x * even_part(x, n - 1)


@program([(0.7, 4), (0.7, 3)], analytic=True)
def mutual_recursion(x, n):
    return even_part(x, n) * odd_part(x, n)


@program([(V5,), (V4,)], analytic=True)
def divide_and_conquer(x):
    n = len(x)
    if n == 1:
        return x[0] ** 2
    half = n // 2
    return divide_and_conquer(x[:half]) * 0.5 + divide_and_conquer(x[half:]) * x[0]


@program([((0.7, (1.3, (0.4, -0.8))),), ((0.7, 1.3),)], analytic=True)
def recursion_over_tree(tree):
    if isinstance(tree, tuple):
        left, right = tree
        return recursion_over_tree(left) * recursion_over_tree(right) + left_most(tree)
    return tree * tree


def left_most(tree):
    while isinstance(tree, tuple):
        tree = tree[0]
    return tree


@program([(4.7,), (0.3,)])
def recursion_on_data(x):
    if x < 1:
        return x * x
    return 0.5 * recursion_on_data(x - 1) * x


def apply_twice(f, x):
    return f(f(x))


def simpson(f, a, b, n=4):
    h = (b - a) / n
    total = f(a) + f(b)
    for k in range(1, n):
        weight = 4 if k % 2 else 2
        total += weight * f(a + k * h)
    return total * h / 3


@program([(0.7,), (V3,)], analytic=True)
def function_as_argument(x):
    return apply_twice(np.sin, x) + apply_twice(square, x) + apply_twice(lambda v: v * 0.5, x)


@program([(0.3, 1.9, 1.2)], analytic=True)
def quadrature(a, b, k):
    return simpson(lambda t: np.exp(-k * t * t), a, b) + simpson(np.sin, a, b, n=6)


@program([(square, 0.7), (np.sin, 0.7), (math.exp, 0.7), (np.tanh, V3)])
def function_parameter(f, x):
    return np.sum(f(x) * f(2 * x))


@program([(0.7, 1.3), (V3, W3)], analytic=True)
def list_of_functions(x, y):
    fs = [np.sin, square, lambda v: v * y]
    total = 0.0
    for f in fs:
        total = total + np.sum(f(x))
    return total * np.sum(fs[1](y))


@program([(0.7, "tanh"), (0.7, "sin"), (V3, "square"), (V3, "none")])
def dictionary_of_functions(x, name):
    activations = {"tanh": np.tanh, "sin": np.sin, "square": square}
    activation = activations.get(name, lambda v: v)
    return np.sum(activation(x) * x)


ACTIVATIONS = {"relu": lambda v: np.maximum(v, 0), "softplus": lambda v: np.log1p(np.exp(v))}


@program([(V5, "relu"), (V5, "softplus")])
def global_dictionary_of_functions(x, name):
    return np.sum(ACTIVATIONS[name](x) ** 2)


@program([(0.7, 1.3), (V3, W3)], analytic=True)
def partials(x, y):
    triple = functools.partial(scaled, factor=3.0)
    with_y = functools.partial(scaled, shift=y)
    product = functools.partial(operator.mul, y)
    return np.sum(triple(x) * with_y(x) + product(x))


half = functools.partial(scaled, factor=0.5)


@program([(0.7,), (V3,)], analytic=True)
def global_partial(x):
    return np.sum(half(x) * half(x, shift=1.0))


@program([(0.4, 1.2, 0.8)], analytic=True)
def reduce(x, y, z):
    return functools.reduce(lambda a, b: a * b + 1, [x, y, z])


@program([(0.4, 1.2)], analytic=True)
def operator_module(x, y):
    return operator.add(operator.mul(x, y), operator.truediv(x, y)) - operator.neg(x)


@program([(0.4, 1.2)], analytic=True)
def helper_reassigning_its_parameter(x, y):
    def update(x):
        x = x * y
        x = np.sin(x)
        return x

    z = update(x)
    return update(z) * x


@program([(0.4, 1.2)], analytic=True)
def names_clash_between_helper_and_caller(x, y):
    def helper(y, x):
        total = x * 2
        z = total * y
        return z

    total = x + y
    z = helper(x, y)
    return total * z * helper(total, z)


@program([(V3, W3)], analytic=True, refusable=True)
def call_with_starred_array_items(x, y):
    return weighted_sum(*x) * weighted_sum(*y, weight=0.5)


def rosenbrock_term(a, b):
    return 100.0 * (b - a**2) ** 2 + (1 - a) ** 2


@program([(V4,), (V5,)], analytic=True)
def rosenbrock(x):
    return sum(rosenbrock_term(x[i], x[i + 1]) for i in range(len(x) - 1))


def decorated(function):
    @functools.wraps(function)
    def wrapper(*args):
        return 2.0 * function(*args)

    return wrapper


@decorated
def doubled_product(x, y):
    return x * y


@program([(0.4, 1.2)], analytic=True)
def decorated_helper(x, y):
    return doubled_product(x, y) * x


@program([(0.4, 1.2, 3)], analytic=True, refusable=True)
def function_in_loop_variable(x, y, n):
    f = np.sin
    for k in range(n):
        x = f(x) * y
        f = np.cos if k % 2 else np.exp
    return x


@program([(M34,)], analytic=True)
def apply_along_rows_by_hand(a):
    def softmax(row):
        e = np.exp(row)
        return e / np.sum(e)

    rows = [softmax(row) for row in a]
    return np.sum(np.stack(rows) * a)


def compose(*functions):
    def composed(x):
        for f in functions:
            x = f(x)
        return x

    return composed


model = compose(np.sin, square, lambda v: v + 0.5 * v**3)


@program([(0.7,), (V3,)], analytic=True)
def composed_global(x):
    return np.sum(model(x) * x)


def helper_without_return(x):
    x * 2


@program([(0.7,)], analytic=True)
def helper_called_for_nothing(x):
    helper_without_return(x)
    square(x)
    return x * x


@program([(M33, V3)], analytic=True)
def residual_helper_with_closure_array(a, x):
    def residual(z):
        return a @ z - WEIGHTS

    r = residual(x)
    return r @ r
