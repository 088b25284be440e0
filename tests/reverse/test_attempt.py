"""`try` and `with` around active statements: exceptions at every place, against differences."""

import contextlib
import math
import re
import warnings

import numpy as np
import pytest

from autodiff import grad, value_and_grad, vjp
from tests.core.differences import refused_or_right


class Stop(Exception):
    pass


class Other(Exception):
    pass


def trip(here, at):
    if here == at:
        raise Stop(here)


def differences(function, x, *rest):
    step = 1e-6
    x = np.asarray(x, float)
    found = np.zeros_like(x)
    for at in np.ndindex(x.shape):
        move = np.zeros_like(x)
        move[at] = step
        points = (x + move, x - move) if x.ndim else (float(x + move), float(x - move))
        up, down = (function(point, *rest) for point in points)
        found[at] = (up - down) / (2 * step)
    return found


def agree(function, x, *rest):
    expected = function(x, *rest)
    value, gradient = value_and_grad(function)(x, *rest)
    assert value == pytest.approx(expected, rel=1e-12)
    slope = differences(function, x, *rest)
    np.testing.assert_allclose(gradient, slope, rtol=1e-6, atol=1e-7)
    value, pullback = vjp(lambda own: function(own, *rest), x)
    assert value == pytest.approx(expected, rel=1e-12)
    for _ in range(2):
        np.testing.assert_allclose(pullback(2.0)[0], 2 * slope, rtol=1e-6, atol=1e-7)


PLACES = [0, 1, 2, 3, 4, 9]


def several_places(x, at):
    w = x * x
    try:
        trip(0, at)
        a = np.sin(w)
        trip(1, at)
        b = np.exp(a) * x
        trip(2, at)
        y = a * b
    except Stop:
        y = w * np.cos(x)
    return y * w


def kept_where_the_body_fails(x, at):
    y = x * x
    try:
        trip(0, at)
        t = np.sin(x) * y
        trip(1, at)
        y = y * t
    except Stop:
        pass
    return y * x


def handler_goes_on_with_the_old_value(x, at):
    y = x * x
    try:
        t = np.sin(x) * y
        trip(1, at)
        y = y * t + x
    except Stop:
        y = y * np.exp(x)
    return y * x


def overwritten_halfway_in_loop(x, at):
    y = x
    total = 0.0
    for k in range(4):
        total = total + np.sin(y) * y
        try:
            y = y * x + 0.1
            trip(k, at)
            y = y * y
            trip(k + 1, at)
        except Stop:
            y = np.cos(x) * 0.5
    return total * y


def loop_inside_try(x, at):
    y = x
    total = 0.0
    try:
        for k in range(4):
            total = total * y + k * x
            trip(k, at)
    except Stop:
        total = x * y
    return total * x


def loops_around_and_inside(x, at):
    total = x
    for i in range(3):
        try:
            s = 0.5 * x
            for k in range(3):
                s = np.sin(s) * x + s
                trip(3 * i + k, at)
            total = total * s
        except Stop:
            total = total + x * x
    return total * x


def while_inside_try(x, at):
    total = 1.0
    for i in range(3):
        try:
            s, k = x, 0
            while s < 3.0:
                s = s * s + x
                k += 1
                trip(i + k, at)
            total = total * s
        except Stop:
            total = total * x
    return total


def nested(x, at):
    try:
        trip(0, at)
        a = x * x
        try:
            trip(1, at)
            b = np.sin(a)
            trip(2, at)
            y = a * b
        except Stop:
            if at == 2:
                trip(x, x)
            b, y = x, a * a * x
        y = y + b if at > 2 else y * y
        trip(3, at)
        z = y * x
    except Stop:
        z = np.exp(x)
    return z * x


def reraised(x, at):
    try:
        try:
            y = np.sin(x)
            trip(1, at)
            z = y * x
        except Stop as error:
            if at == 1:
                raise Other("again") from error
            z = x
    except Other:
        z = x**3
    return z * x


def several_handlers(x, at):
    total = x
    for k in range(4):
        try:
            if k == at:
                raise Stop
            if k + 1 == at:
                raise Other
            if k + 2 == at:
                raise KeyError(k)
            step = np.sin(total)
        except Stop:
            step = x * total
        except Other:
            step = x * x
        except LookupError:
            continue
        else:
            step = step * np.exp(-x)
        finally:
            total = total * 0.9
        total = total + step * x
    return total


def left_by_jumps(x, at):
    total = x
    for k in range(5):
        try:
            trip(k, at)
            if k == 3:
                break
            s = total * x
            if at == 4 and k == 1:
                continue
        except Stop:
            if at == 2:
                return total * 3 * x
            s = x * x
        total = total + np.sin(s)
    return total * x


def returned_from_clauses(x, at):
    try:
        trip(0, at)
        y = x * x
        trip(1, at)
        return np.sin(y)
    except Stop as error:
        if error.args[0] == 0:
            return x**3
    finally:
        y = 0.0
    return np.exp(x)


