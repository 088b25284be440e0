"""A helper's variable has the name of what the helper before it reads from outside."""

from math import log

import numpy as np

from tests.language.corpus import program


def outer(x):
    return log(x) * x


def imported(x):
    from math import cos as log

    return log(x) * x


def module(x):
    import math as log

    return log.sin(x) * x


def nested(x):
    def log(y):
        return y * y

    return log(x) * x


def target(x):
    for log in (x, x * x):  # noqa: F402
        x = x * log
    return x


def local_class(x):
    class log:  # noqa: N801
        factor = 2.0

    return x * x * log.factor


def parameter(x, log=3.0):
    return x * x * log


def walrus(x):
    if (log := x * x) > 1:
        return log
    return log * x


def captured(x):
    log = 1.0

    def inner():
        return log * x

    log = x
    return inner() * log


def unpacked(x):
    log, outer = x * 2, x**2
    return log * outer


def excepted(x):
    try:
        y = 1 / x
    except ZeroDivisionError as log:
        raise ValueError from log
    return y * y


def managed(x):
    with np.errstate(all="ignore") as log:
        y = x * x
    return y if log is None else y


@program([(0.7,), (1.7,)])
def before(x):
    y = outer(x) + imported(x) + module(x) + nested(x) + target(x)
    y = y * local_class(x) + parameter(x) + walrus(x)
    return y + captured(x) * unpacked(x) + excepted(x) * managed(x)


@program([(0.7,), (1.7,)])
def between(x):
    y = imported(x) * outer(x) + module(x) * outer(x * x)
    y = y * nested(x) + outer(x) * target(x) + outer(y * y + 1) * unpacked(x)
    return y * excepted(x) + outer(x) * captured(x)


@program([(0.7, 0), (0.7, 1), (0.7, 2), (0.7, 3)], wrt=0)
def one_of_them(x, k):
    if k == 0:
        return outer(x)
    if k == 1:
        return nested(x)
    return imported(x) if k == 2 else target(x)
