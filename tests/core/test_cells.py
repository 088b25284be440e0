"""Stores into attributes and items of what is outside: variables that are written through.

Each program begins by giving these their values, as it is called again and again.
"""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

from autodiff import grad
from tests.core.judge import Verdict, core_alone, judge, programs

X, A = 0.7, np.array([0.5, 0.3, -0.6])


class State:
    n = 0
    k = 1.0
    buffer = np.zeros(3)
    mode = "slow"
    kept = None


class Base:
    rate = 1.0


class Derived(Base):
    pass


class Part:
    def __init__(self):
        self.v = 1.5


class Holder:
    count = 3

    def __init__(self):
        self.w, self.part = np.ones(3), Part()
        self.half = 1.0

    @property
    def whole(self):
        return self.half * 2

    @whole.setter
    def whole(self, value):
        self.half = value / 2

    def step(self, a):
        self.count = self.count + 1
        self.w = self.w * a


class Slots:
    __slots__ = ("v",)


def scaled(v):
    return v * scaled.factor


HOLDER, SLOTS = Holder(), Slots()
SLOTS.v = scaled.factor = 1.0
OTHER = [HOLDER]
TABLE = {"k": 1.0, "w": np.ones(3), 3: 2.0}
ROW = [1.0, 2.0]


def reset():
    State.n, State.k, State.mode, State.kept = 0, 1.0, "slow", None
    State.buffer = np.zeros(3)
    Base.rate = 1.0
    HOLDER.w, HOLDER.part.v, HOLDER.half, HOLDER.count = np.ones(3), 1.5, 1.0, 3
    SLOTS.v = scaled.factor = 1.0
    TABLE["k"], TABLE["w"], TABLE[3] = 1.0, np.ones(3), 2.0
    ROW[0], ROW[1] = 1.0, 2.0


def in_a_loop(x, a):
    reset()
    for i in range(3):
        State.k = State.k * a[i] + State.n
        State.n += 1
        if a[i] > 0:
            State.k *= x
    return State.k + State.n * x


def array_that_changes_behind_it(x, a):
    reset()
    b = a * x
    State.buffer = b
    b[0] = b[1] * 2
    b += b * b
    return np.sum(State.buffer * a)


def array_that_is_exchanged(x, a):
    reset()
    State.buffer = a * 2
    t = State.buffer
    t[0] = x
    State.buffer = t * a
    State.buffer += x
    return np.sum(t * State.buffer)


def by_a_method(x, a):
    reset()
    HOLDER.step(a)
    HOLDER.step(a * x)
    HOLDER.whole = HOLDER.count * x
    return np.sum(HOLDER.w) * HOLDER.whole


def under_two_names(x, a):
    reset()
    HOLDER.part.v *= x
    part = OTHER[0].part
    part.v += a[1]
    return HOLDER.part.v * a[2]


def items(x, a):
    reset()
    TABLE["k"] = x * TABLE["k"]
    TABLE["w"][0] = TABLE["k"]
    TABLE["w"] = TABLE["w"] * a
    TABLE[3] += a[1]
    ROW[0] = x
    ROW[-1] = ROW[0] * a[1]
    return np.sum(TABLE["w"]) * TABLE["k"] * TABLE[3] + ROW[0] * ROW[1]


def slots_and_functions(x, a):
    reset()
    SLOTS.v = SLOTS.v * x
    scaled.factor = SLOTS.v
    first = scaled(a[0])
    scaled.factor *= a[1]
    return first * scaled(a[0]) * scaled.factor


def inherited(x, a):
    reset()
    Base.rate = x * 2
    return Derived.rate * Derived().rate * Base.rate * a[1]


def none_at_first(x, a):
    reset()
    State.mode = "fast" if x > 0.5 else "slow"
    if State.kept is None:
        State.kept = a * x
    y = a[1] if State.mode == "fast" else a[2]
    return np.sum(State.kept * a) * y


def up_to_an_error(x, a):
    reset()
    try:
        State.k = x * 3
        State.n = 5
        y = a[7]
        State.n = 6
    except IndexError:
        State.k = State.k * a[1]
        y = x
    return State.k * State.n * y


def while_it_is_true(x, a):
    reset()
    s = 0.0
    while State.n < 3:
        State.n += 1
        s += a[State.n - 1] * State.k
        State.k *= x
    return s


def called_often(x, a):
    reset()
    s = long(a)
    State.k = x
    s += long(a)
    State.k = a[1] * State.k
    return s * long(a)


def long(a):
    b = np.sin(a) * State.k
    c = np.cos(b) * a
    d = b * c + a
    e = d * d * b
    return np.sum(b * c + d * e + np.exp(b) * e)


def by_name(x, a):
    reset()
    cls = State
    setattr(cls, "k", x)  # noqa: B010
    return getattr(State, "k") * cls.k * a[1]  # noqa: B009


def given_array(x, a):
    reset()
    State.buffer = a
    a = a * 2
    State.buffer = State.buffer * a * x
    return np.sum(State.buffer)


PROGRAMS = programs(globals())


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(own, marks=[pytest.mark.followed] * (own is up_to_an_error), id=own.__name__)
        for own in PROGRAMS
    ],
)
def test_right(program):
    assert judge(program, [(X, A), (0.2, A + 0.1)], ("x", "a")) == Verdict("right")


def outside() -> list[Any]:
    """What the programs change."""
    plain = {k: v for k, v in vars(State).items() if k[0] != "_"}
    parts = [{k: v for k, v in vars(o).items() if k != "part"} for o in (HOLDER, HOLDER.part)]
    held = [plain, *parts, Base.rate, SLOTS.v, scaled.factor, TABLE, ROW]
    return copy.deepcopy(held)


@pytest.mark.parametrize(
    "program", [own for own in PROGRAMS if own is not up_to_an_error], ids=lambda f: f.__name__
)
def test_stays_as_the_function_leaves_it(program):
    program(X, A)
    left = outside()
    with core_alone():
        grad(program, wrt=("x", "a"))(X, A)
    assert repr(outside()) == repr(left)


def added_to_what_is_there(x):
    State.k = State.k * x
    return State.k * HOLDER.part.v


def of_two_that_may_be_one(x):
    HOLDER.half = x
    return HOLDER.half * OTHER[0].half


def test_each_call_begins_with_what_is_there(monkeypatch):
    reset()
    with core_alone():
        derivative = grad(added_to_what_is_there)
        assert derivative(2.0) == 1.5
        assert State.k == 2.0
        assert derivative(3.0) == 2.0 * 1.5
        State.k = 2
        assert derivative(3.0) == 2.0 * 1.5
        State.k = np.array([2.0, 3.0])[0]
        assert derivative(3.0) == 2.0 * 1.5
        derivative = grad(of_two_that_may_be_one)
        assert derivative(3.0) == 6.0
        monkeypatch.setitem(globals(), "OTHER", [Holder()])
        assert derivative(3.0) == 1.0


class Counted:
    count = 0

    def __repr__(self):
        Counted.count += 1
        return "counted"


COUNTED = [Counted()]


def written_in_its_own_way(x, a):
    Counted.count = 0
    y = x * Counted.count
    print(COUNTED)
    return y + x * Counted.count


def test_text_that_changes_what_is_outside_is_not_followed_yet():
    assert judge(written_in_its_own_way, [(X, A)], ("x", "a")).what == "not yet"
