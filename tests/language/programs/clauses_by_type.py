"""Code for numbers and arrays in one: which clause of a `try` runs depends on the types alone."""

import math

import numpy as np

from tests.language.corpus import program
from tests.language.data import M33, V3, V4


@program([(0.3, V3), (0.3, 1.2), (0.3, 0.3)], wrt=(0, 1))
def small_ones_vanish(lat, e):
    e = e * lat
    try:
        e[abs(e) < 0.3] = 0.0
    except TypeError:
        if abs(e) < 0.3:
            e = 0.0
    return np.sum(e**2) + lat


def inside_out(alt, inside):
    try:
        if np.any(inside):
            alt[inside] = -alt[inside]
    except (TypeError, IndexError):
        if inside:
            alt = -alt
    return alt


@program([(V4, 0.2), (0.7, 0.2), (-0.7, 0.2)], refusable=True)
def negated_where_inside(x, level):
    alt = x * x - level
    alt = inside_out(alt, x > level)
    return np.sum(alt * x)


@program([(V3,), (0.7,)])
def updated_where_it_can_be(x):
    y = x * 2
    try:
        y[0] += 1.5
        y[1:] *= x[1:]
    except TypeError:
        y = y + 1.5
    return np.sum(y * y)


@program([(V3,), (0.7,)])
def with_else_and_finally(x):
    y = x * 3
    seen = []
    try:
        y[1] = y[0] * y[2]
    except TypeError:
        y = y * y
    else:
        y = y + 1
    finally:
        seen.append(1)
    return np.sum(y) * len(seen)


@program([(V3,), (0.7,)])
def half_of_it_runs(x):
    y = x * 3
    w = x
    try:
        w = w * x
        y[1] = 4.0
    except TypeError:
        y = y * w
    return np.sum(y * w)


@program([(V3, 0), (V3, 7), (0.7, 0)], wrt=0)
def other_errors_are_caught_too(x, k):
    y = x * 2
    try:
        y[k] = y[1] * 3
    except (TypeError, IndexError):
        y = y * 5
    return np.sum(y * x)


@program([(V3, "3")], wrt=0, refusable=True)
def what_comes_before_may_raise(x, text):
    y = x * 2
    k = 0
    try:
        k = int(text)
        y[1] = 3.0
    except (TypeError, ValueError):
        y = y * (k + 5)
    return np.sum(y * x)


@program([(V3,), (0.7,)])
def number_of_items(x):
    try:
        n = len(x)
    except TypeError:
        x = [x]
        n = 1
    return sum(v**2 for v in x) * n


@program([(V3,), (0.7,), ([0.3, 0.7],)], refusable=True)
def list_comprehension(x):
    try:
        out = [t**2 for t in x]
    except TypeError:
        out = [x**2]
    return sum(out)


@program([(V3,), (0.7,), ([0.3, 0.7],)], refusable=True)
def list_comprehension_of_calls(x):
    try:
        out = [math.exp(t) * t for t in x]
    except TypeError:
        out = [math.exp(x)]
    total = 1.0
    for value in out:
        total *= value
    return total


@program([(0.7,), (V3,)])
def taken_for_a_number(x):
    try:
        y = math.sin(x)
    except TypeError:
        y = np.sum(np.sin(x)) * 2
    return y * y


@program([(M33,), (V3,), (0.7,)])
def rank_by_attribute(x):
    try:
        n = x.shape[0]
    except AttributeError:
        n = 5
    return np.sum(x**2) * n


@program([(V3,), (0.7,)])
def in_a_loop(x):
    total = 0.0
    for k in range(3):
        y = x * (k + 1)
        try:
            y[y < 0.5] = 0.25
        except TypeError:
            y = max(y, 0.25)
        total = total + np.sum(y**2)
    return total


@program([(V3,)])
def one_in_the_other(x):
    y = x * x
    try:
        try:
            y[0] = 2 * y[1]
        except AttributeError:
            y = y * 5
    except TypeError:
        y = y * 3
    return np.sum(y * x)


@program([(V3,)])
def update_of_what_is_seen_outside(x):
    rows = [x * 1.0]
    try:
        more = []
        for row in rows:
            more.append(row * x)
        count = int("3")
    except ValueError:
        count = 2
        more = [x]
    return np.sum(more[0]) * count


# What takes tables of pandas too asks for attributes that arrays and numbers do not have.


@program([(V3,), (0.7,)])
def named_where_it_takes_a_name(x):
    y = np.clip(np.cos(x), -1, 1)
    try:
        y.name = "y"
    except AttributeError:
        pass
    return np.sum(y * x)


@program([(V3,), (0.7,)])
def values_where_there_are_any(x):
    try:
        x = x.values
    except AttributeError:
        x = x * 2
    try:
        x = x.to_numpy()
    except:  # noqa: E722
        pass
    return np.sum(x**2)


@program([(V3,), (0.7,)])
def first_row_where_there_are_rows(x):
    if hasattr(x, "iloc"):
        x = x.iloc[0]
    return np.sum(x**2)


@program([(V3,), (0.7,)])
def length_where_there_is_one(x):
    try:
        n = len(x)
    except TypeError:
        n, x = 1, [x]
    total = 0.0
    for value in x:
        total += value**3
    return total * n


class Table:
    """It is not given: only what asks for it runs for arrays and numbers."""

    def __init__(self, values, index):
        raise AssertionError


@program([(V3,), (0.7,), (np.float64(0.7),)])
def table_where_one_was_given(x):
    y = np.sin(x) * x
    if isinstance(x, Table):
        y = Table(y, index=x.index)
    return np.sum(y) if hasattr(y, "__len__") else y
