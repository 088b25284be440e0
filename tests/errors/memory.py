"""Memory that changes in place in ways that are refused: every guard of the reverse sweep trips."""

from __future__ import annotations

import io

import numpy as np

from autodiff.errors import UnsupportedSyntaxError
from tests.errors.mistake import mistake
from tests.language.data import V3


def may_raise(k):
    if k == 1:
        raise ValueError(k)


@mistake(
    *(UnsupportedSyntaxError, V3),
    at="buffer[0] = 1.0 + k",
    says=("inside a `try`", "earlier content", "a copy of `buffer`"),
    taken=True,
)
def buffer_overwritten_in_a_try(x):
    buffer = np.ones(3)
    total = 0.0
    for k in range(3):
        total = total + np.sum(x * buffer)
        try:
            buffer[0] = 1.0 + k
            may_raise(k)
        except ValueError:
            total = total * 2.0
    return total


@mistake(
    *(UnsupportedSyntaxError, V3),
    at="y[0] = x[1] * x[2]",
    says=("`y` carries a derivative", "an exception may follow"),
    taken=True,
)
def active_store_in_a_try(x):
    y = x.copy()
    try:
        y[0] = x[1] * x[2]
        z = y**2
    except ValueError:
        z = y * 2.0
    return np.sum(z)


@mistake(
    *(UnsupportedSyntaxError, V3, True),
    at="v = np.asarray(z, dtype=float)",
    says=("whose memory `v` shares", "`.copy()`"),
    taken=True,
)
def perhaps_a_copy(x, flag):
    y = x * 2.0
    z = x * 3.0
    if flag:
        z = y
    v = np.asarray(z, dtype=float)
    v[0] = x[1]
    return np.sum(y * z) + np.sum(v)


@mistake(
    UnsupportedSyntaxError, V3, at="y.sort(order=None)", says=("no parameter `order`", "leave out")
)
def sorted_in_place(x):
    y = x * 2.0
    y.sort(order=None)
    return np.sum(y)


HELD = [1.0]


@mistake(
    *(UnsupportedSyntaxError, V3),
    at="return np.sum(HELD[-1] * x)",
    says=("changes `HELD`", "pass `HELD` as an argument"),
)
def held_by_a_global(x):
    HELD.append(x)
    return np.sum(HELD[-1] * x)


@mistake(
    *(UnsupportedSyntaxError, V3, V3 + 1.0),
    at="z[0] = z[1] * 2.0",
    says=("`z` carries a derivative", "while `pair`", "`pair` is made in line", "`z` is made"),
    taken=True,
)
def stored_under_two_names(u, v):
    pair = (u, v)
    for z in pair:
        z[0] = z[1] * 2.0
    return np.sum(pair[0] * pair[1])


@mistake(
    *(UnsupportedSyntaxError, V3),
    at="max(rows)",
    taken=True,
)
def greatest_of_lists_that_grow(x):
    rows = [[v, v * 2.0] for v in x]
    greatest = max(rows)
    greatest.append(greatest[0] * greatest[1])
    return sum(sum(row) for row in rows)


@mistake(
    *(UnsupportedSyntaxError, V3), at="sum(rows, [])", says=("a list is used whole", "flat list")
)
def concatenated_lists(x):
    rows = [[v, v * 2.0] for v in x]
    return sum(rows, [])[3] * x[0]


@mistake(
    *(UnsupportedSyntaxError, V3),
    at="max(a, b)",
    says=("`max` of lists", "flat list"),
    taken=True,
)
def greater_of_two_lists(x):
    a, b = [x[0], x[1]], [x[1], x[2]]
    return max(a, b)[1] * x[0]


@mistake(*(UnsupportedSyntaxError, V3), at="max(a, b)", says=("whose memory `r` shares",))
def greater_of_two_arrays_changed(x):
    a, b = x[:1] * 1.0, x[1:2] * 2.0
    r = max(a, b)
    r[0] += r[0] ** 2
    return np.sum(a * b)


@mistake(*(UnsupportedSyntaxError, V3), at="print(x[0], file=text)", says=("StringIO",))
def printed_into_a_buffer(x):
    text = io.StringIO()
    print(x[0], file=text)
    return float(text.getvalue()) ** 2


def longest(words):
    return max(map(len, words))


@mistake(
    *(UnsupportedSyntaxError, V3, ["ab", "cde"]),
    at="buffer[1:] = x[1:] * x[0]",
    says=("`buffer` is updated in place", "only known at run time", "`np.zeros((n,))`"),
    taken=True,
)
def buffer_of_unknown_rank(x, words):
    buffer = np.zeros(longest(words))
    buffer[1:] = x[1:] * x[0]
    return np.sum(buffer**2)


@mistake(
    *(UnsupportedSyntaxError, V3, ["ab", "cde"]),
    at="total += x[0] ** 2",
    taken=True,
)
def number_or_array(x, words):
    total = np.zeros(longest(words))[x > 9].sum(axis=longest(words) - 3)
    kept = [total]
    total += x[0] ** 2
    return np.sum(total * kept[0])
