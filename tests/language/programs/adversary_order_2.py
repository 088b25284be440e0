"""Order of evaluation around helpers that change their argument."""

import numpy as np

from tests.language.corpus import program

V3 = np.array([0.7, -1.3, 0.4])
V4 = np.array([0.7, -1.3, 0.4, 1.1])
M = np.array([[0.3, 1.2], [-0.7, 0.9]])


@program([(V4,)])
def loop_closure(x):
    b = x.copy()
    s = 0.0

    def step(i):
        b[i] = b[i - 1] * b[i]
        return b[i]

    for i in range(4):
        s = s * 0.5 + step(i) * b[i - 1] * step(i - 1)
    return s * np.sum(b)


@program([(V4,)])
def same_array_twice(x):
    b = x.copy()

    def g(p, q):
        p[0] = q[1] * p[0]
        q[1] = p[0] * q[0]
        p += q
        return np.sum(p * q)

    return g(b, b) + g(b, b[::-1]) + g(b[1:], b[:-1])


@program([(V4,)])
def same_array_twice_inactive(x):
    b = np.arange(4.0) + 1

    def g(p, q):
        s = np.sum(p * x[: p.shape[0]])
        p[0] = q[1] * p[0]
        s *= np.sum(q * x[: q.shape[0]])
        p += q
        return s * np.sum(p * q * x[: q.shape[0]])

    return g(b, b) + g(b, b[::-1]) + g(b[1:], b[:-1])
