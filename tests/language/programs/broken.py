"""Programs that a reviewer broke the compiler with: right now, or refused."""

import numpy as np

from tests.language.corpus import program
from tests.language.data import V3


@program([(1.2,), (0.3,), (0.9,)], analytic=False)
def two_breaks(x):
    for j in range(4):
        if x * j > 4:
            x = x * j
            break
        if x * j > 2.5:
            x = x * x * j
            break
        x = x * 1.05
    return x


@program([(1.2,), (0.3,), (0.9,)])
def return_and_break(x):
    for j in range(4):
        if x * j > 4:
            return x * x * j
        if x * j > 2.5:
            break
        x = x * 1.05
    return x * x


@program([(0.3,), (0.31,), (0.7,)])
def return_break_and_continue(x):
    for i in range(10):
        y = x * i
        for j in range(3):
            if y * j > 4:
                return y * y * j
            if y * j > 2.5:
                break
            x = x * 1.05
        else:
            x = x + 0.01
            continue
        x = x * 1.3
    return x


@program([(V3,)])
def appended_by_index(x):
    rows = [[], []]
    rows[0].append(x[0])
    rows[1].append(x[1])
    return rows[0][0] * rows[1][0]


@program([(V3,)])
def appended_by_key(x):
    d = {"a": [], "b": []}
    for i in range(3):
        d["a"].append(x[i])
        d["b"].append(x[i] ** 2)
    return sum(d["a"]) * sum(d["b"])


@program([(V3,)])
def rows_appended_by_index(x):
    rows = []
    for i in range(3):
        rows.append([])
        rows[i].append(x[i])
    return np.sum(np.array(rows) * 2)


@program([(V3,)], refusable=True)
def bound_append(x):
    a = []
    ap = a.append
    for i in range(3):
        ap(x[i] ** 2)
    return sum(a) * a[0]


def overwrite(b):
    b[0] = 5


@program([(V3,)], refusable=True)
def inactive_array_changed_by_helper(x):
    b = np.ones(3)
    y = x * b
    overwrite(b)
    return np.sum(y * b)


@program([(V3,)], refusable=True)
def inactive_array_changed_by_out(x):
    b = np.ones(3)
    y = x * b
    np.multiply(b, 2, out=b)
    return np.sum(y * b)


@program([(V3,)])
def inactive_array_sorted(x):
    b = np.array([3.0, 1.0, 2.0])
    y = x * b
    b.sort()
    return np.sum(y * b)


@program([(V3,)], refusable=True)
def inactive_array_filled(x):
    b = np.ones(3)
    y = x * b
    b.fill(9)
    return np.sum(y * b)


@program([(V3,)], refusable=True)
def inactive_array_copied_to(x):
    b = np.ones(3)
    y = x * b
    np.copyto(b, 4.0)
    return np.sum(y * b)


WEIGHTS = [1.0, 2.0, 3.0]


@program([(V3,)], analytic=True)
def array_times_list(x):
    return np.sum(x * WEIGHTS)


@program([(V3,)], refusable=True)
def iterator_read_twice(x):
    z = zip(x, x[1:])
    s = 0.0
    for a, b in z:
        s += a * b
    for a, b in z:
        s += 100 * a * b
    return s


@program([(0.5, 1), (0.5, 0)], wrt=0, refusable=True)
def list_extended_by_plus(x, k):
    q = [x, x * x]
    c = x * 3
    if k:
        q = q + [c]
    return sum(q)


@program([(0.5, 2), (0.5, 0)], wrt=0, refusable=True)
def list_extended_in_loop(x, k):
    q = [x, x * x]
    for i in range(k):
        q = q + [x * i + q[-1]]
    return q[0] * q[-1] * q[1]


@program([(0.5, 1), (0.5, 0)], wrt=0, refusable=True)
def list_repeated(x, k):
    q = [x, x * x]
    if k:
        q = q * 2
    return q[0] * q[-1]


@program([(0.5, 1), (0.5, 0)], wrt=0, refusable=True)
def list_put_together_and_cut(x, k):
    q = [x, x * x]
    c = x * 3
    if k:
        q = q + [c, c * c]
        q = q[1:]
    return x + q[0] * q[-1] * 3


def larger(u, v):
    if u > v:
        return v
    r = u
    return r


@program([(0.6, 0.4, V3)])
def item_of_tuple_read_twice(x, y, w):
    a = x
    b = y
    p = (a, b)
    a = larger(y, p[1])
    for b in w:
        pass
    a = a * p[1]
    return a * b


@program([(np.array([0.3, 1.2, -0.7], np.float32), V3)], tolerance=1e-5, refusable=True)
def single_precision_in_loop(x, y):
    s = 0.0
    for _ in range(2):
        s = s + x * y
    return np.sum(s)


@program([(np.array([0.7, 1.3, -0.4, 0.9]),)], analytic=True)
def carried_number_with_pending_alias(x):
    s = 0.0
    for k in range(len(x)):
        s = s + (x[k] + s * x[k])
    return s


@program([(0.5,)], analytic=True)
def local_called_like_a_helper(x):
    Tape = x * x
    for _ in range(3):
        x = x * Tape
    return x


@program([(V3,)], analytic=True, refusable=True)
def local_called_sequence(x):
    sequence = x * x
    total = 0.0
    for item in [sequence, x]:
        total = total + np.sum(item * sequence)
    return total


@program([(-0.5, 1.1), (0.4, 5.0)])
def both_sides_pass_on_one_adjoint(x, y):
    t = 0.5
    c = x * y
    if y > 0.3:
        t = x
    if y > 0.2:
        t = 0.7 + x if y > 3 else t + x
        x = max(t, 0.7) * y
    return c * t + x * y


@program([(V3,)], refusable=True)
def inactive_array_changed_by_closure(x):
    b = np.ones(3)
    y = x * b

    def change():
        b[0] = 9

    change()
    return np.sum(y * b)


@program([(V3,)], refusable=True)
def inactive_array_changed_by_positional_out(x):
    b = np.ones(3)
    y = x * b
    c = np.add(b, 1.0, b)
    return np.sum(y * b * c)


@program([(V3,)], refusable=True)
def inactive_array_changed_by_special_methods(x):
    b = np.ones(3)
    y = x * b
    b.__setitem__(0, 5.0)
    b.__iadd__(3)
    return np.sum(y * b)


@program([(V3,)], refusable=True)
def inactive_array_changed_in_comprehension(x):
    b = np.ones(3)
    y = x * b
    [b.__setitem__(i, 5.0) for i in range(2)]
    return np.sum(y * b)
