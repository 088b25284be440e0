"""Attributes of what is outside, which a helper changes: in indices, ranges and tests."""

import numpy as np

from tests.language.corpus import program
from tests.language.data import V4


class State:
    n = 0
    k = 1.0
    on = True


def reset():
    State.n, State.k, State.on = 0, 1.0, True


def bump():
    State.n += 1
    State.k += 1.0
    State.on = not State.on


@program([(V4,)])
def number_of_an_element(x):
    reset()
    s = 0.0
    for i in range(3):
        s = s + x[State.n] ** 2 * (i + 1)
        bump()
    return s


@program([(V4,)])
def element_that_is_stored(x):
    reset()
    u = np.zeros(4)
    for i in range(3):
        u[State.n] = x[State.n] ** 2 * (i + 1)
        bump()
    return np.sum(u * u)


@program([(V4,)])
def start_of_a_slice(x):
    reset()
    u = x * 1.0
    for i in range(3):
        u[State.n :] = u[State.n :] * x[i]
        bump()
    return np.sum(u * u)


@program([(V4,)])
def shift_of_a_roll(x):
    reset()
    u = x * 1.0
    for i in range(3):
        u = np.roll(u, State.n) * x
        bump()
    return np.sum(u * u)


@program([(V4,)])
def choice_of_a_value(x):
    reset()
    u = x * 1.0
    for i in range(3):
        u = u * x if State.on else u + x
        bump()
    return np.sum(u * u)


@program([(V4,)])
def exponent(x):
    reset()
    u = x * 1.0
    for i in range(3):
        u = u**State.k
        bump()
    return np.sum(u)


@program([(V4,)])
def slice_that_a_loop_goes_over(x):
    reset()
    s = 0.0
    for v in x[State.n :]:
        s = s + v * v
    bump()
    return s


@program([(V4,)])
def bound_of_a_loop(x):
    reset()
    u = x * 1.0
    bump()
    for i in range(State.n + 1):
        u = u * x
    bump()
    return np.sum(u)


@program([(V4,)])
def test_of_a_loop(x):
    reset()
    u = x * 1.0
    i = 0
    while i < State.n + 2:
        u = u * x * State.k
        i += 1
    bump()
    return np.sum(u)


@program([(V4,)])
def item_of_a_list_that_grows(x):
    reset()
    u = [x[0]]
    for i in range(3):
        u.append(u[State.n] * x[i])
        bump()
    return u[-1] * u[1]


@program([(V4,)])
def slice_in_a_zip(x):
    reset()
    s = 0.0
    for a, b in zip(x[State.n :], x):
        s = s + a * b * b
    bump()
    return s


@program([(V4,)])
def key_of_a_dict(x):
    reset()
    d = {0: x[0], 1: x[1], 2: x[2]}
    for i in range(3):
        d[State.n] = d[State.n] * x[3] * (i + 1)
        bump()
    return d[0] + d[1] * d[2]


@program([(V4,)])
def list_of_indices(x):
    reset()
    s = 0.0
    for i in range(3):
        y = x[[State.n, 0]]
        s = s + np.sum(y * y * y)
        bump()
    return s
