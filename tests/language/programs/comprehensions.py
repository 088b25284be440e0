"""List, dict and generator comprehensions, and lists that grow."""

import numpy as np

from tests.language.corpus import program
from tests.language.data import M23, M33, V3, V4, V5, W3, W4


@program([(V4,), (V5,)], analytic=True)
def squares(x):
    return sum([xi**2 for xi in x])


@program([(V4,), (V5,)], analytic=True)
def generator_in_sum(x):
    return sum(xi * xi for xi in x) + sum(x[i] * i for i in range(len(x)))


@program([(V4, W4)], analytic=True)
def over_zip(x, y):
    products = [a * b for a, b in zip(x, y)]
    return products[0] * products[-1] + sum(products)


@program([(V5,)])
def with_condition(x):
    kept = [xi**2 for xi in x if xi > 0]
    return sum(kept) * len(kept)


@program([(M23,), (M33,)], analytic=True)
def nested(a):
    return sum([v * v * i for i, row in enumerate(a) for v in row])


@program([(M23,)], analytic=True)
def list_of_lists(a):
    table = [[a[i, j] ** 2 for j in range(3)] for i in range(2)]
    return table[0][1] * table[1][2] + table[1][0]


@program([(0.7, 3), (V3, 2)], analytic=True)
def powers(x, n):
    terms = [x**k for k in range(1, n + 1)]
    return np.sum(terms[0] * terms[-1])


@program([(V4,)], analytic=True)
def to_array(x):
    y = np.array([np.sin(xi) * xi for xi in x])
    return y @ y


@program([(V4,)], analytic=True)
def closed_over_loop(x):
    mean = np.sum(x) / len(x)
    deviations = [(xi - mean) ** 2 for xi in x]
    return sum(deviations) / (len(x) - 1)


@program([(0.7, 1.3)], analytic=True, refusable=True)
def dict_comprehension(x, y):
    values = {name: v * v for name, v in [("a", x), ("b", y)]}
    return values["a"] * values["b"] + values["a"]


@program([({"w": 0.7, "b": 1.3},), ({"w": V3, "b": 0.4},)], analytic=True, refusable=True)
def transformed_dict(parameters):
    scaled = {key: 0.5 * value**2 for key, value in parameters.items()}
    return np.sum(scaled["w"] * scaled["b"])


@program([(V4,)], analytic=True)
def appended(x):
    ys = []
    for xi in x:
        ys.append(np.sin(xi))
    return ys[0] * ys[-1] + sum(ys)


@program([(0.7, 5)], analytic=True)
def trajectory(x, n):
    path = [x]
    for _ in range(n):
        path.append(path[-1] + 0.1 * np.sin(path[-1]))
    total = 0.0
    for p in path:
        total += p * p
    return total


@program([(V3, 3)], analytic=True)
def stacked_trajectory(u, n):
    states = [u]
    for _ in range(n):
        u = u - 0.1 * u**3
        states.append(u)
    return np.sum(np.stack(states) ** 2)


@program([(V3, W3)], analytic=True)
def list_arithmetic(x, y):
    parts = [x] + [y] * 2
    parts += [x * y]
    parts.extend([x + y, x - y])
    return np.sum(np.concatenate(parts) ** 2)


@program([(0.7, 1.3, 2.1)], analytic=True)
def list_slices_and_len(x, y, z):
    values = [x, y, z, x * y]
    head = values[:2]
    tail = values[2:]
    return head[0] * tail[-1] + len(values) * head[1] * tail[0]


@program([([0.7, 1.3],)], analytic=True)
def list_argument_comprehension(values):
    shifted = [v - values[0] for v in values]
    return sum([s * v for s, v in zip(shifted, values)])


@program([([V3, W3],)], analytic=True)
def list_of_arrays(vectors):
    norms = [np.sqrt(v @ v) for v in vectors]
    return norms[0] * norms[1] / sum(norms)


@program([(V4,)])
def max_of_list(x):
    values = [xi * xi for xi in x]
    return max(values) - min(values)


@program([(V4,)], analytic=True)
def tuple_of_generator(x):
    a, b = tuple(xi * xi for xi in x[:2])
    return a * b


@program([(V4,)])
def comprehension_with_conditional_item(x):
    return sum([xi if xi > 0 else 0.1 * xi for xi in x])


@program([(V4,)], analytic=True)
def with_walrus(x):
    return sum([(s := np.sin(xi)) * s + xi for xi in x])


@program([(V4,)], analytic=True)
def map_of_lambda(x):
    return sum(map(lambda v: v * v, x))


@program([(V4, W4)], analytic=True)
def over_helper(x, y):
    def term(a, b):
        return np.exp(-a * b)

    return sum([term(a, b) for a, b in zip(x, y)])
