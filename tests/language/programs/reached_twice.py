"""Containers and arrays that are reached in several ways, used whole, and changed in between."""

from collections import defaultdict, deque

import numpy as np

from tests.language.corpus import program

V = np.array([0.7, -1.3, 0.4, 1.1])
M = np.array([[0.3, -0.5, 0.9], [1.2, 0.4, -0.7]])


class Counted:
    def __init__(self, w):
        self.w = w
        self.n = 0.0

    @property
    def tick(self):
        self.n += 1.0
        return self.n

    @property
    def scaled(self):
        return self.w * 2.0


@program([(V,)])
def items_and_their_sum(x):
    xs = [x[0], x[1], x[2]]
    for i in range(3):
        xs[i] = xs[i] * xs[(i + 1) % 3]
        xs.append(sum(xs) * x[3])
    return sum(xs) * xs[0]


@program([(V,)])
def values_of_a_dict_summed(x):
    d = {"a": x[0] * x[1], "b": x[2]}
    for k in ("a", "b", "a"):
        d[k] = d[k] * x[3] + sum(d.values())
    return d["a"] * d["b"]


@program([(M,)])
def windows_of_a_transpose(m):
    z = m.T.copy()
    y = z.T.reshape(-1)
    w = z.reshape(-1)
    w[1] = y[2] * w[0]
    z[2, 1] = w[3] * 2
    y[0] = z[0, 0] ** 2
    return np.sum(w**2 * np.arange(1, 7)) + np.sum(y**3)


@program([(V,)])
def alias_and_part_then_rebound(x):
    a = x.copy()
    b = a
    c = a[1:]
    for i in range(3):
        c[i] = c[i] * b[i]
        if c[i] > 0:
            a = a * 2.0
    return np.sum(a * b) + np.sum(c**2)


@program([(V,)])
def history_of_copies(x):
    hist = []
    s = x * 1.0
    for k in range(4):
        hist.append(s.copy())
        s[k] = s[k] * s[k - 1] + hist[-1][0]
        if len(hist) > 2:
            s = s + hist.pop(0)
    return np.sum(s) * np.sum(hist[0] * hist[1])


@program([(V,)], refusable=True)
def deque_summed(x):
    q = deque([x[0], x[1]], maxlen=2)
    t = 0.0
    for k in range(4):
        q.append(x[k] * q[0])
        t = t + sum(q) * q[1]
    return t


@program([(V,)])
def row_added_to_its_table(x):
    t = [[x[0], x[1]], [x[2], x[3]]]
    u = t[0]
    u[1] = u[0] * t[1][0]
    t.append(u)
    t[2][0] = t[0][1] ** 2
    return sum(t[0]) * sum(t[1]) + np.sum(np.array(t) ** 2)


@program([(V,)])
def buffers_swapped(x):
    a, b = x.copy(), x * 2
    for k in range(3):
        a, b = b, a
        a[k] = a[k] * b[k + 1]
    return np.sum(a * b * b)


@program([(V,)])
def masked_by_integers(x):
    w = np.zeros(4)
    idx = np.array([0, 2, 2, 1])
    w[idx] += x * x
    w[idx] = w[idx] * x
    np.add.at(w, idx, x)
    v = w[idx]
    w[0] = v[1] * v[2]
    return np.sum(w**2) + np.sum(v**3)


@program([(V,)])
def best_of_squares(x):
    best = None
    for i in range(4):
        v = x[i] ** 2
        if best is None or v > best:
            best = v * x[0]
    return best * best


@program([(V,)])
def rows_rolled(x):
    s = np.zeros((3, 4))
    s[0] = x
    for i in range(2):
        s[i + 1] = np.roll(s[i], 1) * s[i]
        s[i + 1, 0] += s[i].sum()
    return np.sum(s[2] * s[1])


@program([(V,)], refusable=True)
def lists_by_parity(x):
    g = defaultdict(list)
    for i in range(4):
        g[i % 2].append(x[i] * x[0])
    for k in g:
        g[k][0] = g[k][0] * g[k][1]
    return sum(g[0]) * sum(g[1])


