"""Calls of which nothing is known: they run once, in place, and may keep memory and change it."""

import collections
import inspect
import json
import random
import re
import sys
import warnings

import numpy as np
import pytest

from autodiff import grad
from autodiff.errors import AutodiffError, NonDifferentiableError, UnsupportedSyntaxError
from autodiff.pipeline import compiler
from autodiff.primitives.executing import keeps_to_itself
from tests.core.differences import check
from tests.core.judge import judge

X = np.array([0.7, -1.3, 0.4, 1.1])
WEIGHTS = np.array([1.0, 2.0, 3.0, 4.0])
RATE = 2.0


class Closed(type):
    """Says more than how classes are made: objects of these are not read part by part."""

    def __repr__(cls):
        return "closed"


class Keeper(metaclass=Closed):
    """Keeps what it is given."""

    def __init__(self, held):
        self.held = held

    def get(self):
        return self.held

    def set(self, value):
        self.held[0] = value

    def peek(self, k):
        return float(self.held[k])


class Toucher(metaclass=Closed):
    """Changes what is outside."""

    def __new__(cls):
        global RATE
        WEIGHTS[:] = [1.0, 2.0, 3.0, 4.0]
        RATE = 2.0
        return object.__new__(cls)

    def go(self):
        global RATE
        WEIGHTS[0] += 1.0
        RATE += 1.0
        return 3.0


def drawn(x, n):
    generator, t = random.Random(1), 0.0
    for _ in range(n):
        if generator.random() > 0.5:
            t += x * generator.gauss(0.0, 1.0)
        else:
            t -= x**2 * generator.uniform(0.0, 1.0)
    return t


def kept(x):
    b = np.ones(4)
    k = Keeper(b[1:3])
    s = np.sum(x * b)
    k.set(5.0)
    return s * np.sum(x * b) * k.peek(0)


def given_back(x):
    b = np.ones(4)
    c = Keeper(b).get()
    c[1] = 3.0
    c[2] += 2.0
    return np.sum(x * b) * c[1]


def read_twice(x):
    k = Keeper(np.ones(4))
    y = x * k.get()
    k.set(4.0)
    return np.sum(y * k.get())


def argument(x, y):
    k = Keeper(y)
    s = np.sum(x * y)
    k.set(9.0)
    return s * np.sum(x * y)


def outside(x, n):
    t, s = Toucher(), 1.0
    for _ in range(n):
        rate, w = RATE, WEIGHTS
        s = s * np.sum(x * w) * rate
        t.go()
    return s * np.sum(x * WEIGHTS)


def iterated(x):
    t = x
    for v in np.nditer(np.arange(4.0)):
        if v > 2:
            break
        t = t * v + x
    return t


def stored_by_an_iterator(x):
    b = np.arange(4.0)
    s = np.sum(x * b)
    for v in np.nditer(b, op_flags=["readwrite"]):
        v[...] = 2 * v
    return s * np.sum(x * b)


def a_buffer(x):
    b = np.ones(4)
    m, f = memoryview(b), b.fill
    s = np.sum(x * b)
    m[1] = 3.0
    s *= np.sum(x * b)
    Keeper(f).get()(2.0)
    return s * np.sum(x * b)


def bits(x):
    b = np.ones(4)
    t = b.view(np.int64)
    s = np.sum(x * b)
    t[0] += 2**52
    return s * np.sum(x * b)


def fields(x):
    data = json.loads('{"a": 2.0, "b": [1, 2]}')
    found = re.compile("a+").findall("caandaaa")
    row = collections.deque([1.0, 2.0])
    row.rotate(1)
    return x**2 * data["a"] + data["b"][1] * x * len(found) + x * row[0]


def asked(x):
    k = Keeper(None)
    if k.get() is None and not Keeper(0).get():
        return x**2 * Keeper(3.0).get()
    return x


def logged(x):
    k = Keeper([0.0])
    k.set(x[0])
    return np.sum(x**2)


def one_of_two_names(x):
    g = np.random.default_rng(3)
    h = np.random.default_rng(g)
    return np.sum(x * g.standard_normal(4)) * h.random() * g.random()


def in_a_tuple(x):
    w = np.ones(4)
    k = Keeper((w, w[:2]))
    k.get()[1][1] = 8.0
    return np.sum(x * w)


def by_an_update(x):
    y, k = np.zeros(4), Keeper(np.ones(4))
    y[:] = x
    y *= k.get()
    k.set(2.0)
    y += k.get()
    return np.sum(y * x)


