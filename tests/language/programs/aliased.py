"""Objects under several names, in containers, in closures: right or refused, never wrong."""

import dataclasses
import functools

import numpy as np

from tests.language.corpus import program
from tests.language.data import V3, W3


class Cell:
    def __init__(self, v):
        self.v = v

    def scale(self, a):
        self.v = self.v * a
        return self

    def get(self):
        return self.v


class Holder:
    def __init__(self, first, second):
        self.first = first
        self.second = second


@program([(0.4, 1.2)], analytic=True)
def pair_returned_and_changed(x, y):
    def make():
        a = Cell(x)
        return a, Cell(y), a

    a, b, c = make()
    c.v = c.v * b.v
    return a.v * b.v


@program([(0.4, 1.2)], analytic=True, refusable=True)
def swapped_objects(x, y):
    a, b = Cell(x), Cell(y)
    a, b = b, a
    a.v = a.v * 3 * x
    return a.v + b.v * 2


@program([(0.4, 1.2, 3)], wrt=(0, 1), analytic=True, refusable=True)
def swapped_in_a_loop(x, y, n):
    a, b = Cell(x), Cell(y)
    for _ in range(n):
        a, b = b, a
        a.v = a.v * 3 * x
    return a.v + b.v * 2


@program([(0.4, 1.2, 3)], wrt=(0, 1), analytic=True)
def swapped_values(x, y, n):
    a, b = Cell(x), Cell(y)
    for _ in range(n):
        a.v, b.v = b.v * x, a.v
    return a.v + b.v * 2


@program([(0.4, 1.2)], analytic=True, refusable=True)
def captured_by_lambda(x, y):
    c = Cell(x)
    read = lambda t: c.v * t  # noqa: E731
    before = read(y)
    c.v = c.v * y
    return before + read(y) ** 2


@program([(0.4, 1.2), (1.4, 1.2)], refusable=True)
def conditional_alias(x, y):
    a, b = Cell(x), Cell(y)
    c = a if x > 1 else b
    c.v = c.v * x
    return a.v + 2 * b.v


@program([(0.4, 1.2)], analytic=True, refusable=True)
def object_in_dict_changed(x, y):
    c = Cell(x)
    table = {"c": c, "n": 1}
    table["c"].v = table["c"].v * y
    table["d"] = Cell(y)
    table["d"].scale(x)
    return c.v * table["d"].v


@program([(0.4, 1.2)], analytic=True, refusable=True)
def list_of_two_changed_in_loop(x, y):
    cells = [Cell(x), Cell(y)]
    for c in cells:
        c.v = c.v * x
    return cells[0].v + cells[1].v * 2


@program([(0.4, 1.2)], analytic=True, refusable=True)
def list_of_two_with_enumerate(x, y):
    cells = [Cell(x), Cell(y)]
    for i, c in enumerate(cells):
        c.v = c.v * x + cells[0].v * i
    return cells[0].v + cells[1].v * 2


def descend(cell, n):
    cell.v = cell.v * 1.5
    if n == 0:
        return cell.v
    return descend(cell, n - 1)


@program([(0.4, 3), (Cell(0.4), 3)], wrt=0, analytic=True, refusable=True)
def recursion_changes_object(x, n):
    c = x if isinstance(x, Cell) else Cell(x)
    total = descend(c, n)
    return total * c.v


@program([(0.4, 1.2)], analytic=True)
def many_targets(x, y):
    c, d = Cell(x), Cell(y)
    c.v = d.w = x * y
    (c.a, c.b), *rest = (x, y), x, y
    for c.i in range(3):
        d.w += c.i * x
    return c.v * d.w + c.a * c.b + sum(rest) + c.i


@program([(0.4, 1.2)], analytic=True, refusable=True)
def changed_through_its_dict(x, y):
    c = Cell(x)
    c.__dict__["v"] = x * y
    vars(c)["v"] *= y
    return c.v


@program([(Cell(0.7), 1.2)], analytic=True, refusable=True)
def argument_changed_through_its_dict(c, y):
    c.__dict__["v"] = c.v * y
    return c.v


@program([(Cell(0.7), 1.2)], analytic=True, refusable=True)
def argument_changed_through_vars(c, y):
    vars(c).update(v=c.v * y)
    return c.v


@program([(0.4, 1.2)], analytic=True, refusable=True)
def deleted_attribute(x, y):
    c = Cell(x)
    c.w = y
    del c.w
    if hasattr(c, "w"):
        c.v = c.v * 2
    return c.v * getattr(c, "w", y)


class Cached:
    def __init__(self, v):
        self.v = v

    @functools.cached_property
    def square(self):
        return self.v**2


@program([(0.4, 1.2), (Cached(0.4), 1.2)], analytic=True, refusable=True)
def cached_property_is_stale(x, y):
    c = x if isinstance(x, Cached) else Cached(x)
    first = c.square
    c.v = y * c.v
    return first + c.square * c.v


@program([(Cached(0.4), 1.2)], analytic=True, refusable=True)
def cached_property_of_argument(c, y):
    first = c.square
    c.v = y * c.v
    return first + c.square * c.v


class Guarded:
    def __setattr__(self, name, value):
        object.__setattr__(self, name, value * 2)


@program([(0.4, 1.2)], analytic=True, refusable=True)
def intercepted_stores(x, y):
    g = Guarded()
    g.v = x * y
    return g.v


class Params(dict):
    def __setitem__(self, key, value):
        super().__setitem__(key, 2 * value)


