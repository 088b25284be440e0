"""Calls that write into an array in every spelling; indices of every sort."""

import functools

import numpy as np

from tests.language.corpus import program

V4 = np.array([0.7, -1.3, 0.4, 1.1])


@program([(V4,)])
def store_by_s_(x):
    b = np.array([1.5, 0.7, 2.2, 3.1])
    s = np.sum(x * b)
    b[np.s_[0:2]] = 4.0
    return s * np.sum(x * b)


@program([(V4,)])
def store_by_s_active(x):
    b = x * x
    s = np.sum(x * b)
    b[np.s_[0:2]] = 4.0 * x[2:]
    return s * np.sum(x * b)


@program([(V4,)], refusable=True)
def load_by_s_(x):
    b = x * x
    c = b[np.s_[0:2]]
    c[0] = x[3]
    return np.sum(x * b) + np.sum(c**2)


@program([(V4,)], refusable=True)
def load_by_slice_object(x):
    b = x * x
    sl = slice(0, 2)
    c = b[sl]
    c[0] = x[3]
    b[sl] *= c
    return np.sum(x * b) + np.sum(c**2)


@program([(V4,)], refusable=True)
def load_by_slice_call(x):
    b = x * x
    c = b[slice(0, 2)]
    c[0] = x[3]
    b[slice(1, None)] *= 3.0
    return np.sum(x * b) + np.sum(c**2)


@program([(V4,)])
def round_out_positional(x):
    b = np.array([1.5, 0.7, 2.2, 3.1])
    c = np.array([2.5, 1.2, 0.3, 4.0])
    s = np.sum(x * b)
    np.round(c, 0, b)
    return s * np.sum(x * b)


@program([(V4,)])
def copyto_keywords(x):
    b = np.array([1.5, 0.7, 2.2, 3.1])
    c = np.array([2.5, 1.2, 0.3, 4.0])
    s = np.sum(x * b)
    np.copyto(dst=b, src=c)
    return s * np.sum(x * b)


@program([(V4,)])
def put_keywords(x):
    b = np.array([1.5, 0.7, 2.2, 3.1])
    s = np.sum(x * b)
    np.put(a=b, ind=0, v=4.0)
    return s * np.sum(x * b)


@program([(V4,)], refusable=True)
def copyto_keywords_active(x):
    b = x * x
    np.copyto(dst=b, src=x**3)
    return np.sum(x * b)


@program([(V4,)])
def modf_one_out(x):
    b = np.array([1.5, 0.7, 2.2, 3.1])
    c = np.array([2.5, 1.2, 0.3, 4.0])
    s = np.sum(x * b)
    np.modf(c, b)
    return s * np.sum(x * b)


@program([(V4,)])
def ufunc_out_in_stars(x):
    b = np.array([1.5, 0.7, 2.2, 3.1])
    c = np.array([2.5, 1.2, 0.3, 4.0])
    s = np.sum(x * b)
    np.multiply(*(c, c, b))
    s = s * np.sum(x * b)
    np.sqrt(c, **{"out": b})
    return s * np.sum(x * b)


@program([(V4,)])
def partial_of_method(x):
    b = np.array([1.5, 0.7, 2.2, 3.1])
    s = np.sum(x * b)
    functools.partial(b.fill, 9.0)()
    return s * np.sum(x * b)


@program([(V4,)])
def fill_in_assert(x):
    b = np.array([1.5, 0.7, 2.2, 3.1])
    s = np.sum(x * b)
    assert b.fill(9.0) is None
    return s * np.sum(x * b)


@program([(V4,)], refusable=True)
def fill_in_or(x):
    b = np.array([1.5, 0.7, 2.2, 3.1])
    s = np.sum(x * b)
    b.fill(9.0) or 1
    return s * np.sum(x * b)


@program([(V4,)])
def fill_in_generator(x):
    b = np.array([1.5, 0.7, 2.2, 3.1])
    s = np.sum(x * b)
    any(q.fill(9.0) for q in [b])
    return s * np.sum(x * b)


@program([(V4,)])
def fill_in_fstring(x):
    b = np.array([1.5, 0.7, 2.2, 3.1])
    s = np.sum(x * b)
    y = f"{b.fill(9.0)}"
    return s * np.sum(x * b) * len(y)


@program([(V4,)], refusable=True)
def fill_in_test(x):
    b = np.array([1.5, 0.7, 2.2, 3.1])
    s = np.sum(x * b)
    y = x[0] if b.fill(9.0) else x[1]
    return s * np.sum(x * b) * y


@program([(V4,)], refusable=True)
def fill_in_shape(x):
    b = np.array([1.5, 0.7, 2.2, 3.1])
    s = np.sum(x * b)
    y = np.ones(1 if b.fill(9.0) else 2)
    return s * np.sum(x * b) * np.sum(y)


@program([(V4,)])
def setattr_real(x):
    b = np.array([1.5, 0.7, 2.2, 3.1])
    s = np.sum(x * b)
    setattr(b, "real", 3.0)
    return s * np.sum(x * b)


@program([(V4,)], refusable=True)
def out_in_tuple_positional(x):
    b = np.array([1.5, 0.7, 2.2, 3.1])
    s = np.sum(x * b)
    np.multiply(b, 2.0, out=(b,))
    s = s * np.sum(x * b)
    b[0], b[1] = b[1], b[0]
    return s * np.sum(x * b)


GT = (slice(0, 2), 1)


@program([(V4,)])
def store_at_global_tuple(x):
    b = np.outer(x, x)
    b[GT] **= 2
    return np.sum(b @ x)


@program([(V4,)])
def store_value_at_global_tuple(x):
    b = np.outer(x, x)
    b[GT] = x[:2] * x[2:]
    return np.sum(b**2)


@program([(V4,)])
def store_at_tuple_with_none(x):
    t = (None, 0)
    b = np.outer(x, x)
    b[t] = x * x[1]
    return np.sum(b**2)
