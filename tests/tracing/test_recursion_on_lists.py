"""Functions that call themselves, of lists of numbers (`expression/lists_as_arrays.py`)."""

import cmath
import math

import numpy as np
import pytest

from autodiff import grad, jvp
from tests.core.differences import differences

X = np.array([0.5, 1.2, 0.7, 2.0])


def merge_sort(a):
    if len(a) <= 1:
        return a
    m = len(a) // 2
    lower, upper = merge_sort(a[:m]), merge_sort(a[m:])
    out = []
    i = j = 0
    while i < len(lower) and j < len(upper):
        if lower[i] <= upper[j]:
            out.append(lower[i])
            i += 1
        else:
            out.append(upper[j])
            j += 1
    return out + lower[i:] + upper[j:]


def merged(x):
    s = merge_sort(list(x))
    return s[0] + 2 * s[1] ** 2 + 3 * s[2]


def quicksort(a):
    if len(a) <= 1:
        return a
    p = a[0]
    return quicksort([v for v in a[1:] if v < p]) + [p] + quicksort([v for v in a[1:] if v >= p])


def sorted_by_parts(x):
    s = quicksort(list(x))
    return s[0] + 2 * s[1] ** 2 + 3 * s[2]


def quicksort_in_place(a, lo, hi):
    if lo >= hi:
        return
    p = a[hi]
    i = lo
    for j in range(lo, hi):
        if a[j] < p:
            a[i], a[j] = a[j], a[i]
            i += 1
    a[i], a[hi] = a[hi], a[i]
    quicksort_in_place(a, lo, i - 1)
    quicksort_in_place(a, i + 1, hi)


def sorted_in_place(x):
    a = list(x)
    quicksort_in_place(a, 0, len(a) - 1)
    return a[0] + 2 * a[1] ** 2 + 3 * a[2]


