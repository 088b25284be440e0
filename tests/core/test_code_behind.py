"""What code of the user's does that stands behind an operator, an attribute or a store."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autodiff import AutodiffError, NonDifferentiableError, grad
from tests.core.differences import check

# Augmented assignment ends with a store, which code of the user's may answer ----------------------


class Angle:
    @property
    def degrees(self) -> Any:
        return np.degrees(self.radians)

    @degrees.setter
    def degrees(self, value: Any) -> None:
        self.radians = np.radians(value)


class Tripling:
    def __setattr__(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value * 3)


class Doubling:
    def __init__(self, v: Any) -> None:
        self.v = v

    def __getitem__(self, key: str) -> Any:
        return self.v * 2

    def __setitem__(self, key: str, value: Any) -> None:
        self.v = value / 2


class Listed:
    @property
    def items(self) -> Any:
        return list(self.own)

    @items.setter
    def items(self, value: Any) -> None:
        self.own = value


def by_a_property(x: Any) -> Any:
    a = Angle()
    a.radians = x
    a.degrees += 90.0
    return np.sum(np.sin(a.radians))


def by_setattr(x: Any) -> Any:
    a = Tripling()
    a.v = x
    a.v += 1.0
    return np.sum(a.v)


def by_setitem(x: Any) -> Any:
    a = Doubling(x)
    a["k"] += 1.0
    return np.sum(a.v)


def by_a_copy(x: Any) -> Any:
    a = Listed()
    a.items = [x[0]]
    a.items += [x[1]]
    return sum(a.own)


@pytest.mark.parametrize("f", [by_a_property, by_setattr, by_setitem, by_a_copy])
def test_updates_are_stored(f: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    check(monkeypatch, f, np.array([0.7, -1.3, 0.4]))


def test_an_update_in_a_tuple_is_an_error() -> None:
    def f(x: Any) -> Any:
        t = (x * 2, 1.0)
        t[0] += 1.0
        return np.sum(t[0])

    with pytest.raises((TypeError, AutodiffError)):
        grad(f)(np.ones(3))


# What a method of a number gives is of the type that it is asked for ------------------------------


def as_an_integer(x: Any) -> Any:
    return x[2].astype(int) * x[0]


def as_a_named_integer(x: Any) -> Any:
    return (3 * x).sum().astype("int64") * x[0]


def as_a_bool(x: Any) -> Any:
    return x[2].astype(bool) * x[0]


def as_a_double(x: Any) -> Any:
    return x[2].astype(float) * x[0].round(1) * x[0]


@pytest.mark.parametrize("f", [as_an_integer, as_a_named_integer, as_a_bool, as_a_double])
def test_numbers_of_a_type(f: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    check(monkeypatch, f, np.array([0.73, -1.3, 3.4]))


# Parts of an expression are computed in their order -----------------------------------------------


class Lazy:
    def __init__(self, x: Any) -> None:
        self.x, self.kept, self.count = x, None, 0

    @property
    def total(self) -> Any:
        if self.kept is None:
            self.kept = self.x.sum() * 2
        return self.kept

    @property
    def counted(self) -> Any:
        self.count = self.count + 1
        return self.count

    def __getitem__(self, k: int) -> Any:
        self.count += 1
        return self.x[k]

    def __mul__(self, other: Any) -> Any:
        self.count += 1
        return self.x[0] * other


def before_a_choice(x: Any) -> Any:
    p = Lazy(x)
    return p.total + (p.kept if p.kept is not None else 0.0)


def before_an_or(x: Any) -> Any:
    p = Lazy(x)
    return p.total * (p.kept or x[1])


def before_a_comprehension(x: Any) -> Any:
    p = Lazy(x)
    return p.total + [v for v in x if p.kept is not None][0]


def before_a_sum(x: Any) -> Any:
    p = Lazy(x)
    return p.total + sum(v for v in x if p.kept is not None)


def twice(x: Any) -> Any:
    p = Lazy(x)
    return p.counted * x[0] + (x[1] if p.counted > 1 else x[2])


def by_an_item(x: Any) -> Any:
    p = Lazy(x)
    return p[0] * x[1] + (x[1] if p.count else x[2])


def by_an_operator(x: Any) -> Any:
    p = Lazy(x)
    return p * x[1] + (x[1] if p.count else x[2])


def in_an_update(x: Any) -> Any:
    p, y = Lazy(x), x.copy()
    y[0] += p.total * (2.0 if p.kept is not None else 3.0)
    return np.sum(y)


def in_a_loop(x: Any) -> Any:
    p, t = Lazy(x), 0.0
    for k in range(3):
        t += p[k] * (x[k] if p.count > k + 1 else 2 * x[k])
    return t


@pytest.mark.parametrize(
    "f",
    [
        before_a_choice,
        before_an_or,
        before_a_comprehension,
        before_a_sum,
        twice,
        by_an_item,
        by_an_operator,
        in_an_update,
        in_a_loop,
    ],
)
def test_order(f: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    check(monkeypatch, f, np.array([0.7, 1.3, 0.4]))


# A wrong use raises what it raises in Python ------------------------------------------------------


def of_a_list(x: Any) -> Any:
    own = [1]
    try:
        q = own["a"]
        return x[0] * q
    except TypeError:
        return x[1]
    except LookupError:
        return x[2]


def of_a_tuple(x: Any) -> Any:
    own = 1.0, x[0]
    try:
        return own[1.0]
    except TypeError:
        return x[1]


def of_a_list_of_numbers(x: Any) -> Any:
    own = [x[0], x[1]]
    try:
        return own[None]
    except TypeError:
        return x[1]


def of_nothing(x: Any) -> Any:
    try:
        q = float([])
    except TypeError:
        return x[1]
    return x[0] + q


def of_complex_numbers(x: Any) -> Any:
    try:
        q = 1j < 2
    except TypeError:
        return x[1]
    return x[0] + q


def of_a_complex_number(x: Any) -> Any:
    try:
        q = float(1j)
    except TypeError:
        return x[1]
    return x[0] + q


def of_a_slice(x: Any) -> Any:
    try:
        q = x[0:1.5]
    except TypeError:
        return x[1]
    return x[0] + q


def of_two_arguments(x: Any) -> Any:
    try:
        np.where(x > 0, x)  # type: ignore[call-overload]
    except ValueError:
        return x[1]
    return x[0]


@pytest.mark.parametrize(
    "f",
    [
        of_a_list,
        of_a_tuple,
        of_a_list_of_numbers,
        of_nothing,
        of_complex_numbers,
        of_a_complex_number,
        of_a_slice,
        of_two_arguments,
    ],
)
def test_wrong_uses(f: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    check(monkeypatch, f, np.array([0.73, -1.3, 3.4]))


# Powers that may be complex -----------------------------------------------------------------------


def absolute(x: Any) -> Any:
    return abs(float(x[1]) ** 0.5) * x[0]


def told(x: Any) -> Any:
    y = float(x[1]) ** 0.5
    return y.real + x[0] if isinstance(y, complex) else x[0] * y


def of_a_list_of_floats(x: Any) -> Any:
    z = x.tolist()
    return abs(z[1] ** z[0])


@pytest.mark.parametrize("f", [absolute, told, of_a_list_of_floats])
def test_powers_that_are_complex_are_refused(f: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    check(monkeypatch, f, np.array([0.73, 1.3]))
    with pytest.raises(NonDifferentiableError, match="a power of real numbers is complex here"):
        grad(f)(np.array([0.73, -1.3]))


def test_a_number_is_asked_if_it_is_complex() -> None:
    def f(a: Any) -> Any:
        y = a**0.5
        return y.real + a if isinstance(y, complex) else 2 * y

    assert grad(f)(0.25) == 2.0
    with pytest.raises(NonDifferentiableError):
        grad(f)(-0.25)


# An object before its `__init__` ------------------------------------------------------------------


class Blank:
    x: Any
    factor: Any

    def value(self) -> Any:
        return np.sum(self.x) * self.factor

    @classmethod
    def of(cls, x: Any, **given: Any) -> Any:
        made = cls.__new__(cls)
        made.x = x
        made.__dict__.update(given)
        return made

    def with_(self, **given: Any) -> Any:
        made = self.__class__.__new__(self.__class__)
        made.__dict__.update(self.__dict__)
        made.__dict__.update(given)
        return made


def by_its_class(x: Any) -> Any:
    o = Blank.__new__(Blank)
    o.x, o.factor = x, x[0]
    return o.value()


def by_object(x: Any) -> Any:
    o = object.__new__(Blank)
    o.x, o.factor = x, 2.0
    return o.value()


def by_a_classmethod(x: Any) -> Any:
    return Blank.of(x, factor=x[0]).value()


def by_a_copy_with_others(x: Any) -> Any:
    return Blank.of(x, factor=x[0]).with_(factor=x[1] ** 2).value()


@pytest.mark.parametrize("f", [by_its_class, by_object, by_a_classmethod, by_a_copy_with_others])
def test_objects_before_they_are_made(f: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    check(monkeypatch, f, np.array([0.73, 1.3]))


# What a version of a library does not have --------------------------------------------------------


def by_a_test(x: Any) -> Any:
    return np.sum(x**2) if hasattr(np, "sum") else np.no_such_sum(x)


def by_a_test_of_what_is_missing(x: Any) -> Any:
    if hasattr(np, "no_such_sum"):
        return np.no_such_sum(x)
    return np.sum(x**2)


def by_a_default(x: Any) -> Any:
    total = getattr(np, "no_such_sum", None) or np.sum
    return total(x**2)


@pytest.mark.parametrize("f", [by_a_test, by_a_test_of_what_is_missing, by_a_default])
def test_what_a_library_lacks(f: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    check(monkeypatch, f, np.array([0.73, 1.3]))


def test_what_a_library_lacks_and_that_is_tried() -> None:
    def f(x: Any) -> Any:
        try:
            return np.no_such_sum(x)
        except AttributeError:
            return np.sum(x**2)

    np.testing.assert_allclose(grad(f)(np.ones(3)), 2 * np.ones(3))


def remembered(x: Any) -> Any:
    own = [None] * len(x)
    for i in range(len(x)):
        own[i] = x[i] * i
    return own[1]


@pytest.mark.followed
def test_the_order_is_kept_beside_what_stays_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    def f(x: Any) -> Any:
        p = Lazy(x)
        return p.total * (p.kept or x[1]) * remembered(x)

    check(monkeypatch, f, np.array([0.7, 1.3]))


def test_where_core_does_not_take_the_rest_it_is_refused() -> None:
    def f(x: Any) -> Any:
        p = Lazy(x)
        return p.total * (p.kept or x[1]) * float(str(x[0]))

    with pytest.raises(AutodiffError, match="read from text"):
        grad(f)(np.array([0.7, 1.3]))
