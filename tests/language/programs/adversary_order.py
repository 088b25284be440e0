"""Order of evaluation around helpers that change their argument."""

import contextlib

import numpy as np

from tests.language.corpus import program

V3 = np.array([0.7, -1.3, 0.4])
V4 = np.array([0.7, -1.3, 0.4, 1.1])
M = np.array([[0.3, 1.2], [-0.7, 0.9]])


def bump(b, k=1.0):
    b *= b
    b[0] += k * b[1]
    return b


def bump0(b):
    b[0] = b[0] * b[1]
    return b[1]


@program([(V4,)])
def order_binop_name(x):
    b = x.copy()
    return np.sum(b[:2] * bump0(b) + b[:2])


@program([(V4,)])
def order_item_then_call(x):
    b = x.copy()
    return b[0] * bump0(b) + b[0]


@program([(V4,)])
def order_unary(x):
    b = x.copy()
    return (-b)[0] * bump0(b) + (+b)[0] * bump0(b) + abs(b[0]) * bump0(b) * b[0]


@program([(V4,)])
def order_call_args(x):
    b = x.copy()
    return max(b[0], bump0(b), b[0]) + np.dot(b, b * bump0(b)) + np.hypot(b[0], bump0(b)) * b[0]


@program([(V4,)], refusable=True)
def order_compare(x):
    b = x.copy()
    if b[0] > bump0(b) and b[0] < 0:
        return b[0] ** 2
    return b[0] ** 3


@program([(V4,)], refusable=True)
def order_ifexp(x):
    b = x.copy()
    y = b[0] if bump0(b) < 0 else b[1]
    z = (bump0(b) if b[0] > 5 else b[0]) * b[0]
    return y * z + (b[0] and bump0(b) * b[0])


@program([(V4,)], refusable=True)
def order_subscript(x):
    b = x.copy()
    return b[int(bump0(b) > 0)] * b[0] + b[int(bump0(b) < 0) :][0]


@program([(V4,)])
def order_list(x):
    b = x.copy()
    l = [b[0], bump0(b), b[0], b[1:2][0] * bump0(b), b[0]]
    return l[0] * l[1] * l[2] * l[3] * l[4]


@program([(V4,)])
def order_kwargs(x):
    b = x.copy()

    def g(p, q, r):
        return p * q + r * r * p

    return g(b[0], r=bump0(b), q=b[0]) + g(q=bump0(b) * b[0], p=b[0], r=bump0(b))


@program([(V4,)])
def order_aug_scalar(x):
    b = x.copy()
    s = x[0]
    s += bump0(b) * b[0]

    def g():
        nonlocal_ = b[0]
        b[0] = 2 * b[0]
        return nonlocal_

    s *= g() * b[0] + g()
    b[1] += g() * b[1]
    b[0] += b[1]
    b[0] *= g()
    return s * np.sum(b * b)


@program([(V4,)])
def order_aug_inactive(x):
    b = np.ones(4)

    def g():
        b[:2] = b[:2] * 3.0
        return b[0]

    b[0] += g()
    s = np.sum(b * x)
    b[0:2] *= g()
    s *= np.sum(b * x)
    k = b[0]
    k += g()
    return s * k


@program([(V4,)])
def order_comprehension(x):
    b = x.copy()
    l = [bump0(b) * v for v in b]
    m = [b[0] * bump0(b) * w * b[0] for w in (1.0, 2.0)]
    return sum(l) * m[0] + m[1]


@program([(V4,)], refusable=True)
def order_return_tuple(x):
    b = x.copy()

    def h():
        return b[0], bump0(b), b[0], b

    p, q, r, t = h()
    t[0] = p * r
    return p * q * r * np.sum(b)


@program([(V4,)])
def order_pow_chain(x):
    b = np.abs(x)
    y = b[0] ** bump0(b) ** b[0]
    return y * (b[0] - bump0(b) - b[0])


@program([(V4,)])
def order_boolop(x):
    b = x.copy()
    return (b[0] or bump0(b)) * b[0] * (bump0(b) or b[0]) * b[0]


@program([(V4,)])
def order_method(x):
    b = x.copy()
    return b.sum() * bump0(b) * b.sum() + b.dot(bump(b)) + b.clip(-1, 1).sum() * bump0(b)


@program([(V4,)], refusable=True)
def order_fstring_assert(x):
    b = x.copy()
    assert bump0(b) < 10
    str(f"{bump0(b)}")
    print(end="" if bump0(b) < 100 else " ")
    return np.sum(b * b)


@program([(V4,)], refusable=True)
def order_while_test(x):
    b = x.copy()
    n = 0
    s = 1.0
    while bump0(b) < 0 and n < 3:
        s = s * b[0]
        n += 1
    return s * np.sum(b)


@program([(V4,)], refusable=True)
def order_for_iter(x):
    b = x.copy()
    s = 1.0
    for i in range(int(bump0(b) < 0) * 3):
        s = s * b[i] + bump0(b)
    for v in [b[0], bump0(b), b[0]]:
        s = s * v
    return s * np.sum(b)


@program([(V4,)], refusable=True)
def order_with(x):
    b = x.copy()

    @contextlib.contextmanager
    def cm(v):
        yield v

    with cm(bump0(b)) as q:
        s = q * b[0]
    return s


@program([(V4,)])
def order_nested_call(x):
    b = x.copy()

    def g(p, q):
        p[0] = q[1] * 3
        return p

    y = g(b, g(b, b * 2))
    z = g(b[1:], b[2:] * bump0(b))
    return np.sum(y * y) + np.sum(z * b[0])


@program([(V4,)])
def order_lambda_default(x):
    b = x.copy()
    f = lambda v=b[0]: v * b[0]
    b[0] = 3 * b[1]
    return f() + f(2.0)
