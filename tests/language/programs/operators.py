"""Operators and expressions."""

import numpy as np

from tests.language.corpus import program
from tests.language.data import (
    COL3,
    F32,
    M23,
    M32,
    M33,
    P3,
    P4,
    ROW3,
    V3,
    V4,
    W3,
    W4,
    X32,
    X64,
    Z3,
    ZERO_D,
)


@program([(0.7, 1.3), (V3, W3), (M23, V3), (M23, 0.4), (X32, X32), (F32, F32)], analytic=True)
def polynomial(x, y):
    return 3 * x**2 + 2 * x * y - y / 4 + 1


@program([(0.7, 1.3), (2.5, -0.8), (V3, 1.7), (M33, COL3 + 3), (ZERO_D, 1.1)], analytic=True)
def ratio(x, y):
    return (x - y) / (x * x + y * y)


@program([(0.7,), (V3,), (X64,), (F32,), (Z3,)], analytic=True)
def signs(x):
    return -x + (+x) * x - -(x * x)


@program([(1.7, 2.3), (0.4, -1.5), (P3, W3), (P3, 0.7), (1.9, V3), (COL3 + 2, ROW3)], analytic=True)
def general_power(x, y):
    return x**y


@program([(1.7,), (-1.4,), (V3,), (M23,), (Z3,)], analytic=True)
def integer_powers(x):
    return x**2 + x**3 - 2 * x**5 + x**-1 + x**0


@program([(0.6,), (-0.8,), (V3,)], analytic=True)
def power_of_constant(x):
    return 2.0**x + 0.5 ** (x * x)


