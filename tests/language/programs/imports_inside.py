"""Functions that import what they call."""

import numpy as np

from tests.language.corpus import program
from tests.language.data import V3


def imported(x):
    from math import sin

    return sin(x)


def spread(*args, **kwargs):
    from math import hypot

    return hypot(*args, **kwargs)


def sine(x):
    return np.cos(x)


@program([(V3,)])
def a_function(x):
    from math import sin

    return sin(x[0]) * x[1]


@program([(V3,)])
def a_module(x):
    import numpy as xp

    return xp.sum(xp.sin(x) * x)


@program([(V3,)])
def two_modules(x):
    import math

    import numpy.linalg as la

    return la.norm(x) * math.exp(x[0])


@program([(V3,)])
def a_module_of_a_package(x):
    import numpy.linalg

    return numpy.linalg.norm(x) * numpy.sum(x)


@program([(V3,)])
def in_helpers(x):
    return imported(x[0]) * 2 + spread(x[0], x[1])


@program([(V3,)])
def in_a_branch(x):
    if x[0] > -10:
        from math import cos

        y = cos(x[0])
    else:
        y = x[1]
    return y * x[2]


@program([(V3,)])
def in_a_nested_function(x):
    def g(t):
        from math import sin

        return sin(t)

    return g(x[0]) + g(x[1] * x[2])


@program([(V3,)], refusable=True)
def a_name_that_is_global_too(x):
    def g(t):
        from math import sin as sine

        return sine(t)

    return g(x[0]) + np.sum(sine(x))


@program([(V3,)])
def one_that_fails(x):
    try:
        import there_is_no_such_module
    except ImportError:
        there_is_no_such_module = None
    return np.sum(x**2) if there_is_no_such_module is None else x[0]


@program([(V3,)], refusable=True)
def one_of_two(x):
    if x[0] > 0:
        from math import sin as s
    else:
        from math import cos as s
    return s(x[0])
