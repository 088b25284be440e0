"""Functions of SciPy that are written out in plain Python: their values, and their derivatives."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
from scipy import signal, stats

from autodiff import check_grads, grad
from autodiff.rules import registry

RNG = np.random.default_rng(5)
X = RNG.uniform(0.3, 1.9, 30)
TABLE = RNG.uniform(0.3, 1.9, (14, 3))
SAME = np.full(5, 0.1)
COEFFICIENTS = signal.butter(2, 0.3)
SECTIONS = signal.butter(4, 0.2, output="sos")

CASES: dict[Any, list[tuple[tuple[Any, ...], dict[str, Any]]]] = {
    stats.zscore: [((X,), {}), ((TABLE,), {"axis": None}), ((TABLE,), {"axis": 1, "ddof": 1})],
    stats.gmean: [((X,), {}), ((TABLE,), {"axis": 1}), ((TABLE,), {"weights": TABLE[::-1]})],
    stats.gstd: [((X,), {}), ((TABLE,), {"axis": 1, "ddof": 0})],
    stats.hmean: [((X,), {}), ((TABLE,), {"axis": None}), ((TABLE,), {"weights": TABLE[::-1]})],
    stats.sem: [((X,), {}), ((TABLE,), {"axis": None}), ((TABLE,), {"axis": 1, "ddof": 0})],
    stats.variation: [((X,), {}), ((TABLE,), {"axis": 1})],
    stats.skew: [((X,), {}), ((TABLE,), {"axis": 1, "bias": False}), ((TABLE,), {"axis": None})],
    stats.kurtosis: [((X,), {}), ((TABLE,), {"bias": False}), ((TABLE,), {"fisher": False})],
    stats.entropy: [((X,), {}), ((TABLE, TABLE[::-1] + 1), {"axis": 1, "base": 2})],
    stats.trim_mean: [
        ((X,), {"proportiontocut": 0.1}),
        ((TABLE,), {"proportiontocut": 0.3, "axis": 1}),
        ((TABLE,), {"proportiontocut": 0.0, "axis": None}),
    ],
    signal.hilbert: [((X,), {}), ((TABLE,), {"axis": 0, "N": 9}), ((TABLE,), {"axis": 0, "N": 20})],
    signal.sosfilt: [((SECTIONS, X), {}), ((SECTIONS, TABLE), {"axis": 0})],
    signal.savgol_filter: [
        ((X,), {"window_length": 5, "polyorder": 2}),
        ((TABLE,), {"window_length": 3, "polyorder": 1, "axis": 0, "deriv": 1, "delta": 0.3}),
    ],
    signal.lfilter_zi: [(COEFFICIENTS, {}), ((np.array([0.3]), np.array([1.5, 0.4])), {})],
    signal.filtfilt: [((*COEFFICIENTS, X), {}), ((*COEFFICIENTS, TABLE), {"axis": 0})],
}
CALLS = [(f, args, options) for f, calls in CASES.items() for args, options in calls]


@pytest.mark.parametrize("number", range(len(CALLS)))
def test_values_and_derivatives(number: int) -> None:
    function, args, options = CALLS[number]
    expected = function(*args, **options)
    plain = registry.written_for(function)
    assert plain is not None
    np.testing.assert_allclose(plain(*args, **options), expected, rtol=1e-9, atol=1e-12)
    weights = RNG.uniform(0.5, 1.5, np.shape(expected))

    call = partial(plain, **options)

    def loss(y):
        return np.sum(np.sin(np.real(y)) * weights) + np.sum(np.cos(np.imag(y)) * weights)

    def of_one(x):
        return loss(call(x))

    def of_two(x, y):
        return loss(call(x, y))

    def of_three(x, y, z):
        return loss(call(x, y, z))

    check_grads((of_one, of_two, of_three)[len(args) - 1], *args)


def statistics(x):
    total = stats.zscore(x, ddof=1)[0] + stats.gmean(x) + stats.gstd(x) + stats.hmean(x)
    total += stats.sem(x) + stats.variation(x) + stats.skew(x, bias=False) + stats.kurtosis(x)
    return total + stats.entropy(x, base=2) + stats.trim_mean(x, 0.1)


def filters(x):
    b, a = COEFFICIENTS
    y = np.abs(signal.hilbert(x)) + signal.sosfilt(SECTIONS, x)
    y += signal.savgol_filter(x, 5, polyorder=2) + signal.filtfilt(b, a, x)
    return np.sum(y**2) + np.sum(signal.lfilter_zi(b * x[0], a) ** 2)


@pytest.mark.parametrize("program", [statistics, filters])
def test_programs(program: Any) -> None:
    check_grads(program, X)


def test_all_are_tested() -> None:
    for function in (stats.skew, signal.hilbert):
        registry.written_for(function)  # loads what belongs to its part
    assert set(registry.stand_ins()) == set(CASES)


@pytest.mark.parametrize("function", [stats.zscore, stats.skew, stats.kurtosis])
def test_what_is_constant_has_no_standard_score(function: Any) -> None:
    with np.errstate(all="ignore"), pytest.warns(RuntimeWarning) as _:
        assert np.all(np.isnan(function(SAME)))
    with np.errstate(all="ignore"):
        assert np.all(np.isnan(registry.written_for(function)(SAME)))


def test_the_harmonic_mean_is_of_positive_values() -> None:
    with np.errstate(all="ignore"):
        assert np.isnan(registry.written_for(stats.hmean)(-X))


def test_single_precision_stays() -> None:
    def f(x):
        return np.sum(stats.zscore(x) ** 3) + stats.skew(x) + stats.gmean(x)

    assert grad(f)(X.astype(np.float32)).dtype == np.float32


def test_an_argument_that_the_plain_function_lacks() -> None:
    def f(x):
        return stats.skew(x, nan_policy="omit")

    with pytest.raises(Exception, match="skew|starred"):
        grad(f)(X)
