"""`try` through Core: what was raised half-way is undone as far as it ran, and no further."""

from __future__ import annotations

import contextlib
import math
import warnings
from typing import Any

import numpy as np
import pytest

from autodiff import AutodiffError, grad
from tests.core.differences import check
from tests.core.honest import honest

V = np.array([0.5, -0.3, 1.2, 0.7])


def root(x):
    if x < 0:
        raise ValueError("negative")
    return math.sqrt(x)


def one_clause(x):
    try:
        y = math.log(x) * x
    except ValueError:
        y = x * x
    return y * y


def two_clauses(x, a):
    try:
        y = abs(x) ** a
        z = a / y
        w = math.sqrt(z - 1.0) * x
    except (OverflowError, ZeroDivisionError):
        w = x * a
    except ValueError:
        w = x * x + a
    return w * a


def first_clause_that_takes_it(x):
    try:
        y = math.sqrt(x)
    except ArithmeticError:
        y = 5.0 * x
    except (KeyError, ValueError):
        y = x * x
    except Exception:
        y = 7.0 * x
    return y * x


def old_value_in_the_handler(x):
    y = x
    try:
        y = math.log(y) * 3.0
    except ValueError:
        y = y * x
    return y * y


def half_of_the_variables(x):
    y, z = x, 1.0
    try:
        y = y * x
        z = math.log(x) * y
        y = y * 2.0
    except ValueError:
        z = y * 3.0
    return y * z


def half_of_the_stores(x):
    y = x.copy()
    try:
        y[0] = y[1] * y[2]
        y[1] *= y[0]
        y[9] = 3.0
        y[2] = 0.0
    except IndexError:
        y[3] = y[0] * y[1]
    return np.sum(y * y)


def stores_behind_what_raises(x, k):
    y = x.copy()
    try:
        s = x[k]
        y[0] = s * y[1]
        y[1] = y[0] * s
    except IndexError:
        y[0] *= y[2]
    return np.sum(y * y * y)


def a_loop_around(x, n):
    y = x.copy()
    for i in range(n):
        try:
            y[i] = y[i] * y[i - 1]
            if y[i] < 0:
                raise ValueError
            y[i - 1] += y[i]
        except ValueError:
            y[i] = 3.0 * y[i - 2]
        y[0] = y[0] * 1.5
    return np.sum(y * y)


def a_loop_inside(x, n):
    y = x.copy()
    s = 1.0
    try:
        for i in range(n):
            y[i] = y[i] * y[i - 1]
            s = s * math.sqrt(x[i])
            y[i] += s
    except ValueError:
        s = s * y[2]
    except IndexError:
        s = s + np.sum(y)
    return s * np.sum(y * y)


def a_break_inside(x, n):
    s = 0.0
    try:
        for i in range(n):
            s = s + math.log(x + i)
            if s > 1.0:
                break
            s = s * x
    except ValueError:
        s = s - x * x
    return s * x


def a_while_inside(x):
    s, k = x, 0
    try:
        while k < 5:
            s = math.sqrt(s) - 0.5
            k = k + 1
    except ValueError:
        s = s * x
    return s * x + k


def carried_from_one_to_the_next(x, n):
    s, t = 1.0, 0.0
    for i in range(n):
        try:
            t = t + x[i]
            s = s * math.log(t)
        except ValueError:
            pass
    return s * x[0]


def read_only_in_the_body(x, n):
    total = 0.0
    t = x[1]
    for i in range(n):
        try:
            t = t * 1.5 + x[0]
            total = total + math.sqrt(t) * x[i]
        except ValueError:
            total = total * x[2]
    return total


def raised_in_a_function(x):
    s = 0.0
    for v in x:
        try:
            s = s + root(v) * v
        except ValueError:
            s = s * 1.5 + v
    return s


def with_else(x):
    try:
        y = root(x)
    except ValueError:
        y = x**3
    else:
        y = y * x
    return y * 2.0


def else_that_raises(x):
    y = x
    try:
        try:
            y = root(x)
        except ValueError:
            y = x * x
        else:
            y = root(y - 1.0) + x
    except ValueError:
        y = 4.0 * x
    return y * x


