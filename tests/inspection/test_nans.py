"""The first statement that makes NaN or infinity is named, in compiled text and followed runs."""

import collections
import contextlib
import sys

import numpy as np
import pytest

import autodiff
from autodiff import (
    NonFiniteError,
    debug_nans,
    grad,
    jacfwd,
    jacobian,
    jvp,
    value_and_grad,
    vjp,
)
from tests.language.test_language import PROGRAMS, fresh
from tests.tracing.alone import followed_alone

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


def root(x):
    y = x - 1.0
    s = np.sqrt(y)
    return np.sum(s * 2.0)


def logs(x):
    total = 0.0
    for i in range(len(x)):
        total = total + np.log(x[i]) * total
        x[i] = total
    return total + np.sum(x)


def found(call):
    with pytest.raises(autodiff.NonFiniteError) as caught, debug_nans():
        call()
    return caught.value


def test_an_adjoint_of_finite_values():
    error = found(lambda: grad(root)(np.array([2.0, 1.0, 5.0])))
    assert error.sweep == "reverse"
    assert error.origin.text == "s = np.sqrt(y)"
    assert error.origin.line == root.__code__.co_firstlineno + 2
    message = str(error)
    assert "the adjoint becomes infinite in the reverse sweep" in message
    assert "[1] = 0.0" in message
    assert any(isinstance(own, np.ndarray) for own in error.values.values())


def test_a_value_of_the_forward_sweep():
    error = found(lambda: value_and_grad(root)(np.array([2.0, 0.5])))
    assert (error.sweep, error.origin.text) == ("forward", "s = np.sqrt(y)")
    assert "the value becomes NaN" in str(error)
    assert "[1] = -0.5" in str(error)


def test_the_iteration_in_which_it_happens():
    error = found(lambda: value_and_grad(logs)(np.array([2.0, 3.0, 0.0, 4.0])))
    assert error.origin.text == "total = total + np.log(x[i]) * total"
    assert error.values["x_i"] == 0.0


def test_nothing_is_raised_where_all_is_finite():
    with debug_nans():
        assert grad(root)(np.array([2.0, 5.0])) == pytest.approx([1.0, 0.5])


def test_what_was_infinite_before_is_no_fault():
    def least(x, weights):
        best = np.inf
        fresh = np.empty(len(x))
        fresh[...] = np.nan
        for i in range(len(x)):
            fresh[i] = x[i] * 2.0
            best = min(best, fresh[i])
        return best + np.sum(np.where(np.isfinite(weights), weights, 0.0))

    with debug_nans():
        slopes = grad(least)(np.array([3.0, 2.0]), np.array([1.0, np.inf, np.nan]))
    assert list(slopes) == [0.0, 2.0]


def test_infinities_may_be_left_alone():
    with debug_nans(infinities=False):
        assert np.isinf(grad(root)(np.array([1.0]))[0])
    with pytest.raises(autodiff.NonFiniteError, match="NaN"), debug_nans(infinities=False):
        grad(root)(np.array([0.5]))


def test_nan_from_infinity_is_found():
    error = found(lambda: value_and_grad(root)(np.array([np.inf, -np.inf])))
    assert (error.sweep, error.origin.text) == ("forward", "s = np.sqrt(y)")


def test_the_option_looks_at_calls_and_pullbacks():
    slopes = grad(root, debug_nans=True)
    assert slopes(np.array([2.0])) == pytest.approx([1.0])
    for _ in range(2):
        with pytest.raises(autodiff.NonFiniteError):
            slopes(np.array([1.0]))
    assert "np.sqrt" in slopes.source
    with pytest.raises(autodiff.NonFiniteError):
        jacobian(root, debug_nans=True)(np.array([1.0]))
    value, pullback = vjp(root, np.array([1.0]), debug_nans=True)
    with pytest.raises(autodiff.NonFiniteError) as caught:
        pullback(1.0)
    assert caught.value.sweep == "reverse"
    assert np.isinf(grad(root)(np.array([1.0]))[0])


def test_machine_code_is_not_looked_into():
    pytest.importorskip("numba")
    with pytest.raises(autodiff.AutodiffError, match="machine code"):
        grad(root, backend="numba", debug_nans=True)(np.array([1.0]))


def test_tangents():
    error = found(lambda: jvp(root, (np.array([1.0]),), (np.ones(1),)))
    assert error.sweep == "tangent"
    assert error.origin.line > root.__code__.co_firstlineno
    assert found(lambda: jacfwd(root)(np.array([1.0, 2.0]))).origin is not None


