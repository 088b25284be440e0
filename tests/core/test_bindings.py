"""Names that branches and loops bind by imports and definitions."""

from __future__ import annotations

import pytest

from autodiff import grad
from tests.core.differences import check
from tests.core.judge import Verdict, judge


def by_import(x):
    if x > 0:
        from math import sin as s
    else:
        from math import cos as s
    return s(x)


def by_import_again(x):
    from math import tan as s

    if x > 0:
        from math import sin as s
    return s(x)


def by_import_in_a_loop(x):
    from math import tan as s

    for _ in range(2):
        x = s(x)
        from math import sin as s
    return s(x)


def by_class(x):
    class K:
        c = 3.0

    if x > 0:

        class K:
            c = 5.0

    return K.c * x


def by_definition(x):
    def h(v):
        return v * 2.0

    if x > 0:

        def h(v):
            return v * v

    return h(x)


def deleted_before(x):
    v = x
    for k in range(2):
        if k > 0:
            v = w * x  # noqa: F821
        w = v * x
    return v


def caught(x):
    try:
        del y  # noqa: F821
    except UnboundLocalError:
        y = x
    return y * y


def deleted(x, flag):
    v, w = x * 2.0, x
    del w
    if flag:
        del v
        v = x
    return v


def read_after_it_was_deleted(x):
    v = x
    del v
    return v  # noqa: F821


def test_what_is_deleted_is_gone():
    assert judge(deleted, [(0.7, True), (0.7, False)], ("x",)) == Verdict("right")
    with pytest.raises(UnboundLocalError):
        grad(read_after_it_was_deleted)(0.7)


@pytest.mark.parametrize(
    "function",
    [
        *(by_import, by_import_again, by_import_in_a_loop, by_class, by_definition),
        *(deleted_before, caught),
    ],
    ids=lambda f: f.__name__,
)
def test_bindings(function):
    assert judge(function, [(0.7,)], ("x",)) == Verdict("right")


def in_a_branch_of_a_branch(x, mask):
    if mask & 3:
        one = x * 2.0
        if mask & 2:
            two = x * x
    if mask & 6:
        return one + two * one
    return x if mask == 0 else one * one


def exchanged(x, mask):
    if mask & 1:
        a = x * 2.0
        b = x * x
    elif mask & 2:
        a = x + 1.0
        b = x * 3.0
    if mask & 2:
        b, a = a, b
    if mask & 3:
        a *= x
        b *= 2.0
        return a * b
    return x


@pytest.mark.parametrize("function", [in_a_branch_of_a_branch, exchanged])
@pytest.mark.parametrize("mask", range(4))
def test_what_may_hold_nothing_keeps_its_name(monkeypatch, function, mask):
    check(monkeypatch, function, 1.3, mask)


@pytest.mark.parametrize("mask", [4, 5])
def test_what_holds_nothing_is_not_read(mask):
    with pytest.raises(UnboundLocalError):
        grad(in_a_branch_of_a_branch)(1.3, mask)


def deleted_on_a_path(x, last):
    s = x * x
    if last:
        del s
    if not last:
        return s
    s = x
    return s


def deleted_and_read(x):
    s = 2.0
    if x > 0:
        del s
    t = s
    return x if x > 9 else x * x


def left_alone(x):
    s = s if x > 0 else 2.0  # noqa: F821
    if x > 1:
        s = [x]
    return x * x


def handed_on(x):
    if x > 1:

        def f(y):
            return y

    g = f
    return x * x


def deleted_in_a_try(x):
    try:
        s = x
        del s
        return s  # noqa: F821
    except NameError:
        return x * x


def test_what_is_deleted_on_a_path_is_gone_there():
    assert judge(deleted_on_a_path, [(0.7, True), (0.7, False)], ("x",)) == Verdict("right")
    assert judge(deleted_in_a_try, [(0.7,)], ("x",)) == Verdict("right")
    for function in (deleted_and_read, left_alone, handed_on):
        with pytest.raises(UnboundLocalError):
            function(0.7)
        with pytest.raises(UnboundLocalError):
            grad(function)(0.7)
