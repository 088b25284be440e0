"""Arrays updated in place: what went wrong while that was being written, and its siblings."""

import numpy as np

from tests.language.corpus import program
from tests.language.data import V4

X3 = np.array([0.7, -0.4, 1.3])
Y3 = np.array([0.2, 0.9, -0.6])
W3 = np.array([1.0, 2.0, 3.0])
M23 = np.array([[0.3, -0.7, 1.1], [0.8, 0.5, -0.2]])


@program([(X3, Y3)])
def store_in_a_branch_shares_an_adjoint(x, w):
    u = x.copy()
    s = np.sum(u) * 2.0
    if x[0] > 0:
        u[:] = w + u
    return s + np.sum(W3 * u)


@program([(X3, Y3)])
def names_exchanged_through_a_view(u, w):
    for _ in range(2):
        u, w = w[::1], u
    return np.sum(u * W3) + np.sum(w * w)


@program([(X3,)])
def buffer_reused_with_inactive_data(x):
    buf = np.zeros(3)
    s = 0.0
    for i in range(3):
        buf[:] = i + 1.0
        s = s + np.sum(x * buf)
    return s


@program([(X3,)])
def inactive_array_tested_and_changed(x):
    c = np.array([1.0])
    s = x[0]
    if c:
        c[0] = 0.0
        s = s * s * x[1]
    return s


@program([(X3,)])
def view_held_over_the_store(x):
    y = np.zeros((2, 3))
    y[0] = x
    y[1] = x * x
    t = y[0]
    y[0] = y[1]
    y[1] = t
    return y[0, 0] + 10 * y[1, 0]


@program([(M23,)])
def rows_unpacked(x):
    y = x * 1.0
    a, b = y
    a *= 3.0
    a[0] = b[1]
    return np.sum(y * y)


@program([(X3,)])
def view_of_one_element(x):
    y = x * 1.0
    a = y[0, ...]
    a *= 2.0
    return np.sum(y * W3)


@program([(X3,)])
def repeated_index_stored(x):
    y = np.zeros(3)
    y[[0, 1, 1]] = x
    y[[0, 0, 2]] += x
    np.add.at(y, [1, 1, 2], x)
    return np.sum(y * W3)


@program([(X3,)])
def written_by_position(x):
    y = np.zeros(3)
    p = np.clip(x, -9.0, 9.0, y)
    p *= x
    return np.sum(y * W3)


@program([(X3,)])
def alias_on_one_branch(x):
    y, z = x * x, x + 1.0
    v = y if x[0] > 0.5 else z
    v[0] = x[1]
    v *= 3.0
    return np.sum(y * z)


@program([(M23,)])
def reshape_that_copies(x):
    z = x.copy()
    y = z.T.reshape(-1)
    y[0] = 3 * y[1]
    return np.sum(z * z) + np.sum(y * y)


@program([(X3,)])
def bound_read_from_memory(x):
    n = np.array([3])
    s = 1.0
    for i in range(n[0]):
        n[0] = 1
        s = s + x[i] * x[i]
    return s


@program([(X3,)])
def random_index(x):
    g = np.random.default_rng(3)
    b = x * x
    return b[g.integers(3)] * b[g.integers(3)] * b[g.integers(3)]


def bump(b):
    b *= 2.0
    b[0] += 1.0
    return b


@program([(X3,)])
def target_read_before_the_right_side(x):
    b = x * x
    b[0] += bump(b)[0] * b[1]
    return np.sum(b * b)


@program([(X3,)], refusable=True)
def inactive_array_changed_by_a_partial(x):
    import functools

    b = np.ones(3)
    f = functools.partial(bump, b)
    s = np.sum(x * b) ** 2
    f()
    return s * np.sum(b * x)


@program([(X3,)])
def inactive_list_sorted(x):
    q = [3.0, 2.0, 5.0]
    s = np.sum(x * q)
    q.sort()
    return s * np.sum(x * q)


