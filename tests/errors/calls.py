"""Calls through which no derivative flows: no rule, no source, no such keyword."""

from __future__ import annotations

import math
from collections import namedtuple

import numpy as np

from autodiff import adjoint, d
from autodiff.errors import (
    MissingRuleError,
    NonDifferentiableError,
    SourceNotFoundError,
    UnsupportedSyntaxError,
)
from tests.errors.mistake import mistake
from tests.language.data import V3

scope = {"math": math}
exec("def from_text(x): return math.sin(x) * x", scope)
from_text = scope["from_text"]
FIELD = "height"


def damped(x, rate):
    return np.exp(-rate * x)


@adjoint(damped)
def damped_rule(y, x, rate):
    d[x] = -rate * d[y] * y


square_root = np.frompyfunc(math.sqrt, 1, 1)


@mistake(
    *(MissingRuleError, V3),
    at="np.from_dlpack(x)",
    says=("no derivative rule for", "from_dlpack", "@adjoint("),
)
def no_rule(x):
    return np.sum(np.from_dlpack(x) * x)


@mistake(MissingRuleError, V3, at="np.from_dlpack(x)", says=("no derivative rule for",))
def no_rule_before_an_update(x):
    y = np.from_dlpack(x)
    y += x
    return np.sum(y)


@mistake(MissingRuleError, V3, at="np.from_dlpack(x)", says=("no derivative rule for",))
def no_rule_before_a_method(x):
    y = [np.from_dlpack(x)]
    return y[0].sum() * x[0]


def helper(x):
    return 2.0 * square_root(x)


@mistake(
    MissingRuleError,
    1.3,
    at="square_root(x)",
    says=("rule for square_root", "@adjoint(square_root)"),
    inside=helper,
)
def no_rule_in_a_helper(a):
    return helper(a) * 2.0


@mistake(MissingRuleError, V3, at="np.add(x, 1.0, where=x > 0)", says=("`where`", "leave out"))
def no_such_keyword(x):
    return np.sum(np.add(x, 1.0, where=x > 0))


@mistake(MissingRuleError, V3, at="np.sort(x, order=FIELD)", says=("`order`", "leave out"))
def another_keyword(x):
    return np.sum(np.sort(x, order=FIELD))


@mistake(
    *(NonDifferentiableError, 0.7, 0.3),
    at="damped(x, rate)",
    says=("damped", "`rate`", "stop_gradient"),
    wrt=(0, 1),
)
def parameter_without_derivative(x, rate):
    return damped(x, rate) * x


@mistake(SourceNotFoundError, 0.7, at="from_text(x)", says=("from_text", "@adjoint"))
def no_source_of_a_helper(x):
    return from_text(x) * x


@mistake(UnsupportedSyntaxError, V3, at='np.r_["0,2", x]', says=("brackets", "np.concatenate"))
def joined_by_an_index(x):
    return np.sum(np.r_["0,2", x] ** 2)


@mistake(UnsupportedSyntaxError, V3, at='np.c_["0,2", x]', says=("brackets", "np.column_stack"))
def columns_by_an_index(x):
    return np.sum(np.c_["0,2", x] ** 2)


class Scaled(namedtuple("Scaled", "x y")):
    def __new__(cls, x, y):
        return super().__new__(cls, 2.0 * x, y)


@mistake(
    *(SourceNotFoundError, V3),
    at="super().__new__(cls, 2.0 * x, y)",
    inside=Scaled.__new__,
    says=("Scaled.__new__", "came from a string"),
)
def named_tuple_with_new(x):
    pair = Scaled(x[0], x[1])
    return pair.x * x[2]
