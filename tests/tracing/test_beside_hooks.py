"""What C reads, goes over, calls or keeps beside the hooks: right, or refused, and never lost."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autodiff import grad, jvp, value_and_grad
from autodiff.errors import AutodiffError
from autodiff.tracing.number import Number
from tests.tracing.alone import followed_alone
from tests.tracing.beside_hooks import OR_REFUSED, RIGHT, STATE, running_sum

X = np.array([0.7, 1.3, 0.4])


def slopes(f: Callable[[Any], Any], step: float = 1e-6) -> Any:
    return np.array([(f(X + e) - f(X - e)) / (2 * step) for e in np.eye(3) * step])


@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")
@pytest.mark.parametrize("program", [*RIGHT, *OR_REFUSED], ids=lambda f: f.__name__)
def test_right_or_refused(program: Callable[[Any], Any]) -> None:
    STATE.begun = running_sum()
    next(STATE.begun)
    value, expected = program(X.copy()), slopes(program)
    refused = AutodiffError if program in OR_REFUSED else ()
    try:
        with followed_alone():
            found, gradient = value_and_grad(program)(X)
            _, tangent = jvp(program, (X,), (np.array([1.0, -2.0, 0.5]),))
    except refused:
        return
    assert found == pytest.approx(value, rel=1e-14)
    np.testing.assert_allclose(gradient, expected, rtol=1e-6, atol=1e-7)
    np.testing.assert_allclose(tangent, expected @ [1.0, -2.0, 0.5], rtol=1e-6, atol=1e-7)


def helper() -> None:
    """A function with attributes."""


class Counted:
    total: Any = 0.0


def test_functions_classes_and_errors_hold_no_number_afterwards() -> None:
    def program(x: Any) -> Any:
        helper.total = x[0] * 2.0  # type: ignore[attr-defined]
        Counted.total += x[1] * 2.0
        scale = x[0] * x[1]
        STATE.later = lambda y: y * scale
        STATE.partial = functools.partial(max, scale)
        STATE.frozen = frozenset([scale])
        try:
            raise ValueError(x[0] * 3.0)
        except ValueError as error:
            STATE.error = error
            raise KeyError(x[1] * 3.0) from error

    with followed_alone(), pytest.raises(KeyError) as found:
        grad(program)(X)
    left = [helper.total, Counted.total, STATE.later(2.0), *STATE.partial.args]  # type: ignore[attr-defined]
    left += [*STATE.frozen, *STATE.error.args, *found.value.args, *found.value.__cause__.args]  # type: ignore[union-attr]
    assert not any(isinstance(own, Number) for own in left)
    Counted.total = 0.0
