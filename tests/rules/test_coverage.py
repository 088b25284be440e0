"""Every public function of the covered libraries is ruled, nondifferentiable, or has a reason."""

import importlib
import subprocess
import sys

import numpy as np
import pytest

from autodiff.coverage import MODULES, report, rewritten, survey
from autodiff.coverage.others import AUTOGRAD, JAX
from autodiff.coverage.reasons import COMPILED, OUTSIDE
from autodiff.coverage.report import versions
from autodiff.coverage.taken import TAKEN
from autodiff.rules import registry

# Have a derivative, and no rule yet.
LACKING = {
    "numpy": "cumproduct msort product alltrue sometrue in1d round_",
}

NUMPY = [module for module in MODULES if not module.startswith("scipy")]


@pytest.mark.parametrize("module", NUMPY)
def test_nothing_is_missing(module):
    assert set(survey(module).missing) <= set(LACKING.get(module, "").split())


@pytest.mark.parametrize("module", MODULES)
def test_reasons_are_given_once_and_only_where_needed(module):
    own = {"own source": TAKEN.get(module, "")}
    tables = (OUTSIDE.get(module, {}), COMPILED.get(module, {}), own)
    listed = [name for table in tables for names in table.values() for name in names.split()]
    assert sorted(listed) == sorted(set(listed))
    functions = dict(MODULES[module]())
    ruled = [n for n in listed if n in functions and registry.rule_for(functions[n]) is not None]
    assert ruled in ([], ["dict"])


def test_each_function_is_counted_once():
    for module in MODULES:
        found = survey(module)
        known = [*found.ruled, *found.by_source, *found.nondifferentiable]
        names = [*known, *found.outside, *found.missing]
        assert len(names) == len(set(names))


# What autograd or JAX have of SciPy, and we do not.
BEHIND = {
    "scipy.integrate": "",
    "scipy.linalg": "rsf2csf",
    "scipy.signal": "csd istft stft welch",
    "scipy.special": "sph_harm_y",
}


def _is_unknown(owner, name):
    """NumPy 1 does not count `np.max`, another name of `np.amax`, to what it makes public."""
    own = getattr(owner, name, None)
    known = registry.is_nondifferentiable(own) or registry.rule_for(own) is not None
    return hasattr(owner, name) and not known


@pytest.mark.parametrize("module", sorted(AUTOGRAD.keys() | JAX.keys()))
def test_what_other_libraries_have(module):
    if module not in MODULES:
        pytest.skip("SciPy is not installed")
    found = survey(module)
    have = {*found.ruled, *found.by_source, *found.nondifferentiable, *found.outside}
    theirs = set(f"{AUTOGRAD.get(module, '')} {JAX.get(module, '')}".split())
    there = {name for name in theirs if _is_unknown(importlib.import_module(module), name)}
    behind = set(BEHIND.get(module, LACKING.get(module, "")).split())
    assert there - have - {"row_stack", "vectorize"} <= behind  # old names, and a class


def test_a_function_without_a_rule_is_missing(monkeypatch):
    monkeypatch.delitem(registry._templates, np.cbrt)
    assert "cbrt" in survey("numpy").missing


def test_the_page_shows_the_table(root):
    text = (root / "docs/functions.md").read_text(encoding="utf-8")
    assert "<!-- coverage -->" in text
    if versions() not in text:
        pytest.skip("the table was counted with other versions")
    assert rewritten(text) == text, "python -m autodiff coverage --write docs/functions.md"


def test_counts_in_the_text_come_from_the_survey():
    text = "rules of `scipy.special` (1 functions), of"
    assert rewritten(text) == text.replace("1", str(len(survey("scipy.special").ruled)))


def test_the_command_prints_the_table():
    command = [sys.executable, "-m", "autodiff", "coverage", "--missing", "--reasons"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == report(missing=True, reasons=True)
    assert "numpy.ndarray, an iterator; use ravel: flat" in done.stdout
