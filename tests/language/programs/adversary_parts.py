"""Updates of parts of arrays through every form of target."""

import numpy as np

from tests.language.corpus import program

V3 = np.array([0.7, -1.3, 0.4])
V4 = np.array([0.7, -1.3, 0.4, 1.1])
M = np.array([[0.3, 1.2], [-0.7, 0.9]])


BUF = np.ones(4)


@program([(V4,)], refusable=True)
def global_rebind(x):
    BUF[:] = 1.0
    t = BUF
    t *= 3.0
    return np.sum(x * BUF)


def deep(b):
    b *= 2.0


@program([(V4,)], refusable=True)
def global_passed(x):
    BUF[:] = 1.0
    deep(BUF)
    return np.sum(x * BUF)


@program([(V4,)])
def arg_rebind_view(x):
    b = x.copy()
    r = b[1:]
    r *= 3.0
    r = r + 1
    r *= 2
    return np.sum(x * b) + np.sum(r)


@program([(V4,)])
def aug_in_helper_param(x):
    b = x.copy()

    def h(q):
        q *= 3.0
        q = q * 2
        q += 1
        return q

    y = h(b)
    z = h(b[1:])
    return np.sum(x * b * y) + np.sum(z)


class T:
    def __init__(s, b):
        s.b = b

    def up(s):
        s.b *= 2.0
        return s


@program([(V4,)], refusable=True)
def attr_aug(x):
    b = np.ones(4)
    t = T(b)
    s = np.sum(x * b)
    t.up()
    t.b += 1
    return s * np.sum(x * b)


@program([(V4,)], refusable=True)
def attr_aug_active(x):
    b = x.copy()
    t = T(b)
    t.up()
    t.b += x
    return np.sum(t.b * b)


@program([(V4,)], refusable=True)
def attr_store_active(x):
    b = x.copy()
    t = T(b)
    t.b[0] = x[1] * 3
    t.b = t.b * 2
    t.b[1] = 5.0
    return np.sum(t.b * b)


@program([(V4,)], refusable=True)
def item_aug_active(x):
    b = x.copy()
    l = [b, b * 2]
    l[0] *= x
    l[1][0] = 3 * b[1]
    for q in l:
        q += 1
    return np.sum(l[0] * b) + np.sum(l[1])


@program([(V4,)], refusable=True)
def dict_aug_active(x):
    b = x.copy()
    l = {"p": b}
    l["p"] *= x
    l["p"][1] = 2 * b[0]
    return np.sum(l["p"] * b)


@program([(V4,)], refusable=True)
def tuple_item_store(x):
    b = x.copy()
    l = (b, b[::-1])
    l[0][0] = 3 * l[1][0]
    p, q = l
    q *= p
    return np.sum(l[0] * b)


@program([(V4,)], refusable=True)
def namedtuple_store(x):
    from collections import namedtuple

    P = namedtuple("P", "a b")
    b = x.copy()
    l = P(b, 2.0)
    l.a[0] = 3 * l.b * b[1]
    return np.sum(l.a * b)


@program([(V4,)], refusable=True)
def ternary_store(x):
    a = x.copy()
    b = x * 2
    (a if x[0] > 0 else b)[1] = 7 * x[0]
    (a or b)[0] if False else 0
    return np.sum(a * b)


@program([(V4,)])
def call_store(x):
    a = x.copy()

    def get():
        return a

    get()[1] = 7 * x[0]
    get()[2:][0] *= 3
    a[1:][:2][1] = a[0]
    a.reshape(2, 2)[1, 1] = a[0] ** 2
    a[None].T[0] += a[3]
    return np.sum(a**2)


@program([(V4,)])
def noncontig_chain_store(x):
    m = np.outer(x, x)
    m.T.reshape(-1)[1] = 100.0
    m[:, 1:3].ravel()[0] = 50.0
    m.reshape(2, 8)[1, 3] = m[0, 0]
    m[::2].T[1] *= x[:2]
    m[[0, 1]][0] = 7
    m[[0, 1]] += 1
    m[m > 0][0] = 3
    return np.sum(m**2)


@program([(V4,)])
def masks(x):
    m = np.outer(x, x)
    k = x > 0
    m[k] = x
    m[:, k] *= 2
    m[k][:, k] = 9
    m[np.ix_([0, 1], [1, 2])] = x[:2]
    m[[0, 1], [1, 2]] -= x[2:]
    m[k, 0] = x[k]
    m[..., -1] = m[0]
    m[np.newaxis, 0, 1] = 3 * x[0]
    m[-1, [0, 0, 1]] += x[:3]
    m[np.array([[0, 1], [2, 3]]), 1] = m[:2, :2]
    return np.sum(m**2)


@program([(V4, 2), (V4, -1)], wrt=0)
def runtime_slices(x, k):
    m = np.outer(x, x)
    m[k:] = m[:k][-m[k:].shape[0] :] if False else 2.0
    m[k, :] *= m[:, k]
    m[slice(0, k)] += x
    sl = np.s_[1:, k]
    m[sl] = x[1:] ** 2
    i = (0, k)
    m[i] = m[i] * m[k, 0]
    return np.sum(m**2)


@program([(V4,)])
def int_float_index(x):
    m = x.copy()
    for i in np.arange(3):
        m[i] = m[i + 1] * m[i]
    for i in np.array([2, 0, 2]):
        m[i] *= m[i - 1]
    it = np.int64(1)
    m[it] += m[-it]
    m[True] *= 2 if False else 1
    return np.sum(m**3)
