"""Every form of assignment."""

import numpy as np

from tests.language.corpus import program
from tests.language.data import F32, M23, M33, P3, V3, V4, V5, W3, X32, Z3


@program([(0.7, 1.3), (V3, W3)], analytic=True)
def reassigned(x, y):
    z = x * y
    z = z * z + x
    x = np.sin(z)
    z = x * z
    return np.sum(z * x * y)


@program([(0.7, 1.3), (V3, W3)], analytic=True)
def tuple_assignment(x, y):
    a, b = x * y, x - y
    a, b = b, a * b
    (c, d), e = (a, b * a), a + b
    return np.sum(c * d + e)


@program([(0.7, 1.3), (V3, W3)], analytic=True)
def swap(x, y):
    for _ in range(3):
        x, y = y, x * y + x
    return np.sum(x * y)


@program([(0.7, 1.3), (V3, W3)], analytic=True)
def rotation(x, y):
    c, s = np.cos(0.3), np.sin(0.3)
    x, y = c * x - s * y, s * x + c * y
    [x, y] = [x * y, y]
    return np.sum(x * x * y)


@program([(0.4, 0.7, 1.3, 1.9)], analytic=True)
def starred(a, b, c, d):
    first, *rest = a * b, c, d, c * d
    *most, last = rest
    head, *middle, tail = (a, b, c, d)
    return first * last + sum(most) * middle[0] * tail + head * middle[-1]


@program([(V5,), (V4,)], analytic=True)
def starred_from_array(x):
    first, *rest = x
    total = first * first
    for r in rest:
        total = total * r + first
    return total


@program([(0.7,), (V3,)], analytic=True)
def chained(x):
    a = b = x * x
    c = d = e = a * b
    b = b * 3
    return np.sum(a + b * c - d * e)


@program([(0.7,), (V3,)], analytic=True)
def annotated(x):
    y: float = x * x
    z: "np.ndarray"
    z = y * x
    w: float = 2.0
    return np.sum(w * z * y)


@program([(0.7, 1.3), (V3, W3)], analytic=True)
def augmented_numbers(x, y):
    z = 1.0 * np.sum(x)
    z += np.sum(x * y)
    z -= np.sum(y)
    z *= np.sum(x) + 3
    z /= 2 + np.sum(y * y)
    z **= 2
    return z


@program([(5.3, 1.7), (7.9, 2.2)])
def augmented_remainder(x, y):
    z = x * x
    z %= y
    w = x * 3
    w //= y
    return z * z + w * x


@program([(0.7, 1.3)], analytic=True)
def walrus(x, y):
    if (t := x * y) != 0:
        t = t * x
    z = (s := t + y) * s
    return z + t * (u := x * x) + u


@program([(3.4, 0.7), (9.5, 0.7)])
def walrus_in_while(x, rate):
    n = 0
    while (y := x * rate) > 1.0:
        x = y
        n += 1
    return x * y + n * rate


@program([(0.7, 1.3), (V3, W3)], analytic=True)
def alias(x, y):
    z = y
    y = x * y
    w = z
    z = z * y
    return np.sum(w * z * y)


@program([(0.7,), (V3,)], analytic=True)
def dead_code(x):
    y = np.exp(x)
    unused = y * 17
    y = x * x
    also_unused = np.sin(unused)
    return np.sum(y)


@program([(0.7,), (V3,), (X32,), (F32,)])
def overwritten_by_constant(x):
    y = x * x
    z = np.sum(y)
    y = 2.0
    return z * y


@program([(0.7,), (V3,)])
def parameter_overwritten(x):
    s = np.sum(x)
    x = 3.0
    return s * s * x


@program([(0.7, 3), (1.2, 4)], analytic=True)
def parameter_overwritten_in_loop(x, n):
    for _ in range(n):
        x = x * x + 0.1
    return x


@program([(0.7, 1.3)], analytic=True)
def nested_tuple_target(x, y):
    pair = (x * y, (x - y, [x + y, y]))
    a, (b, [c, d]) = pair
    return a * b + c * d * a


@program([(M23,)], analytic=True)
def unpack_shape(a):
    n, m = a.shape
    return np.sum(a) * n / m


@program([(0.7, 1.3)], analytic=True, refusable=True)
def values_in_new_list(x, y):
    v = [0.0, 0.0, 0.0]
    v[0] = x * y
    v[1] = v[0] * x
    v[2] = v[1] + v[0]
    return v[2] * v[1]


@program([(0.7, 1.3)], analytic=True, refusable=True)
def values_in_new_dict(x, y):
    state = {}
    state["pos"] = x
    state["vel"] = y * x
    state["pos"] = state["pos"] + 0.1 * state["vel"]
    return state["pos"] ** 2 + state["vel"]


@program([(0.4, 1.1), (-0.4, 1.1)])
def type_changing_name(x, y):
    z = x
    if y > 1:
        z = 2
    z = z * y
    return z * x


@program([(P3, W3)], analytic=True)
def long_straight_line(x, y):
    a = x * y
    b = np.sin(a)
    c = a + b
    d = c * c
    e = np.exp(-d)
    f = e * a
    g = f / (1 + d)
    h = g - b
    i = h * h
    j = np.sqrt(1 + i)
    k = j * x
    return np.sum(k - e)


@program([(0.7, 1.3), (V3, W3)], analytic=True)
def semicolons_and_backslash(x, y):
    a = x * y
    b = a + x  # noqa: E702
    c = a * b + x
    return np.sum(c)


@program([(Z3,)])
def complex_parts_assigned(z):
    re, im = z.real, z.imag
    r = np.sqrt(re**2 + im**2)
    return np.sum(r * re - im)


@program([(M33, V3)], analytic=True)
def augmented_rebinding_of_fresh_array(a, x):
    y = a @ x
    y = y + x
    z = y * y
    z = z - a @ z
    return np.sum(z)


@program([(0.7, 1.3)], analytic=True)
def names_like_keywords_of_generated_code(tape, y_bar):
    x_bar = tape * y_bar
    value = x_bar * tape
    tape = value + y_bar
    result = tape * x_bar
    return result * value


@program([(0.7, 1.3)], analytic=True)
def names_of_temporaries(x, y):
    sin_x = np.sin(x) * y
    sin_x_2 = np.cos(sin_x)
    mul = sin_x * sin_x_2
    return np.sin(x) * mul + np.sin(sin_x)


@program([(0.7,)], analytic=True)
def names_that_hide_builtins(x):
    sum = x * x
    max = sum + x
    list = max * sum
    return list * x


@program([(0.7, 1.3)], analytic=True)
def greek_names(α, β):
    γ = α * β
    return γ**2 + α
