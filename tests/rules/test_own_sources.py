"""Functions of SciPy without a rule, through their own source: both modes, and second order."""

from __future__ import annotations

import importlib
from typing import Any

import pytest

from autodiff import AutodiffError, check_grads
from autodiff.coverage.taken import TAKEN
from tests.rules.more_sources import MORE
from tests.rules.own_sources import CALLS
from tests.rules.taken import EVERY, scalar

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
    "orthogonal_procrustes-0": "a transposed view of factors",
    "rsf2csf-0": "schur",
    "cdf2rdf-0": "eigenvectors that may be real or complex",
    "residue-0": "a list of polynomials",
    "residuez-0": "a list of polynomials",
    "closest_STFT_dual_window-0": "windows that are added in place",
    "coherence-0": "a complex contribution to real memory, which NumPy refuses",
}
"""First derivatives alone; neither mode takes the gradient."""


ROUGH = {"lsim-1": "its second derivative agrees to 1e-4 alone, through expm: to be mended"}


def test_all_that_is_counted_is_called() -> None:
    for module, names in TAKEN.items():
        owner = importlib.import_module(module)
        there = {name for name in names.split() if hasattr(owner, name)}
        assert there <= EVERY[module].keys()


@pytest.mark.parametrize("call", EACH)
def test_both_modes(call: Any) -> None:
    f, *args = call
    check_grads(scalar(f, len(args)), *args)


@pytest.mark.heavy
@pytest.mark.parametrize(
    "call",
    [
        pytest.param(call, id=f"{module}.{name}")
        for module, names in MORE.items()
        for name, calls in names.items()
        if name in TAKEN.get(module, "").split() and hasattr(importlib.import_module(module), name)
        for call in calls
    ],
)
@pytest.mark.filterwarnings("ignore:As of SciPy 1.17:FutureWarning")
def test_more_of_them(call: Any) -> None:
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
