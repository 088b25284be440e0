"""Programs that Core has to take, compared with central differences in every way they are asked
for.
"""

from __future__ import annotations

import copy
import functools
import inspect
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autodiff import AutodiffError, grad, jvp, value_and_grad, vjp
from autodiff.derivatives import cache
from autodiff.errors import InternalError
from autodiff.pipeline import assembly, compiler

STEP = 1e-6


def differences(function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    """The derivative with respect to the first argument, by central differences."""
    x = np.asarray(args[0], dtype=float)
    found = np.zeros_like(x)
    for index in np.ndindex(x.shape):
        ends = []
        for sign in (1.0, -1.0):
            moved = x.copy()
            moved[index] += sign * STEP
            point = moved if x.shape else float(moved)
            ends.append(function(point, *copy.deepcopy(args[1:])))
        found[index] = (ends[0] - ends[1]) / (2.0 * STEP)
    return found


def check(monkeypatch: pytest.MonkeyPatch, function: Callable[..., Any], *args: Any) -> str:
    """Compares; returns the text of the gradient. Fails where Core does not take the function, but
    in tests where runs are followed.
    """
    monkeypatch.setattr(assembly, "CHECKED", True)
    compiler.REASONS.clear()
    expected = differences(function, args)
    value = function(*copy.deepcopy(args))
    found = grad(function)(*copy.deepcopy(args))
    np.testing.assert_allclose(found, expected, rtol=2e-5, atol=2e-5)
    given = copy.deepcopy(args)
    both = value_and_grad(function)(*given)
    np.testing.assert_allclose(both[0], value)
    np.testing.assert_allclose(both[1], expected, rtol=2e-5, atol=2e-5)
    for before, after in zip(args, given):
        np.testing.assert_array_equal(before, after)
    names = list(inspect.signature(function).parameters)
    given = copy.deepcopy(args)
    rest = functools.partial(function, **dict(zip(names[1:], given[1:])))
    own, pullback = vjp(rest, given[0])
    np.testing.assert_allclose(own, value)
    for seed in (1.0, -2.0):
        (adjoint,) = pullback(seed)
        np.testing.assert_allclose(adjoint, seed * expected, rtol=2e-5, atol=5e-5)
    assert cache.FOLLOWING or not compiler.REASONS, compiler.REASONS
    return grad(function).source_for(*args)


def check_both_modes(function: Callable[..., Any], x: Any) -> None:
    """Compares the gradient, and the tangent along `x`, of a function of one array."""
    expected = differences(function, (x,))
    np.testing.assert_allclose(grad(function)(x), expected, rtol=1e-6, atol=1e-8)
    value, tangent = jvp(function, (x,), (x,))
    np.testing.assert_allclose(value, function(x), rtol=1e-14)
    np.testing.assert_allclose(tangent, expected @ x, rtol=1e-6)


def refused_or_right(
    function: Callable[..., Any],
    *args: Any,
    match: str,
    begin: Callable[[], Any] = lambda: None,
) -> None:
    """The gradient is that of differences, or refused with a message: Core takes more than the old
    way. `begin` makes what is outside as it was.
    """

    def begun(*point: Any) -> Any:
        begin()
        return function(*point)

    expected = differences(begun, args)
    begin()
    found, refusal = None, None
    try:
        found = grad(function)(*copy.deepcopy(args))
    except (AutodiffError, ValueError) as error:
        refusal = error
    begin()
    if refusal is not None:
        assert not isinstance(refusal, InternalError)
        assert re.search(match, str(refusal)), refusal
        return
    np.testing.assert_allclose(found, expected, rtol=2e-5, atol=2e-5)
