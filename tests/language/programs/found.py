"""Programs that a derivative once got wrong, mostly found by the random programs, shrunk."""

import itertools
from functools import partial

import numpy as np

from tests.language.corpus import program
from tests.language.data import COL3, M23, V3, W3


@program([(0.7,)], analytic=True)
def swap_of_rescaled(x):
    s = 0.5
    for _ in range(3):
        s = 0.6 * s
        s, x = x, s
    return s


@program([(0.7, M23), (0.7, 1.2)], analytic=True)
def swap_after_overwriting_loop(x, y):
    for _ in range(2):
        u = x * np.ones((2, 3))
    for _ in range(2):
        u, y = y, u
    return np.sum(y)


@program([(V3,)], analytic=True)
def slice_of_itself_in_loop(v):
    for _ in range(3):
        v = v[::-1]
    return np.sum(v * np.arange(3.0))


@program([(0.7,)], analytic=True)
def slice_of_itself_in_loop_made_inside(x):
    v = x * np.ones(5)
    while len(v) > 2:
        v = v[1:]
    return np.sum(v**2)


@program([(V3,)], analytic=True)
def matmul_overwritten_in_loop(y):
    for _ in range(3):
        u = np.ones((2, 3)) @ y
    return np.sum(u)


@program([(V3, M23)], analytic=True)
def many_overwritten_in_loop(y, m):
    for k in range(3):
        u = np.concatenate([y, y * k])
        w = m[:, 1:] * k
        z = np.stack([y, y])
        t = m.T
        r = np.sum(m, axis=0)
    return np.sum(u * u) + np.sum(w**2) + np.sum(z) + np.sum(t[0] ** 2) + np.sum(r**2)


@program([(COL3,), (M23,)], analytic=True)
def mean_of_transposed(y):
    return y.T.mean()


@program([(0.7, 0.4), (-0.7, 0.4)])
def return_inside_with(x, y):
    with np.errstate(all="ignore"):
        if x > 0:
            return y * y
        z = x * y
    return z * x


@program([(V3, W3), (V3 * 9, W3)])
def flag_and_name_of_one_branch(x, y):
    flag = np.sum(x) > 5.0
    if flag:
        only = x
    if flag:
        y = only
    return np.sum(y * x)


@program([(0.7, V3)], analytic=True)
def zip_items_used_after(x, v):
    for a, b in zip(v, v):
        x = x * a + b
    return x * a * b


@program([(V3,)], analytic=True)
def zip_pairs(v):
    total = 0.0
    for i, pair in enumerate(zip(v, v)):
        total = total + pair[0] * pair[1] * i
    return total


def repeated_halving(a):
    for _ in range(3):
        a = a * 0.5
    return a


@program([(0.7,)], analytic=True)
def slices_of_helper_results(x):
    v = np.concatenate([repeated_halving(x * np.ones(3))[1:], repeated_halving(x * np.ones(3))[:1]])
    items = [x]
    items.append(x)
    return np.sum(v * v)


@program([(0.7, V3)], analytic=True)
def number_becomes_array(x, z):
    s = 0.4
    s -= z * x
    return s.mean()


@program([(0.7, 0.4)], analytic=True)
def list_made_in_while(x, a):
    n = 0
    while n < 2:
        n += 1
        items = [0.3 * n]
        items.append(items[-1] + a)
        total = 0.0
        for item in items:
            total = 0.7 * total + item * items[0]
        a = np.sin(total) * x
    return a


@program([(V3, 0.4)], analytic=True)
def list_made_in_for(v, x):
    total = 0.0
    for item in v:
        items = [x]
        items.append(item * x)
        total = total + items[0] * items[1]
    return total


@program([(0.7, 0.4)])
def list_made_in_branch(s, y):
    n = 0
    while n < 3:
        n += 1
        if n % 2:
            items = [s]
            for _ in range(2):
                items.append(np.sin(items[-1] + y))
            s = items[1]
        else:
            s = y * s
    return s


@program([(0.7, 0.4)], analytic=True)
def list_then_augmented(s, x):
    items = [x]
    items.append(s * x)
    total = 0.0
    for item in items:
        total = 0.7 * total + item * items[0]
    for _ in range(2):
        s -= total * s
    return s


@program([(0.7, V3)], analytic=True)
def loop_item_augmented(x, v):
    total = 0.0
    for item, k in zip(v, range(3)):
        item += x * k
        total += item * item
    return total


@program([(0.7, V3)], analytic=True)
def captured_name_swapped(x, y):
    s = x

    def inner(p):
        return s * p

    pair = (s, y[1])
    p, q = pair
    s, q = q, s
    return -0.25 * s + p + q * inner(y[0])


