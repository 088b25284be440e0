"""The long adjoints by hand are right: complex steps and differences say so, at small size."""

from __future__ import annotations

import inspect
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from tests.benchmarks.measure import agree
from tests.benchmarks.suite import IN_PLACE
from tests.benchmarks.workload import ported

WORKLOADS = [workload for file in IN_PLACE for workload in file.workloads(small=True)]
# The tuned ones in the place of those that go statement by statement.
WORKLOADS += [
    replace(workload, name=f"{workload.name}, tuned", hand=workload.tuned)
    for workload in WORKLOADS
    if workload.tuned
]
each = pytest.mark.parametrize("workload", WORKLOADS, ids=lambda workload: workload.name)

# NumPy, but new arrays have room for an imaginary part.
COMPLEX = SimpleNamespace(**vars(np))
COMPLEX.zeros = lambda shape: np.zeros(shape, complex)


@each
def test_complex_steps_agree(workload):
    primal = ported(workload.primal, COMPLEX)
    expected = entry_by_entry(workload, complex, lambda step: primal(*step(1e-30j)).imag / 1e-30)
    agree(workload.hand(*workload.arguments), expected, 1e-12, workload.name)


@each
def test_differences_agree(workload):
    primal, h = workload.primal, 1e-5
    expected = entry_by_entry(
        workload, float, lambda step: (primal(*step(h)) - primal(*step(-h))) / (2 * h)
    )
    agree(workload.hand(*workload.arguments), expected, 1e-7, workload.name)


@each
def test_arguments_are_left_alone(workload):
    before = [np.copy(argument) for argument in workload.arguments]
    first = workload.hand(*workload.arguments)
    workload.primal(*workload.arguments)
    for argument, copy in zip(workload.arguments, before, strict=True):
        np.testing.assert_array_equal(argument, copy)
    agree(workload.hand(*workload.arguments), first, 0.0, workload.name)


def entry_by_entry(workload, dtype, derivative):
    """One array per differentiated argument: `derivative` for a step in each of its entries.

    `derivative` is given a function that answers the arguments after a step of a given length.
    """
    names = list(inspect.signature(workload.primal).parameters)
    wrt = (workload.wrt,) if isinstance(workload.wrt, str) else workload.wrt

    def stepper(name, index):
        def step(length):
            arguments = dict(zip(names, workload.arguments, strict=True))
            for each in wrt:
                arguments[each] = np.array(arguments[each], dtype)
            arguments[name][index] += length
            return arguments.values()

        return step

    return tuple(
        np.reshape([derivative(stepper(name, index)) for index in np.ndindex(shape)], shape)
        for name, shape in zip(wrt, (np.shape(workload.arguments[names.index(n)]) for n in wrt))
    )
