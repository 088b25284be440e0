"""Pinned text: equal to what is generated, clean, and right with every optimisation off and on."""

from __future__ import annotations

import builtins
import functools
import importlib
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autodiff.transforms.tangents import Tangent
from tests.forward.running import inner
from tests.golden.case import EXPECTED, Case, collect
from tests.language import oracle

CASES = collect()
WIDEST = 100


def by_name(case: Case) -> str:
    return case.name


def primal(case: Case) -> Callable[..., Any]:
    """The function to compare with: without what `has_aux` sets aside."""
    function = case.reference
    if not case.has_aux:
        return function

    @functools.wraps(function)
    def scalar(*args: Any) -> Any:
        return function(*args)[0]

    return scalar


def gradients(case: Case, derivative: Callable[..., Any]) -> tuple[Any, tuple[Any, ...]]:
    """Value (None from `grad`) and gradients by a derivative, whatever its transform."""
    args = oracle.copied(list(case.args))
    if case.transform == "jvp":
        return by_directions(case, derivative, args)
    found = derivative(*args)
    oracle.assert_same(args, oracle.copied(list(case.args)), "arguments")
    if case.transform == "vjp":
        value, pullback = found
        seed = oracle.seed_for(value)
        adjoints = pullback(seed)
        oracle.assert_same(pullback(seed), adjoints, "second call of the pullback")
        return value, adjoints
    value, gradient = found if case.transform == "value_and_grad" else (None, found)
    if case.has_aux:
        (gradient, aux) = (gradient, value[1]) if value is not None else gradient
        oracle.assert_same(aux, case.function(*case.args)[1], "aux")
        value = None if value is None else value[0]
    return value, gradient if isinstance(case.wrt, tuple) else (gradient,)


def by_directions(
    case: Case, derivative: Callable[..., Any], args: list[Any]
) -> tuple[Any, tuple[Any, ...]]:
    """Value and gradients from tangents: the derivative is given one direction after the other."""
    names = case.wrt if isinstance(case.wrt, tuple) else (case.wrt,)
    given = oracle.arguments(case.function, args, {}).arguments
    primals = [given[n] if isinstance(n, str) else args[n] for n in names]
    gradients = [np.zeros_like(primal, dtype=float) for primal in primals]
    value = None
    for gradient in gradients:
        for index in np.ndindex(np.shape(gradient)):
            units = [np.zeros_like(g) for g in gradients]
            units[[g is gradient for g in gradients].index(True)][index] = 1.0
            dots = [u if np.ndim(p) else float(u) for u, p in zip(units, primals)]
            if case.several:
                value, tangent = along_both(derivative, args, units)
            elif isinstance(derivative, Tangent):
                value, tangent = derivative.along(tuple(args), {}, tuple(dots))
            else:
                value, tangent = derivative(*args, *dots)
            gradient[index] = inner(oracle.seed_for(value), tangent)
    oracle.assert_same(args, oracle.copied(list(case.args)), "arguments")
    found = zip(gradients, primals)
    return value, tuple(g if np.ndim(p) else float(g) for g, p in found)


def along_both(
    derivative: Callable[..., Any], args: list[Any], direction: list[Any]
) -> tuple[Any, Any]:
    """Value and tangent along a direction, which is taken together with twice itself."""
    dots = [np.stack([part, 2.0 * part]) for part in direction]
    if isinstance(derivative, Tangent):
        value, tangents = derivative.beside(derivative._bind(tuple(args), {}), dots)
    else:
        value, tangents = derivative(*args, *dots)
    np.testing.assert_allclose(tangents[1], 2.0 * tangents[0], rtol=1e-12)
    return value, tangents[0]


def check(case: Case, derivative: Callable[..., Any]) -> tuple[Any, ...]:
    """Compare with finite differences; returns the gradients."""
    wrt = case.wrt if isinstance(case.wrt, tuple) else (case.wrt,)
    function = primal(case)
    value, found = gradients(case, derivative)
    if value is not None:
        oracle.assert_same(value, function(*case.args))
    expected = oracle.gradients(function, case.args, {}, wrt)
    places = oracle.arguments(case.function, case.args, {}).arguments
    assert len(found) == len(wrt)
    for name, gradient, wanted in zip(wrt, found, expected, strict=True):
        argument = places[name] if isinstance(name, str) else case.args[name]
        oracle.compare(gradient, argument, wanted, 1e-6, str(name))
    return found


@pytest.mark.parametrize("case", CASES, ids=by_name)
def test_text(case: Case) -> None:
    pinned = case.file.read_text(encoding="utf-8")
    assert case.text() == pinned, "read the difference; `python -m tests.golden` pins the new text"
    assert max(map(len, pinned.splitlines())) <= WIDEST


@pytest.mark.parametrize("case", CASES, ids=by_name)
def test_numbers(case: Case) -> None:
    """Against finite differences."""
    check(case, case.derivative())


@pytest.mark.parametrize("case", CASES, ids=by_name)
def test_pinned_text_runs(case: Case) -> None:
    """The module that is pinned, imported as it stands."""
    module = importlib.import_module(f"tests.golden.expected.{case.name}")
    functions = [
        item
        for item in vars(module).values()
        if getattr(item, "__module__", None) == module.__name__ and callable(item)
    ]
    target = case.derivative().target

    def derivative(*args: Any) -> Any:
        if case.transform == "jvp":
            return functions[-1](*args)
        bound = target.bind(args, {})
        return functions[-1](*bound.positional, **bound.keywords)

    check(case, derivative)


def test_every_pinned_text_has_a_case() -> None:
    assert {file.stem for file in EXPECTED.glob("*.py")} == {case.name for case in CASES}


def test_ruff() -> None:
    pytest.importorskip("ruff")
    found = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "--no-cache", "--output-format=concise", EXPECTED],
        capture_output=True,
        text=True,
    )
    assert found.returncode == 0, found.stdout + found.stderr


@pytest.mark.slow
def test_two_processes_generate_the_same_text(root: Path) -> None:
    texts = [
        subprocess.run(
            [sys.executable, "-m", "tests.golden", "--print"],
            cwd=root,
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert texts[0] == texts[1]
    assert texts[0].count(b"\ndef ") >= len(CASES)


def test_text_is_the_same_in_an_interactive_session(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which leaves its last value as a builtin, `_`."""
    monkeypatch.setattr(builtins, "_", 1.0, raising=False)
    entry = next(entry for entry in CASES if entry.name == "logistic_map")
    assert entry.text() == entry.file.read_text(encoding="utf-8")
