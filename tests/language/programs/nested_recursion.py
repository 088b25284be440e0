"""Nested functions that call themselves, and recursive functions that are given functions."""

import functools

import numpy as np

from tests.language.corpus import program
from tests.language.data import V4, V5


@program([(0.7,)], analytic=True)
def factorial_of_a_variable(x):
    def factorial(n):
        return x if n == 0 else n * factorial(n - 1)

    return factorial(3) * x


@program([(1.3, 0.8)], analytic=False, tolerance=1e-7)
def adaptive_simpson(k, b):
    def integrand(t):
        return np.exp(-k * t) * np.sin(3.0 * t)

    def refine(lo, hi, f_lo, f_mid, f_hi, whole, tol):
        mid = 0.5 * (lo + hi)
        f_left, f_right = integrand(0.5 * (lo + mid)), integrand(0.5 * (mid + hi))
        left = (mid - lo) / 6 * (f_lo + 4 * f_left + f_mid)
        right = (hi - mid) / 6 * (f_mid + 4 * f_right + f_hi)
        if abs(left + right - whole) < 15 * tol:
            return left + right + (left + right - whole) / 15
        return refine(lo, mid, f_lo, f_left, f_mid, left, tol / 2) + refine(
            mid, hi, f_mid, f_right, f_hi, right, tol / 2
        )

    ends = integrand(0.0), integrand(0.5 * b), integrand(b)
    return refine(0.0, b, *ends, b / 6 * (ends[0] + 4 * ends[1] + ends[2]), 1e-5)


