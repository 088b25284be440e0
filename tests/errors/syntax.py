"""Syntax through which no derivative flows."""

from __future__ import annotations

import functools
import io

import numpy as np

from autodiff.errors import MissingRuleError, NonDifferentiableError, UnsupportedSyntaxError
from tests.errors.mistake import mistake
from tests.language.data import V3

TOTAL = 0.0
BUFFER = np.zeros(3)


@mistake(UnsupportedSyntaxError, V3, at="yield v * v", says=("generator", "collect the values"))
def generator(x):
    for v in x:
        yield v * v


@mistake(UnsupportedSyntaxError, 0.7, at="async def coroutine(x):", says=("async function",))
async def coroutine(x):
    return x * x


@mistake(UnsupportedSyntaxError, 0.7, at="global TOTAL", says=("outer variable TOTAL",), taken=True)
def global_written(x):
    global TOTAL
    TOTAL = x * x
    return TOTAL * 2


def counter():
    calls = 0

    @mistake(UnsupportedSyntaxError, 0.7, at="nonlocal calls", says=("outer variable calls",))
    def nonlocal_written(x):
        nonlocal calls
        calls += 1
        return x * calls

    return nonlocal_written


counter()


@mistake(
    UnsupportedSyntaxError, 0.7, at='exec("y = x * x", scope)', says=("through exec", "write out")
)
def text_run(x):
    scope = {"x": x}
    exec("y = x * x", scope)
    return scope["y"]


@mistake(UnsupportedSyntaxError, 0.7, at="locals()", says=("through locals",))
def variables_by_name(x):
    y = x * x
    return locals()["y"]


@mistake(UnsupportedSyntaxError, V3, at="v = np.require(y)", says=("shares", "copy"), taken=True)
def array_that_may_be_another(x):
    y = x * x
    v = np.require(y)
    v[0] = x[1]
    return np.sum(y * v)


@mistake(
    UnsupportedSyntaxError, V3, at="BUFFER[:] = x * x", says=("`BUFFER`", "global"), taken=True
)
def global_array_written(x):
    BUFFER[:] = x * x
    return np.sum(BUFFER * x)


@mistake(UnsupportedSyntaxError, 0.7, at="try:", says=("finally",))
def return_in_finally(x):
    y = x
    try:
        y = float("no number")
    finally:
        return x * x


@mistake(UnsupportedSyntaxError, V3, at="unknown(x)", says=("`unknown`", "run time"))
def function_chosen_at_run_time(x):
    unknown = io.BytesIO().write
    return unknown(x) * 2.0


@mistake(
    UnsupportedSyntaxError,
    0.7,
    at="power(3)",
    says=("used as a value", "lambda v: power(v)"),
    taken=True,
)
def recursive_nested_function_as_a_value(x):
    def power(n):
        later = power
        return x if n == 0 else x * later(n - 1)

    return power(3)


@mistake(MissingRuleError, 0.7, at="def ways(n):", says=("functools.cache",))
def recursive_nested_function_with_a_decorator(x):
    @functools.cache
    def ways(n):
        return x if n < 2 else ways(n - 1) * ways(n - 2)

    return ways(3)


def product_of(x, *rest):
    return x if not rest else x * product_of(*rest)


@mistake(
    UnsupportedSyntaxError,
    0.7,
    at="product_of(x, x, x)",
    says=("any number of arguments as `rest`", "as one tuple"),
    taken=True,
)
def recursion_with_starred_arguments(x):
    return product_of(x, x, x)


def folded(f, x, n):
    return f(x) if n == 0 else folded(lambda t: f(t) * x, x, n - 1)


@mistake(
    UnsupportedSyntaxError,
    0.7,
    at="folded(lambda t: f(t) * x, x, n - 1)",
    inside=folded,
    says=("another function each time", "hand the function on unchanged"),
    taken=True,
)
def recursion_that_hands_on_another_function(x):
    return folded(lambda t: t * t, x, 3)


def two_arguments(x, y):
    return x * y


@mistake(UnsupportedSyntaxError, 0.7, at="two_arguments(x)", says=("two_arguments", "pass `y`"))
def helper_called_wrongly(x):
    return two_arguments(x)


class Model:
    def __init__(self):
        self.weight = 1.0


@mistake(
    UnsupportedSyntaxError,
    0.7,
    Model(),
    at="kept.append(model)",
    says=("Model `model`", "changed later (line"),
    taken=True,
)
def changed_after_it_was_kept(x, model):
    kept = []
    kept.append(model)
    model.weight = x * x
    return kept[0].weight * x


@mistake(NonDifferentiableError, V3, at="return x * x", says=("array", "np.sum", "jacobian"))
def array_result(x):
    return x * x


@mistake(NonDifferentiableError, 0.7, at="return x, x * x", says=("tuple", "real scalar"))
def tuple_result(x):
    return x, x * x


@mistake(NonDifferentiableError, 0.7, at="x * x", says=("None",))
def no_result(x):
    x * x


@mistake(NonDifferentiableError, 0.7, at='return f"{x * x}"', says=("text",))
def text_result(x):
    return f"{x * x}"


@mistake(NonDifferentiableError, 0.7, at="return x * 1j", says=("complex",))
def complex_result(x):
    return x * 1j


@mistake(NonDifferentiableError, 0.7, at="return x * x", says=("pair", "has_aux"), has_aux=True)
def no_pair(x):
    return x * x


@mistake(
    *(UnsupportedSyntaxError, 0.5, 3),
    at="for _ in range(reversed):",
    says=("`reversed` is not the builtin", "another name"),
    taken=True,
)
def builtin_as_a_parameter(x, reversed):
    for _ in range(reversed):
        x = x * x
    return x
