"""Updates of parts of arrays through every form of target."""

import numpy as np

from tests.language.corpus import program

V3 = np.array([0.7, -1.3, 0.4])
V4 = np.array([0.7, -1.3, 0.4, 1.1])
M = np.array([[0.3, 1.2], [-0.7, 0.9]])


@program([(V4,)], refusable=True)
def scalar_arrays(x):
    t = np.zeros(())
    for i in range(4):
        t += x[i] * x[0]
        t[...] *= x[1]
    u = np.array(0.0)
    u = u + t
    u += 1
    w = x.sum()
    w += 1
    z = w
    w *= z
    return t * u * w * z


@program([(V4,)])
def zero_d_from_index(x):
    a = x.copy()
    r = a[0]
    r += 1
    q = a[0, ...]
    q += 5 * x[1]
    p = a[1:2]
    p += 3
    (v,) = a[2:3]
    v *= 2
    return np.sum(a * a) * r * v + q


@program([(V4,)])
def zero_d_two(x):
    a = x.copy()
    q = a[0, ...]
    a[0] = x[1] * x[2]
    return np.sum(a * a) * q