def nested(x):
    y = x
    try:
        y = y * 2.0
        try:
            y = y * root(x)
        except ZeroDivisionError:
            y = 0.0
        y = y * root(x - 1.0)
    except ValueError:
        y = y * x * x
    return y * y


def finally_behind_both(x):
    y = x.copy()
    s = 0.0
    try:
        s = math.sqrt(y[0]) * y[1]
    except ValueError:
        s = y[1] * y[2]
    finally:
        y[1] = s * y[0]
    return s * np.sum(y * y)


def returns(x):
    try:
        return root(x) * x
    except ValueError:
        return x * x


def missing_key(x):
    d = {0: x[0]}
    try:
        t = d[1]
    except KeyError:
        t = x[1] * x[1]
    except Exception:
        t = x[2]
    return t * x[0]


def missing_attribute_of_a_number(x):
    try:
        t = x.slope
    except KeyError:
        t = 1.0
    except AttributeError:
        t = x * x
    return t * x


def stored_before_the_missing_key(x):
    y = x.copy()
    d = {"a": 1.0}
    try:
        y[0] = y[1] * y[2]
        y[1] = d["b"]
        y[2] = 0.0
    except LookupError:
        y[3] = y[0] * y[3]
    return np.sum(y * y)


def memory_kept_by_the_handler(x):
    y = x * 2.0
    z = y
    try:
        z = x * x
        s = math.log(x[1])
    except ValueError:
        s = 1.0
        z[0] = 5.0
    y[1] = s
    return np.sum(y * z)


def alias_of_what_is_stored(x, k):
    y = x.copy()
    z = y[1:]
    try:
        z[0] = y[k] * y[0]
        y[2] = z[0] * y[1]
    except IndexError:
        z[1] = z[0] * y[0]
    return np.sum(y * y)


def popped_and_caught(x, n):
    stack = [x[0], x[1]]
    s = 1.0
    for i in range(n):
        try:
            s = s * stack.pop()
            s = s + x[2]
        except IndexError:
            s = s * s
    return s


def appended_half_way(x, n):
    kept = []
    for i in range(n):
        try:
            kept.append(x[i] * 2.0)
            kept.append(math.log(x[i]))
        except ValueError:
            kept.append(x[i] * x[i])
    s = 0.0
    for k in range(len(kept)):
        s = s * 0.5 + kept[k] * kept[k]
    return s


def handler_that_raises(x):
    try:
        y = math.log(x)
    except ValueError:
        raise RuntimeError("not positive") from None
    return y * y


def error_that_is_passed_on(x):
    y = x * x
    try:
        y = math.log(x) * y
    except ValueError as error:
        if x > -1.0:
            raise
        raise RuntimeError(f"not positive: {x}") from error
    return y * y


def error_that_is_printed(x):
    try:
        y = math.log(x)
    except (ValueError, TypeError) as error:
        print("caught", error)
        y = x * x
    return y * y


def recorded_behind_what_raises(x, n):
    s = x[0]
    for i in range(n):
        try:
            a = math.sqrt(x[i])
            v = np.sum(x * a * s)
            s = np.sin(v) * v
        except ValueError:
            s = s * s
    return s


def first_error_of_an_update(x, k):
    y = x.copy()
    for i in range(2):
        try:
            y[k] *= root(y[i])
        except LookupError:
            y[0] = y[1] * y[2]
        except ValueError:
            y[2] = y[1] * y[2]
    return np.sum(y * y)


def zero_runs(x, n):
    y = x
    for _ in range(n):
        try:
            y = y / (x - 2.0)
        except ZeroDivisionError:
            y = y * x
    return y


# With --------------------------------------------------------------------------------------------


class Scaled:
    def __init__(self, x):
        self.x, self.log = x, []

    def __enter__(self):
        self.x = self.x * 2.0
        return self.x

    def __exit__(self, *error):
        self.x = self.x * self.x
        return False


def object_as_manager(x):
    own = Scaled(x)
    with own as y:
        z = y * x
        if x > 0:
            own.x = own.x + z
    return own.x * z


