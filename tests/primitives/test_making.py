"""Helpers of templates that are said to make new arrays do, in the adjoints of all samples."""

import sys
from collections import Counter
from types import FunctionType

import numpy as np
import pytest

from autodiff.primitives.memory import claim_of
from autodiff.rules import registry
from tests.rules.checks import differentiated
from tests.rules.oracle import adjoints_of, frozen, leaves, random_like
from tests.rules.samples import SAMPLES

_OURS = ("autodiff.templates", "autodiff.runtime")


def helpers():
    """The functions of ours that give new memory, whatever they are given."""
    every = {
        own: None
        for module in [*sys.modules.values()]
        if getattr(module, "__name__", "").startswith(_OURS)
        for own in vars(module).values()
        if isinstance(own, FunctionType) and own.__module__.startswith(_OURS)
    }
    return [own for own in every if registry.makes_new(own) or claim_of(own).memory == "new"]


def arrays(value):
    return [leaf for leaf in leaves(value) if isinstance(leaf, np.ndarray)]


@pytest.mark.heavy
def test_what_helpers_make_is_new(monkeypatch):
    rules = {p: [registry.rule_for(p, len(s.args)) for s in SAMPLES[p]] for p in SAMPLES}
    wrong, called = set(), Counter()

    def watched(helper):
        def run(*args, **keywords):
            found = helper(*args, **keywords)
            called[helper] += 1
            given = arrays([*args, *keywords.values()])
            for own in arrays(found):
                if any(np.shares_memory(own, each) for each in given):
                    wrong.add(f"{helper.__name__} shares memory with what it is given")
                if not own.flags.writeable:
                    wrong.add(f"what {helper.__name__} gives may not be written to")
            return found

        return run

    instead = {helper: watched(helper) for helper in helpers()}
    for module in [*sys.modules.values()]:
        if getattr(module, "__name__", "").startswith(_OURS):
            for name, own in [*vars(module).items()]:
                if isinstance(own, FunctionType) and own in instead:
                    monkeypatch.setattr(module, name, instead[own])
    for primitive, samples in SAMPLES.items():
        for sample, rule in zip(samples, rules[primitive]):
            args, keywords = frozen(list(sample.args)), frozen(sample.kwargs)
            with np.errstate(all="ignore"):
                seed = random_like(primitive(*args, **keywords), np.random.default_rng(5))
                adjoints_of(primitive, args, keywords, seed, differentiated(rule, sample))
    assert not wrong
    assert len(called) > 100
