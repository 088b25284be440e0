"""Tuples, lists and dicts as values, as arguments and as results."""

import numpy as np

from tests.language.corpus import program
from tests.language.data import COL2, F32, M23, M33, V3, V4, W3, X32


@program([((0.7, 1.3),), ((V3, W3),), ((X32, F32),)], analytic=True)
def tuple_argument(pair):
    x, y = pair
    return np.sum(x * y + pair[0] ** 2)


@program([([0.7, 1.3, -0.4],), ([V3, W3, V3 * 2],)], analytic=True)
def list_argument(xs):
    return np.sum(xs[0] * xs[1] - xs[-1] ** 2 * xs[0])


@program([([0.7, 1.3, -0.4], 0.5), ((0.7, 1.3), 0.5)], analytic=True)
def sum_and_len(xs, y):
    mean = sum(xs) / len(xs)
    return mean**2 * y + xs[0]


@program([({"w": 0.7, "b": 1.3}, 0.4), ({"w": M23, "b": COL2}, V3)], analytic=True)
def dict_argument(params, x):
    z = params["w"] * x + params["b"]
    return np.sum(z**2)


@program([({"a": {"w": 0.7, "b": [1.3, 0.2]}, "n": "name", "k": (V3, 0.4)},)], analytic=True)
def nested_dict_argument(params):
    inner = params["a"]
    first, second = inner["b"]
    v, s = params["k"]
    return inner["w"] * first + second**2 * np.sum(v) * s


@program([({"w": 0.7, "b": 1.3, "unused": V3},)], analytic=True)
def partly_used_dict(params):
    return params["w"] ** 2 * params["b"]


@program([({"w": 0.7}, 0.4), ({"w": 0.7, "b": 1.3}, 0.4)], analytic=True)
def dict_get_and_in(params, x):
    y = params["w"] * x
    if "b" in params:
        y = y + params["b"] * x
    return y * params.get("scale", 2.0)


@program([(((0.7, 1.3), [0.4, (V3, 2.0)]),)], analytic=True)
def deeply_nested(structure):
    (a, b), (c, (v, d)) = structure
    return a * b * c + d * np.sum(v**2) * a


@program([([(M33, V3), (M23, np.array([0.3, -0.4]))], W3)], analytic=True)
def list_of_layers(layers, x):
    for w, b in layers[:-1]:
        x = np.tanh(w @ x + b)
    w, b = layers[-1]
    out = w @ x + b
    return out @ out


@program([(0.7, 1.3)], analytic=True)
def tuple_in_local(x, y):
    p = (x * y, x + y)
    q = (p[0] * p[1], p)
    return q[0] * q[1][0] + q[1][1]


@program([(0.7, 1.3)], analytic=True)
def tuple_concatenation(x, y):
    p = (x, y) + (x * y,)
    q = p[1:] + (2.0,)
    return p[2] * q[0] * q[-1] + len(p) * q[1]


@program([(0.7, 1.3)], analytic=True, refusable=True)
def dict_in_local(x, y):
    d = {"a": x * y, "b": {"c": y}}
    d["b"]["c"] = d["a"] * 2
    return d["a"] * d["b"]["c"] + sum(d[k] for k in ["a"])


@program([(0.7, 1.3)], analytic=True, refusable=True)
def dict_constructor_and_update(x, y):
    d = dict(a=x, b=y)
    d.update(b=x * y)
    e = {**d, "c": d["a"] ** 2}
    return e["a"] * e["b"] + e["c"]


@program([(0.7, 1.3)], analytic=True, refusable=True)
def dict_with_integer_and_tuple_keys(x, y):
    table = {0: x, 1: x * y, (0, 1): y}
    return table[0] * table[1] + table[(0, 1)] ** 2


@program([(0.8, 6)], analytic=True, refusable=True)
def memoized_recursion(x, n):
    memo = {0: 1.0, 1: x}
    for k in range(2, n):
        memo[k] = 2 * x * memo[k - 1] - memo[k - 2]
    return memo[n - 1]


@program([(0.7, 1.3)], analytic=True)
def list_of_lists(x, y):
    table = [[x, y], [x * y, 1.0]]
    det = table[0][0] * table[1][1] - table[0][1] * table[1][0]
    return det * det


@program([(0.7, 1.3)], analytic=True)
def list_grows_and_shrinks(x, y):
    stack = []
    stack.append(x)
    stack.append(x * y)
    top = stack.pop()
    stack.append(top * top)
    stack.insert(0, y)
    return stack[0] * stack[1] * stack[2]


@program([(V3, W3)], analytic=True)
def arrays_from_lists(x, y):
    a = np.array([x, y])
    b = np.array([[x[0], y[1]], [1.0, x[2] * y[2]]])
    return np.sum(a**2) * np.sum(b * b)


@program([([0.7, 1.3, -0.4],), ((0.7, 1.3),)], analytic=True)
def array_of_list_argument(xs):
    v = np.array(xs)
    return v @ v + v[0] * xs[1]


@program([((0.7, 1.3),)], analytic=True)
def tuple_to_tuple(p):
    return (p[1] * p[0], p[0])


@program([({"a": 0.7, "b": V3},)], analytic=True)
def dict_to_dict(p):
    return {"b": p["b"] * p["a"], "a": p["a"] ** 2}


@program([([0.7, 1.3],)], analytic=True)
def list_copied(xs):
    ys = list(xs)
    ys[0] = ys[0] * ys[1]
    zs = xs[:]
    zs.append(ys[0])
    return ys[0] * zs[0] * zs[2]


@program([([0.7, 1.3, 0.2],)], analytic=True)
def list_reversed_and_zipped(xs):
    total = 0.0
    for a, b in zip(xs, reversed(xs)):
        total += a * b**2
    return total


@program([((0.7, 1.3, 0.2), 1), ((0.7, 1.3, 0.2), -1)], wrt=0, analytic=True)
def tuple_indexed_by_variable(xs, i):
    return xs[i] ** 2 * xs[0]


@program([((0.7, 1.3),)], analytic=True)
def tuple_in_loop(pair):
    for _ in range(3):
        pair = (pair[1], pair[0] * pair[1])
    return pair[0] + pair[1] ** 2


@program([({"x": V3, "v": W3}, 3)], analytic=True)
def state_dict_in_loop(state, n):
    for _ in range(n):
        state = {
            "x": state["x"] + 0.1 * state["v"],
            "v": state["v"] - 0.1 * np.sin(state["x"]),
        }
    return np.sum(state["x"] ** 2 + state["v"] ** 2)


@program([(V4,)])
def sorted_numbers(x):
    ys = sorted([xi * xi for xi in x])
    return ys[0] * ys[1] - ys[-1]


@program([({"b": 0.7, "a": 1.3},)], analytic=True)
def sorted_keys(params):
    total = 1.0
    for i, key in enumerate(sorted(params)):
        total = total * params[key] ** (i + 1)
    return total


@program([([(2, 0.7), (1, 1.3)],)], wrt=0, analytic=True)
def list_with_integer_keys(pairs):
    total = 0.0
    for n, x in sorted(pairs, key=lambda p: p[0]):
        total = total * x + x**n
    return total


@program([((), 0.7), ((1.3,), 0.7)], wrt=1, analytic=True)
def possibly_empty(extra, x):
    total = x * x
    for e in extra:
        total = total * e
    return total


@program([(V3,)], analytic=True)
def tuple_returned_and_read_in_a_loop(x):
    pair = (x[0], x[1])
    total = 0.0
    for k in range(2):
        total += pair[k] * (k + 1)
    return pair, total
