"""Views of dicts that have a name; iterators that call their functions later than they are made."""

import itertools

import numpy as np

from tests.language.corpus import program
from tests.language.data import V4

TABLE = {"a": 1.5, "b": 2.25}


@program([(V4,)])
def pairs_by_name(x):
    d = {"a": x[0], "b": x[1]}
    pairs = d.items()
    s = 0.0
    for k, v in pairs:
        s += v**2 * len(k)
    for i, (k, v) in enumerate(pairs):
        s += v * i
    return s + sum(v for _, v in pairs)


@program([(V4,)])
def values_by_name(x):
    d = {"a": x[0], "b": x[1]}
    values = d.values()
    s = 0.0
    for v in values:
        s += v**2
    for a, b in zip(values, x):
        s += a * b
    return s + sum(values) * len(values) + max(values)


@program([(TABLE,)])
def pairs_of_an_argument(d):
    pairs = d.items()
    s = 0.0
    for k, v in pairs:
        s += v**2 * len(k)
    for v in d.values():
        s *= v
    return s + sum(d.values())


@program([(V4,), (-V4,)])
def one_of_two(x):
    d = {"a": x[0], "b": x[1]}
    pairs = d.items() if x[0] > 0 else {"z": x[2]}.items()
    s = 0.0
    for k, v in pairs:
        s += v**2 * len(k)
    return s


@program([(V4,)])
def unpacked(x):
    d = {"a": x[0], "b": x[1]}
    a, b = d.values()
    (_, v), *rest = d.items()
    return a * b + v**2 + rest[0][1]


@program([(V4,)])
def handed_to_a_helper(x):
    d = {"a": x[0], "b": x[1]}

    def weighed(pairs):
        return sum(v * len(k) for k, v in pairs)

    return weighed(d.items()) + weighed(list(d.items())) * weighed(tuple(d.items()))


@program([(V4,)])
def as_arrays(x):
    d = {"a": x[0], "b": x[1]}
    return np.sum(np.array(list(d.values())) ** 2) + np.fromiter(d.values(), float).sum()


@program([(V4,)])
def extremes(x):
    d = {"a": x[0], "b": x[1], "c": x[2]}
    s = sorted(d.values())
    return s[0] ** 2 * s[-1] + max(d.values()) * min(d.values())


@program([(V4,)], refusable=True)
def keys_as_sets(x):
    d = {"a": x[0], "b": x[1]}
    e = {"a": x[2], "c": x[3]}
    both = d.keys() & e.keys()
    s = 0.0
    for k in sorted(both):
        s += d[k] * e[k]
    return s * len(d.keys() | e.keys())


@program([(V4,)])
def made_in_each_iteration(x):
    d = {}
    s = 0.0
    for i in range(4):
        d[i % 2] = x[i] ** 2
        values = d.values()
        n = len(d)
        t = s * 0.5
        s = t + sum(values) * n
    return s


@program([(TABLE,)], refusable=True)
def view_that_sees_a_key(d):
    values = d.values()
    d["c"] = d["a"] * d["b"]
    return sum(v**2 for v in values) * len(values)


@program([(V4,)], refusable=True)
def view_that_sees_a_value(x):
    d = {"a": x[0], "b": x[1]}
    pairs = d.items()
    d["b"] = x[1] ** 2
    s = 0.0
    for k, v in pairs:
        s += v * len(k)
    return s + sum(d.values())


@program([(V4,)], refusable=True)
def mapped_later(x):
    k = 1.0
    m = map(lambda v: v * k, x)
    k = 3.0
    return sum(m)


@program([(V4,)], refusable=True)
def filtered_later(x):
    k = 0.5
    m = filter(lambda v: v > k, x)
    k = 0.0
    return sum(m)


@program([(V4,)], refusable=True)
def accumulated_later(x):
    k = 1.0
    m = itertools.accumulate(x, lambda a, b: a * k + b)
    k = 3.0
    return sum(m)


@program([(V4,)], refusable=True)
def mapped_by_what_carries_a_derivative(x):
    c = x[0]
    m = map(lambda v: v * c, x)
    t = np.sum(x)
    c = x[1]
    y = list(m)
    return y[0] + y[1] * t


@program([(V4,)])
def mapped_at_once(x):
    k = 1.0
    s = 0.0
    for i in range(3):
        k = k + x[i]
        s += sum(map(lambda v: v * k, x))
        ys = list(map(lambda v: v + k, x))
        s += ys[i]
    return s


@program([(V4,)], refusable=True)
def zip_of_a_list_that_grows(x):
    xs = [x[0], x[1]]
    pairs = zip(xs, x)
    xs.append(x[2] ** 2)
    return sum(a * b for a, b in pairs)


@program([(V4,)], refusable=True)
def chain_of_a_list_that_grows(x):
    xs = [x[0], x[1]]
    both = itertools.chain(xs, x)
    xs.append(x[2] ** 2)
    return sum((i + 1) * b for i, b in enumerate(both))


@program([(V4,)], refusable=True)
def items_taken_in_the_loop(x):
    places = iter(range(4))
    s = 0.0
    for i in places:
        s += x[i] ** 2
        j = next(places)
        s += x[j] * 3
    return s


@program([(V4,)])
def text_taken_apart(x):
    letters = iter("a1b2")
    table = {}
    for c in letters:
        table[c] = int(next(letters))
    return x[table["a"]] ** 2 * x[table["b"]]


@program([(np.array([0.7, -1.3, 0.4, 1.1]),)], refusable=True)
def view_under_another_name(x):
    d = {"a": x[0], "b": x[1]}
    values = d.values()
    again = values
    d["c"] = x[2] * x[3]
    return sum(again) * d["a"]


@program([(np.array([0.7, -1.3, 0.4, 1.1]),)], refusable=True)
def view_in_a_list(x):
    d = {"a": x[0], "b": x[1]}
    held = [d.values()]
    d["c"] = x[2] * x[3]
    return sum(held[0]) * d["a"]


def shown(d):
    return d.values()


@program([(np.array([0.7, -1.3, 0.4, 1.1]),)], refusable=True)
def view_from_a_helper(x):
    d = {"a": x[0], "b": x[1]}
    values = shown(d)
    d["c"] = x[2] * x[3]
    return sum(values) * x[0]


@program([(np.array([0.7, -1.3, 0.4, 1.1]),)], refusable=True)
def view_from_a_function_inside(x):
    d = {"a": x[0], "b": x[1]}

    def get():
        return d.values()

    values = get()
    d["c"] = x[2] * x[3]
    total = 0.0
    for value in values:
        total = total + value * value
    return total
