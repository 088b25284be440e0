"""Functions that are called, not inlined, and change an argument by another name of it."""

import numpy as np

from autodiff import checkpoint
from tests.language.corpus import program
from tests.language.data import V3, V4


def measured(x):
    u = x
    u += 1.0
    return int(u.size)


def doubled(x):
    row = x[1:]
    row *= 2.0
    return row.size


def halved(x):
    d = {"u": x}
    d["u"] *= 0.5
    return "halved"


def went_down(x, n):
    if n == 0:
        u = x
        u += 1.0
        return x * 1.0
    return went_down(x, n - 1)


@checkpoint
def ones(x):
    c = x * 2.0
    u = x
    u += 1.0
    return c * 0.0 + 1.0


@program([(V4,)], refusable=True)
def in_a_print(x):
    y = x * 1.0
    z = y**3
    print(measured(y))
    return np.sum(z + y**2)


@program([(V4,)], refusable=True)
def in_a_text(x):
    y = x * 1.0
    z = y**3
    label = f"{doubled(y)} {halved(y)}"
    return np.sum(z + y**2) * len(label)


@program([(V3,)], refusable=True)
def in_a_recursion(x):
    y = x * 1.0
    z = y**3
    w = went_down(y, 2)
    return np.sum(z * w + y**2)


@program([(V3,)], refusable=True)
def in_a_checkpointed_call(x):
    y = x * 1.0
    z = y**3
    w = ones(y)
    return np.sum(z * w + y**2)
