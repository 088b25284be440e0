"""Infinite slopes and NaN behind masks, in loops: what a mask leaves out receives 0.

NumPy warns of these slopes; `tests/conftest.py` lets it.
"""

import numpy as np

from tests.language.corpus import program
from tests.language.data import fixed

X5 = fixed([0.0, 1.0, 0.25, 0.05, 2.0])
T = 0.1


def rooted(y, c):
    z = np.sqrt(y)
    z[c < T] = 0.0
    return z


@program([(X5,)])
def put_back_after_the_mask(x):
    s = 0.0
    y = x * 1.0
    for i in range(3):
        z = np.sqrt(y)
        z[y < T] = 0.0
        y = y * 1.5
        s = s + np.sum(z * z * z) + np.sum(z)
    return s


@program([(X5,)])
def array_made_from_the_masked_one(x):
    s = 0.0
    y = x * 1.0
    for i in range(3):
        z = np.sqrt(y)
        z[y < T] = 0.0
        y = z * 1.5
        s = s + np.sum(z)
    return s


@program([(X5,)])
def array_masked_by_another(x):
    s = 0.0
    y = x * 1.0
    for i in range(3):
        y = np.sqrt(y)
        y[x < T] = 0.0
        s = s + np.sum(y)
    return s


@program([(X5,)])
def masked_arrays_in_a_list(x):
    ys = []
    for i in range(3):
        y = np.sqrt(x * (i + 1))
        y[x < T] = 0.0
        ys.append(y)
    return np.sum(ys[0] * ys[1]) + np.sum(ys[2])


@program([(X5,)])
def last_of_a_list_is_masked(x):
    ys = [x]
    for i in range(3):
        y = np.sqrt(ys[-1])
        y[~(y > T)] = 0.0
        ys.append(y)
    return np.sum(ys[-1])


@program([(X5,)])
def mask_among_indices(x):
    r = np.sqrt(np.outer(np.ones(2), x))
    r[:, x < T] = 0.0
    return np.sum(r)


@program([(X5,)])
def mask_among_indices_in_a_loop(x):
    r = np.outer(np.ones(2), x)
    for i in range(2):
        r = np.sqrt(r)
        r[:, x < T] = 0.0
    return np.sum(r)


@program([(X5,)])
def two_masks_among_indices(x):
    r = np.sqrt(np.outer(x, np.ones(2)))
    r[x < T, 1] = 0.0
    r[x < T, 0] = 0.0
    return np.sum(r)


@program([(X5,)])
def mask_with_a_name(x):
    s = 0.0
    y = x * 1.0
    for i in range(3):
        m = y < T
        z = np.where(m, 0.0, np.sqrt(y))
        y = z * 1.5
        s = s + np.sum(z)
    return s


@program([(X5,)])
def both_conditions(x):
    s = 0.0
    y = x * 1.0
    for i in range(3):
        z = np.where(np.logical_and(y > T, y < 100), np.sqrt(y), 0.0)
        y = z * 1.5
        s = s + np.sum(z)
    return s


@program([(X5,)])
def one_condition_or_the_other(x):
    y = x * 1.0
    for i in range(3):
        m = np.logical_or(y < T, np.isnan(y))
        z = np.sqrt(y)
        z[m] = 0.0
        y = z + z
    return np.sum(y)


@program([(X5,)])
def mask_with_a_name_stored_by(x):
    y = x * 1.0
    s = 0.0
    for i in range(3):
        m = y < T
        y = np.log(y + 1.0) ** 0.5
        y[m] = 0.0
        s = s + np.sum(y)
    return s


@program([(X5,)])
def two_masks(x):
    y = x * 1.0
    s = 0.0
    for i in range(3):
        y = np.sqrt(y)
        y[x < T] = 0.0
        y[x > 1.5] = 1.0
        s = s + np.sum(y * y)
        y = y * 1.1
    return s


@program([(X5,)])
def two_masks_and_a_quotient(x):
    y = x * 1.0
    for i in range(3):
        z = 1.0 / y
        z[y < T] = 0.0
        z[y > 1.5] = 1.0
        y = y + z * 0.1
    return np.sum(y)


@program([(X5,)])
def mask_bound_again(x):
    y = x * 1.0
    m = y < T
    for i in range(3):
        z = np.sqrt(y)
        z[m] = 0.0
        y = z * z * 0.5 + z
        m = y < T
    return np.sum(y)


