"""Helpers that choose what is called, or a dtype: as libraries of colours and activations do."""

import typing
from collections.abc import KeysView, ValuesView

import numpy as np

from tests.language.corpus import program
from tests.language.data import V3

DTYPE = np.float64
DTYPES = typing.Union[np.float32, np.float64]  # noqa: UP007 (it has `__args__`)
ACTIVATIONS = {"tanh": np.tanh, "square": lambda v: v * v, "cubed": lambda v: v**3}


def optional(value, default):
    if value is None:
        return default
    return value


def attest(condition):
    if not condition:
        raise AssertionError("no dtype of floats")


def activation(name):
    if name not in ACTIVATIONS:
        raise ValueError(f"no activation {name}")
    return ACTIVATIONS[name]


def activation_or(name, default):
    return ACTIVATIONS.get(name.lower(), default)


def as_floats(a, dtype=None):
    dtype = optional(dtype, DTYPE)
    attest(dtype in DTYPES.__args__)
    return np.asarray(a, dtype)


def as_float(a, dtype=None):
    dtype = optional(dtype, DTYPE)
    attest(dtype in DTYPES.__args__)
    if isinstance(a, np.ndarray) and a.size == 1 and a.ndim != 0:
        return as_floats(a, dtype)
    return dtype(a)


@program(points=[(V3,)])
def called_dtype(x):
    dtype = optional(None, DTYPE)
    return dtype(np.sum(x**2)) * x[0]


@program(points=[(V3,)])
def dtype_of_an_argument(x, dtype=None):
    dtype = optional(dtype, DTYPE)
    attest(dtype in DTYPES.__args__)
    return np.sum(np.asarray(x, dtype) ** 3)


@program(points=[(V3,), (0.7,)])
def converted(x):
    return as_float(np.sum(as_floats(x) ** 2)) * np.sum(x)


@program(points=[(V3,)])
def looked_up(x):
    f, g = activation("tanh"), activation("square")
    return np.sum(f(x) * g(x))


@program(points=[(V3,)])
def with_a_default(x):
    f, g = activation_or("Cubed", np.sin), activation_or("none", np.sin)
    return np.sum(f(x) + g(x))


def unknown(value):
    return eval("value", {"value": value})


@program(points=[(V3,)])
def asked_of_what_is_not_known(x):
    """`isinstance` is a truth value whatever it is asked of, and changes nothing."""
    y = np.abs(np.asarray(x)) ** np.asarray(unknown(0.3))
    if isinstance(y, (KeysView, ValuesView)):
        y = list(y)
    return np.sum(np.asarray(y) * x)


@program(points=[(V3,)])
def looped_over_where_the_kind_is_not_known(x):
    y = np.abs(np.asarray(x)) ** np.asarray(unknown(0.3))
    total, (a, *rest) = 0.0, y
    for v in y:
        total = total + v * v
    for k, v in enumerate(reversed(y)):
        total = total * 0.5 + k * v
    return total + a * rest[-1]