def caught(x, place):
    b, c = np.ones(2), 1.0
    m = memoryview(b)
    s = np.sum(x[:2] * b)
    try:
        c = 2.0
        m[0] = 4.0
        s = s * np.sum(x[:2] * b)
        m[place] = 5.0
        c = 3.0
    except IndexError:
        s = s * 2.0 * x[0]
    return s * np.sum(x[:2] * b) * c


def by_path(x, flag):
    k = Keeper(np.array([3.0]))
    if flag:
        k = Keeper(np.array([2.0]))
    else:
        x = x * 2
    y = x * k.peek(0)
    k.set(4.0)
    return np.sum(y * k.peek(0))


def added_up(x, n):
    k, t = Keeper(np.ones(4)), 0.0
    for i in range(n):
        t += x * k.get()
        k.set(i + 2.0)
    return np.sum(t * t)


def read_before_it_is_added_to(x):
    k = Keeper(np.ones(4))
    t = x * k.get()
    u = t
    s = np.sum(u)
    t += x * k.get()
    return np.sum(t) * s


def read_under_another_name(x):
    t = x * Keeper(np.ones(4)).get()
    u = t
    t += x
    return np.sum(u * t)


def read_through_a_view(x):
    t = x * Keeper(np.ones(4)).get()
    u = t[1:3]
    t *= x
    return np.sum(u) * np.sum(t)


def read_an_iteration_later(x):
    k, t, before, s = Keeper(np.ones(4)), 0.0, 0.0, 0.0
    for _ in range(3):
        t += x * k.get()
        s += np.sum(before * t)
        before = t
    return s + np.sum(t)


@pytest.mark.parametrize("n", [0, 1, 3])
def test_updates_of_what_may_be_a_number(monkeypatch, n):
    check(monkeypatch, added_up, X, n)


def test_an_update_of_what_was_read(monkeypatch):
    check(monkeypatch, read_before_it_is_added_to, X)


OTHERS = (read_under_another_name, read_through_a_view, read_an_iteration_later)


@pytest.mark.parametrize("function", OTHERS)
def test_an_update_that_others_see_is_not_taken(monkeypatch, function):
    assert judge(function, [(X,)], ("x",)).what == "not yet"


@pytest.mark.followed
@pytest.mark.parametrize("place", [1, 5])
def test_errors(monkeypatch, place):
    check(monkeypatch, caught, X, place)


@pytest.mark.parametrize("flag", [True, False])
def test_branches(monkeypatch, flag):
    check(monkeypatch, by_path, X, flag)


@pytest.mark.parametrize("n", [0, 1, 3])
def test_in_loops(monkeypatch, n):
    check(monkeypatch, drawn, 0.7, n)
    check(monkeypatch, outside, X, n)


ARRAYS = (kept, given_back, read_twice, stored_by_an_iterator, a_buffer, bits, logged)
ARRAYS += (one_of_two_names, in_a_tuple, by_an_update)


@pytest.mark.parametrize("function", ARRAYS)
def test_memory(monkeypatch, function):
    check(monkeypatch, function, X)


@pytest.mark.parametrize("function", [iterated, fields, asked])
def test_numbers(monkeypatch, function):
    check(monkeypatch, function, 0.7)


def test_an_argument_that_is_kept(monkeypatch):
    check(monkeypatch, argument, X, 2 * X)


def active_is_kept(x):
    return Keeper(x).peek(0) * np.sum(x)


def active_is_stored_later(x):
    b = np.zeros(4)
    k = Keeper(b)
    b[0] = x[0]
    return k.peek(0) * x[1]


def active_goes_in(x):
    k = Keeper([0.0])
    k.set(x[0])
    return k.peek(0) * x[1]


def active_comes_as_text(x):
    return float(Keeper(f"{x[0]}").get()) * x[1]


def active_is_given_back(x):
    b = np.ones(4)
    Keeper(b).get()[1] = x[1]
    return np.sum(b * x)


def a_list_of_ours(x):
    rows = []
    k = Keeper(rows)
    rows.append(x[0])
    return k.peek(0) * x[1]


LOST = (active_is_kept, active_is_stored_later, active_goes_in, active_comes_as_text)


@pytest.mark.parametrize("function", [*LOST, active_is_given_back, a_list_of_ours])
def test_no_derivative_is_lost(function):
    with pytest.raises(AutodiffError):
        grad(function)(X)


MODE, ITEMS = "a", [1.0]