@program([(X5,)])
def what_the_mask_leaves(x):
    y = x * 1.0
    for i in range(3):
        m = y >= T
        y = np.sqrt(y)
        y[~m] = 0.0
        y = y * y * y + y
    return np.sum(y)


@program([(X5,)])
def masks_combined_by_an_operator(x):
    y = x * 1.0
    for i in range(3):
        z = np.log(y)
        z[(y < T) & (x < T)] = 0.0
        y = y + 0.1 * z * z
    return np.sum(y)


@program([(X5,)])
def rows_of_a_buffer(x):
    h = np.zeros((4, x.size))
    h[0] = x
    for t in range(3):
        z = np.sqrt(h[t])
        z[h[t] < T] = 0.0
        h[t + 1] = z
    return np.sum(h * h)


@program([(X5,)])
def powers_in_place(x):
    y = x * 1.0
    for t in range(3):
        y **= 0.5
        y[x < T] = 0.0
        y *= 1.5
    return np.sum(y)


@program([(X5,)])
def masks_in_a_helper(x):
    y = x * 1.0
    for t in range(3):
        y = rooted(y, x) * 1.5 + rooted(y, y)
    return np.sum(y)


@program([(X5,)])
def putmask_in_a_loop(x):
    y = x * 1.0
    for t in range(3):
        z = np.sqrt(y)
        np.putmask(z, y < T, 0.0)
        y = z + z
    return np.sum(y)


@program([(X5,)])
def quotient_where(x):
    y = x * 1.0
    for t in range(3):
        z = np.zeros_like(y)
        np.divide(1.0, y, out=z, where=y > T)
        y = y + z
    return np.sum(y)


@program([(X5,)])
def stored_where_chosen(x):
    y = x * 1.0
    for t in range(3):
        z = np.zeros_like(y)
        m = y > T
        z[m] = np.sqrt(y[m])
        y = z * 1.5
    return np.sum(y)


@program([(X5,)])
def masks_from_a_list(x):
    ms = []
    y = x * 1.0
    for t in range(3):
        ms.append(y < T)
        y = y * 1.5
    s = 0.0
    for m in ms:
        z = np.log(y)
        z[m] = 0.0
        y = y + 0.1 * z
        s = s + np.sum(z)
    return s


@program([(X5,)])
def while_loop(x):
    y = x * 1.0
    k = 0
    while k < 3 and np.sum(y) < 100:
        z = np.log(y)
        z[y < T] = 0.0
        y = y * 1.5 + z * z
        k += 1
    return np.sum(y)


@program([(X5,)])
def sum_of_masked_arrays(x):
    y = x * 1.0
    for t in range(3):
        z = np.log(y)
        z[y < T] = 0.0
        y += z * z
    return np.sum(y * y)


@program([(X5,)])
def loop_that_breaks(x):
    y = x * 1.0
    for t in range(5):
        z = np.log(y)
        z[y < T] = 0.0
        y = y + z * z
        if np.sum(y) > 6:
            break
    return np.sum(y * y)


@program([(X5,)])
def two_axes(x):
    a = np.outer(x, x)
    for t in range(2):
        b = np.sqrt(a)
        b[a < 0.2] = 0.0
        a = b + 0.3
        a[:, x < T] = 0.0
    return np.sum(a)


@program([(X5,)])
def rows_by_a_mask(x):
    a = np.outer(x, np.arange(1.0, 4.0))
    for t in range(2):
        b = np.sqrt(a)
        b[x < T, :] = 0.0
        a = b + 0.3
    return np.sum(a)


@program([(X5,)])
def rows_by_two_masks(x):
    a = np.outer(x, np.arange(1.0, 4.0))
    for t in range(2):
        b = np.sqrt(a)
        b[x < T, 1:] = 0.0
        b[x < T, 0] = 0.0
        a = b * 1.3
    return np.sum(a)


@program([(X5,)])
def negative_of_a_masked_array(x):
    y = x * 1.0
    for t in range(3):
        z = -np.sqrt(y) + np.log(y)
        z[y < T] = 0.0
        y = z * z
    return np.sum(y)