@program([(V4,)])
def fast_fourier_transform(x):
    def transform(v):
        n = len(v)
        if n == 1:
            return v
        even, odd = transform(v[::2]), transform(v[1::2])
        twiddle = np.exp(-2j * np.pi * np.arange(n // 2) / n) * odd
        return np.concatenate([even + twiddle, even - twiddle])

    return np.sum(np.abs(transform(x.astype(complex))[1:3]) ** 2)


@program([(0.7, (1.3, (0.4, -0.8))), (0.7, 1.3)], analytic=True)
def tree_with_a_default(x, tree):
    def visit(node, scale=x * x):
        if not isinstance(node, tuple):
            return np.sin(node * x) * scale
        left, right = node
        return visit(left) * visit(right, 0.5 * x) + scale

    return visit(tree)


@program([(0.8, 5), (0.8, 4)], analytic=True)
def two_that_call_each_other(x, n):
    c = x * x

    def even(k):
        return c if k == 0 else odd(k - 1) * c

    def odd(k):
        return x if k == 0 else even(k - 1) + c

    return even(n)


@program([(0.7,)], analytic=True)
def lambda_that_calls_itself(x):
    power = lambda n: 1.0 if n <= 0 else x * power(n - 1)  # noqa: E731
    x = x * 2.0
    return power(3) + power(2) * x


@program([(V5,), (V4,)], analytic=True)
def halves_of_an_array(x):
    w = np.cos(x)

    def total(lo, hi):
        if hi - lo == 1:
            return x[lo] ** 2 * w[lo]
        mid = (lo + hi) // 2
        return total(lo, mid) * total(mid, hi) + w[mid]

    return total(0, len(x))


@program([(0.7,)], analytic=True)
def variable_set_again_between_calls(x):
    c = x

    def power(n):
        return c if n == 0 else c * power(n - 1)

    total = power(2)
    for k in range(3):
        c = c * x + k
        total = total + power(k)
    return total


@program([(0.7, 1.1)], analytic=True)
def names_that_are_taken(x, y):
    def scaled(n):
        return n * y

    def first(y, n):
        return scaled(y) if n == 0 else second(n - 1, y * x)

    def second(n, scaled):
        return scaled * y if n <= 0 else first(scaled, n - 1) + y

    return first(x, 3)


def horner_tree(x, n):
    def branch(k):
        return x + k if k <= 1 else branch(k - 1) * branch(k - 2) + x

    return branch(n)


@program([(0.4, 0.3)], analytic=True)
def in_a_helper_called_twice(x, y):
    return horner_tree(x, 4) * horner_tree(x * y, 3) + horner_tree(2.0, 3)


def adaptive(f, a, b, tol=1e-2, depth=0):
    m = 0.5 * (a + b)
    whole = (b - a) * f(m)
    halves = 0.5 * (b - a) * (f(0.5 * (a + m)) + f(0.5 * (m + b)))
    if depth > 6 or abs(halves - whole) < tol:
        return halves
    return adaptive(f, a, m, tol / 2, depth + 1) + adaptive(f, m, b, tol / 2, depth + 1)


@program([(1.3,)], tolerance=1e-7)
def recursion_given_a_lambda(k):
    return adaptive(lambda t: np.sin(k * t) * k, 0.0, 1.0) + adaptive(np.exp, 0.0, k)


@program([(1.3,)], tolerance=1e-7)
def recursion_given_two_functions(k):
    tol, m = k * k, 2.0

    def rate(t):
        return np.exp(-tol * t) * m

    def flow(a):
        return rate(a) * rate(a + 1.0)

    return adaptive(flow, 0.0, 1.0, tol=3e-3) * adaptive(f=rate, b=k, a=0.0, tol=2e-3)


class Decay:
    def __init__(self, rate):
        self.rate = rate

    def at(self, t):
        return np.exp(-self.rate * t)

    def total(self, t):
        def part(n):
            return self.at(t) if n == 0 else part(n - 1) * self.rate + t

        return part(2)


@program([(0.7, Decay(0.4))], tolerance=1e-7)
def recursion_given_a_method_or_partial(k, decay):
    def wave(t, w):
        return np.sin(w * t) * k

    return adaptive(decay.at, 0.0, 1.0) + adaptive(functools.partial(wave, w=2.0 * k), 0.0, k)


@program([(Decay(0.7), 0.4)], analytic=True)
def nested_recursion_in_a_method(decay, t):
    return decay.total(t) * decay.rate


@program([(0.7,)], analytic=True)
def nested_recursion_given_a_function(k):
    a = k * k

    def blocks(f, lo, hi, n):
        if n == 0:
            return f(0.5 * (lo + hi)) * (hi - lo)
        mid = 0.5 * (lo + hi)
        return blocks(f, lo, mid, n - 1) + blocks(f, mid, hi, n - 1) * a

    return blocks(lambda t: a * t * t, 0.0, k, 3) + blocks(np.cos, 0.0, k, 2)


@program([(0.4,)], analytic=True, refusable=True)
def sum_over_the_branches(x):
    def value(node):
        if isinstance(node, list):
            return sum(value(child) for child in node) * x
        return np.sin(node * x)

    return value([1.0, [2.0, 3.0], [[4.0]]])


def even_rank(c, x, n):
    return c if n == 0 else odd_rank(c, x, n - 1) * c


def odd_rank(c, x, n):
    return x if n == 0 else even_rank(c, x, n - 1) + c


@program([(0.7, 5)], analytic=True)
def two_functions_that_call_each_other(x, n):
    return even_rank(x * x, x, n)


def product_of(x, *rest):
    return x if not rest else x * product_of(*rest)


@program([(0.7,)], analytic=True, refusable=True)
def recursion_over_starred_arguments(x):
    return product_of(x, x * 2.0, x * x)


def swapped(x, y, n):
    return x * y if n == 0 else swapped(y, x, n - 1) * x + y


@program([(0.7,)], analytic=True)
def two_halves_of_one_function(x):
    return swapped(x, 2.0, 2) + swapped(3.0, x, 3)


class Doubling:
    def __init__(self, k):
        self.k = k

    def double(self):
        self.k = self.k * 2


def doubled_again(c, n):
    c.double()
    return c.k * c.k if n == 0 else doubled_again(c, n - 1) + c.k


@program([(Doubling(1.3),)], analytic=True, refusable=True)
def recursion_calls_a_method_that_changes(c):
    return doubled_again(c, 2) * c.k


@program([(np.linspace(0.1, 1.0, 9),)])
def multigrid(x):
    def cycle(u, f):
        if len(u) <= 3:
            return u + 0.5 * f
        for _ in range(2):
            u = u.copy()
            u[1:-1] = 0.5 * (u[:-2] + u[2:] + f[1:-1])
        r = np.zeros_like(u)
        r[1:-1] = f[1:-1] + u[:-2] - 2.0 * u[1:-1] + u[2:]
        e = cycle(np.zeros((len(u) + 1) // 2), 4.0 * r[::2])
        c = np.zeros_like(u)
        c[::2] = e
        c[1::2] = 0.5 * (e[:-1] + e[1:])
        return u + c

    return np.sum(cycle(np.zeros(9), x) ** 2)


def changed_in_part(u, n):
    def double(u):
        u[0] = u[0] * 2.0
        return u[0]

    v = u
    u = u.copy()
    return double(v) if n == 0 else changed_in_part(u, n - 1) * u[0] + double(v)


@program([(V4,)], refusable=True)
def recursion_changes_its_argument_in_part(x):
    y = x * 1.0
    return changed_in_part(y, 1) * y[0]


@program([(("+", ("*", 2.0, "x"), ("sin", ("*", "x", "x"))), 0.7)], wrt="x", analytic=True)
def expression_tree(tree, x):
    def value(node):
        if isinstance(node, float):
            return node
        if node == "x":
            return x
        operator, *parts = node
        if operator == "+":
            return value(parts[0]) + value(parts[1])
        return value(parts[0]) * value(parts[1]) if operator == "*" else np.sin(value(parts[0]))

    return value(tree)


def scaled_sum(x, y, n):
    return np.sum(y * x) if n == 0 else scaled_sum(x, y, n - 1) * y[0] * x[1]


@program([(V4,)], analytic=True)
def argument_changes_after_the_call(x):
    y = x.copy()
    total = 0.0
    for k in range(3):
        total = total + scaled_sum(y, y[1:] if k > 5 else y, k)
        y[k] = y[k] * total
    return total


@program([(V4,)], analytic=True)
def data_changes_after_the_call(x):
    y = np.array([1.0, 2.0, 3.0, 4.0])
    total = 0.0
    for k in range(3):
        total = total + scaled_sum(x, y, k)
        y[k] = y[k] * (k + 2.0)
    return total


def weighted_squares(pair, n):
    return np.sum(pair[0] ** 2) * pair[1] if n == 0 else weighted_squares(pair, n - 1) * pair[0][0]


@program([(V4,)], analytic=True)
def list_changes_after_the_call(x):
    pair = [x * 1.0, x[0]]
    total = 1.0
    for k in range(2):
        total = total + weighted_squares(pair, k)
        pair[0] = pair[0] * total
        pair[1] = pair[1] + total
    return total


powers = lambda x, n: x if n == 0 else powers(x * x[0], n - 1)  # noqa: E731


@program([(V4,)])
def a_lambda_that_calls_itself(x):
    return np.sum(powers(x, 2))


def with_axes(x, n):
    if x.ndim < n:
        x = with_axes(np.expand_dims(x, axis=0), n)
    return x


@program([(V4, 3)], wrt=("x",), analytic=True, refusable=True)
def axes_added_by_recursion(x, n):
    return np.sum(np.sin(with_axes(x, n)) ** 2)


def power_tower(n, x, k=1.5, shift=None, *, scale=1.0):
    if n == 0:
        return x * x * k * scale + (0.0 if shift is None else shift)
    return power_tower(n - 1, x * x, scale=scale * x)


@program([(0.9,)], analytic=True)
def defaults_of_a_recursion(x):
    return power_tower(2, x)


def blended(n, x, y=1, z=None):
    if n == 0:
        return x * y * (1.0 if z is None else z)
    return blended(n - 1, z=z, y=y + x, x=x * x)


@program([(0.7,)], analytic=True)
def keywords_of_a_recursion_in_any_order(x):
    by_name = {"x": x, "n": 2}
    return blended(x=x, n=1) + blended(**by_name) + blended(z=x, n=2, x=x * x)


@program([(0.7,)], analytic=True)
def parameters_of_a_recursion_left_out(x):
    return blended(2, x, z=x) * blended(1, 0.5, y=x) + blended(2, 0.5, z=x)
