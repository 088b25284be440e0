"""Functions along an axis, compiled by Numba, give what NumPy gives: samples of their rules."""

import numpy as np
import pytest

from autodiff import NativeError, value_and_grad
from autodiff.rules import registry
from autodiff.rules.home import module_of
from tests.rules.samples import SAMPLES
from tests.rules.test_compiled import compiled

numba = pytest.importorskip("numba")

from autodiff.native.calls import _HANDLERS, STANDS, itself  # noqa: E402 (need Numba)
from autodiff.native.stands import defaults  # noqa: E402
from autodiff.native.vocabulary import arity  # noqa: E402

pytestmark = pytest.mark.heavy  # each is compiled by Numba
MOST = 2
"""So many samples of each function are compiled: the first ones that are taken."""


def goes_along(function):
    """Whether a call along an axis is one of Numba's, or of a helper's, for each vector there."""
    own = function in STANDS or arity(function) is not None and itself(function)
    return bool(own) and function not in _HANDLERS and "axis" in defaults(function)


def is_taken(argument):
    return isinstance(argument, np.ndarray) and argument.dtype == np.float64 and argument.size > 1


FUNCTIONS = [f for f in SAMPLES if module_of(f) == "numpy" and goes_along(f)]
NOT_TAKEN = {"cross"}
"""Numba does not take its derivative."""


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda own: own.__name__)
def test_samples(function, tmp_path):
    samples, taken = SAMPLES[function], 0

    def rule_of(sample):
        return registry.rule_for(function, len(sample.args))

    calls = compiled(tmp_path, function, samples, rule_of, "np.sum({} ** 3)")
    calls.sort(key=lambda call: np.ndim(next(iter(call[1].values()), 0)) != 2)
    for call, given in calls:
        arguments, wrt = [*given.values()], tuple(range(len(given)))
        if not arguments or not all(map(is_taken, arguments)):
            continue
        try:
            value, bars = value_and_grad(call, wrt, backend="numba")(*arguments)
        except NativeError:
            continue
        wanted, expected = value_and_grad(call, wrt)(*arguments)
        np.testing.assert_allclose(value, wanted, rtol=1e-11)
        for bar, one in zip(bars, expected, strict=True):
            np.testing.assert_allclose(bar, one, rtol=1e-10, atol=1e-13)
        taken += 1
        if taken == MOST:
            break
    assert bool(taken) != (function.__name__ in NOT_TAKEN)