@program([(X3,)])
def inactive_list_popped(x):
    q = [3.0, 2.0, 5.0, 7.0]
    s = np.sum(x * q[1:])
    q.pop()
    return s * np.sum(x * q)


@program([(X3, 3)])
def temporary_changed_before_its_use(x, n):
    """`a` and `b` are computed from `un`, but `a` is another value when it is used."""
    u = x.copy()
    for _ in range(n):
        un = u.copy()
        a = un * 2.0
        b = un + 1.0
        a[0] = 0.5
        u[1:] = un[1:] + 0.1 * a[1:] * b[1:] + 0.1 * a[:-1] * b[:-1]
    return np.sum(u)


@program([(X3, 3)])
def temporary_changed_between_its_uses(x, n):
    u = x.copy()
    for _ in range(n):
        a = u * 2.0
        b = u + 1.0
        p = a * b
        a[0] = 0.5
        q = a * b
        u = np.tanh(0.1 * p * q)
    return np.sum(u)


@program([(X3, 3)])
def temporary_changed_through_a_view(x, n):
    u = x.copy()
    for _ in range(n):
        un = u.copy()
        a = un * 2.0
        v = a[1:]
        b = un + 1.0
        v[0] = 3.0
        u = un + 0.1 * a * b + 0.1 * np.sin(b)
    return np.sum(u)


@program([(X3, 3)])
def temporary_scaled_in_place(x, n):
    u = x.copy()
    for _ in range(n):
        a = u - 0.5
        b = u * u
        c = a * b
        a *= b
        b -= 0.1
        u = np.tanh(a * b + c)
    return np.sum(u)


@program([(X3, Y3)])
def loop_in_a_loop_that_stores(x, y):
    """The store reaches the adjoint that enters the outer loop; the inner loop changes nothing."""
    u = x.copy()
    for _ in range(2):
        for _ in range(3):
            pass
        v = u[1:]
        v *= 0.5
    return np.sum(u * y)


@program([(X3, 0.7)])
def loop_in_a_loop_that_adds_up(x, c):
    u = x
    w = x
    a = 0.5 * u
    for _ in range(2):
        for _ in range(3):
            b = c * a
            u = b
        w = u
    return np.sum(u * a) + np.sum(w)


@program([(X3, Y3)])
def exchanged_and_added_up(x, y):
    """The buffer that one name's adjoint enters with is added to under the other name."""
    u = x
    w = y
    for _ in range(2):
        u, w = w, u
        a = w
        u = u + a
    return np.sum(u * y)


@program([(X3,)])
def read_under_a_new_version(x):
    u = x
    w = 0.0
    for _ in range(2):
        u = u
        v = u[1]
        w = v
        u = u
    return np.sum(u * x) + w


@program([(X3, Y3)])
def stored_into_after_the_loop_that_made_it(x, y):
    """The last array of the inner loop is on the tape when it changes."""
    w = y
    for _ in range(3):
        for _ in range(2):
            a = -w
            w = w * 0.5 + x * a
        a[0] = 0.5
    return np.sum(w)


@program([(X3,)])
def scaled_after_the_loop_that_made_it(x):
    w = np.zeros(3)
    for _ in range(3):
        a = x + 0.5
        w = np.tanh(a / (1.5 + w * w))
    for _ in range(2):
        v = a
        v *= 0.5
    return np.sum(w)


@program([(X3, Y3)])
def stored_into_before_it_is_made_again(x, y):
    a = x * 1.0
    w = y
    for k in range(3):
        if k > 0:
            b[0] = 0.5  # noqa: F821
        b = w * w
        w = np.tanh(b * x * a)
    return np.sum(w * b)


@program([(V4, 3)], wrt=0, analytic=True)
def sum_of_a_filled_and_a_full_array(x, n):
    s = np.sum(x)
    c = np.full_like(x, s)
    d = np.zeros_like(x)
    for i in range(min(n, len(x))):
        p = x[i]
        d[i] = p * s
    c = c + d
    y = np.zeros_like(x)
    y[1:] = x[1:] * s
    y += c * 2
    return np.sum(y * x)
