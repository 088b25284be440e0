"""What a module or a class holds may change between two calls of a derivative."""

import sys
import types

import numpy as np
import pytest

from autodiff import grad, jvp


def square(x):
    return x * x


def cube(x):
    return x * x * x


hot = types.ModuleType("hot_module")


class Held:
    rate = 2.0

    @staticmethod
    def law(x):
        return x * x


def imported(x):
    from hot_module import rate

    return rate * x * x


def imported_function(x):
    from hot_module import law

    return law(x)


def imported_as(x):
    from hot_module import law as own

    return applied(lambda y: own(y), x)


def applied(function, x):
    from hot_module import rate

    return rate * function(x)


def inside(x):
    def inner(y):
        from hot_module import law, rate

        return rate * law(y)

    return inner(x) + inner(2.0 * x)


def recursive(x, n=3):
    from hot_module import law, rate

    return x if n == 0 else rate * law(recursive(x, n - 1))


def counted(x):
    from hot_module import rate

    for _ in range(int(rate)):
        x = x * 1.5
    return x


def imported_module(x):
    import hot_module

    return hot_module.rate * hot_module.law(x)


def of_module(x):
    return hot.rate * hot.law(x)


def in_helper(x):
    return of_module(x) + imported_module(x)


def given(x):
    return applied(hot.law, x)


def of_class(x):
    return Held.rate * Held.law(x)


FUNCTIONS = [
    imported, imported_function, imported_as, inside, recursive, counted, imported_module,
    of_module, in_helper, given, of_class,
]  # fmt: skip
CHANGES = [(2.0, square), (3.0, square), (3.0, cube), (2, cube), (2.0, square)]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_what_modules_and_classes_hold_is_read_again(function, monkeypatch):
    monkeypatch.setitem(sys.modules, "hot_module", hot)
    monkeypatch.setattr(hot, "rate", 2.0, raising=False)
    monkeypatch.setattr(hot, "law", square, raising=False)
    reverse, x = grad(function), 1.3
    for rate, law in CHANGES:
        monkeypatch.setattr(hot, "rate", rate)
        monkeypatch.setattr(hot, "law", law)
        monkeypatch.setattr(Held, "rate", rate)
        monkeypatch.setattr(Held, "law", staticmethod(law))
        expected = (function(x + 1e-6) - function(x - 1e-6)) / 2e-6
        np.testing.assert_allclose(reverse(x), expected, rtol=1e-6)
        np.testing.assert_allclose(jvp(function, (x,), (1.0,))[1], expected, rtol=1e-6)


def test_a_module_that_is_another_one(monkeypatch):
    other = types.ModuleType("other_module")
    other.rate, other.law = 1.0, cube
    monkeypatch.setattr(hot, "rate", 2.0, raising=False)
    monkeypatch.setattr(hot, "law", square, raising=False)
    derivative = grad(of_module)
    assert derivative(2.0) == 8.0
    monkeypatch.setitem(globals(), "hot", other)
    assert derivative(2.0) == 12.0


def test_an_import_that_fails_later_fails(monkeypatch):
    monkeypatch.setitem(sys.modules, "hot_module", hot)
    monkeypatch.setattr(hot, "rate", 2.0, raising=False)
    derivative = grad(imported)
    assert derivative(1.0) == 4.0
    monkeypatch.delattr(hot, "rate")
    with pytest.raises(ImportError, match="rate"):
        derivative(1.0)
