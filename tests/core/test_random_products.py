"""Random products and quotients with constants, of values that the reverse sweep computes again:
what makes one constant of several keeps the number. And of arrays, numbers of Python's and NumPy's,
in loops and without: what puts factors in another order keeps each of them, as often as it occurs.
"""

from __future__ import annotations

import importlib.util
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autodiff import grad, value_and_grad
from tests.core.judge import core_alone

COUNT, CHAINS = 40, 120
CONSTANTS = ("1", "1.0", "2", "0.5", "-1", "3.0", "-0.25")


def product(rng: random.Random, names: list[str], depth: int) -> str:
    """A product, a quotient, a constant or a name."""
    if not depth or rng.random() < 0.15:
        return rng.choice(names) if rng.random() < 0.6 else rng.choice(CONSTANTS)
    parts = [product(rng, names, depth - 1) for _ in "ab"]
    if rng.random() < 0.4:
        parts[1] = f"(2 + np.sin({parts[1]}))"
    return f"({parts[0]} {rng.choice('*/')} {parts[1]})"


def text_of(seed: int) -> str:
    """A function of x that branches, so that what a branch computes is computed again."""
    rng = random.Random(seed)
    lines = ["def f(x):", "    s = np.cos(x)", "    if s < -0.99:", "        return 0.0"]
    names = ["x", "s"]
    for k in range(3):
        lines.append(f"    v{k} = {product(rng, names, 3)}")
        names.append(f"v{k}")
    return "\n".join([*lines, f"    return 0.3 * {names[-1]} * {names[-2]} + {names[2]}", ""])


def loaded(text: str, file: Path) -> Any:
    """The function of a text, in a file of its own."""
    file.write_text(f"import numpy as np\n\n\n{text}", encoding="utf-8")
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.f


@pytest.mark.parametrize("seed", range(COUNT))
def test_derivative(seed: int, tmp_path: Path) -> None:
    text = text_of(seed).replace("/ s", "/ (s + 2.5)").replace("/ x", "/ (x + 2.5)")
    function = loaded(text, tmp_path / f"products_{seed}.py")
    for x in (0.7, -1.3):
        with np.errstate(all="ignore"):
            slope = np.imag(function(complex(x, 1e-30)) if np.cos(x) > 0 else np.nan) / 1e-30
            with core_alone():
                found = grad(function)(x)
                value, again = value_and_grad(function)(x)
        assert value == function(x)
        assert found == pytest.approx(again, rel=1e-12, nan_ok=True)
        if np.isfinite(slope):
            assert found == pytest.approx(slope, rel=1e-9, abs=1e-12), text


def chain(rng: random.Random, names: list[str], length: int) -> str:
    """Factors in a row, some of them twice, some below, some in parentheses, some with a sign."""
    names = rng.sample(names, 3) * 2  # few, so that they occur again
    found = rng.choice(names)
    for _ in range(length):
        sign = rng.choice(("*", "*", "*", "/"))
        part = rng.choice([*names, *CONSTANTS])
        if rng.random() < 0.3:
            part = f"({part} {rng.choice('*/')} {rng.choice(names)})"
        if rng.random() < 0.2:
            part = f"(-{part})"
        found = f"{found} {sign} {part}"
    return found


BOUNDED = ("(2 + np.sin(u))",)
"""What `u` stands as: it may be near zero, and whoever divides by that loses all digits."""


def text_of_arrays(seed: int) -> str:
    """A function of arrays `x`, `w` and numbers `r`, `s` that are not zero."""
    rng = random.Random(seed)
    names = ["x", "w", "r", "s", "x", "w"]
    lines = ["def f(x, w, r, s):", f"    u = np.sin({chain(rng, names, 3)})"]
    indent = "    "
    if rng.random() < 0.5:
        lines.append("    for _ in range(2):")
        indent *= 2
    lines.append(f"{indent}v = {chain(rng, [*names, *BOUNDED], 5)}")
    lines.append(f"{indent}u = u + np.cos(v) * {chain(rng, names, 2)}")
    return "\n".join([*lines, f"    return np.sum(u * {chain(rng, names, 2)})", ""])


SEVERAL_TIMES = """
def f(x, w, r, s):
    return np.sum(np.sin(w) * x * r * x * s * x)
"""
"""Factors are told apart by their places, not by what they are: two were lost."""

BELOW = """
def f(x, w, r, s):
    u = np.sin(x * r)
    for _ in range(2):
        v = u * 1.0 * 3.0 / (2 / w) * 2 * (x * w)
        u = u + np.cos(v) * r * (-0.25 / w) * 1.0
    return np.sum(u * w * (-2) * 1.0)
"""
"""The constant of a product was put where it is divided by."""

READ_BEFORE = """
def f(x, w, r, s):
    u = np.sin(x * (-x) * (x / x) * (-(-1 * x)))
    for _ in range(2):
        v = w / w * 1.0 * -0.25 / (u * w) * 2
        u = u + np.cos(v) * x / w * 0.5
    return np.sum(u * s * (w / s) * -1)
"""
"""`s_bar` reads what becomes `w_bar`, and was printed behind the loop that changes it."""

READ_AGAIN = """
def f(x, w, r, s):
    u = np.sin(w / x * x * (-x))
    for _ in range(2):
        v = u / (-1 * s) / (-1) * 0.5 * (s / x) * x
        u = u + np.cos(v) * w * (-w) / (r / w)
    return np.sum(u * w / 2 * (-2))
"""
"""`u_bar` begins as `-w`, which each iteration of the sweep reads, and was changed in place."""


def judge(text: str, file: Path, seed: int) -> None:
    """Compares gradients with respect to all arguments, and to some, with the complex step."""
    function = loaded(text, file)
    rng = np.random.default_rng(seed)
    args: list[Any] = [rng.uniform(0.6, 1.5, 3), rng.uniform(0.6, 1.5, 3), 0.7, np.float64(1.3)]
    for wrt in (("x", "w", "r", "s"), ("w", "s"), ("w",), ("r",)):
        with core_alone():
            found = grad(function, wrt=wrt)(*args)
        for name, gradient in zip(wrt, found, strict=True):
            k = "xwrs".index(name)
            for i in np.ndindex(np.shape(args[k])):
                given = [np.asarray(own, complex) for own in args]
                given[k][i] += 1e-30j
                slope = np.imag(function(*given)) / 1e-30
                assert np.asarray(gradient)[i] == pytest.approx(slope, rel=1e-9, abs=1e-11), text


@pytest.mark.parametrize("seed", range(CHAINS))
def test_factors(seed: int, tmp_path: Path) -> None:
    judge(text_of_arrays(seed), tmp_path / f"factors_{seed}.py", seed)


@pytest.mark.parametrize(
    "text",
    [SEVERAL_TIMES, BELOW, READ_BEFORE, READ_AGAIN],
    ids=["several times", "below", "read before", "read again"],
)
def test_what_was_wrong(text: str, tmp_path: Path) -> None:
    for seed in (1, 61, 117):
        judge(text, tmp_path / f"found_{seed}.py", seed)