def finally_computes(x, at):
    y = x
    w = x * x
    try:
        trip(0, at)
        y = np.sin(w)
    except Stop:
        y = np.cos(w)
    finally:
        w = w * np.exp(w)
    return y * w


def several_names(x, at):
    a, b = x, x * x
    for k in range(3):
        try:
            trip(k, at)
            c = np.sin(a * b)
            trip(k + 1, at)
            a, b = b, a * c
        except Stop:
            a = a * b
    return a * b


def list_grows_last(x, at):
    parts = [x]
    for k in range(4):
        try:
            p = parts[-1] * x
            trip(k, at)
            parts.append(p)
        except Stop:
            parts.append(x * k)
    return parts[-1] * parts[1] + parts[2]


def function_fails_inside(x, at):
    def inner(v):
        y = v * v
        trip(1, at)
        y = y * v
        trip(2, at)
        return y

    y = x
    try:
        y = inner(x)
    except Stop:
        pass
    return y * x


def inactive_halfway(x, at):
    k = 1
    try:
        k = 2
        trip(1, at)
        k = 3
        y = x**k
    except Stop:
        y = np.sin(x) * k
    return y * k


def inactive_from_a_function(x, at):
    def count(v):
        n = 5 if v > 0 else 6
        trip(1, at)
        n = n + 1
        return n

    n = 1
    try:
        n = count(x)
    except Stop:
        pass
    return x**n


def suppressed_inactive(x, at):
    total = x
    for k in range(3):
        n = 2
        with contextlib.suppress(Stop):
            trip(k, at)
            n = 3
        total = total * x + n
    return total


def never_caught_in_between(x, at):
    total = x
    try:
        for k in range(3):
            try:
                s = total * x
                trip(k, at)
                t = s * s
            except Other:
                t = s_of(x)
            finally:
                total = total * 0.5
            total = total + t
    except Stop:
        total = np.sin(x)
    return total


def s_of(x):
    return x * 3


PROGRAMS = [
    several_places,
    kept_where_the_body_fails,
    handler_goes_on_with_the_old_value,
    overwritten_halfway_in_loop,
    loop_inside_try,
    loops_around_and_inside,
    while_inside_try,
    nested,
    reraised,
    several_handlers,
    left_by_jumps,
    returned_from_clauses,
    finally_computes,
    several_names,
    list_grows_last,
    function_fails_inside,
    inactive_halfway,
    inactive_from_a_function,
    suppressed_inactive,
    never_caught_in_between,
]


HALF_WAY = (
    *(overwritten_halfway_in_loop, loop_inside_try, nested, reraised, left_by_jumps),
    *(inactive_halfway, never_caught_in_between),
)
"""What is done in part where an error is raised: such runs are followed."""


@pytest.mark.parametrize("at", PLACES)
@pytest.mark.parametrize(
    "program",
    [
        pytest.param(own, marks=[pytest.mark.followed] * (own in HALF_WAY), id=own.__name__)
        for own in PROGRAMS
    ],
)
def test_exception_at_every_place(program, at):
    try:
        program(0.7, at)
    except Exception as error:
        with pytest.raises(type(error)):
            value_and_grad(program)(0.7, at)
    else:
        agree(program, 0.7, at)


def test_arrays():
    def solved(x, a):
        for k in range(3):
            try:
                y = np.linalg.solve(a, x)
            except np.linalg.LinAlgError:
                a = a + (k + 1.0) * np.diag(x)
            else:
                break
        else:
            y = x * 2
        return np.sum(y * y)

    x = np.array([0.5, 1.5, -0.7])
    agree(solved, x, np.zeros((3, 3)))
    agree(solved, x, np.eye(3))


def test_exception_that_nobody_catches():
    def logarithm(x):
        total = 0.0
        for k in range(3):
            try:
                y = math.log(x - k)
            except ZeroDivisionError:
                y = x
            finally:
                total = total + x
            total = total * y
        return total

    with pytest.raises(ValueError, match="domain"):
        grad(logarithm)(1.5)


def test_finally_of_a_failed_body_reports_the_first_exception():
    def failing(x):
        for k in range(2):
            try:
                y = x * x
                trip(k, 0)
                z = y * x
            finally:
                y = 1.0
            x = z * y
        return x

    with pytest.raises(Stop):
        grad(failing)(0.7)


REFUSED = {}


def refused(text):
    def register(function):
        REFUSED[function.__name__] = function, text
        return function

    return register


@refused("`y` carries a derivative, and an exception may come after its assignment")
def read_by_the_handler(x):
    y = x
    try:
        y = x * x
        trip(1, 1)
    except Stop:
        y = y * 3
    return y


@refused("`y` carries a derivative, and an exception may come after its assignment")
def read_afterwards(x):
    y = x
    try:
        y = x * x
        trip(1, 1)
    except Stop:
        pass
    return y


