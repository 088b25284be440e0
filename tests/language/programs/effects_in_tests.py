"""Calls in tests, comparisons and assignments that put what carries a derivative somewhere."""

import functools

import numpy as np

from tests.language.corpus import program
from tests.language.data import V4


def put(table, value):
    table["v"] = value
    return True


class Best:
    def __init__(self):
        self.value = 0.0

    def offer(self, value):
        if value > self.value:
            self.value = value
            return True
        return False


class Told:
    """Each of its special methods changes the table that it is given."""

    def __init__(self, table):
        self.table = table
        self.count = 0

    @property
    def top(self):
        self.count += 1
        self.table["v"] = self.count * self.table["w"]
        return True

    def __len__(self):
        self.table["v"] = self.table["w"] * 3
        return 1

    def __getitem__(self, i):
        self.table["v"] = self.table["w"] * 2
        return i


@program([(V4,)])
def a_helper_in_a_test(x):
    best = {"v": 0.0}
    n = 1
    if put(best, x[0] ** 2):
        n += 1
    return best["v"] * n


@program([(V4,)], refusable=True)
def a_callback(x):
    best = {"v": -1e9, "i": None}

    def offer(i, v):
        if v > best["v"]:
            best["v"] = v
            best["i"] = i
            return True
        return False

    n = 0
    for i, v in enumerate(x):
        if offer(i, v * v):
            n += 1
    return best["v"] * n + x[best["i"]]


@program([(V4,)])
def until_it_is_full(x):
    kept = []

    def keep(v):
        kept.append(v)
        return len(kept) < 3

    for v in x:
        if not keep(v * v):
            break
    return sum(kept)


@program([(V4,)])
def an_object_in_a_test(x):
    best, n = Best(), 0
    for v in x:
        if best.offer(v * v):
            n += 1
    return best.value * n


@program([(V4,), (-V4,)])
def on_either_side(x):
    best = {"v": 0.0}
    n = 3 if put(best, x[0] ** 2) and x[1] > 0 else 2
    return best["v"] * n


@program([(V4,)], refusable=True)
def second_in_a_test(x):
    best = {"v": 0.0}
    n = 0
    while n < 3 and put(best, x[n] ** 2):
        n += 1
    return best["v"] * n


@program([(V4,)], refusable=True)
def asserted(x):
    best = {"v": 0.0}
    assert put(best, x[0] ** 2)
    return best["v"] * 2


@program([(V4,)], refusable=True)
def in_a_text(x):
    best = {"v": 0.0}
    text = f"{put(best, x[0] ** 2)}"
    return best["v"] * len(text)


@program([(V4,)], refusable=True)
def a_property_in_a_test(x):
    table = {"w": x[0] ** 2, "v": 0.0}
    told = Told(table)
    n = 1
    if told.top:
        n += 1
    if told.top:
        n += 1
    return table["v"] * n


@program([(V4,)], refusable=True)
def truth_of_an_object(x):
    table = {"w": x[0] ** 2, "v": 0.0}
    told = Told(table)
    return table["v"] * 2 if told else table["v"]


@program([(V4,)], refusable=True)
def item_of_an_object(x):
    table = {"w": x[0] ** 2, "v": 0.0}
    told = Told(table)
    n = 1
    if told[2] > 1:
        n += 1
    return table["v"] * n


@program([(V4,)])
def appended_in_an_assignment(x):
    xs = []
    last = xs.append(x[0] ** 2)
    return xs[0] * 2 if last is None else 0.0


@program([(V4,)])
def appended_in_a_comprehension(x):
    xs = []
    _ = [xs.append(v**2) for v in x]
    return sum(xs)


@program([(V4,)])
def appended_by_a_lambda(x):
    xs = []
    for v in x:
        (lambda w: xs.append(w * w))(v)
    return sum(xs)


@program([(V4,)])
def appended_by_map(x):
    xs = []
    list(map(xs.append, x**2))
    return sum(xs)


@program([(V4,)])
def appended_before_or(x):
    xs = []
    s = functools.reduce(lambda total, v: xs.append(total * v) or total + v, x, 1.0)
    return s + sum(xs)


@program([(V4,)])
def appended_to_a_default(x):
    table = {}
    for i, v in enumerate(x):
        _ = table.setdefault(i % 2, []).append(v**2)
    return sum(table[0]) + table[1][0] * 2


@program([(V4,)], refusable=True)
def appended_in_any(x):
    xs = []
    any(xs.append(v**2) for v in x)
    return sum(xs)


@program([(V4,)])
def updated_in_an_assignment(x):
    table = {"a": 1.0}
    _ = table.update(a=x[0] ** 2)
    return table["a"]


@program([(V4,)], refusable=True)
def items_set_by_name(x):
    table = {"a": 1.0}
    table.update({"a": x[0] ** 2}, b=x[1])
    table.__setitem__("c", x[2] ** 2)
    return table["a"] * table["b"] * table["c"]


@program([(V4,)])
def filled_in_an_assignment(x):
    b = np.zeros(4)
    _ = b.fill(x[0] ** 2)
    return b.sum()


@program([(V4,)])
def number_that_was_none(x):
    s = 1.0
    for v in x:
        choice = None
        if not choice:
            choice = s + v * v
        s = choice
    return s


@program([(V4,)])
def a_helper_in_the_test_of_a_loop(x):
    xs = []

    def push():
        xs.append(x * len(xs))
        return len(xs)

    while push() < 5:
        x = x * 1.1
    return np.sum(xs[-1] * xs[2])


@program([(V4,)])
def a_store_in_the_test_of_a_loop(x):
    buffer = np.zeros(4)

    def step(b):
        b += x
        return np.max(b)

    i = 0
    while i < 10 and step(buffer) < 8.0:
        i += 1
    return np.sum(buffer**2)


@program([(V4,)])
def a_store_that_a_test_may_skip(x):
    buffer = np.zeros(4)

    def step(b):
        b += x
        return np.max(b)

    if x[0] > 100.0 or step(buffer) < 8.0:
        buffer = buffer * x
    if x[0] > 100.0 and (x[1] > 1.0 or step(buffer) < 8.0):
        buffer = buffer * x
    return np.sum(buffer**2)


@program([(V4,)])
def a_pop_in_the_test_of_a_loop(x):
    xs = [x[0], x[1] * 2, x[2]]
    s = x[0]
    while xs and xs.pop() > -5.0:
        s = s + np.sum(xs) * x[0] if xs else s
    return s