def fft(a):
    n = len(a)
    if n == 1:
        return a
    e, o = fft(a[::2]), fft(a[1::2])
    t = [cmath.exp(-2j * math.pi * k / n) * o[k] for k in range(n // 2)]
    return [e[k] + t[k] for k in range(n // 2)] + [e[k] - t[k] for k in range(n // 2)]


def spectrum(x):
    return sum(abs(v) ** 2 * k for k, v in enumerate(fft([complex(v) for v in x])))


def karatsuba(a, b):
    if len(a) == 1:
        return [a[0] * b[0]]
    m = len(a) // 2
    low, high = karatsuba(a[:m], b[:m]), karatsuba(a[m:], b[m:])
    sums = [p + q for p, q in zip(a[:m], a[m:])], [p + q for p, q in zip(b[:m], b[m:])]
    middle = karatsuba(*sums)
    return low + [v - p - q for v, p, q in zip(middle, low, high)] + high


def product_of_polynomials(x):
    c = karatsuba([x[0], x[1]], [x[2], x[3]])
    return c[0] + c[1] ** 2 + c[2]


def half(a):
    if len(a) < 2:
        return a
    b = half(a[: len(a) // 2])
    b.append(a[0] * 2)
    return b


def grown_by_each(x):
    h = half(list(x))
    return h[0] + h[1] * h[-1]


def fill(a, n):
    if n <= 0:
        return
    a.append(a[-1] * a[0])
    fill(a, n - 1)


def filled(x):
    a = [x[0], x[1]]
    fill(a, len(x))
    return a[-1] + len(a) * a[2]


def shorten(a):
    if len(a) < 2:
        return a
    a.pop()
    return shorten(a)


def shortened(x):
    a = list(x)
    m = shorten(a)
    return m[0] * len(a)


def grow(a, n):
    if n <= 0:
        return a
    a.append(a[-1] * a[0])
    return grow(a, n - 1)


def one_list_by_two_names(x):
    a = list(x)
    b = grow(a, len(x))
    b.append(1.0)
    return a[-2] * b[2] + len(a) * x[0]


def by_turns(a, b, n):
    if n <= 0:
        return a
    a[0] = a[0] * b[1]
    return by_turns(b, a, n - 1)


def two_lists(x):
    a, b = list(x), list(2 * x)
    c = by_turns(a, b, len(x))
    return c[0] * a[0] + b[0]


def one_list_twice(x):
    a = list(x)
    return by_turns(a, a, len(x))[0] * a[0]


def bubble(a, k):
    if k >= len(a) - 1:
        return
    if a[k] > a[k + 1]:
        a[k], a[k + 1] = a[k + 1], a[k]
    bubble(a, k + 1)


def bubbled(x):
    a = list(x)
    for _ in range(3):
        bubble(a, 0)
    return a[0] + 2 * a[1] + 3 * a[2] ** 2


def every_other(a):
    if len(a) == 0:
        return []
    return [a[0]] + every_other(a[2:])


def with_an_empty_end(x):
    e = every_other(list(x))
    return e[0] * e[1]


def in_a_closure(x):
    def turned(a):
        if len(a) == 1:
            return [a[0] * x[3]]
        m = len(a) // 2
        return turned(a[m:]) + turned(a[:m])

    g = turned(list(x))
    return g[0] * g[1] + g[3]


class Weighted:
    def __init__(self, w):
        self.w = w

    def turned(self, a):
        if len(a) == 1:
            return a
        m = len(a) // 2
        return [self.w * v for v in self.turned(a[m:])] + self.turned(a[:m])


def in_a_method(x):
    g = Weighted(x[1]).turned(list(x))
    return g[0] * g[1] + g[3]


def given_on(a, n):
    return given_back(a, n)


def given_back(a, n):
    if n <= 0:
        return a
    return given_on(a, n - 1)


def by_two_functions(x):
    a = list(x)
    b = given_on(a, len(x))
    b[0] = 5.0
    return a[0] * x[1] + b[1]


def identity(a, n):
    if n <= 0:
        return a
    return identity(a, n - 1)


def parts_that_are_lent(x):
    a = [x[0], x[1]]
    b = identity(a, len(x))
    b[0] = 5.0
    return a[0] * x[1] + b[1]


def lent_and_changed(x):
    a = list(x)
    b = identity(a, len(x))
    a.append(x[0])
    return b[-1] * x[1] + b[1]


def lent_in_a_loop(x):
    a = list(x)
    b = a
    for k in range(3):
        b = identity(b, len(x))
        b[k] = b[k] * 2
    return a[0] * a[1] * b[2]


def lent_of_a_dict(x):
    d = {"a": list(x)}
    b = identity(d["a"], len(x))
    b[0] = 3.0
    return d["a"][0] * x[1]


def lent_around(x):
    a = list(x)

    def go(n):
        return a if n <= 0 else go(n - 1)

    b = go(len(x))
    b[0] = 3.0
    return a[0] * x[1]


def one_of_two(a, n):
    r = a
    if n > 2:
        r = [v * 2 for v in a]
    if n <= 0:
        return r
    return one_of_two(r, n - 1)


def lent_or_not(x):
    a = list(x)
    b = one_of_two(a, len(x) - 2)
    b[0] = 5.0
    return a[0] * x[1] + b[1]


RIGHT = (
    merged,
    sorted_by_parts,
    sorted_in_place,
    spectrum,
    product_of_polynomials,
    grown_by_each,
    filled,
    shortened,
    one_list_by_two_names,
    two_lists,
    one_list_twice,
    bubbled,
    with_an_empty_end,
    in_a_closure,
    in_a_method,
    by_two_functions,
    parts_that_are_lent,
    lent_and_changed,
    lent_in_a_loop,
    lent_of_a_dict,
    lent_around,
    lent_or_not,
)


@pytest.mark.parametrize("f", RIGHT, ids=lambda f: f.__name__)
def test_recursion_on_lists(f):
    expected = differences(f, (X,))
    np.testing.assert_allclose(grad(f)(X), expected, rtol=1e-5, atol=1e-7)
    along = np.array([0.3, -1.1, 0.7, 0.2])
    value, tangent = jvp(f, (X,), (along,))
    assert value == pytest.approx(f(X), rel=1e-12)
    assert tangent == pytest.approx(expected @ along, rel=1e-5, abs=1e-7)
