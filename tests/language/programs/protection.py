"""with, try/except/else/finally, assert, raise, del."""

import contextlib
import math
import warnings

import numpy as np

from tests.language.corpus import program
from tests.language.data import M33, P3, V3, V4, W3


class SingularError(Exception):
    pass


def checked_sqrt(x):
    if x < 0:
        raise ValueError("negative")
    return np.sqrt(x)


@program([(0.7, 1.3), (V3, P3)])
def with_errstate(x, y):
    with np.errstate(divide="ignore", invalid="ignore"):
        z = x / y
        w = z * np.log(y)
    return np.sum(z * w)


@program([(0.7,)])
def with_suppressed_warnings(x):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        y = x * x
        y = np.exp(y) * x
    return y


@program([(0.7, 4)])
def with_inside_loop(x, n):
    y = x
    for k in range(n):
        with np.errstate(over="ignore"):
            y = y * x + np.sin(y)
        y = y * 0.9
    return y


@program([(0.7,)])
def return_inside_with(x):
    with np.errstate(all="ignore"):
        y = x**2
        return y * x


@program([(0.7,), (-0.7,)])
def with_nullcontext_and_branch(x):
    with contextlib.nullcontext(3.0) as factor:
        if x > 0:
            y = x * factor
        else:
            y = x * x
    return y * factor


@program([(0.7,), (-0.7,)])
def try_except(x):
    try:
        y = checked_sqrt(x)
    except ValueError:
        y = x * x
    return y * 3 + x


@program([(0.7,), (-0.7,)])
def try_math_domain(x):
    try:
        y = math.log(x)
    except ValueError:
        y = 2 * x
    return y * y


@program([(0.7,), (-0.7,)])
def try_else(x):
    try:
        root = checked_sqrt(x)
    except ValueError:
        y = x**3
    else:
        y = root * x
    return y * 2


@program([(0.7, 1.3)])
def try_finally(x, y):
    log = []
    try:
        z = x * y
        z = z * np.sin(x)
    finally:
        log.append("done")
    return z * len(log)


@program([(0.7,), (-0.7,)])
def try_with_returns(x):
    try:
        return checked_sqrt(x) * x
    except ValueError as error:
        message = str(error)
        return x * len(message)


@program([(0.7, 0), (0.7, 2), (0.7, 5)])
def try_on_inactive_data(x, k):
    weights = [1.0, 2.0, 3.0]
    try:
        w = weights[k]
    except IndexError:
        w = 10.0
    return w * x * x


@program([(0.7, "3.5"), (0.7, "many")], wrt=0)
def try_several_handlers(x, text):
    try:
        factor = float(text)
        y = x * factor
    except ValueError:
        y = x**2
    except (KeyError, TypeError):
        y = x**3
    return y * x


@program([(V4,)])
def try_inside_loop(x):
    total = 0.0
    for xi in x:
        try:
            total = total + checked_sqrt(xi) * xi
        except ValueError:
            total = total * 1.5 + xi
    return total


@program([(M33, V3)])
def try_linear_algebra(a, b):
    try:
        x = np.linalg.solve(a, b)
    except np.linalg.LinAlgError as error:
        raise SingularError from error
    return x @ x


@program([(0.7, 1.3), (V3, P3)])
def assertions(x, y):
    assert np.all(y > 0), "y must be positive"
    z = x * np.log(y)
    assert np.shape(z) == np.shape(x)
    return np.sum(z * z)


@program([(0.7, 1.3)])
def conditional_raise(x, y):
    if y <= 0:
        raise ValueError(f"y must be positive, got {y}")
    if x > 100:
        raise SingularError
    return x / y * np.sqrt(y)


@program([(0.7, 3)])
def raise_inside_loop(x, n):
    for k in range(n):
        x = x * x + 0.1
        if not np.isfinite(x):
            raise OverflowError("diverged")
    return x


@program([(0.7, "sum"), (0.7, "product")])
def raise_in_else(x, mode):
    if mode == "sum":
        y = x + x**2
    elif mode == "product":
        y = x * x**2
    else:
        raise NotImplementedError(mode)
    return y


@program([(0.7, 1.3), (V3, W3)], analytic=True)
def deleted_names(x, y):
    a = x * y
    b = a * a
    del a
    c = b + x
    del b, y
    return np.sum(c * c)


@program([(0.7, 1.3)], analytic=True)
def deleted_items(x, y):
    values = {"a": x, "b": y, "c": x * y}
    del values["b"]
    items = [x, y, x * y]
    del items[0]
    return values["a"] * values["c"] * items[0] + len(values)


@program([(0.7,)])
def handler_never_reached(x):
    y = x
    for _ in range(3):
        try:
            y = y * x + 1
        except ZeroDivisionError:
            y = 0.0
    return y
