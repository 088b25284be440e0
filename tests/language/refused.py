"""Functions that have no derivative here: each must be refused by an `AutodiffError`."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

import numpy as np

from autodiff import nondifferentiable
from tests.language.data import V3, V4, W3

REFUSED: list[tuple[Callable[..., Any], tuple[Any, ...]]] = []
HISTORY: dict[str, Any] = {}


def refused(*args: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        REFUSED.append((function, args))
        return function

    return register


@refused(V3)
def generator(x):
    for v in x:
        yield v * v


@refused(V3)
def delegated_generator(x):
    yield from x


@refused(0.7)
async def coroutine(x):
    return x * x


@refused(0.7)
def rule_made_inside(x):
    @nondifferentiable
    def cube(t):
        return t**3

    return cube(x) * x


@refused(0.7)
def global_dictionary_written(x):
    HISTORY["x"] = x * x
    return HISTORY["x"] * 2


@refused(0.7)
def executed_text(x):
    scope = {"x": x}
    exec("y = x * x", scope)
    return scope["y"]


@refused(3)
def integer_argument(n):
    return n * 2.0


@refused("text")
def text_argument(text):
    return len(text) * 1.0


@refused(None)
def none_argument(x):
    return 1.0


@refused(np.array([1, 2, 3]))
def integer_array_argument(x):
    return np.sum(x) * 1.0


@refused([1, 2, 3])
def list_of_integers_argument(xs):
    return sum(xs) * 1.0


@refused(V3)
def array_result(x):
    return x * x


@refused(0.7)
def tuple_result(x):
    return x, x * x


@refused(0.7)
def no_result(x):
    x * x


@refused(0.7)
def text_result(x):
    return f"{x * x}"


@refused(0.7)
def complex_result(x):
    return x * 1j


@refused(0.7)
def unknown_function_of_active_data(x):
    (y,) = struct.unpack("d", struct.pack("d", x))
    return y * x


@refused(V4, W3)
def unknown_keyword_of_a_rule(x, y):
    return np.sum(np.add(x, 1.0, where=x > 0))
