"""Written against what is read again from arrays, sizes of slices, and arrays of objects.

Elements that are stored and read under other indices, names, dtypes and orders; slices whose sizes
only look equal; loops over listed arrays; objects that hold several arrays that change.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from tests.language.corpus import program

V3 = np.array([0.5, -1.2, 0.8])
V4 = np.array([0.6, -0.3, 1.4, 0.9])

V5 = np.array([0.4, -0.7, 1.1, 0.3, -0.2])
M34 = np.array([[0.4, -0.7, 1.1, 0.3], [0.2, 0.9, -0.5, 0.8], [1.2, 0.1, 0.6, -0.4]])


@program([(V5,)])
def last_by_two_names(x):
    u = x.copy()
    n = len(u)
    for i in range(3):
        u[-1] = np.sin(u[n - 1]) * u[i]
    return np.sum(u)


@program([(V5, 0.7)])
def index_moves_between(x, c):
    u = x.copy()
    for i in range(4):
        j = i
        t = u[j]
        j = j + 1
        u[j] = t * u[j] * c
    return np.sum(u * u)


@program([(V5, 0.7)])
def through_a_view(x, c):
    u = x.copy()
    v = u[1:]
    for i in range(1, 4):
        t = v[i - 1]
        u[i] = t * u[i - 1] * c
        v[i] = v[i] * t
    return np.sum(u * x)


@program([(V5, 0.7)])
def used_after_the_store(x, c):
    u = x.copy()
    s = 0.0
    for i in range(1, 5):
        t = np.exp(c * u[i])
        u[i] = t
        u[i - 1] = t * u[i - 1]
        s = s + t * t * u[i]
    return s + np.sum(u)


@program([(V5.astype(np.float32), 0.7)], tolerance=1e-3)
def rounded_where_stored(x, c):
    u = x.copy()
    for i in range(1, 5):
        t = np.exp(u[i].astype(np.float64) * c)
        u[i] = t
        u[i - 1] = t * t * u[i - 1]
    return np.sum(u)


@program([(V5, 0.7)])
def swapped_elements(x, c):
    u = x.copy()
    for k in range(2):
        for i in range(4):
            u[i], u[i + 1] = u[i + 1] * u[i], u[i] * c
    return np.sum(u)


@program([(V5, 0.7)])
def new_array_in_the_loop(x, c):
    u = x.copy()
    for i in range(1, 5):
        t = u[i] * u[i - 1]
        u[i] = np.sin(t) * c
        u = u * c
        u[i - 1] = u[i] * t
    return np.sum(u)


@program([(V5, 0.7)])
def stored_on_one_branch(x, c):
    u = x.copy()
    for k in range(3):
        for i in range(1, 5):
            t = u[i] * u[i - 1]
            if t > 0.05:
                u[i] = np.sin(t) * u[i]
            u[i - 1] = t * c + u[i]
    return np.sum(u)


@program([(V5, 0.7)])
def while_over_elements(x, c):
    u = x.copy()
    i = 1
    while i < 4:
        u[i] = u[i] * u[i + 1] * c
        i += 1
        u[i] = u[i] * u[i - 1]
    return np.sum(u * u)


@program([(V5, V4)])
def two_arrays_in_turn(x, y):
    u, w = x.copy(), x * 0.5
    for k in range(3):
        for i in range(1, 4):
            w[i] = np.tanh(u[i] * w[i - 1]) * y[i]
        u, w = w, u
    return np.sum(u) + np.sum(w * w)


@program([(M34, 0.3)])
def rows_and_columns(m, c):
    a = m.copy()
    for i in range(1, 3):
        for j in range(1, 4):
            a[i, j] = (a[i - 1, j] * a[i, j - 1] + c * a[i, j]) / (2.0 + a[i - 1, j - 1] ** 2)
    return np.sum(a)


@program([(M34, 0.3)])
def elements_and_rows(m, c):
    a = m.copy()
    for i in range(1, 3):
        p = a[i - 1, 0]
        a[i] = a[i] * p + a[i - 1]
        a[i, 0] = np.sin(a[i, 1]) * p
    return np.sum(a**2)


@program([(V5, 0.7)])
def read_before_and_in_a_later_loop(x, c):
    u = x.copy()
    for i in range(4):
        u[i + 1] = u[i] * u[i + 1]
    for i in range(4):
        u[i] = u[i] * u[i + 1] * c
    for j in range(5):
        u[j] = u[j] ** 2
    return np.sum(u)


@program([(V5, V3)])
def slices_of_unequal_axes(x, y):
    s = 0.0
    for k in range(1, 3):
        s = s + np.sum(x[k + 2 :] * y[k:] * k) + np.sum(y[2:] * x[k:])
    return s


@program([(V5,)])
def a_slice_of_the_iteration_before(x):
    before = x[4:]
    s = 0.0
    for k in range(1, 4):
        now = x[4 - k :]
        s = s + np.sum(now * before[:1] * now)
        before = now
    return s


@program([(V5,)])
def one_element_against_many(x):
    s = 0.0
    for k in range(4, 0, -1):
        tail = x[4:]
        s = s + np.sum(tail * x[k:]) + np.sum(x[k:] * x[k:])
    return s


@program([(V5,)])
def bounds_beyond_the_end(x):
    s = 0.0
    for k in range(3, 7):
        s = s + np.sum(x[k:] * x[k : k + 1]) + np.sum(x[k - 3 : k] * x[2])
    return s


@program([(V5,)])
def counters_of_one_name(x):
    u = x.copy()
    for k in range(1, 4):
        u[k:] = u[k:] * x[k:]
    for k in range(1, 3):
        u[: k + 1] = u[: k + 1] * x[k]
        for j in range(k, 3):
            u[j:] = u[j:] * x[k : k + 1]
    return np.sum(u)


@program([(V5, 0.6)])
def spans(x, c):
    u = x.copy()
    s = 0.0
    for start in range(0, 4, 2):
        block = slice(start, start + 2)
        u[block] *= c * x[block]
        s = s + np.sum(u[block] ** 2)
    whole = slice(None)
    back = slice(None, None, -1)
    return s + np.sum(u[whole] * u[back])


@program([(M34, 0.6)])
def spans_in_tuples(m, c):
    a = m.copy()
    for k in range(2):
        where = (slice(k, k + 2), slice(1, 3))
        a[where] = a[where] * c * a[k, slice(k, k + 2)]
    return np.sum(a)


@program([(V5, V5[::-1].copy(), 0.6)])
def listed_arrays(u, v, c):
    for step in range(2):
        for z in (u, v):
            z[1:] *= c * z[:-1]
        u += v
    return np.sum(u * v)


@program([(V5, V5[::-1].copy(), 0.6)])
def listed_twice(u, v, c):
    for z in [u, v, u]:
        z[0] = z[1] * z[0] * c
    return np.sum(u * v)


@program([(V5, V5[::-1].copy(), 0.6)], refusable=True)
def listed_and_kept(u, v, c):
    both = [u, v]
    for z in both:
        z[0] = z[1] * c
    both[1] = both[0] * 2.0
    return np.sum(both[0] * both[1]) + np.sum(u * v)


@program([(V5, V5[::-1].copy(), 0.6)])
def listed_with_scales(u, v, c):
    for z, scale in zip((u, v), (c, 2.0)):
        z *= scale
        z[-1] = z[0] ** 2
    for k, z in enumerate((u, v)):
        z[k] = z[k + 1] * c
    return np.sum(u * v)


@program([(V5, V5[::-1].copy(), True), (V5, V5[::-1].copy(), False)], refusable=True)
def listed_again_on_a_branch(u, v, flag):
    pair = (u, v)
    if flag:
        pair = (v, v)
    for z in pair:
        z[0] = z[1] * 2.0
    return np.sum(u * v)


@program([(V5, V5[::-1].copy())], refusable=True)
def listed_by_targets_of_two(u, v):
    pair, other = (u, v), 2.0
    for z in pair:
        z[0] = z[1] * other
    return np.sum(u * v)


@program([(M34[:2].copy(), M34[1:].copy())], refusable=True)
def rows_of_one_of_two(u, v):
    first, second = u, v
    for row in second:
        row[0] = row[1] * 2.0
    return np.sum(first * u * v)


@dataclasses.dataclass
class State:
    a: np.ndarray
    b: np.ndarray
    scale: float

    def step(self, h):
        self.a[1:] -= h * self.b[:-1] * self.a[1:]
        self.b += self.scale * self.a

    def swap(self):
        self.a, self.b = self.b, self.a


@dataclasses.dataclass
class Pair:
    left: State
    right: State


@program([(State(V5.copy(), V5[::-1].copy(), 0.4), 0.1)])
def arrays_of_an_object(state, h):
    for _ in range(3):
        state.step(h)
    return np.sum(state.a * state.b) * state.scale


@program([(State(V5.copy(), V5[::-1].copy(), 0.4), 0.1)])
def arrays_that_are_swapped(state, h):
    for _ in range(3):
        state.step(h)
        state.swap()
    return np.sum(state.a**2) + np.sum(state.b)


@program([(State(V5.copy(), V5[::-1].copy(), 0.4), V5 * 0.3)])
def an_object_and_an_array(state, x):
    state.a[:] = state.a * x
    x[1:] = state.b[1:] * x[:-1]
    state.b[0] = x[1]
    return np.sum(state.a * state.b * x)


@program(
    [
        (
            Pair(State(V5.copy(), V5[::-1].copy(), 0.4), State(V5 * 0.2, V5 * 0.7, 0.3)),
            0.1,
        )
    ],
    refusable=True,
)
def objects_in_an_object(pair, h):
    for _ in range(2):
        pair.left.step(h)
        pair.right.step(h)
        pair.left.a += pair.right.b
    return np.sum(pair.left.a * pair.right.a)