@refused("`y` carries a derivative, and an exception may come after its assignment")
def assigned_by_the_handler_on_one_path(x):
    try:
        y = x * x
        trip(1, 1)
    except Stop:
        if x > 0:
            y = 2 * x
    return y


@refused("`y` carries a derivative, and an exception may come after its assignment")
def assigned_by_one_of_two_handlers(x):
    try:
        y = x * x
        trip(1, 1)
    except Stop:
        y = 2 * x
    except Other:
        pass
    return y


@refused("`y` carries a derivative, and an exception may come after its assignment")
def read_in_the_next_iteration(x):
    y = x
    total = 0.0
    for k in range(3):
        total = total + y
        try:
            y = y * x
            trip(k, 1)
        except Stop:
            total = total * x
    return total


@refused("`y` carries a derivative, and an exception may come after its assignment")
def read_by_finally(x):
    y = x
    total = x
    try:
        y = y * x
        trip(1, 1)
    except Stop:
        total = x * x
    finally:
        total = total * y
    return total


@refused("`total` carries a derivative, and an exception may come after its assignment")
def loop_stopped_by_an_exception(x):
    total = 0.0
    try:
        for k in range(5):
            total = total + x
            trip(k, 3)
    except Stop:
        total = total * x
    return total


@refused("`ys` carries a derivative and is updated in place")
def list_grows_halfway(x):
    ys = [x]
    for k in range(3):
        try:
            ys.append(x * k)
            trip(k, 1)
        except Stop:
            ys.append(x)
    return ys[-1] * ys[0]


@refused("a variable holds things of different kinds on different paths")
def derivative_raised(x):
    y = x * x
    try:
        if x > 0:
            raise ValueError(y)
        z = x
    except ValueError as error:
        z = error.args[0]
    return z * x


@pytest.mark.followed
@pytest.mark.parametrize("name", REFUSED)
def test_refused(name):
    function, text = REFUSED[name]
    match = f"(?s){re.escape(text)}.*test_attempt.py|test_attempt.py.*{re.escape(text)}"
    refused_or_right(function, 0.7, match=match)


def test_handlers_that_always_raise_refuse_nothing():
    def checked(x):
        y = x
        try:
            y = y * x
            trip(1, 0)
        except Stop as error:
            raise ValueError(y) from error
        return y * y

    agree(checked, 0.7)
    source = value_and_grad(checked)
    source(0.7)
    assert "completed" not in source.source


# with


class Swallowing:
    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        return kind is Stop


@pytest.mark.followed
def test_manager_that_swallows():
    def swallowed(x, at):
        y = x
        with Swallowing():
            y = y * x
            trip(1, at)
            y = y * y
        return y * x

    for at in (0, 1):
        agree(swallowed, 0.7, at)


@pytest.mark.followed
def test_manager_that_swallows_in_a_loop():
    def swallowed(x, at):
        y = x
        for k in range(3):
            with Swallowing():
                y = y * x + np.sin(y)
                trip(k, at)
        return y * x

    for at in (0, 1, 2, 9):
        agree(swallowed, 0.7, at)


def test_managers_that_never_swallow_are_not_watched():

    def protected(x):
        with np.errstate(all="ignore"), warnings.catch_warnings():
            y = np.sin(x) * x
        with contextlib.nullcontext(2.0) as two:
            z = y * two
        return z * y

    agree(protected, 0.7)
    derivative = value_and_grad(protected)
    derivative(0.7)
    assert "completed" not in derivative.source


@pytest.mark.parametrize("at", [0, 1, 2, 9])
def test_suppress(at):
    def suppressed(x):
        y = x
        for k in range(3):
            with contextlib.suppress(Stop, Other):
                s = y * np.sin(y)
                trip(k, at)
                y = y * s + x
        return y

    agree(suppressed, 0.7)


def test_suppress_refuses_half_a_body():
    def suppressed(x):
        y = x
        with contextlib.suppress(Stop):
            y = y * x
            trip(1, 1)
            y = y * x
        return y

    refused_or_right(suppressed, 0.7, match="`y` carries a derivative")


def read_in_the_reverse_sweep(x, at):
    y = x * 1.0
    w = np.sum(y**2)
    try:
        y[0] = 5.0
        trip(0, at)
        w = w * y[1]
    except Stop:
        w = w + x[1]
    return w


def of_the_body_alone(x, at):
    total = 0.0
    for k in range(3):
        try:
            y = x * k
            y[0] = y[1] * 5.0
            z = y
            z[1] = 1.5
            trip(k, at)
            total = total + np.sum(y * z)
        except Stop:
            total = total * 2 + x[0]
    return total


@pytest.mark.followed
def test_what_the_reverse_sweep_reads_is_not_changed_halfway():
    match = "`y` carries a derivative"
    refused_or_right(read_in_the_reverse_sweep, np.array([1.0, 2.0]), 0, match=match)


@pytest.mark.parametrize("at", [0, 1, 2, 3])
def test_arrays_of_the_body_alone_change_halfway(at):
    agree(of_the_body_alone, np.array([0.7, 1.3]), at)