@program([(5.3, 1.7), (7.9, 2.2), (-3.3, 1.25)])
def remainder(x, y):
    return x % y + x * (x // y)


@program([(np.array([5.3, -7.4, 2.6]), 1.7), (np.array([5.3, -7.4, 2.6]), P3)])
def remainder_of_arrays(x, y):
    return np.sum((x % y) ** 2 + (x // y) * x)


@program([(7.3, 2.1), (-7.3, 2.1)])
def division_with_rest(x, y):
    whole, rest = divmod(x, y)
    return whole * x + rest * rest


@program([(V3, W3), (F32, F32)], analytic=True)
def inner_product(x, y):
    return x @ y


@program([(M33, V3, W3), (M23, P3, np.array([0.4, 1.6]))], analytic=True)
def matrix_vector(a, x, y):
    return y @ (a @ x) + (a @ x) @ (a @ x)


@program([(M23, M32), (M33, M33)], analytic=True)
def matrix_matrix(a, b):
    return np.sum((a @ b) * (a @ b))


@program([(M23, M32), (M32, M23)], analytic=True)
def matrix_product(a, b):
    return a @ b


@program([(V3, M32)], analytic=True)
def vector_matrix(x, a):
    return x @ a


@program([(0.7, 1.3), (1.3, 0.7)])
def comparison_chain(x, y):
    if 0.0 < x < y <= 2.0:
        return x * y * y
    return x - y


@program([(0.4,), (1.6,), (2.7,)])
def nested_conditional_expression(x):
    return x * x if x < 1 else (3 * x if x < 2 else np.sin(x))


@program([(0.7, -0.4), (-0.7, 0.4), (-0.7, -0.4), (0.7, 0.4)])
def boolean_operators(x, y):
    if x > 0 and y > 0:
        return x * y
    elif x > 0 or y > 0:
        return x**2 - y
    elif not (x > 0) and not y > 0:
        return np.exp(x) * y
    return x


@program([(0.0, 1.7), (2.4, 1.7)], wrt=1)
def or_as_default(x, y):
    scale = x or 3.0
    return scale * y * y


@program([(0.8, 1.7), (2.4, 0.6)])
def and_or_select_values(x, y):
    first = x and y
    second = x or y
    return first * 3 + second * second


@program([(1.2, "relu"), (1.2, "square"), (-0.4, "relu"), (1.2, "none")])
def membership(x, kind):
    if kind in ("relu", "leaky"):
        return x if x > 0 else 0.1 * x
    if kind not in ["none", "identity"]:
        return x * x
    return 2 * x


@program([(1.3, 5), (0.4, 6), (V3, 3)])
def integer_arithmetic(x, n):
    half = n // 2
    odd = n % 2
    mask = (n << 1) ^ 3
    return x * half + odd * x * x + (mask & 7) * x - ~n * x


@program([(0.8,), (-1.1,)])
def bool_times_float(x):
    positive = x > 0
    return positive * x**2 + (1 - positive) * np.exp(x)


@program([(0.7, None), (0.7, 2.0)], wrt=0)
def identity_tests(x, scale):
    y = x * x if scale is None else x * scale
    if scale is not None:
        y = y + scale
    return y * y


@program([(0.7, 1.3)], analytic=True)
def deep_expression(x, y):
    return ((x + y) * (x - y) / (1 + x * x)) ** 2 + np.exp(-(x**2 + y**2) / 2) * np.sin(
        x * y + np.cos(x / (y + 2))
    )


@program([(0.9,), (V4,)], analytic=True)
def same_name_many_times(x):
    return x * x * x + x / (x + 4) - x * (x * (x * x))


@program([(V3, COL3), (ROW3, COL3), (V3, 0.4), (0.4, M23), (ZERO_D, V3)], analytic=True)
def broadcasting(x, y):
    return np.sum(x * y + x / (y + 3.5) - (x - y) ** 2)


@program([(V3, COL3, 0.7), (M33, ROW3, 1.2)], analytic=True)
def broadcasting_of_three(x, y, a):
    return a * x * y + a / (2 + x * x) + y


@program([(2.0,), (V3,)], analytic=True)
def constants_only(x):
    c = 2 * np.pi / 3 + 1e-3
    k = (1 + 2) * 3
    return c * x + k


@program([(1.3,), (V3,)])
def independent_of_argument(x):
    return 3.0


@program([(1.3, 2.2), (V3, W3)], analytic=True)
def partly_unused(x, y):
    z = y * y
    return np.sum(x) + 0 * np.sum(x)


@program([(V4, P4), (0.3, 1.2)])
def comparisons_as_numbers(x, y):
    below = x < y
    above = x >= y
    return np.sum(below * x * y + above * (x - y) ** 2)


@program([(V4, W4), (M33, M33.T * 1.5)])
def masks_combined(x, y):
    mask = (x > 0) & (y > 0) | ~(x < 1.0)
    return np.sum(np.where(mask, x * y, x + y**2))


@program([(0.7,), (V3,)])
def complex_constant(x):
    return np.real(np.exp(1j * x) * (1 + 2j))


@program([(0.7, 1.9), (V3, W3)])
def complex_intermediate(re, im):
    z = re + 1j * im
    w = z * z + 1 / (z + 3)
    return np.sum(np.abs(w) ** 2 + w.real * w.imag)


@program([(Z3,), (0.4 + 0.9j,)])
def squared_modulus(z):
    return np.sum((z * np.conj(z)).real + np.real(z**3))


@program([(1.3, 0.4)], analytic=True)
def walrus_in_expression(x, y):
    return (t := x * y) * t + np.sin(t)


@program([(1.3, 0.4)], analytic=True)
def chained_calls(x, y):
    return np.exp(np.sin(np.sqrt(x * x + y * y + 1)))


@program([(0.3, 0.8), (0.8, 0.3)])
def conditional_inside_call(x, y):
    return np.exp(x if x > y else y * 2) * (y if x > y else 1.0)


@program([(True, 1.4), (False, 1.4)])
def boolean_argument(flag, x):
    return x**3 if flag else x * 2.0


@program([(V3, W3, P3)], analytic=True)
def nested_tuple_of_results(x, y, z):
    return x * y, (y * z, np.sum(z * x))


@program([(M33, V3)], analytic=True)
def augmented_matrix_product(a, x):
    for _ in range(3):
        x = a @ x / 2
    return x @ x


@program([(1.4, 3), (V3, 4)], analytic=True)
def power_with_variable_integer(x, n):
    return x**n - x ** (n - 1)
