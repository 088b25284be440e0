"""Lists whose items are replaced, that shrink, are cut or turned round: as users write them."""

import numpy as np

from tests.language.corpus import program
from tests.language.data import M33, V3, V4, W3


@program([(0.7, 5), (1.2, 1)], wrt=0, analytic=True)
def recurrence_in_a_list(x, n):
    dp = [0.0] * (n + 1)
    dp[0] = x
    for i in range(1, n + 1):
        dp[i] = dp[i - 1] * x + i
    return dp[n] * dp[n // 2]


@program([([0.7, 0.2, 1.1, 0.4],)], analytic=True)
def argument_squared_in_place(xs):
    for i in range(len(xs)):
        xs[i] = xs[i] ** 2
    return xs[0] * xs[1] + xs[-1] * xs[2]


@program([([0.7, 0.2, 1.1, 0.4],)], analytic=True)
def smoothed_in_place(xs):
    for sweep in range(3):
        for i in range(1, len(xs) - 1):
            xs[i] = 0.5 * (xs[i - 1] * xs[i] + xs[i + 1])
    return sum(xs)


@program([([0.7, 0.2, 1.1], 0.3)], analytic=True)
def augmented_items(xs, y):
    for i in range(3):
        xs[i] += y * xs[i]
        xs[i] *= xs[i - 1]
    xs[-1] -= y
    xs[0] /= 2.0 + xs[2]
    return xs[0] + xs[1] * xs[2]


@program([(V3, 2), (V3, -1)], wrt=0, analytic=True)
def item_at_run_time(x, k):
    parts = [x[0], x[1], x[2]]
    parts[k] = parts[k - 1] * parts[0]
    return parts[0] * parts[1] + parts[2] ** 2


@program([([1.0, 0.5, -0.3], [0.2, 0.7])], analytic=True)
def polynomial_product(a, b):
    c = [0.0] * (len(a) + len(b) - 1)
    for i, p in enumerate(a):
        for j, q in enumerate(b):
            c[i + j] += p * q
    y = 0.0
    for coefficient in reversed(c):
        y = y * 0.5 + coefficient
    return y * c[1]


@program([([1.0, 0.5, -0.3, 0.8], 0.6)], analytic=True)
def horner_by_pop(a, x):
    y = 0.0
    while a:
        y = y * x + a.pop()
    return y


@program([([1.0, 0.5, -0.3, 0.8], 0.6)], analytic=True)
def queue(a, x):
    total = 0.0
    while len(a) > 1:
        first = a.pop(0)
        second = a.pop(0)
        merged = first * second + x
        a.append(merged)
        total += merged
    return total * a[0]


@program([(V4,)], analytic=True)
def stack_machine(x):
    stack = []
    for k in range(4):
        stack.append(x[k])
        if k % 2 == 1:
            b = stack.pop()
            a = stack.pop()
            stack.append(a * b)
    b = stack.pop()
    a = stack.pop()
    return a / b + a


@program([(V4, 2), (V4, 3)], wrt=0, analytic=True)
def ring_buffer(x, size):
    buffer = []
    total = 0.0
    for k in range(4):
        buffer.append(x[k] ** 2)
        if len(buffer) > size:
            buffer.pop(0)
        total = total + sum(buffer) * x[k]
    return total


@program([(V3,)], analytic=True)
def extended(x):
    xs = [x[0] * 2]
    xs.extend([x[1], x[2] * x[0]])
    xs += [x[0] * x[1]]
    xs.extend(v * v for v in x)
    return xs[0] * xs[1] + xs[2] * xs[-1] + xs[3] ** 2


@program([(V3,)], analytic=True)
def inserted_and_deleted(x):
    xs = [x[0], x[1] * x[1], x[2]]
    xs.insert(1, x[0] * x[2])
    xs.insert(0, 2.0 * x[1])
    del xs[2]
    xs[1] = xs[1] * xs[0]
    return xs[0] + xs[1] * xs[2] + xs[3] ** 2


@program([(V4,)], analytic=True)
def reversed_in_place(x):
    xs = [v * v for v in x]
    xs.reverse()
    s = 0.0
    for k, v in enumerate(xs):
        s = s + k * v * xs[0]
    return s


@program([(V4, [2, 0, 3, 1])], wrt=0, analytic=True)
def sorted_by_a_key(x, rank):
    pairs = [(rank[k], x[k] ** 2) for k in range(4)]
    pairs.sort(key=lambda p: p[0])
    s = 0.0
    for k in range(4):
        s = s * 0.5 + pairs[k][1] * (k + 1)
    return s


@program([(V4, [2, 0, 3, 1])], wrt=0, analytic=True)
def sorted_copy_by_a_key(x, rank):
    order = sorted(range(4), key=lambda k: rank[k])
    s = 0.0
    for k in order:
        s = s * 0.5 + x[k] ** 2
    return s


@program([(V4,)])
def sorted_values(x):
    xs = [v * v for v in x]
    xs.sort()
    return xs[0] * 2 + xs[1] * 3 + xs[2] * xs[3]


@program([([0.7, 0.2, 1.1, 0.4],)], analytic=True)
def slices(xs):
    ys = xs[1:3]
    ys[0] = ys[0] * ys[1]
    zs = xs[::-1]
    zs[0] = 2.0 * zs[1]
    return xs[1] * ys[0] + zs[0] * zs[-1]


@program([([0.7, 0.2, 1.1, 0.4],)], analytic=True)
def slice_replaced(xs):
    xs[1:3] = [xs[0] * xs[1], xs[3] ** 2]
    return xs[0] * xs[1] + xs[2] * xs[3]


@program([([0.7, 0.2, 1.1],)], analytic=True)
def alias(xs):
    ys = xs
    ys.append(xs[0] * xs[1])
    ys[0] = xs[2] ** 2
    return xs[3] * xs[0] + ys[1]


@program([([0.7, 0.2, 1.1], 1), ([0.7, 0.2, 1.1], 0)], wrt=0, analytic=True)
def alias_on_one_branch(xs, flag):
    ys = xs if flag else list(xs)
    ys[0] = xs[1] * 3.0
    ys.append(xs[0] ** 2)
    return xs[0] * ys[-1] + ys[0]


@program([(0.7, 4)], wrt=0, analytic=True)
def two_lists_swapped(x, n):
    new = [x, x * x, 1.0]
    old = [0.0] * 3
    for k in range(n):
        old, new = new, old
        for i in range(3):
            new[i] = old[i - 1] * x + old[i]
    return new[0] * new[1] + old[2]


def fill(xs, value):
    for i in range(len(xs)):
        xs[i] = value * (i + 1)


def add_last(xs, value):
    xs.append(value)
    return xs


@program([(0.7,)], analytic=True)
def filled_by_a_helper(x):
    xs = [0.0, 0.0, 0.0]
    fill(xs, x * x)
    ys = add_last(xs, x)
    ys[0] = ys[0] + xs[3]
    return xs[0] * xs[1] * xs[2]


def edit_distance_step(row, previous, x, c):
    for j in range(1, len(row)):
        row[j] = -np.log(np.exp(-previous[j] * x) + np.exp(-row[j - 1]) + c)


@program([(0.7, 0.2)], analytic=True)
def rows_of_a_table(x, c):
    table = [[x * j for j in range(4)]]
    for i in range(3):
        row = [c * (i + 1)] + [0.0] * 3
        edit_distance_step(row, table[-1], x, c)
        table.append(row)
    return table[-1][-1] + table[1][2]


@program([(0.7, 4)], wrt=0, analytic=True)
def table_as_list_of_lists(x, n):
    dp = [[0.0] * n for _ in range(n)]
    for i in range(n):
        dp[i][0] = x
        dp[0][i] = x * x
    for i in range(1, n):
        for j in range(1, n):
            dp[i][j] = dp[i - 1][j] * x + dp[i][j - 1] * dp[i - 1][j - 1]
    return dp[n - 1][n - 1]


@program([(M33,)], analytic=True)
def elimination_in_lists(a):
    rows = [[a[i, j] for j in range(3)] for i in range(3)]
    det = 1.0
    for k in range(3):
        pivot = rows[k][k] + 3.0
        det = det * pivot
        for i in range(k + 1, 3):
            factor = rows[i][k] / pivot
            for j in range(k, 3):
                rows[i][j] -= factor * rows[k][j]
    return det


@program([([[0.7, 0.2], [1.1, 0.4]],)], analytic=True)
def nested_argument(xs):
    xs[0][1] = xs[1][0] * xs[0][0]
    xs[1].append(xs[0][1] ** 2)
    xs.append([xs[1][1], xs[1][2]])
    return xs[2][0] * xs[2][1] + xs[0][1]


@program([(V3,)], analytic=True)
def row_seen_twice(x):
    row = [x[0], x[1]]
    rows = [row, row]
    rows[0][1] = x[2] * 2.0
    return rows[1][1] * row[0] + row[1] ** 2


@program([(V3, 4)], wrt=0, analytic=True)
def repeated_rows(x, n):
    rows = [[0.0] * 2] * 3
    for i in range(n):
        rows[i % 3][i % 2] += x[i % 3] * (i + 1)
    return rows[0][0] * rows[1][1]


@program([([V3, V3 * 2.0, V3 + 1.0],)], analytic=True)
def arrays_replaced(xs):
    for k in range(1, len(xs)):
        xs[k] = xs[k] * xs[k - 1]
    return np.sum(xs[-1] * xs[0])


@program([([V3, V3 * 2.0, V3 + 1.0], 0.3)])
def arrays_changed_by_loop(xs, c):
    for a in xs:
        a *= 2.0 + c
        a[1:] += a[0]
    return np.sum(xs[0] * xs[1]) + xs[2][1]


@program([([V3, V3 * 2.0], 0.3)])
def arrays_changed_by_index(xs, c):
    xs[0][1:] = c
    xs[1] += xs[0] * c
    xs[0][0] = xs[1][1] ** 2
    return np.sum(xs[0] * xs[1])


@program([(V4,)], analytic=True)
def views_in_a_list(x):
    u = x * 2.0
    halves = [u[:2], u[2:]]
    halves[0][:] = halves[1] * halves[1]
    u[3] = halves[0][0] * 3.0
    return np.sum(halves[0]) * halves[1][1]


@program([([M33, M33 + 1.0], [V3, V3], V3, 3)], wrt=(0, 1), analytic=True)
def momentum(weights, biases, x, steps):
    velocity = [np.zeros_like(w) for w in weights]
    for step in range(steps):
        for k in range(len(weights)):
            velocity[k] = 0.9 * velocity[k] - 0.1 * weights[k] ** 2
            weights[k] = weights[k] + velocity[k]
    y = x
    for w, b in zip(weights, biases):
        y = np.tanh(w @ y + b)
    return np.sum(y)


@program([([V3, V3 + 0.5], 3)], wrt=0)
def adam(params, steps):
    m = [np.zeros_like(p) for p in params]
    v = [np.zeros_like(p) for p in params]
    for t in range(1, steps + 1):
        grads = [2.0 * p * np.cos(p) for p in params]
        for i, (p, g) in enumerate(zip(params, grads)):
            m[i] = 0.9 * m[i] + 0.1 * g
            v[i] = 0.99 * v[i] + 0.01 * g**2
            params[i] = p - 0.1 * m[i] / (np.sqrt(v[i]) + 0.1)
    return sum(np.sum(p * p) for p in params)


@program([([V3, V3 + 0.5], 3)], wrt=0, analytic=True)
def descent_in_place(params, steps):
    for t in range(steps):
        for i in range(len(params)):
            params[i] -= 0.1 * params[i] ** 2
    return np.sum(params[0] * params[1])


@program([(V3,)], analytic=True)
def layers_in_a_list(x):
    layers = []
    for k in range(3):
        layers.append((np.outer(x, x) * k, x * 0.1))
    layers[1] = (layers[0][0] + 1.0, x)
    y = x
    for w, b in layers:
        y = np.sin(w @ y + b)
    return np.sum(y)


@program([(V3, 4)], wrt=0, analytic=True)
def history_read_backwards(x, n):
    history = [x]
    for k in range(n):
        history.append(np.sin(history[-1]) * x)
    s = 0.0
    while history:
        last = history.pop()
        s = s * 0.5 + np.sum(last * last)
    return s


@program([(0.7, 3), (0.7, 0)], wrt=0, analytic=True)
def changed_in_branches(x, n):
    xs = [x, x * 2.0]
    for k in range(n):
        if k % 2:
            xs[0] = xs[1] * xs[0]
        elif k == 2:
            xs.pop(0)
        else:
            xs.append(xs[0] * x)
    return xs[0] * xs[-1] + len(xs)


@program([(0.7, 1), (0.7, 0)], wrt=0, analytic=True)
def changed_on_one_branch(x, k):
    q = [x, x * x]
    c = x * 3
    if k:
        q = q + [c]
        q[0] = q[2] * q[1]
    else:
        q[1] = c
    return sum(q) * q[1]


@program([(0.6, 8)], wrt=0, analytic=True)
def sieve_of_states(x, n):
    alive = [x * (k + 1) for k in range(n)]
    for p in range(2, n):
        for q in range(2 * p, n, p):
            alive[q] = alive[q] * alive[p]
    return sum(alive[2:])


@program([(V3,)], analytic=True)
def used_whole_between_changes(x):
    xs = [x[0], x[1], x[2]]
    a = np.array(xs)
    xs[0] = np.sum(a * a)
    b = np.array(xs)
    xs[1] = b[0] * b[1]
    return np.dot(a, b) + sum(xs) * np.prod(np.array(xs))


@program([(V3, 3)], wrt=0, analytic=True)
def returned_list(x, n):
    xs = [x[0]]
    for k in range(n):
        xs.append(xs[-1] * x[1])
        xs[0] = xs[0] + x[2]
    return xs


@program([([0.7, 0.2, 1.1],)], analytic=True)
def copied_first(xs):
    ys = xs.copy()
    zs = list(xs)
    ws = xs[:]
    ys[0] = xs[1] * zs[2]
    zs[1] = ys[0] ** 2
    ws[2] = zs[1] + xs[2]
    return xs[0] * ys[0] + zs[1] * zs[0] + ws[2] * xs[2]


@program([(V4,)], analytic=True)
def cleared(x):
    batch = []
    total = 0.0
    for k in range(4):
        batch.append(x[k] * (k + 1))
        if len(batch) == 2:
            total = total + batch[0] * batch[1]
            batch.clear()
    return total


@program([(0.7, 0.3)], analytic=True)
def overwritten_by_constants(x, y):
    xs = [x, y, x * y]
    s = xs[0] * xs[2]
    xs[0] = 2.0
    xs[2] = 0
    return s * xs[0] + xs[1] * xs[2] + xs[1]


@program([([0.7, 0.2, 1.1],)], analytic=True)
def tuple_swap_of_items(xs):
    xs[0], xs[2] = xs[2] * xs[1], xs[0]
    i, j = 1, 2
    xs[i], xs[j] = xs[j], xs[i]
    return xs[0] + xs[1] ** 2 * xs[2]


@program([([0.7, 0.2, 1.1, 0.5],)])
def bubble_sort(xs):
    for i in range(len(xs)):
        for j in range(len(xs) - 1 - i):
            if xs[j] > xs[j + 1]:
                xs[j], xs[j + 1] = xs[j + 1], xs[j]
    return xs[0] * 4.0 + xs[1] * 3.0 + xs[2] * xs[3]


@program([(0.4, 5)], wrt=0, analytic=True, refusable=True)
def memo_list_of_none(x, n):
    memo = [None] * (n + 1)
    memo[0] = x
    memo[1] = x * x
    for k in range(2, n + 1):
        if memo[k] is None:
            memo[k] = memo[k - 1] * memo[k - 2] + x
    return memo[n]


@program([(V3,)], analytic=True)
def lists_in_a_tuple(x):
    pair = ([x[0]], [x[1], x[2]])
    pair[0].append(x[2] * x[0])
    first, second = pair
    second[0] = first[1] * second[1]
    return pair[1][0] * first[0]


@program([(0.7, 6)], wrt=0, analytic=True)
def comprehension_over_a_changed_list(x, n):
    xs = [x * k for k in range(n)]
    xs[2] = xs[1] ** 2
    ys = [v * v for v in xs if v is not None]
    ys[0] = xs[2]
    return sum(ys) + max(len(ys), 1)


@program([(V3,)], analytic=True)
def popped_from_the_middle(x):
    xs = [x[0], x[1], x[2], x[0] * x[1]]
    k = 1
    v = xs.pop(k)
    w = xs.pop(-2)
    xs.remove(xs[0])
    return v * w + xs[0]


@program([(V3,)])
def row_of_a_list_of_rows(x):
    a = np.outer(x, x)
    rows = list(a)
    row = rows[0]
    row[1] = x[1]
    return np.sum(a * a)


@program([(V3,)])
def item_of_a_list_of_unknown_length(x):
    a = np.outer(x, x)
    rows = [row for row in a]
    rows[0][1] = x[1]
    return np.sum(a * a)


@program([(V3,)])
def list_under_two_names(x):
    us = []
    vs = us
    us.append(x * 2.0)
    return np.sum(vs[0])


@program([(V3,)])
def list_insert(x):
    us = [x]
    us.insert(0, x * 2.0)
    return np.sum(us[0])


@program([(V3,)])
def deleted_item(x):
    us = [x, x * 2.0]
    del us[0]
    return np.sum(us[0])


@program([(V3,)])
def inserted(x):
    parts = [x[1]]
    parts.insert(0, x[0])
    return parts[0] * parts[1]


@program([(V3,)])
def sorted_without_a_key(x):
    parts = [x[1], x[0]]
    parts.sort()
    return parts[0] * 2.0


@program([(V3,)])
def deleted_item_of_a_comprehension(x):
    parts = [v * v for v in x]
    del parts[0]
    return sum(parts)


@program([(V3,)])
def row_changed_through_a_copy_of_the_table(x):
    rows = [[1.0, x[0]]]
    copied = list(rows)
    copied[0][0] = x
    return np.sum(rows[0][0] * rows[0][1])


@program([(0.7,)], analytic=True)
def number_beside_a_list(x):
    xs = [x, [x, x]]
    xs[0] = x * x
    xs[1][0] = xs[0]
    return xs[1][0] * xs[0]


@program([(V3, V3 * 0.5, 1), (V3, V3 * 0.5, 0)], wrt=(0, 1))
def held_arrays_returned(u, v, k):
    xs = [u, v]
    xs[k][1:] = xs[k][1:] * xs[1 - k][:-1]
    return u, v


@program([(V3, V3 * 0.5, 1)], wrt=(0, 1))
def held_arrays_returned_with_a_number(u, v, k):
    u = u * 1.0
    v = np.sin(v)
    xs = [u, v]
    xs[k][1:] = xs[k][1:] * u[0]
    return u, np.sum(v)


@program([(0.7, 3)], wrt=0)
def complex_items(u, n):
    xs = [u * 1j, u + 0j, u * (1 + 2j)]
    for t in range(n):
        xs[t] = xs[t] * xs[(t + 1) % 3]
    return sum(xs).imag + np.sum(np.array(xs)).real


@program([(0.7, 3)], wrt=0)
def complex_items_returned(u, n):
    xs = [u * 1j, u + 0j, u * (1 + 2j)]
    for t in range(n):
        xs[t] = xs[t] * xs[(t + 1) % 3]
    return xs


@program([(0.7,)])
def real_item_among_complex_ones(x):
    xs = [x * 1j, x]
    for t in range(2):
        xs[t] = xs[t] * xs[1 - t]
    return xs[1].imag


@program([([0.5, 2 + 1j],)])
def real_argument_item_among_complex_ones(xs):
    for t in range(2):
        xs[t] = xs[t] * xs[1 - t]
    return xs[1].imag + xs[0].real


@program([(0.7, 5), (0.7, 1)], wrt=0, analytic=True)
def repeated_numbers_then_others(x, n):
    xs = [1.0] * 3
    s = 0.0
    for _ in range(n):
        s = s + xs[0] * x
        xs = [x * s, x, s]
    return s + xs[0] * xs[1]


class Worklist:
    def __init__(self, first):
        self.items = [first]

    def push(self, value):
        if len(self.items) < 4:
            self.items.append(value)


def pushed(items, value):
    if len(items) < 4:
        items.append(value)


@program([(V3,)], analytic=True)
def longer_under_another_name(x):
    xs = [x[0]]
    same = xs
    total = 0.0
    for v in xs:
        if len(same) < 4:
            same.append(v * v + x[1])
        total += v
    return total


@program([(V3,)], analytic=True)
def longer_in_a_dict(x):
    d = {"queue": [x[0]]}
    total = 0.0
    for v in d["queue"]:
        if len(d["queue"]) < 4:
            d["queue"].append(v * v + x[1])
        total += v
    return total


@program([(V3,)], analytic=True)
def longer_in_a_row(x):
    rows = [[x[0]], [x[2]]]
    row = rows[0]
    total = 0.0
    for v in rows[0]:
        if len(row) < 4:
            row.append(v * v + x[1])
        total += v
    return total


@program([(V3,)], analytic=True)
def longer_in_an_object(x):
    work = Worklist(x[0])
    total = 0.0
    for v in work.items:
        work.push(v * v + x[1])
        total += v
    return total


@program([(V3,)], analytic=True)
def longer_by_a_helper(x):
    xs = [x[0]]
    total = 0.0
    for v in xs:
        pushed(xs, v * v + x[1])
        total += v
    return total


@program([(V3,)], analytic=True)
def rows_longer_in_step(x):
    rows = [[x[0], x[1]], [x[1], x[2]]]
    total = 0.0
    for a, b in zip(*rows):
        if len(rows[0]) < 4:
            rows[0].append(a * b)
            rows[1].append(a + b)
        total += a * b
    return total


@program([(V3,)], analytic=True)
def counted_before_it_grows(x):
    xs = [x[0]]
    for k in range(len(xs) + 1):
        pushed(xs, xs[k] * x[1])
    return sum(xs)


@program([(V3,)], analytic=True)
def extended_by_itself(x):
    xs = [x[0], x[1]]
    same = xs
    xs.extend(same)
    xs[0] = x[2] ** 2
    xs += xs
    return sum(v * (k + 1) for k, v in enumerate(same))


@program([(V3,)])
def one_array_twice_in_a_tuple(x):
    w = x * 1.0
    pairs = [((w, w), w)]
    pairs.append(((w * 2.0, w), w))
    pairs[0] = pairs[1]
    (a, b), c = pairs.pop()
    return np.sum(a * 2.0) + np.sum(b * b * b) * np.sum(c)


@program([(V3,)])
def tuple_of_one_array_put_back(x):
    pairs = [(x, x)]
    pairs.append((x * 1.0, x))
    pairs[0] = pairs[0]
    a, b = pairs[0]
    return np.sum(a * 2.0) + np.sum(b * b * b)


@program([(V3,)])
def lists_joined_hold_the_same(x):
    rows = [[1.0], [2.0]]
    turned = rows[1:] + rows[:1]
    twice = rows * 2
    rows[0][0] = x * x
    return np.sum(turned[1][0] * x) + np.sum(twice[2][0] * twice[1][0])


@program([(V3,)])
def lists_in_pairs_with_the_next(x):
    rows = [[1.0], [2.0]]
    for row, following in zip(rows, rows[1:] + rows[:1]):
        row[0] = following[0] * x
    return np.sum(rows[0][0] * rows[1][0])


@program([(V3,)])
def lists_taken_backwards(x):
    rows = [[1.0], [2.0]]
    backwards = list(reversed(rows))
    rows[0][0] = x * x
    return np.sum(backwards[1][0] * x)


@program([(np.array([0.7, -1.3, 0.4, 1.1]),)], analytic=True)
def arrays_that_change_used_whole(x):
    rows = [x * 1.0, x * x]
    for k in range(2):
        rows[k][0] = rows[1 - k][1] * rows[k][2]
        rows.append(rows[k] * x[k])
    return np.sum(np.array(rows) ** 2)


@program([(V3,)], analytic=True)
def a_constant_array_among_arrays_that_change(x):
    items = (W3,)
    y = items[0]
    for _ in range(3):
        u = y * x
        u[1:] = u[:-1] * u[1:]
        y = u * u[1]
    return np.sum(y)


@program([(V4,)], analytic=True)
def rows_filled_in_place(x):
    """`rows[i][j] += ...`, where nothing was put into `rows` itself that varies."""
    rows = [[0.0] * 3 for _ in range(2)]
    for i in range(2):
        for j in range(3):
            rows[i][j] += x[i + j] ** 2
    for i in range(2):
        for j in range(1, 3):
            rows[i][j] += rows[i][j - 1] * rows[(i + 1) % 2][j]
    return sum(row[0] * row[1] * row[2] for row in rows)


@program([(V4,)], analytic=True)
def rows_that_are_dicts(x):
    rows = [{}, {}]
    for i in range(2):
        for j in range(3):
            rows[i][j] = x[j] * (i + 1)
    for i in range(2):
        for j in range(3):
            rows[i][j] += rows[1 - i][j] ** 2
    return sum(v * v for row in rows for v in row.values())


@program([([0.7, 0.3], 3)], wrt=0, analytic=True)
def list_made_anew_twice_in_a_loop(values, steps):
    for _ in range(steps):
        values = [v * v for v in values]
        values = [v + 0.1 * values[0] for v in values]
    return sum(values)


@program([([0.7, 0.3], 2)], wrt=0, analytic=True)
def lists_that_are_kept_and_grow(values, steps):
    kept = []
    for _ in range(steps):
        values = [v * v for v in values]
        kept.append(values)
        values = [3.0 * v * v for v in values]
        kept[-1].append(values[0])
        values.append(kept[0][0] * values[1])
    return sum(values) + sum(sum(k) for k in kept)


@program([([0.7, 0.3], 2)], wrt=0, analytic=True)
def the_list_of_the_iteration_before_grows(values, steps):
    last = values
    for _ in range(steps):
        new = [v * v for v in values]
        old = last
        values = [0.3 * v * v for v in new]
        last = new
        old.append(values[0] * old[0])
    return sum(v * v for v in values) + sum(v * v for v in last) + sum(v * v for v in old)
