"""Calls that write into an array in every spelling; indices of every sort."""

from collections import namedtuple

import numpy as np

from tests.language.corpus import program

V4 = np.array([0.7, -1.3, 0.4, 1.1])


PT = namedtuple("PT", "a b")


@program([(V4,)])
def store_at_named_tuple(x):
    t = PT(slice(0, 2), 1)
    b = np.outer(x, x)
    s = np.sum(b @ x)
    b[t] = 3.0 * x[2:]
    return s * np.sum(b**2)


@program([(V4,)])
def store_by_index_exp(x):
    b = x * x
    s = np.sum(b * x)
    b[np.index_exp[0:2]] = 3.0 * x[2:]
    return s * np.sum(b**2)


@program([(V4,)], refusable=True)
def conj_is_the_array(x):
    y = x * x
    v = y.conj()
    v[0] = 3.0 * x[1]
    return np.sum(y**3) + np.sum(v**2)


@program([(V4,)], refusable=True)
def diff_of_order_zero(x):
    y = x * x
    v = np.diff(y, n=0)
    v[0] = 3.0 * x[1]
    return np.sum(y**3) + np.sum(v**2)


@program([(V4,)], refusable=True)
def nan_to_num_in_place(x):
    y = x * x
    v = np.nan_to_num(y, copy=False)
    v[0] = 3.0 * x[1]
    return np.sum(y**3) + np.sum(v**2)


@program([(V4,)], refusable=True)
def nan_to_num_in_place_by_position(x):
    y = x * x
    v = np.nan_to_num(y, False)
    v[0] = 3.0 * x[1]
    return np.sum(y**3) + np.sum(v**2)


@program([(V4,)], refusable=True)
def real_if_close_of_real(x):
    y = x * x
    v = np.real_if_close(y)
    v[0] = 3.0 * x[1]
    return np.sum(y**3) + np.sum(v**2)


@program([(V4,)], refusable=True)
def einsum_of_one(x):
    y = x * x
    v = np.einsum("i->i", y)
    v[0] = 3.0 * x[1]
    return np.sum(y**3) + np.sum(v**2)


@program([(V4,)])
def list_sorted_between_uses(x):
    q = [3.0, 2.0, 5.0, 1.0]
    s = np.sum(x * q)
    q.sort()
    return s * np.sum(x * q)


@program([(V4,)])
def list_reversed_between_uses(x):
    q = [3.0, 2.0, 5.0, 1.0]
    s = np.sum(x * q)
    q.reverse()
    return s * np.sum(x * q)


@program([(V4,)])
def list_popped_between_uses(x):
    q = [3.0, 2.0, 5.0, 1.0]
    s = np.sum(x * q)
    q.pop()
    q.append(7.0)
    return s * np.sum(x * q)