def suppressed_half_way(x, k):
    y = x.copy()
    with contextlib.suppress(IndexError, KeyError):
        y[0] = y[1] * y[2]
        y[k] *= y[0]
        y[1] = y[k] * y[3]
    return np.sum(y * y)


def no_manager_at_all(x):
    with contextlib.nullcontext(x * 2.0) as y, contextlib.nullcontext():
        z = y * x
    return z * y


def warnings_are_off(x, n):
    s = 0.0
    for i in range(n):
        with np.errstate(divide="ignore", invalid="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            y = np.log(x) * i
            y[0] = y[1] * y[2]
        s = s + np.sum(y * y)
    return s


def raised_by_numpy(x, scale):
    y = np.log(np.abs(x))
    with np.errstate(all="raise"):
        try:
            z = np.exp(y * scale)
        except FloatingPointError:
            z = y * y
    return np.sum(z * y)


PROGRAMS: list[tuple[Any, ...]] = [
    *((one_clause, x) for x in (1.7, -1.2)),
    *((two_clauses, x, 2.0) for x in (0.3, 1.9)),
    *((first_clause_that_takes_it, x) for x in (1.7, -1.2)),
    *((old_value_in_the_handler, x) for x in (1.7, -1.2)),
    *((half_of_the_variables, x) for x in (1.7, -1.2)),
    (half_of_the_stores, V),
    *((stores_behind_what_raises, V, k) for k in (2, 7)),
    (a_loop_around, V, 4),
    *((a_loop_inside, v, n) for v, n in ((V, 4), (V + 0.5, 3), (V + 0.5, 6), (V, 0))),
    *((a_break_inside, x, 4) for x in (0.3, 2.2, -0.7)),
    *((a_while_inside, x) for x in (0.9, 30.0)),
    *((carried_from_one_to_the_next, v, 4) for v in (V, V - 1.0)),
    *((read_only_in_the_body, v, 4) for v in (V, -V)),
    (raised_in_a_function, V),
    *((with_else, x) for x in (1.7, -1.2)),
    *((else_that_raises, x) for x in (1.7, -1.2, 0.4)),
    *((nested, x) for x in (1.7, -1.2, 0.4)),
    *((finally_behind_both, v) for v in (V, -V)),
    *((returns, x) for x in (1.7, -1.2)),
    (missing_key, V),
    (missing_attribute_of_a_number, 1.7),
    (stored_before_the_missing_key, V),
    *((memory_kept_by_the_handler, v) for v in (V, abs(V))),
    *((alias_of_what_is_stored, V, k) for k in (2, 7)),
    *((popped_and_caught, V, n) for n in (1, 4)),
    (appended_half_way, V, 4),
    (handler_that_raises, 1.7),
    *((object_as_manager, x) for x in (1.7, -1.2)),
    *((suppressed_half_way, V, k) for k in (2, 8)),
    (no_manager_at_all, 1.7),
    (warnings_are_off, abs(V), 3),
    *((raised_by_numpy, V, scale) for scale in (2.0, -9000.0)),
    (error_that_is_passed_on, 1.7),
    *((error_that_is_printed, x) for x in (1.7, -1.2)),
    (recorded_behind_what_raises, V, 4),
    *((first_error_of_an_update, V, k) for k in (1, 7)),
    *((zero_runs, x, n) for x in (1.5, 2.0) for n in (0, 2) if x != 2.0 or n == 0),
]


HALF_WAY = frozenset(
    (
        half_of_the_variables,
        half_of_the_stores,
        stores_behind_what_raises,
        a_loop_around,
        a_loop_inside,
        a_break_inside,
        a_while_inside,
        carried_from_one_to_the_next,
        read_only_in_the_body,
        else_that_raises,
        nested,
        stored_before_the_missing_key,
        memory_kept_by_the_handler,
        alias_of_what_is_stored,
        popped_and_caught,
        appended_half_way,
        suppressed_half_way,
    )
)
"""What is stored in part where an error is raised: such runs are followed."""


@pytest.mark.parametrize(
    "case",
    [pytest.param(own, marks=[pytest.mark.followed] * (own[0] in HALF_WAY)) for own in PROGRAMS],
    ids=lambda case: case[0].__name__,
)
def test_what_ran_is_undone(monkeypatch: pytest.MonkeyPatch, case: tuple[Any, ...]) -> None:
    function, *args = case
    check(monkeypatch, function, *args)
    expected = "not yet" if function in HALF_WAY else "honest"
    assert honest(function, tuple(args), {}).startswith(expected)


def test_adjoints_run_in_the_context_of_their_source(monkeypatch: pytest.MonkeyPatch) -> None:
    text = check(monkeypatch, warnings_are_off, abs(V), 3)
    assert text.count('with np.errstate(divide="ignore", invalid="ignore"):') >= 2
    assert text.rindex("np.errstate") > text.index("Reverse sweep") > text.index("np.errstate")


@pytest.mark.parametrize(("x", "error"), [(-0.5, ValueError), (-2.0, RuntimeError)])
def test_an_error_that_is_raised_again_is_the_same(
    monkeypatch: pytest.MonkeyPatch, x: float, error: type[Exception]
) -> None:
    check(monkeypatch, error_that_is_passed_on, 1.7)
    with pytest.raises(error) as found:
        grad(error_that_is_passed_on)(x)
    assert type(found.value) is error
    assert error is ValueError or isinstance(found.value.__cause__, ValueError)


def name_of_an_error(x):
    e = 1.0
    try:
        y = x * 2.0
        if x > 0.0:
            raise ValueError
    except ValueError as e:
        y = x * 3.0
    try:
        return e * y
    except NameError:
        return y * 7.0


def test_the_name_of_an_error_holds_nothing_behind_its_handler():
    with contextlib.suppress(AutodiffError, UnboundLocalError):  # never another number
        assert grad(name_of_an_error)(0.7) == pytest.approx(21.0)


def filled(x):
    table = {}
    for k, v in zip("abca", x):
        table[k] = v
    return table


def missing_keys(x):
    table, r = filled(x), 1.0
    for k in "aqb":
        try:
            r += table[k] * x[0]
        except KeyError:
            r *= x[1]
    return r


def missing_in_a_branch(x):
    table = {"a": x[0]}
    if x[0] > 0:
        table["b"] = x[1]
    try:
        r = table["q"]
    except KeyError:
        r = x[1]
    try:
        r = r * table["b"]
    except LookupError:
        r = r * x[2]
    return r * r


def popped_and_deleted(x):
    table = filled(x)
    try:
        r = table.pop("q")
    except KeyError:
        r = x[1]
    try:
        del table["r"]
        r = r * x[0]
    except KeyError:
        r = r * x[2]
    return r * len(table)


@pytest.mark.parametrize("function", [missing_keys, missing_in_a_branch, popped_and_deleted])
def test_keys_that_a_dict_in_memory_does_not_have(monkeypatch, function):
    check(monkeypatch, function, np.array([0.73, -1.43, 2.37, 0.81]))


def named_in_a_loop(x):
    s = x[0]
    for k in range(3):
        try:
            s = s * [x[1], x[2]][k]
        except IndexError as error:  # noqa: F841
            s = s + x[3] * x[0]
    try:
        s = s * [x[1]][k]
    except IndexError as error:  # noqa: F841
        s = s * x[2]
    return s


def test_the_name_of_an_error_again(monkeypatch):
    check(monkeypatch, named_in_a_loop, np.array([0.73, -1.43, 2.37, 0.81]))


def a_function_on_one_path(x):
    known = x[0] > 0.3
    if known:
        g = np.sin
    else:
        g = x * 2.0
    s = 0.0
    if known:
        try:
            s = x[1] * x[2]
            if s > 5.0:
                raise ValueError("too large")
        except ValueError:
            g = x
            raise KeyError("none") from None
        s = s + np.sum(g(x))
    return s + np.sum(x * x)


def test_what_is_known_of_a_variable_when_a_handler_binds_it(monkeypatch):
    check(monkeypatch, a_function_on_one_path, np.array([0.7, -0.4, 1.1]))
    check(monkeypatch, a_function_on_one_path, np.array([0.2, -0.4, 1.1]))
