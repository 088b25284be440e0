"""Errors in generated code: the traceback shows its line, a note names the user's."""

from __future__ import annotations

import inspect
import linecache
import math
import subprocess
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autodiff import adjoint, d, grad, value_and_grad, vjp


def ratio(x, y):
    z = x * x
    return z / y


def root(x):
    y = x + 0.0
    return math.sqrt(y) * 2.0


def product(w, x):
    h = np.tanh(w @ x)
    return np.sum(h * h)


def doubled(x):
    return 2.0 * x


@adjoint(doubled)
def doubled_rule(y, x):
    d[x] = d[y] @ np.ones((5, 2))


def wrong_rule(x):
    u = x * x
    return np.sum(doubled(u) * x)


def inverse(v):
    w = v - 1.0
    return 1.0 / w


def helped(x):
    return inverse(x) * x


def looped(xs):
    s = 0.0
    for x in xs:
        s = s + 1.0 / x
    return s


def checked(x):
    if x < 0.0:
        raise ValueError(f"{x} is negative")
    return x * x


def column_into_row(x):
    m = x.copy()
    m[1] = m[:, 2]
    return np.sum(m**3)


def every_other(x):
    y = x * x
    for _ in range(2):
        y[1:8:2] = y[2:6]
    return np.sum(y)


def told(error: BaseException) -> str:
    """What Python prints, with the notes; Python 3.10 has them in the message."""
    linecache.checkcache()
    return "".join(traceback.format_exception(type(error), error, error.__traceback__))


@pytest.mark.parametrize(
    ("function", "args", "error", "generated", "users", "inside"),
    [
        (ratio, (1.0, 0.0), ZeroDivisionError, "/ y", "return z / y", ratio),
        (root, (0.0,), ZeroDivisionError, "", "return math.sqrt(y) * 2.0", root),
        (product, (np.ones((2, 3)), np.ones(2)), ValueError, "w @ x", "np.tanh(w @ x)", product),
        (
            *(wrong_rule, (np.ones(3),), ValueError, "np.ones((5, 2))"),
            *("return np.sum(doubled(u)", wrong_rule),
        ),
        (helped, (1.0,), ZeroDivisionError, "1.0 / ", "return 1.0 / w", inverse),
        (looped, ([1.0, 0.0],), ZeroDivisionError, "", "s = s + 1.0 / x", looped),
        (column_into_row, (np.ones((3, 3)),), ValueError, "orderless", "m[1] = ", column_into_row),
        (every_other, (np.ones(8),), ValueError, "orderless", "y[1:8:2] = ", every_other),
        (checked, (-1.0,), ValueError, "raise ValueError", "raise ValueError(f", checked),
    ],
    ids=["forward", "reverse", "shapes", "rule", "helper", "loop", "row", "step", "raised"],
)
def test_error(
    function: Callable[..., Any],
    args: tuple[Any, ...],
    error: type[Exception],
    generated: str,
    users: str,
    inside: Callable[..., Any],
) -> None:
    derivative = value_and_grad(function)
    with pytest.raises(error) as caught:
        derivative(*args)
    text = told(caught.value)
    name = f"{function.__name__}_value_and_grad"
    shown = [line for line in derivative.source.splitlines() if generated in line]
    assert f'File "<autodiff {name} ' in text
    assert any(line.strip() in text for line in shown), text
    lines, first = inspect.getsourcelines(inside)
    line = first + next(number for number, line in enumerate(lines) if users in line)
    assert "in the derivative of" in text
    assert f'File "{__file__}", line {line}\n' in text
    assert text.count("in the derivative of") == 1


def test_the_generated_line_in_the_traceback_is_the_one_that_failed() -> None:
    derivative = grad(root)
    with pytest.raises(ZeroDivisionError) as caught:
        derivative(0.0)
    frames = traceback.extract_tb(caught.value.__traceback__)
    own = [frame for frame in frames if frame.filename.startswith("<autodiff")]
    assert len(own) == 1
    assert own[0].name == "root_grad"
    assert own[0].line == derivative.source.splitlines()[own[0].lineno - 1].strip()
    assert "sqrt" in own[0].line or "/" in own[0].line


def test_a_pullback_names_a_line_of_the_users_too() -> None:
    _, pullback = vjp(wrong_rule, np.ones(3))
    with pytest.raises(ValueError, match="mismatch") as caught:
        pullback(1.0)
    text = told(caught.value)
    assert text.count("in the derivative of") == 1
    assert f'File "{__file__}", line ' in text


def test_the_second_call_is_noted_as_the_first() -> None:
    derivative = grad(ratio)
    derivative(1.0, 2.0)
    for _ in range(2):
        with pytest.raises(ZeroDivisionError) as caught:
            derivative(1.0, 0.0)
        assert told(caught.value).count("in the derivative of") == 1


SCRIPT = """
import math
import pdb
from autodiff import grad

@grad
def energy(x):
    y = x * x
    return y * math.sin(y)

energy(1.0)
pdb.Pdb(skip=["autodiff.*"], nosigint=True, readrc=False).runcall(energy, 1.5)
"""


def test_pdb_steps_through_generated_code(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    ran = subprocess.run(
        [sys.executable, script],
        input="where\nlist\nnext\nnext\np y\nlist\ncontinue\n",
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert ran.returncode == 0, ran.stderr
    assert "energy_grad()" in ran.stdout
    assert "def energy_grad(x):" in ran.stdout
    assert "  ->\t" in ran.stdout
    assert "y = x * x" in ran.stdout
    assert "# return y * math.sin(y)" in ran.stdout or "math.cos(y)" in ran.stdout
    assert "2.25" in ran.stdout