def identity(a):
    return a


@program([(0.7, V3)], analytic=True, refusable=True)
def alias_of_number_that_becomes_array(x, z):
    s = 0.4
    t = s
    s -= z
    return s.mean() * t * x


@program([(V3,)], analytic=True)
def helper_returns_its_argument(y):
    return np.sum(np.concatenate([identity(np.ones(3)), y]) ** 2)


@program([(0.7, V3)], analytic=True, refusable=True)
def number_augmented_by_array(x, v):
    x += v
    return np.sum(x * x)


@program([(V3, M23)], analytic=True)
def stack_overwritten_in_loop(v, y):
    for item in y:
        u = np.stack([v, item])
    return np.sum(u**2)


@program([(0.7,)], analytic=False)
def parts_of_a_number_without_dimensions(x):
    whole = np.asarray(2.3 * x)
    quotient, rest = np.divmod(whole, 0.4)
    fraction, _ = np.modf(whole)
    return rest * x + fraction + quotient


@program([(0.7, 0.3)], analytic=False)
def counted_by_floats(x, h):
    return np.sum(np.arange(x, x + 2.0, h) ** 2)


@program([(M23, 0.3)], analytic=False)
def operand_without_slope_that_is_broadcast(a, b):
    return np.sum(a * np.copysign(a, b) + np.heaviside(b, a))


@program([(V3,)], analytic=True)
def axes_added_after_an_ellipsis(v):
    difference = v[..., None, :] - v[..., :, None]
    column = v[..., :, None]
    return np.sum(np.arange(9.0).reshape(3, 3) * difference**2) + np.sum(column[..., None] ** 3)


@program([(V3, True), (V3, False)], wrt=("v",), analytic=False)
def complex_or_its_real_part(v, flag):
    z = v * (1 + 2j)
    if flag:
        z = z.real
    y = z.copy()
    return np.sum(np.real((3 - 1j) * y * np.arange(3.0)))


@program([(0.7, True), (0.7, False)], wrt=("x",), analytic=False)
def number_that_is_real_on_one_branch(x, flag):
    z = x * (1 + 2j)
    if flag:
        z = z.real
    for _ in range(2):
        z = z * z + 1.0
    return abs(z) + np.real(z * (1 - 3j))


@program([(V3,)], analytic=False)
def asked_whether_it_is_real(v):
    z = v * (1 + 2j)
    if np.isrealobj(z):
        z = z.real
    w = np.sum(z)
    return np.real((2 - 1j) * w * w)


@program([(0.5, [1.0])], wrt=("x",), analytic=True)
def builtin_that_only_the_derivative_calls(x, flags):
    bool = 2.0
    for _ in range(2):
        if flags:
            x = x * bool * x
            flags = flags[1:]
    return x


@program([(0.7, 1.3)], analytic=True, refusable=True)
def partial_of_what_changes(x, a):
    scaled = partial(np.multiply, a)
    total = 0.0
    for _ in range(3):
        total = total + scaled(x)
        a = a * 2.0
    return total


@program([(0.7, 1.3)], analytic=True, refusable=True)
def partial_from_an_earlier_iteration(x, a):
    scaled = []
    for k in range(2):
        b = a * (k + 1.0)
        scaled.append(partial(np.multiply, b))
    return scaled[0](x)


@program([(0.7, 1.3)], analytic=True)
def partial_of_this_iteration(x, a):
    total = 0.0
    for k in range(3):
        b = a * (k + 1.0)
        scaled = partial(np.multiply, b)
        total = total + scaled(x) * scaled(a)
    return total


class Factor:
    def __init__(self, factor):
        self.factor = factor

    def times(self, x):
        return self.factor * x


@program([(0.7, 1.3)], analytic=True, refusable=True)
def method_from_an_earlier_iteration(x, a):
    scaled = []
    for k in range(2):
        own = Factor(a * (k + 1.0))
        scaled.append(own.times)
    return scaled[0](x)


@program([(M23,)], analytic=False)
def shape_of_what_is_not_known(m):
    y = np.asarray(np.bincount([0, 1, 1], np.sum(m, axis=0)) * m[0, 0])
    weights = np.arange(1.0, 30.0)[: y.size].reshape(y.shape)
    return np.sum(y * weights) + np.sum(np.resize(m, y.shape) * y)


@program([(M23,)], analytic=False)
def mask_beside_symbolic_sizes(m):
    mean = np.mean(m, axis=1, where=np.array([True, False, True]))
    return np.sum(mean**2 * np.arange(mean.shape[0]))


# The last item of a list that grows is another one when the reverse sweep reads it.