def test_functions_that_are_called_inside():
    def slope(x, n):
        return np.sqrt(x) if n == 0 else 2.0 * slope(x, n - 1)

    error = found(lambda: grad(slope)(0.0, 3))
    assert error.sweep == "reverse"
    assert "np.sqrt(x)" in error.origin.text


def test_it_may_be_handled_by_nobody_inside():
    def guarded(x):
        try:
            y = np.log(x)
        except Exception:
            y = 0.0
        return y * x

    error = found(lambda: value_and_grad(guarded)(np.float64(0.0)))
    assert error.origin.text == "y = np.log(x)"


class Asked:
    """Counts how often it is asked for what it has."""

    def __init__(self):
        self.count = 0

    @property
    def rate(self):
        self.count += 1
        return 2.0


@pytest.mark.followed
def test_nothing_of_the_users_is_run_once_more():
    def weighed(x, asked, found):
        total = 0.0
        for k in range(3):
            total = total + x[k] * asked.rate + len(found[k])
        return total

    counts = []
    for around in (contextlib.nullcontext(), debug_nans()):
        asked, found = Asked(), collections.defaultdict(list)
        derivative = grad(weighed)
        with around:
            derivative(np.ones(3), asked, found)
        counts.append((asked.count, len(found)))
    assert counts[0] == counts[1]


class Node:
    def __init__(self, value, rest):
        self.value, self.rest = value, rest


def listed(x):
    node = None
    for own in x:
        node = Node(np.sqrt(own), node)
    total = 0.0
    while node is not None:
        total = total + node.value
        node = node.rest
    return total


@pytest.mark.followed
def test_runs_that_are_followed():
    with followed_alone():
        error = found(lambda: grad(listed)(np.array([4.0, 0.0, 9.0])))
        assert (error.sweep, error.origin.text) == ("reverse", "node = Node(np.sqrt(own), node)")
        error = found(lambda: grad(root)(np.array([2.0, 0.0])))
        assert (error.sweep, error.origin.text) == ("forward", "s = np.sqrt(y)")
        with debug_nans():
            assert grad(listed)(np.array([4.0, 1.0])) == pytest.approx([0.25, 0.5])


def test_the_tracer_that_was_there_comes_back():
    def tracer(*event):
        return None

    before = sys.gettrace()
    sys.settrace(tracer)
    try:
        with debug_nans():
            assert sys.gettrace() is not tracer
        assert sys.gettrace() is tracer
    finally:
        sys.settrace(before)


SOUND = [entry for entry in PROGRAMS if not entry.refusable][::25]


@pytest.mark.parametrize("entry", SOUND, ids=lambda entry: entry.name)
def test_programs_with_finite_derivatives_run_as_before(entry):
    point = entry.points[0]
    derivative = autodiff.derivatives.derivative.Derivative(
        entry.function, "vjp", entry.wrt_at(point)
    )
    args, keywords = fresh(point)
    value, _ = derivative(*args, **keywords)
    args, keywords = fresh(point)
    made = place = None
    try:
        with debug_nans():
            made = derivative(*args, **keywords)[0]
    except autodiff.NonFiniteError as error:  # of what a choice leaves out, as `np.where` does
        place = error.origin
    assert place is not None if made is None else autodiff.structure.are_same(value, made)


# ---- handlers ----------------------------------------------------------------------------------


def test_who_handled_it_is_not_told_again():
    told = []
    with debug_nans():
        try:
            grad(lambda x: np.sqrt(x))(0.0)
        except NonFiniteError as error:
            told.append(error.sweep)
    assert told == ["reverse"]


def test_a_function_that_is_called_in_the_block_may_handle_it():
    def tried(x):
        try:
            return grad(lambda x: np.sqrt(x))(x)
        except NonFiniteError:
            return 0.0

    with debug_nans():
        assert tried(0.0) == 0.0


def test_a_handler_inside_of_the_derivative_does_not_hide_it():
    def guarded(x):
        try:
            y = np.log(x[0])
        except FloatingPointError:
            y = 0.0
        return y * x[1]

    with pytest.raises(NonFiniteError) as caught:
        with debug_nans():
            grad(guarded)(np.array([-1.0, 2.0]))
    assert caught.value.sweep == "forward"
