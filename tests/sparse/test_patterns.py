"""Patterns miss no entry: of the rules, over their samples, and of the programs of the corpus."""

from __future__ import annotations

import numpy as np
import pytest

from autodiff import assembly, grad
from autodiff.errors import AutodiffError
from autodiff.rules import registry
from autodiff.sparse import SparseJacobian
from autodiff.structure import leaves
from tests.language.known import WRONG
from tests.language.test_language import PROGRAMS, fresh
from tests.rules.samples import SAMPLES
from tests.rules.test_compiled import compiled
from tests.rules.test_rules import PRIMITIVES, _name
from tests.sparse.oracle import dependence

REFUSED = frozenset(["numpy.histogramdd"])
"""Rules whose samples may be refused here, though they are real."""

SOME = PROGRAMS[::80]

EXACT = """
    _operator.getitem numpy.concatenate numpy.where numpy.transpose numpy.repeat numpy.diag
""".split()


def is_real(*values):
    return not any(map(np.iscomplexobj, leaves(values)))


def check(function, args, kwargs, wrt):
    """How many entries the pattern has, and how many there are; None for complex numbers."""
    derivative = SparseJacobian(function, "jvp", wrt)
    pattern = derivative.pattern_at(*args, **kwargs)
    expected = dependence(function, args, kwargs, wrt)
    assert pattern.shape == expected.shape
    found = pattern.matrix.toarray()
    assert not np.any(expected & ~found), np.argwhere(expected & ~found)
    return found.sum(), expected.sum()


@pytest.mark.heavy  # a sweep
@pytest.mark.parametrize("primitive", PRIMITIVES, ids=_name)
def test_rules(primitive, tmp_path):
    def rule_of(sample):
        return registry.rule_for(primitive, len(sample.args))

    samples, refused = SAMPLES[primitive], []
    samples = [samples[0], *samples[1:][-1:]]
    calls = compiled(tmp_path, primitive, samples, rule_of)
    for sample, (function, arguments) in zip(samples, calls):
        value = primitive(*sample.args, **sample.kwargs)
        if not is_real(arguments, value):
            continue
        try:
            sizes = check(function, tuple(arguments.values()), {}, tuple(arguments))
        except AutodiffError as error:
            refused.append(str(error))
            continue
        if _name(primitive) in EXACT:
            assert sizes[0] == sizes[1]
    assert not refused or _name(primitive) in REFUSED, refused


def dense(derivative, args, kwargs, size):
    """The columns of a Jacobian, by a sweep each."""
    columns = (derivative._along(column, args, kwargs)[1] for column in np.eye(size))
    return np.stack([*columns], axis=1)


@pytest.mark.parametrize("of_gradient", [False, True])
@pytest.mark.parametrize("entry", PROGRAMS[7::160], ids=lambda entry: entry.name)
def test_core_misses_nothing(entry, of_gradient, monkeypatch):
    """At two points, of a function and of its gradient."""
    monkeypatch.setattr(assembly, "CHECKED", True)
    for point in entry.points[:2]:
        args, kwargs = fresh(point)
        value = entry.function(*fresh(point)[0], **fresh(point)[1])
        if not is_real(args, kwargs, value) or of_gradient and np.ndim(value):
            return
        f, wrt = entry.function, entry.wrt_at(point)
        derivative = SparseJacobian(grad(f, wrt) if of_gradient else f, "jvp", wrt)
        try:
            pattern = derivative.pattern_at(*args, **kwargs)
            found = dense(derivative, tuple(args), kwargs, pattern.shape[1])
        except AutodiffError:
            return
        assert not np.any((found != 0) & ~pattern.matrix.toarray())


def check_program(entry):
    point = entry.points[0]
    args, kwargs = fresh(point)
    if not is_real(args, kwargs, entry.function(*fresh(point)[0], **fresh(point)[1])):
        return
    try:
        check(entry.function, tuple(args), kwargs, entry.wrt_at(point))
    except AutodiffError:
        pass


@pytest.mark.parametrize("entry", SOME, ids=lambda entry: entry.name)
def test_some_programs(entry):
    check_program(entry)


@pytest.mark.heavy  # a sweep
@pytest.mark.parametrize(
    "entry",
    [entry for entry in PROGRAMS[::4] if entry not in SOME and entry.name not in WRONG],
    ids=lambda entry: entry.name,
)
def test_program(entry):
    check_program(entry)