@program([(X5,)])
def diagonal_filled(x):
    a = np.outer(x, x) - np.diag(x * x)
    a = a + 0.3 - 0.3 * np.eye(5)
    s = 0.0
    for i in range(2):
        b = np.sqrt(a)
        np.fill_diagonal(b, 0.0)
        a = b * 1.5
        s = s + np.sum(b)
    return s


@program([(X5,)])
def nested_loops(x):
    y = x * 1.0
    for i in range(2):
        for j in range(2):
            z = np.where(y < T, 0.0, np.sqrt(y))
            y = z * 1.5
        y = y + 0.0
        y = np.where(y < T, 0.0, np.sqrt(y))
    return np.sum(y)


@program([(X5,)])
def branches_that_choose(x):
    y = x * 1.0
    for i in range(4):
        if i % 2 == 0:
            y = np.where(y < T, 0.0, np.sqrt(y)) * 1.5
        else:
            z = np.sqrt(y)
            z[y < T] = 0.0
            y = z * 0.7
    return np.sum(y)


@program([(X5,)])
def masks_in_both_branches(x):
    y = x * 1.0
    for i in range(4):
        z = np.sqrt(y)
        if i % 2 == 0:
            z[y < T] = 0.0
        else:
            z[y < 2 * T] = 0.0
        y = z * 1.5
    return np.sum(y)


@program([(X5,)])
def mask_before_a_branch(x):
    y = x * 1.0
    for i in range(4):
        z = np.sqrt(y)
        if i % 2 == 0:
            z = z * 1.2
        z[y < T] = 0.0
        y = z * 1.5
    return np.sum(y)


@program([(X5,)])
def mask_before_an_inner_loop(x):
    y = x * 1.0
    for i in range(2):
        z = np.sqrt(y)
        for j in range(2):
            z = z * 1.2 * np.cos(z)
        z[y < T] = 0.0
        y = z * 1.5
    return np.sum(y)


@program([(X5,)])
def sum_of_two_masks(x):
    chosen = x > T
    root = np.sqrt(x)
    return np.sum(np.where(chosen, root, 0.0) + np.where(chosen, root * np.log(x), 0.0))


@program([(X5,)])
def difference_in_a_loop(x):
    y = x * 1.0
    for i in range(3):
        root = np.sqrt(y)
        z = root - np.log(root)
        z[y < T] = 0.0
        y = z * y
    return np.sum(y)


@program([(X5,)])
def elements_of_a_row(x):
    h = np.zeros((4, x.size))
    h[0] = x
    for t in range(3):
        h[t + 1] = np.sqrt(h[t])
        h[t + 1, x < T] = 0.0
    return np.sum(h * h)


@program([(X5,)])
def ends_of_a_row(x):
    h = np.zeros((4, x.size))
    h[0] = x
    for t in range(3):
        h[t + 1] = np.sqrt(h[t])
        h[t + 1, [0, -1]] = 1.0
    return np.sum(h * h)


@program([(X5,)])
def layers_of_two_masks(x):
    small, large = x < T, x > 1.5
    root = np.sqrt(x)
    inner = np.where(small, 0.0, np.where(large, 1.0, root))
    return np.sum(np.where(small, 0.0, inner * root) + np.where(small, 0.0, root * root))


X4 = fixed([-0.5, 0.7, 0.3, 0.2])


@program([(X4,)])
def numbers_chosen_twice(x):
    s = 0.0
    s += np.where(x[0] > 0.0, np.sqrt(x[0]) * x[2], np.where(x[2] > 0.0, x[2] ** 2, x[3]))
    return s


@program([(X4,)])
def never_chosen(x):
    return np.where(0.0, np.sqrt(x[0]), 1.3) * x[2] ** 2


@program([(X4,)])
def chosen_in_a_row(x):
    out = np.zeros((2, 2))
    for i, (p, q) in enumerate(zip(x[:2], x[2:])):
        out[i] = [p * q, np.where(p > 0.0, np.sqrt(p), q)]
    return np.sum(out[:, 0] * out[:, 1])


@program([(X4,)])
def a_sum_of_what_a_number_masks(x):
    out = np.zeros((2, 2))
    for i, (p, q) in enumerate(zip(x[:2], x[2:])):
        out[i] = [p * q, np.where(p > 0.0, np.sqrt(p), q)]
        out[i] *= np.sum(np.where(p > 0.0, np.sqrt(p) * x[1:], x[:3]))
    return np.sum(out[:, 0] * out[:, 1])
