"""Operators of a number in hands that do not use hooks, like those of `sum`: they are followed."""

from __future__ import annotations

import functools
from typing import Any

from autodiff.tracing.bound_late import call
from autodiff.tracing.number import Number, value_of
from autodiff.tracing.operator_hooks import SIGNS, TESTS, binary, compare, unary
from autodiff.tracing.trace import current


def _operators() -> None:
    def straight(name: str) -> Any:
        return lambda a, b: binary(name, a, b)

    def turned(name: str) -> Any:
        return lambda a, b: binary(name, b, a)

    def test(name: str) -> Any:
        return lambda a, b: compare(name, a, b)

    for name in SIGNS:
        short = name.rstrip("_")
        setattr(Number, f"__{short}__", straight(name))
        setattr(Number, f"__r{short}__", turned(name))
    for name in TESTS:
        setattr(Number, f"__{name}__", test(name))
    setattr(Number, "__array_ufunc__", _universal)  # noqa: B010 (nor what follows)
    for name in ("neg", "pos"):
        setattr(Number, f"__{name}__", functools.partialmethod(_turned_unary, name))
    setattr(Number, "__abs__", _absolute)  # noqa: B010 (the class does not say that it has one)


def _universal(a: Any, f: Any, way: str, *given: Any, **named: Any) -> Any:
    if current() is None:
        return getattr(f, way)(*map(value_of, given), **named)
    return call(f if way == "__call__" else getattr(f, way), *given, **named)


def _turned_unary(a: Any, name: str) -> Any:
    return unary(name, a)


def _absolute(a: Any) -> Any:
    return call(abs, a)


_operators()