@program([(0.4, 1.2)], analytic=True, refusable=True)
def subclass_of_dict(x, y):
    p = Params(a=x)
    p["b"] = y * x
    return p["a"] * p["b"]


@program([(Params(a=0.4, b=1.2), 1.2)], wrt=1, analytic=True, refusable=True)
def subclass_of_dict_argument(p, y):
    p["a"] = y
    return p["a"] * y


class Meter:
    def __init__(self):
        self.value = 0
        self.history = []

    def read(self, v):
        self.value = self.value + v
        self.history.append(self.value)
        return len(self.history)

    def scale(self):
        return self.history[-1] / self.value


@program([(V3,)], analytic=True)
def kind_of_field_changes(x):
    m = Meter()
    count = 0
    for v in x:
        count += m.read(v * v)
    return m.value * m.scale() * count + m.history[0]


@program([(0.4, 1.2)], analytic=True, refusable=True)
def identity_compared(x, y):
    a, b = Cell(x), Cell(x)
    c = a
    total = x * y
    if a is c:
        total = total * 2
    if a is b or a == b:
        total = total * 3
    if a in [c]:
        total = total * x
    return total * a.v


@program([(0.4, 3)], wrt=0, analytic=True, refusable=True)
def identity_after_loop(x, n):
    first = c = Cell(x)
    for _ in range(n):
        c = Cell(c.v * x)
    return c.v * (2.0 if c is first else 3.0)


@program([(0.4, 3), (0.4, 0)], wrt=0, analytic=True, refusable=True)
def loop_that_may_not_run(x, n):
    first = c = Cell(x)
    for _ in range(n):
        c = Cell(c.v * x)
    c.v = c.v * 2
    return first.v + c.v


@program([(0.4, 3)], wrt=0, analytic=True, refusable=True)
def collected_then_changed(x, n):
    cells = []
    for i in range(n):
        c = Cell(x * i)
        cells.append(c)
        c.v = c.v + x
    return sum(c.v for c in cells)


@program([(0.4, 3)], wrt=0, analytic=True, refusable=True)
def last_one_changed(x, n):
    cells = []
    for i in range(n):
        c = Cell(x * i)
        cells.append(c)
    c.v = 5 * x
    return sum(c.v for c in cells)


@program([(Holder(Cell(0.4), Cell(1.2)), 0.3)], analytic=True)
def nested_swap(h, a):
    h.first.v = h.first.v * a
    h.second.scale(a)
    kept = h.first
    kept.v = kept.v + h.second.v
    return h.first.v * h.second.v


@program([(Holder(Cell(0.4), Cell(1.2)), 0.3)], analytic=True, refusable=True)
def nested_replaced(h, a):
    old = h.first
    h.first = h.second
    h.first.v = h.first.v * a
    old.v = old.v * 3
    return h.first.v * h.second.v + old.v


@program([(Holder(Cell(0.4), Cell(1.2)), 0.3)], analytic=True, refusable=True)
def nested_new_object(h, a):
    h.first = Cell(a * h.second.v)
    h.first.scale(a)
    return h.first.v * h.second.v


@program([(Holder([0.4, 1.2], {"w": V3}), W3)], analytic=True, refusable=True)
def containers_in_an_object(h, x):
    h.second["w"] = h.second["w"] * x
    h.first[1] = np.sum(h.second["w"])
    return h.first[1] * h.first[0]


@dataclasses.dataclass
class Settings:
    rate: float
    steps: int = 3
    name: str = "a"


@program([(Settings(0.3), 0.4), (Settings(0.3, 2, "b"), 0.4)], analytic=True, refusable=True)
def settings_changed(settings, x):
    settings.rate *= 0.5
    settings.steps += 1
    settings.name = settings.name + "c"
    y = x
    for _ in range(settings.steps):
        y = y - settings.rate * np.sin(y) * len(settings.name)
    return y


@program([(0.4, 4)], wrt=0, analytic=True, refusable=True)
def made_in_while_and_branch(x, n):
    c = None
    i = 0
    while i < n:
        if c is None:
            c = Cell(x)
        else:
            c.v = c.v * x
        i += 1
    return c.v


@program([(0.4, 4)], wrt=0, analytic=True, refusable=True)
def reset_in_loop(x, n):
    c = Cell(x)
    total = 0.0
    for i in range(n):
        if i % 2 == 0:
            c = Cell(x * i)
        c.v = c.v + x
        total += c.v
    return total


@program([(0.4, 4)], wrt=0, analytic=True, refusable=True)
def made_in_loop_read_after(x, n):
    for i in range(n):
        c = Cell(x * i)
        if i < 2:
            d = c
        c.scale(x)
    return c.v + d.v * 3


@program([(0.4, 4)], wrt=0, analytic=True, refusable=True)
def view_of_items_in_loop(x, n):
    state = {"a": x, "b": x * x}
    for _ in range(n):
        for value in state.values():
            state["b"] = state["b"] + value
    return state["b"]


@program([(0.4, 4)], wrt=0, analytic=True, refusable=True)
def keys_added_in_calls(x, n):
    state = {"a": x}

    def add(k, v):
        state[k] = v

    add("b", x * x)
    total = 0.0
    for k in state:
        total += state[k]
    add("c", x * 3)
    return total * sum(state.values()) * len(state)


@program([({"a": 0.4}, 1.2)], analytic=True, refusable=True)
def key_added_to_argument(d, y):
    n = len(d)
    if "b" not in d:
        d["b"] = d["a"] * y
    return sum(d.values()) * d["b"] * len(d) + n * (2.0 if "c" in d else 3.0)
