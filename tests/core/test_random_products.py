"""Random products and quotients with constants, of values that the reverse sweep computes again:
what makes one constant of several keeps the number.
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

COUNT = 40
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