@program([(np.vstack([V3, W3, 0.5 * V3]), W3)], analytic=True)
def last_state_appended_to(w, h):
    states = [h]
    for _ in range(4):
        states.append(np.tanh(w @ states[-1]))
    return np.sum(states[-1] ** 2) + np.sum(states[2])


@program([(np.vstack([V3, W3, 0.5 * V3]),)], analytic=True)
def powers_by_the_last_one(w):
    powers, k = [np.eye(3)], 0
    while k < 3:
        powers.append(powers[-1] @ w)
        k += 1
    total = np.zeros_like(w)
    for k in range(len(powers)):
        total = total + powers[k] @ w @ powers[len(powers) - 1 - k]
    return np.sum(total)


@program([(np.vstack([V3, W3, 0.5 * V3]),)], analytic=True)
def item_counted_from_the_end_by_a_variable(w):
    rows = [np.ones(3)]
    for t in range(2):
        rows.append(rows[-1 - t] * np.sin(w[t]) * rows[-1])
    return np.sum(rows[-1] * rows[1])


# A helper's variable is no global of the helper before it.


def scaled_by_a_global(x):
    return np.sin(x) * W3


def with_a_variable_of_that_name(x):
    W3 = x * x
    if np.sum(W3) > 0:
        W3 = W3 * 2
    return np.cos(W3) * W3


@program([(V3,)], analytic=True)
def helpers_that_mean_different_things_by_a_name(x):
    a = scaled_by_a_global(x) * with_a_variable_of_that_name(x)
    return np.sum(a + scaled_by_a_global(x + 1))


# A counter that is named as the bound of its own range, which the reverse sweep asks for again.


def powers_up_to(x, m):
    found = []
    for m in range(1, m):
        found.append(x[m - 1] ** m)
    return np.array(found)


@program([(V3,)], analytic=True)
def counters_named_as_their_bounds(x):
    n, total = len(x), 0.0
    for n in range(n):
        total = total * 0.9 + np.sin(x[n]) * x[n]
    n = len(x)
    for n in range(1, n):
        total = total * total + x[n]
    return np.sum(powers_up_to(x, 4)) + total


@program([(V3, 3), (V3, 2)], analytic=True)
def counter_named_as_its_bound_and_read_afterwards(x, n):
    total = 0.0
    for _ in range(2):
        for n in range(n):
            total = total * 0.9 + x[n] ** 2
        for n in reversed(range(n + 1)):
            if n > 5:
                break
            total = total * x[n] + 1.0
    return total * n


# The list of an array has a list of adjoints, and what the array was computed from an array.


@program([(V3,)], analytic=True)
def list_of_a_multiple(x):
    items = list(x * 2)
    later = tuple(-x)
    total = 0.0
    for k in range(len(items) - 1):
        total = total + items[k] * items[k + 1] * later[k]
    for a, b in itertools.pairwise(x * 3):
        total = total + a * b
    return total


@program([(np.vstack([V3, W3]),)], analytic=True)
def rows_of_a_multiple(m):
    rows = list(m * 2)
    return np.sum(rows[0]) + np.sum(rows[1] ** 2)


# The adjoint of a list of arrays that np.array took has rows that are arrays (its Hessian).


@program([(V3,)], analytic=True)
def trajectory_kept_in_a_list(p):
    def slope(y):
        return np.array([y[1], p[0] * (1 - y[0] ** 2) * y[1] - y[0], p[2] * y[2]])

    y = p * 2
    states = [y]
    for _ in range(3):
        half = y + 0.05 * slope(y)
        y = y + 0.1 * slope(half)
        states.append(y)
    return np.sum(np.array(states) ** 2)


# What a dict holds is replaced and not written, also where another dict may hold it.


@program([(0.7, V3), (-0.7, V3)], wrt=(0, 1))
def dict_or_a_copy_of_it(x, a):
    d = {"m": a.copy()}
    e = d if x > 0 else dict(d)
    e["n"] = x
    return np.sum(d["m"]) * len(d) * x


# Places of which only the run says whether they are one or several may name one twice.


@program([(V3,)], analytic=True)
def drawn_places(x):
    rng = np.random.default_rng(1)
    places = rng.choice(3, 4, True, np.asarray([0.2, 0.3, 0.5]))
    return np.sum(np.take(x, places) ** 2)


# NumPy makes arrays of ranges and of tuples of whole numbers where it computes with them.


@program([(V3,)], analytic=True)
def weighted_by_a_range(x):
    found = []
    for k in range(3):
        found += [x[k] ** 2]
    return np.dot(found, range(1, 4)) + np.inner((3, 1, 2), found) * np.vdot(range(3), x)
