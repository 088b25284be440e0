"""Values that may be None: the first of a loop, what a search has found, the end of a list."""

from dataclasses import dataclass
from typing import NamedTuple, Optional

import numpy as np

from tests.language.corpus import program
from tests.language.data import V3

ROWS = np.array([[1.0, 2.0], [4.0, -1.0], [0.5, 0.7]])


class Hit(NamedTuple):
    t: float
    normal: np.ndarray


@dataclass
class Found:
    t: float
    normal: np.ndarray


def hit(o, d):
    if d < 0:
        return None
    return Hit(o * d, np.array([o, d]))


def found(o, d):
    if d < 0:
        return None
    return Found(o * d, np.array([o, d]))


def chain(v, n):
    node = None
    for k in range(n):
        node = (v * k, node)
    return node


def even_multiple(x, k) -> Optional[np.ndarray]:
    if k % 2:
        return None
    return x * k


def root(x, warm=None):
    y = x if warm is None else warm
    for _ in range(3):
        y = 0.5 * (y + x / y)
    return y


@program([(0.3,), (-0.2,)], analytic=False)
def best_of_hits(a):
    best = None
    for k in range(4):
        h = hit(a, (k - 1.5) * 0.7)
        if h is not None and (best is None or h.t > best.t):
            best = h
    if best is None:
        return 0.0
    return best.t * best.normal.sum()


@program([(0.3,)], analytic=True)
def hits_and_misses(a):
    t = 0.0
    for i in range(-2, 3):
        h = hit(a, i * 0.1)
        if h is None:
            continue
        t += h.t * 2 + h.normal.sum()
    return t


@program([(0.3,)], analytic=True)
def objects_and_misses(a):
    t = 0.0
    for i in range(-2, 3):
        h = found(a, i * 0.1)
        if h is None:
            continue
        t += h.t * 2 + h.normal.sum()
    return t


@program([(0.3,)], analytic=True)
def miss_is_an_error(a):
    h = hit(a, 0.5)
    if h is None:
        raise ValueError("no hit")
    t, n = h
    return t + n.sum()


@program([(V3,)], analytic=True)
def previous_number(xs):
    previous = None
    total = 0.0
    for x in xs:
        if previous is not None:
            total += (x - previous) ** 2
        previous = x * x
    return total


@program([(ROWS,)], analytic=False)
def previous_row(xs):
    previous = None
    total = 0.0
    for x in xs:
        if previous is not None:
            total += ((x - previous) ** 2).sum() * previous.max()
        previous = x * x
    return total


@program([(ROWS,)], analytic=False)
def best_row(xs):
    best = None
    row = None
    for x in xs:
        s = x @ x
        if best is None or s > best:
            best = s
            row = x
    assert row is not None
    return best * row.sum()


@program([(0.4,)], analytic=True)
def linked_list_unpacked(v):
    node = chain(v, 4)
    total = 0.0
    while node is not None:
        value, node = node
        total += value * value
    return total


@program([(0.4,)], analytic=True)
def linked_list_by_index(v):
    node = chain(v, 4)
    total = 0.0
    while node is not None:
        total += node[0] ** 2
        node = node[1]
    return total


@program([(0.4,)], analytic=True)
def nested_pairs_unpacked(v):
    node = (v, (v * 2, (v * 3, 0.0)))
    total = 0.0
    for k in range(3):
        value, node = node
        total += value * value * (k + 1)
    return total


@program([(np.array([1.0, 2.0]),)], analytic=True)
def array_or_none_that_changes(x):
    s = 0.0
    for k in range(5):
        y = even_multiple(x, k)
        if y is None:
            s += 1
        else:
            y[0] += 3 * x[1]
            s += y.sum() * y[0]
    return s


@program([(np.array([1.0, 2.0]),)], analytic=False)
def begun_later(x):
    y = None
    s = 0.0
    for k in range(5):
        if k == 2:
            y = x * k
        elif y is not None:
            y = y * y.mean()
            s += y.max()
    return s if y is None else s * y.sum()


@program([(np.array([1.0, 2.0]),)], analytic=True)
def warm_start(x):
    w = None
    s = 0.0
    for k in range(3):
        w = root(x + k, w)
        s += w.sum()
    return s


@program([(V3,)], analytic=True)
def a_list_by_default(x, made=None):
    if made is None:
        made = []
    for v in x:
        made.append(v * v)
    return made[0] * made[-1]


@program([(V3,)], analytic=True)
def a_list_unless_given(x, given=None):
    items = [] if given is None else given
    for v in x:
        items.append(v * v)
    return items[0] * items[-1]


@program([(V3,)], analytic=True)
def a_dict_by_default(x, table=None, scale=None):
    if table is None:
        table = {}
    if scale is not None:
        table = dict(scale)
    elif len(x) > 2:
        table["c"] = x[2]
    table["a"] = x[0] ** 2
    return table["a"] * x[1] * len(table)
