"""`while`, on counters and on data."""

import math

import numpy as np

from tests.language.corpus import program
from tests.language.data import M33, P3, SPD3, V3, V4, W3, X32


@program([(2.3,), (17.1,), (X32,)])
def newton_square_root(a):
    x = a
    while abs(x * x - a) > 1e-13 * a:
        x = 0.5 * (x + a / x)
        if x * x - a < 1e-6:
            return 0.5 * (x + a / x)
    return x


@program([(2.3, 20), (0.7, 3)], analytic=True)
def counter(x, n):
    i = 0
    y = x
    while i < n:
        y = np.sin(y) + 0.3 * x
        i += 1
    return y


@program([(3.7,), (30.3,), (0.4,)])
def halving(x):
    y = x
    while y > 1.0:
        y = y / 2 - 0.01 * y * y / x
    return y * x


@program([(0.7, 1.3)])
def with_break(x, limit):
    total = 0.0
    k = 1
    while True:
        term = x**k / k
        total += term
        if term < 0.03:
            break
        k += 1
    return total * limit


@program([(0.7, 6)])
def with_continue(x, n):
    i = 0
    y = 1.0
    while i < n:
        i += 1
        if i % 3 == 0:
            continue
        y = y * x + i
    return y


@program([(0.7, 1.3), (0.7, 30.0)])
def with_else(x, limit):
    y = x
    i = 0
    while i < 5:
        y = y + x * y
        if y > limit:
            y = y * y
            break
        i += 1
    else:
        y = -y
    return y


@program([(0.9,), (2.1,)])
def collatz_like(x):
    n = 7
    while n != 1:
        if n % 2 == 0:
            n = n // 2
            x = x * 0.9
        else:
            n = 3 * n + 1
            x = np.sin(x) + 1
    return x


@program([(0.3, 4.0), (0.6, 2.0)])
def integrate_until(x, t_end):
    t = 0.0
    while t < t_end - 0.33:
        x = x + 0.125 * x * (1 - x) * t_end
        t += 0.5
    return x


@program([(0.3, 1.8)])
def return_from_while(x, y):
    while x < y:
        x = x * 1.7
        if x > 1.0:
            return x * y
    return x


@program([(V4,), (P3,)], analytic=True)
def while_over_array(x):
    i = len(x) - 1
    total = 0.0
    while i >= 0:
        total = total * x[i] + x[i]
        i -= 1
    return total


@program([(V3,)], analytic=True)
def nested_while(x):
    total = 0.0
    i = 0
    while i < 3:
        j = 0
        inner = x[i]
        while j <= i:
            inner = inner * x[j] + 0.5
            j += 1
        total += inner * inner
        i += 1
    return total


@program([(0.8, 0.01)])
def until_converged(x, damping):
    y = x
    change = 1.0
    iterations = 0
    while change > 1e-9 and iterations < 200:
        new = math.cos(y) * x
        change = abs(new - y)
        y = new
        iterations += 1
    return y + damping * x


@program([(SPD3, W3)], tolerance=1e-6)
def power_iteration(a, v):
    k = 0
    while k < 12:
        w = a @ v
        v = w / np.sqrt(w @ w)
        k += 1
    return v @ a @ v


@program([(M33 + 3 * np.eye(3), V3)], analytic=True)
def fixed_point(a, b):
    x = np.zeros(3)
    k = 0
    while k < 5:
        x = x + 0.2 * (b - a @ x)
        k += 1
    return np.sum(x * x)


@program([([0.7, 1.2, 0.4],)], analytic=True)
def consume_list(items):
    stack = list(items)
    total = 1.0
    while stack:
        total = total * stack.pop() + 0.3
    return total


@program([(5.7, 1.3)])
def remainder_by_subtraction(x, y):
    while x >= y:
        x = x - y
    return x * y