@program([(V,)])
def stack_with_insertions(x):
    st = [x[0]]
    while len(st) < 4:
        a = st.pop()
        st.append(a * x[len(st)])
        st.append(np.sin(a))
        if len(st) > 1:
            st.insert(0, st[0] * st[1])
    return sum(st) * st[0]


@program([(V,)])
def sliced_reversed_sorted(x):
    xs = list(x)
    ys = xs[:2]
    xs[0] = xs[1] * xs[2]
    ys[1] = ys[0] * xs[0]
    zs = xs + ys
    zs[2] = zs[0]
    xs.extend(zs)
    xs.reverse()
    xs.sort()
    return sum(a * (i + 1) for i, a in enumerate(xs)) * zs[1]


@program([(V,)])
def parts_replaced_after_stores(x):
    a = x.copy()
    parts = [a[:2], a[2:]]
    parts[0][0] = parts[1][1] * a[1]
    a[3] = parts[0][0] ** 2
    parts[1] = parts[0] * parts[1]
    return np.sum(a**2) + np.sum(parts[1]) * parts[0][1]


@program([(V,)])
def helper_that_returns_its_array(x):
    def step(u, k):
        u[k] = u[k] * u[k - 1]
        return u

    u = x * 1.0
    for k in range(3):
        u = step(u, k)
    return np.sum(u**3)


@program([(V,)])
def rows_appended_and_changed(x):
    out = []
    for i in range(3):
        r = [x[i] * x[i + 1], x[i] ** 2]
        out.append(r)
        out[0][1] = out[0][1] * r[0]
    return sum(sum(r) for r in out) * out[0][1]


@program([(V,)])
def scans_and_masks(x):
    c = np.cumsum(x)
    d = np.diff(c)
    c[1:] = c[1:] * d
    c[::2] = c[1::2]
    m = c.max()
    c[c > 0.5 * m] *= x[0]
    return np.sum(c**2)


@program([(V,)])
def list_in_a_tuple(x):
    t = (x[0], [x[1], x[2]])
    t[1][0] = t[0] * t[1][1]
    t[1].append(t[1][0] ** 2)
    a, (b, c, d) = t
    return a * b * c + d * d + sum(t[1])


@program([(V,)])
def rows_swapped_and_stacked(x):
    rows = []
    for k in range(3):
        rows.append(x * x[k])
    rows[0], rows[2] = rows[2], rows[0]
    rows[1] = rows[0] * rows[2]
    return np.sum(np.array(rows) ** 2) + np.sum(np.stack(rows[:2]))


@program([(V,)])
def dict_by_number(x):
    d = {}
    for k in range(4):
        d[k] = x[k] * (d[k - 1] if k - 1 in d else 1.0)
    d[0] = d[3] * d[1]
    return sum(d.values()) * d[2]


@program([(V,)])
def list_in_two_lists(x):
    xs = [x[0] * x[1], x[2]]
    ys = xs
    ys.append(xs[0] ** 2)
    ys[0] = ys[2] * xs[1]
    zs = [xs, ys]
    zs[0].pop()
    return sum(zs[1]) * zs[0][0]


@program([(V,)])
def helper_that_pushes(x):
    def push(s, v):
        s.append(v)
        return len(s)

    s = []
    for k in range(4):
        n = push(s, x[k] * (s[-1] if s else 1.0))
        if n > 2:
            s.pop(0)
    return sum(s) * s[0]


@program([(V,)])
def sorted_downwards(x):
    heap = sorted([x[0] ** 2, x[1] ** 2, x[2] ** 2])
    heap.append(heap[0] * x[3])
    heap.sort(reverse=True)
    return sum((i + 1) * h for i, h in enumerate(heap)) * heap[1]


@program([(V,)])
def path_of_the_best(x):
    best = None
    path = []
    for i in range(4):
        c = np.sin(x[i]) * x[0]
        if best is None or c > best:
            best = c
            path.append(c)
    return best**2 * sum(path)


@program([(V,)])
def copies_popped(x):
    u = x.copy()
    saved = []
    for k in range(3):
        saved.append(u.copy())
        u[1:] = u[1:] * u[:-1]
    while saved:
        u = u + saved.pop() * u[0]
    return np.sum(u)


