"""Memory held by containers, objects and views nobody knows."""

from dataclasses import dataclass

import numpy as np

from tests.language.corpus import program

V3 = np.array([0.7, -1.3, 0.4])
V4 = np.array([0.7, -1.3, 0.4, 1.1])
M = np.array([[0.3, 1.2], [-0.7, 0.9]])


@program([(V4,)], refusable=True)
def inactive_getattr_base(x):
    b = np.ones(4)
    t = b[:2].base
    s = np.sum(b * x)
    t[0] = 4
    s *= np.sum(b * x)
    getattr(b, "T")[1] = 3
    s *= np.sum(b * x)
    b.flat[2] = 7
    s *= np.sum(b * x)
    for v in np.nditer(b, op_flags=["readwrite"]):
        v[...] = 1.5
    return s * np.sum(b * x)


@program([(V4,)], refusable=True)
def inactive_flat_iter(x):
    b = np.ones(4)
    f = b.flat
    s = np.sum(b * x)
    f[1] = 3
    s *= np.sum(b * x)
    f[:] = 2
    return s * np.sum(b * x)


@program([(V4,)], refusable=True)
def inactive_list_of_arrays(x):
    bs = [np.ones(4), np.ones(4) * 2]
    s = 1.0
    for b in bs:
        s = s * np.sum(b * x)
        b += 3
    bs[0][1] = 8
    s *= np.sum(bs[0] * x)
    for b in bs:
        b[:] = 1.5
    c, e = bs
    c[0] = 4
    t = (c, e)
    u = {"c": c}
    s *= np.sum(t[0] * x)
    u["c"][1] = 9
    return s * np.sum(bs[0] * x)


@program([(V4,)], refusable=True)
def inactive_list_item_replaced(x):
    bs = [1.0, 2.0, 3.0, 4.0]
    s = np.sum(x * bs)
    bs[0] = 7.0
    return s * np.sum(x * bs)


@program([(V4,)])
def inactive_list_item_scalar(x):
    bs = [1.0, 2.0, 3.0, 4.0]
    s = 1.0
    for i in range(3):
        s = s * bs[i] * x[i]
        bs[i + 1] += bs[i]
    bs.append(5.0)
    bs.insert(0, 3.0)
    bs.reverse()
    bs.sort()
    return s * bs[0] * x[0] * x[1]


@program([(V4,)])
def inactive_dict(x):
    c = {"a": 2.0}
    s = x[0] * c["a"] * x[1]
    c["a"] = 5.0
    s = s * s * c["a"]
    c["a"] += 1
    c.update(a=9.0)
    return s * s * c["a"]


@program([(V4,)], refusable=True)
def inactive_obj(x):
    class Q:
        pass

    q = Q()
    q.a = 2.0
    s = x[0] * q.a * x[1]
    q.a = 5.0
    s = s * s * q.a
    setattr(q, "a", 7.0)
    s = s * s * q.a
    q.__dict__["a"] = 1.5
    return s * q.a


@dataclass
class P:
    a: float

    def up(self, k):
        self.a = self.a * k


@program([(V4,)], refusable=True)
def inactive_dataclass(x):
    q = P(2.0)
    s = x[0] * q.a * x[1]
    q.up(3.0)
    s = s * s * q.a
    q.up(2.0)
    return s * s * q.a


@program([(V4,)], refusable=True)
def closure_cell_scalar(x):
    k = 2.0

    def up():
        nonlocal k
        k = k * 3

    s = k * x[0] * x[1]
    up()
    s = k * s * s
    up()
    return k * s * s


@program([(V4,)], refusable=True)
def closure_cell_active(x):
    k = x[0]

    def up():
        nonlocal k
        k = k * x[1]

    s = k * x[0] * x[1]
    up()
    s = k * s * s
    up()
    return k * s * s


@program([(V4,)], refusable=True)
def generator_state(x):
    b = np.ones(4)

    def gen():
        for i in range(3):
            b[i] = i + 2.0
            yield i

    s = 1.0
    for i in gen():
        s = s * np.sum(x * b)
    return s


@program([(V4,)], refusable=True)
def object_array(x):
    b = np.empty(2, dtype=object)
    b[0] = x[0]
    b[1] = x[1:]
    return b[0] * np.sum(b[1])


@program([(V4,)])
def longdouble_(x):
    b = np.zeros(4, np.longdouble)
    b[:] = x
    b *= x
    return np.sum(b * x)


@program([(V4,)], refusable=True)
def structured(x):
    b = np.zeros(2, dtype=[("a", float), ("b", float)])
    b["a"] = 3.0
    s = np.sum(x[:2] * b["a"])
    b["a"][0] = 7
    r = b[1]
    s *= np.sum(x[:2] * b["a"])
    r["a"] = 4
    return s * np.sum(x[:2] * b["a"])


@program([(V4,)], refusable=True)
def structured_active(x):
    b = np.zeros(2, dtype=[("a", float), ("b", float)])
    b["a"] = x[:2]
    b["b"][0] = x[0] * x[1]
    return np.sum(b["a"] * b["b"])


@program([(V4,)], refusable=True)
def masked_array(x):
    b = np.ma.masked_array(np.ones(4), [0, 1, 0, 0])
    s = np.sum(x * b)
    b[0] = 3
    return float(s) * 0 + np.sum(x * np.asarray(b))


@program([(V4,)])
def read_then_put_into_a_list(x):
    arrays, y, s = [], x * 1.0, 0.0
    for _ in range(3):
        s = s + np.sum(y**3)
        arrays.append(y)
        y = y * 1.1
    last = arrays.pop()
    last[0] = 5.0
    last[1] = last[2] * x[1]
    return s + np.sum(last**2)


@program([(V4,)])
def restored_by_the_gradient(x):
    y = x * 1.0
    for _ in range(2):
        for _ in range(2):
            y[np.abs(y) < 0.85] = y[np.abs(y) < 0.85] + x[-2]
        y = y * 1.1
    return np.sum(np.sin(y * x))
