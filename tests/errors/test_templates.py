"""Errors in rules that users write: found when the rule is read, at the user's line."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autodiff import adjoint, d, elementwise
from autodiff.errors import TemplateError

Template = Callable[..., Any]


def primitive(x: Any, rate: float = 1.0) -> Any:
    return x * rate


def choice(y, x):
    if x > 0:
        d[x] = d[y]


def square(y, x):
    d[x] = d[y] * d[y]


def no_adjoint(y, x):
    d[x] = 2.0 * x


def sine(y, x):
    d[x] = np.sin(d[y])


def unknown_input(y, x):
    d[rate] = d[y]  # noqa: F821


def twice(y, x):
    d[x] = d[y]
    d[x] = d[y] * 2.0


def late_local(y, x, rate=1.0):
    d[x] = d[y] * rate
    g = d[y]
    d[rate] = g


def overwritten(y, x):
    x = 2.0 * x
    d[x] = d[y]


def returned(y, x):
    return d[y]


def loop(y, x):
    for _ in range(2):
        d[x] = d[y]


@pytest.mark.parametrize(
    ("template", "at", "says"),
    [
        (choice, "if x > 0:", "straight-line code"),
        (square, "d[y] * d[y]", "not linear in d[y]"),
        (no_adjoint, "2.0 * x", "does not depend on d[y]"),
        (sine, "np.sin(d[y])", "not linear in d[y]"),
        (unknown_input, "d[rate] = d[y]", "not a parameter"),
        (twice, "d[x] = d[y] * 2.0", "assigned twice"),
        (late_local, "g = d[y]", "come before"),
        (overwritten, "x = 2.0 * x", "overwritten"),
        (returned, "return d[y]", "neither name = ... nor d[parameter] = ..."),
        (loop, "for _ in range(2):", "straight-line code"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
@pytest.mark.parametrize("decorator", [adjoint, elementwise], ids=["adjoint", "elementwise"])
def test_template(decorator: Any, template: Template, at: str, says: str) -> None:
    with pytest.raises(TemplateError) as caught:
        decorator(primitive)(template)
    error = caught.value
    what, file, text, carets, *_ = str(error).splitlines()
    lines, first = inspect.getsourcelines(template)
    line = first + next(number for number, line in enumerate(lines) if at in line)
    assert file == f'  File "{__file__}", line {line}'
    assert text[carets.index("^") : len(carets)].startswith(at)
    assert what.startswith(f"template {template.__name__}: ")
    assert says in str(error)


@pytest.mark.parametrize(
    ("register", "says"),
    [
        (lambda: adjoint()(choice), "names no function"),
        (lambda: adjoint(3), "3 is not a function"),
        (lambda: adjoint(primitive)(lambda y, x: d[y]), "written with def"),
        (lambda: elementwise(np.multiply)(square), "multiply has 2 operands, the template 1"),
    ],
)
def test_registration(register: Callable[[], Any], says: str) -> None:
    with pytest.raises(TemplateError, match=says):
        register()
