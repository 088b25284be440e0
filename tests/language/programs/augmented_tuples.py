"""`t += (x,)`: a tuple never changes, so the name gets another one."""

import numpy as np

from tests.language.corpus import program

V3 = np.array([0.7, -1.3, 0.4])


@program([(0.7,)], analytic=True)
def at_once(x):
    r = x * 2.0, x * x
    s = r
    r += (x**3, x**4)
    return r[0] * r[3] + s[1] + len(s)


@program([(0.7, 1), (0.7, -1)], wrt=0, analytic=True)
def on_a_branch(x, more):
    r = x * 2.0, x * x
    if more > 0:
        r += (x**3,)
    return sum(r)


def with_slopes(x, slopes=False):
    result = np.sin(x), np.exp(x)
    if slopes:
        result += (np.cos(x), np.exp(x))
    return result


@program([(V3,)], analytic=True)
def by_an_option(x):
    s, e = with_slopes(x)
    s2, e2, c, _ = with_slopes(x * e, slopes=True)
    return np.sum(s * e + s2 * c) + e2[0]


@program([(0.7,)])
def in_a_loop(x):
    path = ()
    for k in range(4):
        path += (x * k, x**k)
    total = 0.0
    for a in path:
        total = total * x + a
    return total + len(path)


@program([(V3, 0.3)])
def starred(x, y):
    t = (x[0] * y, y)
    t += t
    t += (x[1], *t)
    return t[2] * t[4] + t[-1] * t[1] * t[5]
