"""`inspect.signature` of functions that are known, or defined inside: frameworks ask so which
parameters a model has. Sets of names, of which operators make others.
"""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest

from autodiff import AutodiffError, grad
from tests.core.differences import check


def decay(t: Any, amp: Any, tau: Any = 2.0, *, flag: Any = None, **other: Any) -> Any:
    return amp * np.exp(-t / tau)


class Model:
    def __init__(self, func: Any) -> None:
        self.func = func
        self.names: list[str] = []
        self.defaults: dict[str, Any] = {}
        self.rest = None
        for name, p in inspect.signature(self.func).parameters.items():
            if p.kind == p.VAR_KEYWORD:
                self.rest = name
            elif p.kind in (p.KEYWORD_ONLY, p.POSITIONAL_OR_KEYWORD):
                if p.default == p.empty:
                    self.names.append(name)
                elif isinstance(p.default, (float, int)) and not isinstance(p.default, bool):
                    self.names.append(name)
                    self.defaults[name] = p.default

    def eval(self, **given: Any) -> Any:
        args = {}
        for name in self.names:
            if name in given:
                args[name] = given[name]
            elif name in self.defaults:
                args[name] = self.defaults[name]
        return self.func(**args)


def of_a_function(x: float) -> Any:
    return Model(decay).eval(t=1.0, amp=x) * x


def of_one_defined_inside(x: float) -> Any:
    def line(t: Any, a: Any, b: Any = 3.0) -> Any:
        return a * t / x + b

    return Model(line).eval(t=1.5, a=x * x)


def fitting(function: Any, given: dict[str, Any]) -> Any:
    given = dict(given)
    names = list(inspect.signature(function).parameters.keys())
    for key in set(given.keys()) - set(names):
        given.pop(key)
    return given


def what_fits(x: float) -> Any:
    return decay(1.0, x, **fitting(decay, {"tau": 2.0 * x, "width": 3.0}))


def operators_of_sets(x: float) -> Any:
    a, b = {1, 2, int(x * 3.0)}, {2, 3}
    total = x * len(a - b) + len(a & b) ** x + len(a | b) * x**2
    return total + (1.0 if 2 in (a ^ b) else x)


CASES = [
    of_a_function,
    of_one_defined_inside,
    pytest.param(what_fits, marks=pytest.mark.followed),
    pytest.param(operators_of_sets, marks=pytest.mark.followed),
]


@pytest.mark.parametrize("function", CASES, ids=lambda f: getattr(f, "__name__", None))
def test_signatures(monkeypatch: Any, function: Any) -> None:
    check(monkeypatch, function, 0.7)


def test_a_signature_that_changes() -> None:
    def scaled(x: Any, by: Any = 2.0) -> Any:
        return x * by

    def f(x: float) -> Any:
        return x * inspect.signature(scaled).parameters["by"].default

    derivative = grad(f)
    assert derivative(1.0) == 2.0
    scaled.__defaults__ = (3.0,)
    assert derivative(1.0) == 3.0


def test_the_order_of_a_set_is_not_known() -> None:
    def f(x: float) -> Any:
        total = x
        for key in {1, 2, 3} - {int(x)}:
            total = total * key + x
        return total

    with pytest.raises(AutodiffError):
        grad(f)(1.5)