class Setter(metaclass=Closed):
    """Sets what is outside to what it was, or to something else."""

    def __new__(cls, mode):
        global MODE
        MODE, ITEMS[1:] = mode, [2.0] * (mode == "b")
        return object.__new__(cls)


def text_that_changes(x):
    Setter("b")
    return x * 2.0 if MODE == "a" else x**2


def list_that_grows(x):
    Setter("b")
    return x * len(ITEMS)


@pytest.mark.parametrize("function", [text_that_changes, list_that_grows])
def test_constants_that_change(monkeypatch, function):
    compiler.REASONS.clear()
    Setter("a")
    with pytest.raises(UnsupportedSyntaxError, match="may change what the function reads outside"):
        grad(function)(0.7)
    assert "code of the user's that may change what is taken for constant" in compiler.REASONS
    Setter("a")


def test_what_is_no_number_is_said(monkeypatch):
    with pytest.raises(NonDifferentiableError, match="meets a Keeper"):
        grad(lambda x: x * Keeper(Keeper(1.0)).get())(0.7)


class OfItsObject:
    """A descriptor that the class itself does not have."""

    def __get__(self, instance, owner=None):
        return instance.c * 2.0


class Described:
    d = OfItsObject()

    def __init__(self):
        self.c = 3.0


def described(x):
    o = Described()
    return x * x * o.d


def test_a_descriptor_is_no_missing_attribute():
    assert judge(described, [(0.7,)], ("x",)).what in ("right", "not yet")


CLASSES = {1.5: "low", 2.5: "high"}


def caller() -> str | None:
    frame = inspect.currentframe()
    if frame is None or frame.f_back is None:
        return None
    info = inspect.getframeinfo(frame.f_back, context=3)
    lines = [line.strip() for line in info.code_context or () if "(" in line]
    return lines[0] if lines else None


def classified(x):
    labels = np.append(np.array(list(CLASSES.values()), dtype=object), np.nan)
    return labels[np.digitize(x, np.asarray(list(CLASSES)))]


def beside_what_is_said(x):
    who = caller() or "nobody"
    if x[0] > 5.0:
        warnings.warn(f"{who} says {who!r}", stacklevel=2)
    return np.where(x > 0.0, x**2, 0.0), classified(x)


def calls_of_what_keeps_to_itself(x):
    found, labels = beside_what_is_said(x)
    return np.sum(found * len(labels) * len(MODE))


def keeps_a_list(text):
    ITEMS.append(float(len(text)))


def reaches_a_module(text):
    return sys.modules[__name__].keeps_a_list(text)


def reaches_a_frame(text):
    return inspect.currentframe().f_back.f_globals[text]


def test_of_texts_and_of_what_keeps_to_itself(monkeypatch):
    check(monkeypatch, calls_of_what_keeps_to_itself, X)
    derivative = grad(calls_of_what_keeps_to_itself)
    monkeypatch.setitem(CLASSES, 4.5, "none")
    np.testing.assert_allclose(derivative(X), 8.0 * np.maximum(X, 0.0))
    assert keeps_to_itself(caller)
    assert not any(map(keeps_to_itself, (keeps_a_list, reaches_a_module, reaches_a_frame)))


def table_is_found(x):
    return x * len(dict(CLASSES)) * len(CLASSES.get(1.5, "")) * CLASSES[1.5].count("o")


def test_a_table_by_other_keys_is_read_again(monkeypatch):
    check(monkeypatch, table_is_found, 0.7)
    derivative = grad(table_is_found)
    assert derivative(0.7) == 2 * 3
    monkeypatch.setitem(CLASSES, 1.5, "too low")
    assert derivative(0.7) == 2 * 7 * 3
    monkeypatch.setitem(CLASSES, 4.0, "more")
    assert derivative(0.7) == 3 * 7 * 3
    monkeypatch.setitem(globals(), "CLASSES", {1.5: "o"})
    assert derivative(0.7) == 1.0


NESTED = {1.5: [1.0, "ab"]}


def parts_of_a_table(x):
    return x * len(NESTED[1.5]) * NESTED[1.5][0] * len(NESTED[1.5][1])


def test_what_a_table_holds_is_read_again(monkeypatch):
    derivative = grad(parts_of_a_table)
    assert derivative(0.7) == 4.0
    NESTED[1.5].append(2.0)
    assert derivative(0.7) == 6.0
    NESTED[1.5][0] = 3.0
    assert derivative(0.7) == 18.0
    monkeypatch.setitem(NESTED, 1.5, [7.0, "abc"])
    assert derivative(0.7) == 42.0
