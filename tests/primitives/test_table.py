"""Each entry of the table, by running the samples that its rule has."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

from autodiff.kinds.arguments import kind_of
from autodiff.primitives.call_effects import at_call
from autodiff.primitives.table import primitive_of
from autodiff.rules import methods, registry
from autodiff.rules.home import module_of, public_name
from tests.primitives.observed import Observed, observed
from tests.primitives.small import SMALL
from tests.primitives.variants import BAD, FORMS, SAME_SHAPES, bad
from tests.rules.sample import Sample
from tests.rules.samples import SAMPLES

CALLABLES = [function for function in {**SAMPLES, **SMALL} if primitive_of(function).pure]


def samples(function: Any) -> list[Sample]:
    """The calls that are known of a function."""
    return [*SAMPLES.get(function, ()), *SMALL.get(function, ())]


def forms(function: Any) -> tuple[str, ...]:
    """How its operands may lie in memory. LAPACK trusts what comes from a factorization: other
    sizes make it write anywhere.
    """
    home = module_of(function)
    trusting = "scipy" in home and ".fft" not in home or registry.is_demanding(function)
    return SAME_SHAPES if trusting else tuple(FORMS)


@pytest.fixture(autouse=True)
def quiet() -> Any:
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


@pytest.mark.parametrize("function", CALLABLES, ids=public_name)
def test_entry(function: Any) -> None:
    """It changes nothing; new results share with nobody, views with operand 0 alone."""
    worked = 0
    for sample in samples(function):
        for form in forms(function):
            try:
                seen = observed(function, sample.args, sample.kwargs, form)
            except Exception:  # which shapes fit is not asked here
                continue
            worked += 1
            check(function, sample, seen, form)
    assert worked, "no sample works"


def check(function: Any, sample: Sample, seen: Observed, form: str) -> None:
    """One call against the entry."""
    kinds = [kind_of(value) for value in seen.operands]
    primitive = at_call(primitive_of(function), kinds, len(sample.args), list(sample.kwargs))
    assert not seen.changed, f"writes to {seen.changed} ({form})"
    if primitive.shares is not None:
        assert set(seen.shares) <= set(primitive.shares), f"shares with others: {sample} ({form})"
    if primitive.memory == "new":
        assert not seen.shares, f"is not new: {sample} ({form})"
        assert not seen.repeats, "shares memory with the result of another call"
        assert seen.writable, f"is new, but may not be written to: {sample} ({form})"
    elif primitive.memory == "view" and not isinstance(seen.result, np.generic):
        arrays = seen.result if isinstance(seen.result, (tuple, list)) else [seen.result]
        assert all(isinstance(part, np.ndarray) for part in arrays), f"no view: {sample} ({form})"
        assert seen.whole or not seen.result.size, f"is no view: {sample} ({form})"
        assert set(seen.shares) <= {0}, f"is a view of others: {sample} ({form})"
        assert seen.writable or form == "frozen", f"is a view to be read: {sample} ({form})"


_HERE = [
    name for name in dir(np.ndarray) if hasattr(np.eye(1), name)
]  # NumPy 2 keeps ptp to refuse it
METHODS = {name: found for name in _HERE if (found := methods.method(name)) is not None}


@pytest.mark.parametrize("name", METHODS)
def test_methods_are_what_their_functions_are(name: str) -> None:
    """A method of an array shares no more than the function that it stands for."""
    function = METHODS[name].function
    tried = 0
    for sample in samples(function):
        if name == "compress" or not sample.args or not isinstance(sample.args[0], np.ndarray):
            continue
        for form in forms(function):
            try:
                seen = observed(
                    lambda x, *args, **kwargs: getattr(x, name)(*args, **kwargs),
                    sample.args,
                    sample.kwargs,
                    form,
                )
            except Exception:
                continue
            tried += 1
            check(function, sample, seen, form)
    assert tried or name in ("compress", "is_integer")


TOTAL = [
    function
    for function in CALLABLES
    if primitive_of(function).total
    and not primitive_of(function).partial
    and not module_of(function).startswith("scipy")
    and not (isinstance(function, np.ufunc) and function not in vars(np).values())
]
"""What claims to take all values. Of SciPy some routines never end, or end the process, on nan."""


@pytest.mark.parametrize("function", TOTAL, ids=public_name)
def test_total(function: Any) -> None:
    """What is said to raise nothing takes 0, infinity and nan."""
    tried = 0
    for sample in samples(function):
        try:
            function(*sample.args, **sample.kwargs)
        except Exception:
            continue
        for value in BAD.values():
            function(*bad(value, list(sample.args)), **bad(value, dict(sample.kwargs)))
            tried += 1
    assert tried
