"""Functions of SciPy without a rule, through their own source: both modes, and second order."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest

from autodiff import AutodiffError, check_grads
from autodiff.coverage.taken import TAKEN
from tests.rules.own_sources import CALLS

pytestmark = [
    pytest.mark.followed,
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),
    pytest.mark.filterwarnings("ignore:Badly conditioned"),
]

EACH = [
    pytest.param(call, id=f"{name}-{number}")
    for module, names in CALLS.items()
    for name, calls in names.items()
    if hasattr(importlib.import_module(module), name)
    for number, call in enumerate(calls)
]


REFUSED_TWICE = {
    "ellip-0": "a branch on rounding",
    "savgol_coeffs-0": "lstsq",
    "resample-0": "a spectrum that is scaled in place",
    "resample-1": "a spectrum that is scaled in place",
    "orthogonal_procrustes-0": "a transposed view of factors",
    "rsf2csf-0": "schur",
    "residue-0": "a list of polynomials",
    "residuez-0": "a list of polynomials",
    "closest_STFT_dual_window-0": "windows that are added in place",
    "coherence-0": "a complex contribution to real memory, which NumPy refuses",
}
"""First derivatives alone; neither mode takes the gradient."""


ROUGH = {"lsim-1": "its second derivative agrees to 1e-4 alone, through expm: to be mended"}


def weighed(y: Any) -> Any:
    """A number that depends on all that a function gives."""
    if isinstance(y, tuple):
        total = 0.0
        for k in range(len(y)):
            total = total + (k + 1) * weighed(y[k])
        return total
    values = np.asarray(y)
    return np.sum(np.sin(np.real(values)) + np.cos(np.imag(values)))


def test_all_that_is_counted_is_called() -> None:
    for module, names in TAKEN.items():
        owner = importlib.import_module(module)
        there = {name for name in names.split() if hasattr(owner, name)}
        assert there <= CALLS[module].keys()


def scalar(f: Any, count: int) -> Any:
    """What is checked."""

    def of_one(x):
        return weighed(f(x))

    def of_two(x, y):
        return weighed(f(x, y))

    def of_three(x, y, z):
        return weighed(f(x, y, z))

    return (of_one, of_two, of_three)[count - 1]


@pytest.mark.parametrize("call", EACH)
def test_both_modes(call: Any) -> None:
    f, *args = call
    check_grads(scalar(f, len(args)), *args)


@pytest.mark.heavy
@pytest.mark.parametrize("call", EACH)
def test_second_order(call: Any, request: pytest.FixtureRequest) -> None:
    f, *args = call
    if request.node.callspec.id in ROUGH:
        request.applymarker(pytest.mark.xfail(strict=True, reason=ROUGH[request.node.callspec.id]))
    if request.node.callspec.id in REFUSED_TWICE:
        with pytest.raises((AutodiffError, TypeError)):
            check_grads(scalar(f, len(args)), *args, order=2)
    else:
        check_grads(scalar(f, len(args)), *args, order=2)
