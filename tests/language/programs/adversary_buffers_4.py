"""Programs against what is done in place: dtypes, views, outputs, containers of buffers."""

import numpy as np

from tests.language.corpus import program

V6 = np.array([0.7, -1.3, 0.4, 1.1, 0.2, -0.5])


@program([(V6,)], refusable=True)
def list_buffers(x):
    bufs = [x * 1.0, x * 2.0]
    for i in range(4):
        bufs[i % 2][1:] = bufs[(i + 1) % 2][:-1] * x[1:]
    return np.sum(bufs[0] * bufs[1])


@program([(V6,)])
def dict_buffers(x):
    st = {"u": x * 1.0, "v": np.zeros(6)}
    for i in range(3):
        st["v"][:] = st["u"] * x
        st["u"] -= 0.1 * st["v"]
        st["u"][i] = st["v"][i]
    return np.sum(st["u"] * st["v"])


@program([(V6,)])
def closure_buffers(x):
    u = x * 1.0
    w = np.zeros(6)

    def step(k):
        w[:] = u * x
        u[k] = w[k] * u[k]
        return np.sum(w)

    s = 0.0
    for i in range(3):
        s = s * step(i) + np.sum(u)
    return s


@program([(V6,)])
def max_in_place(x):
    u = x * 1.0
    for i in range(5):
        u[i + 1] = max(u[i], u[i + 1])
        np.maximum(u, 0.1 * x, out=u)
    return np.sum(u**2)


@program([(V6,)])
def sort_insert(x):
    a = x * 1.0
    for i in range(1, 6):
        k = a[i]
        j = i - 1
        while j >= 0 and a[j] > k:
            a[j + 1] = a[j]
            j -= 1
        a[j + 1] = k * 1.1
    return np.sum(a * np.arange(6))


@program([(V6,)])
def prev_iter(x):
    prev = np.zeros(6)
    u = x * 1.0
    s = 0.0
    for i in range(4):
        d = u - prev
        prev[:] = u
        u[1:] += 0.5 * d[:-1] * prev[1:]
        s += np.sum(d * prev)
    return s


@program([(V6,)])
def prev_iter2(x):
    prev = x * 0.0
    u = x * 1.0
    for i in range(4):
        tmp = prev
        prev = u
        u = tmp
        u[:] = prev * x + u
        u[0] -= prev[0]
    return np.sum(u * prev)


@program([(V6,)])
def early_return(x):
    u = x * 1.0
    for i in range(6):
        u[i] = u[i] * u[i - 1] + 1
        if u[i] > 1.5:
            u[0] = 3.0 * u[i]
            return np.sum(u * x)
        u *= x[i]
    return np.sum(u)


@program([(V6,)])
def cont(x):
    u = x * 1.0
    w = np.ones(6)
    for i in range(6):
        if u[i] < 0:
            w[i] = u[i]
            continue
        w[: i + 1] *= u[i]
        u[:i] = w[:i] * x[i]
    return np.sum(w * u)


@program([(V6,)])
def returned_array(x):
    u = x * 1.0
    for i in range(3):
        u[i] *= u[i + 2]
    v = u[1:4]
    v *= x[0]
    return u
