"""What adjoint code adds, in as few statements as say it, is the same numbers."""

import ast
import gc
import math

import gast
import numpy as np
import pytest

from autodiff import NativeError, grad
from autodiff.frontend.source import Namespace
from autodiff.kinds.kind import Array, Scalar
from autodiff.kinds.known import Kinds

numba = pytest.importorskip("numba")

from autodiff.native.bindings import Scope  # noqa: E402
from autodiff.native.intrinsics import add_at, subtract_at  # noqa: E402 (these need Numba)
from autodiff.native.updates import updates  # noqa: E402
from autodiff.native.values import _EXPRESSIONS, NativeKinds  # noqa: E402
from tests.native import programs, statements  # noqa: E402

WAVE = np.sin(np.linspace(0.0, 6.0, 9))


def agrees(function, wrt, *arguments):
    """The reverse sweep, where the native gradient is that of the Python backend."""
    derivative = grad(function, wrt, backend="numba")
    for one, other in zip(derivative(*arguments), grad(function, wrt)(*arguments)):
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-13)
    return derivative.source_for(*arguments).split("# Reverse sweep")[1]


def test_sums_to_numbers_go_with_what_is_added_to_one_neighbour():
    reverse = agrees(programs.burgers_elements, (0, 1), WAVE, 0.1, 0.01, 0.1, 3)
    loops = reverse.split("for ")
    without = agrees(programs.burgers_elements, (0,), WAVE, 0.1, 0.01, 0.1, 3)
    assert len(loops) == len(without.split("for "))
    [summed] = [loop for loop in loops if "total +=" in loop]
    assert "add_at(u_bar, i + 1" in summed and "add_at(u_bar, i - 1" not in summed


def test_adjoints_of_numbers_get_their_value_at_once():
    reverse = agrees(statements.several, (0, 1), statements.X, 0.7)
    assert "a_bar +=" not in reverse and "b_bar +=" not in reverse
    assert reverse.count("a_bar = ") == reverse.count("b_bar = ") == 1
    reverse = agrees(statements.straight, (0, 1), 0.3, 0.7)
    assert "+=" not in reverse and reverse.startswith("\n    # return c * b + a * c\n    c_bar = ")


def test_what_is_put_back_in_between_is_read_before():
    agrees(statements.overwritten, (0, 1), statements.X, 0.7)
    for operand in (statements.rebound, statements.in_place):
        agrees(operand, (0, 1), statements.X, 0.7)


def test_elements_are_added_to_by_one_call():
    reverse = agrees(statements.from_the_end, (0,), statements.SQUARE, statements.PLACES)
    assert "add_at(x_bar, (i, -1)," in reverse and "x_bar[" not in reverse


def test_what_a_call_changes_is_read_before_it_is_made():
    agrees(statements.changed_inside, (0, 1), statements.X, 0.7)


def test_statements_stay_where_numba_looks_for_parallel_loops():
    derivative = grad(statements.several, backend="numba", parallel=True)
    assert "add_at" not in derivative.source_for(statements.X, 0.7)


@pytest.mark.parametrize("layout", ["C", "F", "A"])
def test_an_element_lies_where_numba_finds_it(layout):
    @numba.njit
    def added(x, i, k, value):
        add_at(x, (i, k), value)
        subtract_at(x, (i, 1), 2)

    whole = np.arange(24.0).reshape(4, 6)
    start = {"C": whole, "F": np.asfortranarray(whole), "A": whole[::2, ::3]}[layout]
    for i in range(-len(start), len(start)):
        for k in range(-start.shape[1], start.shape[1]):
            found, wanted = start.copy(order="K"), start.copy()
            found = np.array(start, order="F") if layout == "F" else found
            if layout == "A":
                found = whole.copy()[::2, ::3]
            added(found, i, k, 0.25)
            wanted[i, k] += 0.25
            wanted[i, 1] -= 2
            np.testing.assert_array_equal(found, wanted)


def test_an_index_out_of_bounds_is_an_error_where_numba_checks():
    @numba.njit(boundscheck=True)
    def added(x, i):
        add_at(x, i, 1.0)

    x = np.zeros(3)
    added(x, -3)
    assert x[0] == 1.0
    for i in (3, -4):
        with pytest.raises(IndexError):
            added(x, i)


def test_only_floats_are_added_to():
    @numba.njit
    def added(x, i, value):
        add_at(x, i, value)

    for x, i, value in (
        (np.zeros(3, dtype=int), 0, 1.0),
        (np.zeros((3, 3)), 0, 1.0),
        (np.zeros(3), 0.0, 1.0),
        (np.zeros(3), 0, 1.0j),
        (np.zeros(3, dtype="float32"), 0, 1.0),
    ):
        with pytest.raises(numba.core.errors.TypingError):
            added(x, i, value)


NUMBERS = {n: Scalar("float") for n in ("a", "b", "c", "v", "w")}
KINDS = {
    **NUMBERS,
    **{n: Array("float64", (None,)) for n in ("x", "y", "view")},
    "i": Scalar("int"),
}


@pytest.mark.parametrize(
    ("between", "joined"),
    [
        ("w = a * b", True),
        ("y[i] = w", True),
        ("w = math.sqrt(b)", True),
        ("w = v * 2.0", False),
        ("a = w", False),
        ("v = a", False),
        ("i += 1", False),
        ("x[i + 1] = w", False),
        ("x[i] += w", False),
        ("view[0] = w", False),
        ("view *= 0.5", False),
        ("changing(view)", False),
        ("if w > 0.0:\n        v *= 2.0", False),
    ],
)
def test_a_number_waits_only_for_what_does_not_change_it(between, joined):
    lines = "def f(x, i, a, b, w):", "y = x.copy()", "view = x[1:]", "v = a - x[i]", between
    tree = gast.parse("\n    ".join((*lines, "v -= b + w"))).body[0]
    found = NativeKinds(KINDS, Scope(Namespace({"math": math}), {}), frozenset(KINDS))
    new = ast.unparse(gast.gast_to_ast(updates(tree, found)))
    assert ("v = a - x[i] - (b + w)" in new) is joined


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