@program([(V,)])
def table_of_products(x):
    tab = [[0.0] * 3 for _ in range(3)]
    for i in range(3):
        for j in range(3):
            tab[i][j] = x[i] * x[j + 1] + (tab[i - 1][j] if i else 0.0) * (
                tab[i][j - 1] if j else 1.0
            )
    return tab[2][2] * sum(tab[1])


@program([(V,)])
def ravel_of_both_orders(x):
    a = np.zeros((2, 4))
    a[0] = x
    a[1] = x**2
    b = a.ravel()
    c = a.T.ravel()
    b[3] = c[2] * b[0]
    c[1] = a[1, 3]
    a[0, 0] = b[5] * 2
    return np.sum(b * b) + np.sum(c**3)


@program([(V,)])
def list_copied_to_loop_over(x):
    xs = [x[0], x[1]]
    n = 0
    for v in list(xs):
        xs.append(v * xs[0])
        xs[0] = xs[-1] + v
        n += 1
    it = xs[:]
    it[1] = it[0] * it[2]
    return sum(it) + sum(xs) * n


@program([(V,)])
def queue_of_pairs(x):
    q = [(x[0], 1.0)]
    tot = 0.0
    while q and tot < 10:
        v, w = q.pop(0)
        tot = tot + v * w
        if w < 4:
            q.append((v * x[1], w + 1))
            q.insert(0, (v + x[2], w * 2))
    return tot * tot


@program([(V,)])
def arrays_by_name(x):
    d = {"w": x[:2].copy(), "b": x[2:].copy()}
    for k in d:
        d[k] = d[k] - 0.1 * d[k] ** 2
    d["w"][0] = d["b"][1] * d["w"][1]
    return np.sum(d["w"] * d["b"]) + sum(np.sum(v**2) for v in d.values())


@program([(V,)])
def rows_shared_by_lists(x):
    a = x * 1.0
    b = [a, a * 2]
    b[0][1] = b[1][0]
    c = b[0]
    c[2] = c[1] * a[0]
    b.append(c)
    return np.sum(b[2] ** 2) + np.sum(a * b[1])


@program([(V,)])
def none_before_numbers(x):
    s = 0.0
    prev = [None] * 4
    for i in range(4):
        prev[i] = x[i] * (prev[i - 1] if i and prev[i - 1] is not None else 1.0)
        s = s + prev[i]
    prev[0] = s
    return sum(prev) * s


@program([(V,)])
def multiplied_in_place(x):
    y = x.copy()
    np.multiply(y, x, out=y)
    z = y[::-1]
    z[0] *= y[0]
    y[1:3] = z[1:3]
    np.add.at(y, [0, 0], z[:2])
    return np.sum(y * z)


@program([(0.7,)])
def chebyshev_in_a_list(x):
    c = [1.0, x]
    for k in range(2, 6):
        c.append(2 * x * c[k - 1] - c[k - 2])
    c[2] = c[5] * c[2]
    return sum(c) + c[2] * c[0]


@program([(V,)], refusable=True)
def sums_by_letter(x):
    acc = defaultdict(float)
    for i, v in enumerate(x):
        acc["abab"[i]] += v * v * (acc["a"] + 1)
    return acc["a"] * acc["b"]


@program([(M,)])
def columns_of_changed_rows(m):
    rows = list(m)
    rows[0] = rows[0] * rows[1]
    rows.append(rows[0] + m[1])
    t = [sum(r) for r in zip(*rows)]
    t[0] = t[1] * t[2]
    return sum(t) * t[0]


@program([(V,)])
def halves_on_a_stack(x):
    stack = [x]
    out = []
    while stack:
        v = stack.pop()
        if len(v) == 1:
            out.append(v[0] * 2 if not out else v[0] * out[-1])
        else:
            h = len(v) // 2
            stack.append(v[:h])
            stack.append(v[h:])
    return sum(out) * out[0]


@program([(V,)])
def counter_beside_a_weight(x):
    o = Counted(x[0])
    a = o.tick
    b = o.tick
    return a * o.w + b * x[1] * o.scaled


@program([(V,)])
def counters_in_a_list(x):
    os = [Counted(x[0]), Counted(x[1])]
    s = 0.0
    for o in os:
        k = o.tick
        s = s + k * o.w * o.scaled + o.tick
    return s * os[1].tick
