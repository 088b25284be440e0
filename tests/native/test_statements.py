"""What adjoint code adds is the same numbers."""

import ast
import gc
import math

import gast
import numpy as np
import pytest

from autodiff import NativeError, grad
from autodiff.kinds.known import Kinds

numba = pytest.importorskip("numba")

from autodiff.native.native_kinds import _EXPRESSIONS, NativeKinds  # noqa: E402 (these need Numba)
from tests.native import programs, statements  # noqa: E402

WAVE = np.sin(np.linspace(0.0, 6.0, 9))


def agrees(function, wrt, *arguments):
    """The native gradient is that of the Python backend."""
    derivative = grad(function, wrt, backend="numba")
    for one, other in zip(derivative(*arguments), grad(function, wrt)(*arguments)):
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-13)


def test_what_is_put_back_in_between_is_read_before():
    agrees(statements.overwritten, (0, 1), statements.X, 0.7)
    for operand in (statements.rebound, statements.in_place):
        agrees(operand, (0, 1), statements.X, 0.7)


def test_adjoints_of_numbers_and_of_elements_from_the_end():
    agrees(programs.burgers_elements, (0, 1), WAVE, 0.1, 0.01, 0.1, 3)
    agrees(statements.several, (0, 1), statements.X, 0.7)
    agrees(statements.straight, (0, 1), 0.3, 0.7)
    agrees(statements.from_the_end, (0,), statements.SQUARE, statements.PLACES)


def test_what_a_call_changes_is_read_before_it_is_made():
    agrees(statements.changed_inside, (0, 1), statements.X, 0.7)


def test_counts_of_the_users_beside_those_of_tapes():
    agrees(statements.rooted, (0,), statements.X)
    agrees(statements.rooted, (0,), np.zeros(0))
    for function in (statements.counted, statements.counted_twice, statements.counted_late):
        agrees(function, (0,), statements.X, 3)


@pytest.mark.parametrize("enabled", [True, False])
def test_no_garbage_is_collected_while_numba_compiles(enabled, monkeypatch):
    seen = []
    lower = numba.core.lowering.Lower.lower_function_body

    def watched(self):
        seen.append(gc.isenabled())
        return lower(self)

    def root(x):
        return math.sqrt(x[0]) * x[1]

    monkeypatch.setattr(numba.core.lowering.Lower, "lower_function_body", watched)
    before = gc.isenabled()
    (gc.enable if enabled else gc.disable)()
    try:
        derivative = grad(root, backend="numba")
        derivative(statements.X)
        assert seen and not any(seen)
        assert gc.isenabled() is enabled
        with pytest.raises(NativeError):
            derivative(statements.X.astype(">f8"))
        assert gc.isenabled() is enabled
    finally:
        (gc.enable if before else gc.disable)()


def test_no_remembered_kind_is_stale(monkeypatch):
    stale, of = [], NativeKinds.of

    def compared(kinds, node):
        if kinds.found.get(node) not in (None, _EXPRESSIONS.get(type(node), Kinds.of)(kinds, node)):
            stale.append(ast.unparse(gast.gast_to_ast(node)))
        return of(kinds, node)

    monkeypatch.setattr(NativeKinds, "of", compared)
    for function, arguments, wrt in programs.CASES[::4]:
        grad(function, wrt, backend="numba").source_for(*arguments)
    assert stale == []
