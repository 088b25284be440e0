"""The native backend gives what the Python backend gives, or refuses."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from autodiff import AutodiffError, NativeError, grad, value_and_grad, vjp
from tests.native import complex_numbers, growing, orders, programs, signals, vocabulary

numba = pytest.importorskip("numba")

from tests.native import kernels, kernels_2, users  # noqa: E402 (need Numba)

SCALE = 2.0


@numba.njit
def squared(x):
    return x * x


@numba.njit
def jitted(x, n):
    total = 0.0
    for k in range(n):
        total += squared(x[k]) * x[k]
    return total


CASES = [
    *programs.CASES,
    *orders.CASES,
    *growing.CASES,
    *complex_numbers.CASES,
    *(pytest.param(*case, marks=pytest.mark.heavy) for case in vocabulary.CASES),
    *(pytest.param(*case, marks=pytest.mark.heavy) for case in signals.CASES),
    *(pytest.param(*case, marks=pytest.mark.heavy) for case in users.CASES),
    *(pytest.param(*case, marks=pytest.mark.heavy) for case in kernels.CASES),
    *(pytest.param(*case, marks=pytest.mark.heavy) for case in kernels_2.CASES),
]
LISTS = (
    *(programs.CASES, orders.CASES, growing.CASES, complex_numbers.CASES),
    *(vocabulary.CASES, signals.CASES, users.CASES),
    *(kernels.CASES, kernels_2.CASES),
)
IDS = [case[0].__name__ for cases in LISTS for case in cases]


NOT_TAKEN = {"list_to_array"}
"""Lists of Python's floats and NumPy's: Core does not know that both have 64 bits."""


@pytest.mark.parametrize(("function", "arguments", "wrt"), CASES, ids=IDS)
def test_the_backends_agree(function, arguments, wrt):
    if function.__name__ in NOT_TAKEN:
        with pytest.raises(NativeError, match="items_of of complex numbers"):
            value_and_grad(function, wrt, backend="numba")(*arguments)
        return
    kept = [np.copy(argument) for argument in arguments]
    native = value_and_grad(function, wrt, backend="numba")
    value, gradient = native(*arguments)
    wanted_value, wanted = value_and_grad(function, wrt)(*arguments)
    assert value == pytest.approx(wanted_value, rel=1e-12)
    for found, expected in zip(gradient, wanted, strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-11, atol=1e-13)
        assert np.asarray(found).dtype == np.asarray(expected).dtype
    for argument, before in zip(arguments, kept):
        np.testing.assert_array_equal(argument, before)
    assert "tape.push" not in native.source
    assert native.native_for(*arguments).nopython_signatures


def test_a_jitted_function_and_its_jitted_helper():
    x = np.array([1.0, 2.0, 3.0])
    derivative = grad(jitted)
    np.testing.assert_allclose(derivative(x, 3), 3 * x**2)
    assert derivative.native_for(x, 3).nopython_signatures
    np.testing.assert_allclose(grad(jitted, backend="python")(x, 3), 3 * x**2)
    _, pullback = vjp(squared, 2.0)
    assert pullback(1.0) == (4.0,)


def test_other_jitted_functions_may_call_it():
    slope = grad(programs.newton, backend="numba").native_for(2.0)

    @numba.njit
    def twice(a):
        return 2.0 * slope(a)

    assert twice(2.0) == pytest.approx(2.0 * grad(programs.newton)(2.0))
    with pytest.raises(numba.core.errors.TypingError, match="kind float64, not int64"):
        twice(2)


def test_loops_run_upwards_where_the_order_does_not_matter():
    wave = np.sin(np.arange(9.0))
    derivative = grad(programs.burgers_elements, backend="numba")
    _, reverse = derivative.source_for(wave, 0.1, 0.01, 0.1, 2).split("# Reverse sweep")
    assert reverse.count("for i in range(1, len(u) - 1):") == 4  # one adds to three neighbours
    _, reverse = grad(orders.chained, backend="numba").source_for(orders.V).split("# Reverse")
    assert reverse.count(", -1, -1)") + reverse.count(", 0, -1)") == 2


def test_branches_do_not_keep_loops_from_running_upwards():
    derivative = grad(orders.pairs, (0, 1), backend="numba")
    _, reverse = derivative.source_for(orders.V, orders.V).split("# Reverse")
    assert "for j in range(len(x)):" in reverse
    for function in (orders.chained_branches, orders.carried_branches, orders.recorded_branches):
        _, reverse = grad(function, backend="numba").source_for(orders.V).split("# Reverse")
        assert "-1)" in reverse, function
        assert "in range(len(x)):" not in reverse and "in range(1, len(x)):" not in reverse


def test_sums_are_divided_after_the_loop():
    derivative = grad(orders.divided, (0, 1, 2), backend="numba")
    arguments = orders.V, 0.3, 0.7, 2
    _, reverse = derivative.source_for(*arguments).split("# Reverse sweep")
    assert "h_bar += total" in reverse or "h_bar -= total" in reverse
    for found in derivative(orders.V, 0.0, 0.0, 0):  # no iteration runs, so nothing is divided
        assert np.all(found == 0.0)
    with pytest.raises(ZeroDivisionError):
        derivative(orders.V, 0.0, 0.7, 2)


def product(x, y):
    return np.sum(x * y)


def test_a_native_function_is_not_used_for_sizes_that_it_was_not_made_for():
    derivative = grad(product, (0, 1), backend="numba")
    native = derivative.native_for(np.ones(3), np.ones(3))
    with pytest.raises(AssertionError):
        native(np.ones(3), np.ones(1))
    [one, other] = derivative(np.ones(3), np.ones(1))  # other text
    assert (one.shape, other.shape) == ((3,), (1,))
    assert other == 3.0


def running(x):
    u = x.copy()
    u[1:] += u[:-1]
    u += u[0]
    u[:-1] = u[1:]
    u[::-1] -= u * x
    return np.sum(u * u)


def test_changes_in_place_that_read_what_they_change():
    x = np.linspace(0.5, 2.0, 6)
    value, gradient = value_and_grad(running, backend="numba")(x)
    wanted_value, wanted = value_and_grad(running)(x)
    assert value == pytest.approx(wanted_value, rel=1e-13)
    np.testing.assert_allclose(gradient, wanted, rtol=1e-12)


def collatz(x, n):
    count = 0
    while n != 1 and count < 100:
        if n % 2 == 0:
            n = n // 2
            x = x * 1.01
        else:
            n = 3 * n + 1
            x = np.sin(x) + x * n
        count += 1
    for k in range(7, 0, -3):
        x = x * x / k
        if x > 1e100:
            break
    return x


def test_integers_branches_breaks_and_strides():
    derivative = grad(collatz, backend="numba")
    for x, n in (0.3, 1), (0.3, 6), (0.3, 7), (1e-150, 27):  # of 100 steps: a tape that grows
        found, wanted = derivative(x, n), grad(collatz)(x, n)
        assert found == pytest.approx(wanted, rel=1e-12)
        assert 0.0 < abs(wanted) < np.inf


def scaled(x):
    return SCALE * x * x


WEIGHTS = 3.0, np.array([1.0, 2.0])


def weighted(x):
    return x[0] * WEIGHTS[1][0] + x[1] * WEIGHTS[1][1] * WEIGHTS[0]


def test_a_global_that_changes_is_seen(monkeypatch):
    derivative = grad(scaled, backend="numba")
    assert derivative(3.0) == 12.0
    monkeypatch.setattr(sys.modules[__name__], "SCALE", 5.0)
    assert derivative(3.0) == 30.0
    slope = grad(weighted, backend="numba")
    np.testing.assert_array_equal(slope(V), [1.0, 6.0])
    WEIGHTS[1][1] = 4.0  # the array is the same
    np.testing.assert_array_equal(slope(V), [1.0, 12.0])
    monkeypatch.setattr(sys.modules[__name__], "WEIGHTS", (1.0, np.array([2.0, 1.0])))
    np.testing.assert_array_equal(slope(V), [2.0, 1.0])


def sorted_sum(x):
    y = np.partition(x, 1)
    return np.sum(y * y)


def powers(x, n, k):
    y = n**k
    return x * y


def two_indices(x):
    y = x[np.array([0, 1]), np.array([1, 0])]
    return np.sum(y * y)


def in_a_list(x):
    ys = [x, 2.0 * x]
    ys.append(x)
    return ys[0] * ys[1]


TABLE = np.linspace(1.0, 2.0, 1001)  # too long to be compared at each call


def tabled(x):
    total = 0.0
    for k in range(2):
        total += x[k] * TABLE[k]
    return total


def mixed_list(x, n):
    xs = [0]
    for k in range(n):
        xs.append(x * k)
    return xs[-1] * xs[1]


def list_of_lists(x, n):
    rows = [[x]]
    for k in range(n):
        rows.append([x * k])
    return rows[-1][0] * x


def angle_of_complex_numbers(z):
    return abs(np.arctan(z) * z)


def list_inserted_to(x, n):
    xs = [x]
    for k in range(n):
        xs.insert(k // 2, x * x)
    return xs[0] * xs[1]


def changing(x):
    s = 0.0
    while s < 3.0:
        with np.errstate(all="ignore"):
            s = s + x * x
    return s


def truth_values_added(x):
    total = 0.0
    for k in range(len(x)):
        positive = x[k] > 0.0
        large = x[k] > 1.0
        total += x[k] * (positive + large)  # NumPy: at most True, which is 1; Numba: up to 2
    return total


def calling_itself(x, n):
    if n == 0:
        return x
    return x * calling_itself(x, n - 1)


def stretched(x, c):
    return np.sum(np.einsum("...i,...i->...", c, c[:1]) * x)


def unstretched(x, c):
    return np.sum(np.einsum("...i,...i->...", c, c) * x * x)


def summed_narrowly(x):
    return np.sum(x * x, dtype=np.float32) ** 2


V = np.array([1.0, 2.0])
REFUSED = [
    (summed_narrowly, (V,), "a call of sum with dtype"),
    (stretched, (3.0, np.ones((2, 3))), "einsum"),
    (sorted_sum, (V,), "partition"),
    (powers, (2.0, 2, 3), "a power that may be one of integers"),
    (two_indices, (np.ones((2, 2)),), "an index that is neither an integer nor a slice"),
    (tabled, (V,), "the global or closure variable TABLE"),
    (mixed_list, (2.0, 3), "a list that is used as a whole"),
    (list_of_lists, (2.0, 3), "a list"),
    (angle_of_complex_numbers, (2.0 + 1j,), "arctan of complex numbers"),
    (list_inserted_to, (2.0, 3), "a call of a function that is not known"),
    (changing, (1.0,), "`with`"),
    (truth_values_added, (V,), "arithmetic with two truth values"),
]


@pytest.mark.parametrize(("function", "arguments", "what"), REFUSED, ids=[c[2] for c in REFUSED])
def test_what_is_refused_names_the_statement(function, arguments, what):
    grad(function)(*arguments)
    with pytest.raises(NativeError, match="cannot be compiled natively") as caught:
        grad(function, backend="numba")(*arguments)
    assert what in caught.value.what
    first = function.__code__.co_firstlineno
    assert caught.value.origin is not None
    assert first < caught.value.origin.line <= first + 6
    assert caught.value.origin.file == __file__


def test_ellipses_stand_for_axes_of_one_size():
    c = np.arange(6.0).reshape(2, 3)
    assert grad(unstretched, backend="numba")(3.0, c) == 6.0 * np.sum(c * c)


def test_recursion_is_refused():
    assert grad(calling_itself)(1.5, 2) == pytest.approx(3 * 1.5**2)
    with pytest.raises(NativeError, match="a function that calls itself"):
        grad(calling_itself, backend="numba")(1.5, 2)


OTHERS = [np.complex64(2.0), np.float16(2.0), [1.0], {"a": 1.0}, np.ones(2, "f2")]


@pytest.mark.parametrize("value", OTHERS)
def test_arguments_of_other_kinds_are_refused(value):
    def double(x, y):
        return x + 0.0

    with pytest.raises(NativeError, match="does not take what is passed for y"):
        grad(double, backend="numba")(1.0, value)


def mixed(x, n):
    y = x
    for _ in range(n):
        y = np.zeros(3) + x
    return np.sum(y)


def test_what_numba_refuses_is_an_error_of_ours():
    with pytest.raises(NativeError):
        grad(mixed, backend="numba")(1.0, 2)


def two_names_swapped(x, steps):
    a = x.copy()
    b = a
    for k in range(steps):
        b[k] = a[k] * a[k]
        a, b = b, a
    return np.sum(a)


def test_two_names_of_one_array_change_places():
    x = np.array([0.5, 2.0, 3.0])
    found = grad(two_names_swapped, backend="numba")(x, 2)
    np.testing.assert_allclose(found, grad(two_names_swapped)(x, 2))


def test_backends_and_options_that_do_not_exist():
    with pytest.raises(AutodiffError, match="no backend 'cuda'"):
        grad(scaled, backend="cuda")
    with pytest.raises(AutodiffError, match="fastmath is one of Numba's"):
        grad(scaled, fastmath=True)
    with pytest.raises(AutodiffError, match="no native function"):
        grad(scaled).native_for(1.0)


def test_numba_is_imported_only_when_asked_for():
    code = "import sys, autodiff; autodiff.grad(abs, 0) if 0 else 0; print('numba' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "False"


def test_without_numba_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setattr("autodiff.derivatives.options.find_spec", lambda name: None)
    with pytest.raises(AutodiffError, match=r"pip install 'source-autodiff\[numba\]'"):
        grad(scaled, backend="numba")


def reshaped_and_changed(m):
    a = 2.0 * m
    flat = a.reshape(a.size)
    flat[1] = flat[0] * flat[2]
    a[1] = a[0] * a[1]
    return np.sum(a * m)


def transposed_and_reshaped(m):
    a = 2.0 * m.T
    flat = a.reshape(a.size)
    flat[1] = flat[0] * flat[2]
    return np.sum(a * a) + np.sum(flat)


def test_views_of_other_shapes_are_those_of_arrays_in_c_order():
    """NumPy gives `2.0 * m` the order of `m`, and a copy where that is not C order."""
    m = np.arange(1.0, 13.0).reshape(3, 4)
    derivative = grad(reshaped_and_changed, backend="numba")
    np.testing.assert_allclose(derivative(m), grad(reshaped_and_changed)(m))
    with pytest.raises(NativeError, match="not in C order"):
        derivative(np.asfortranarray(m))
    with pytest.raises(NativeError, match="beside transposed arrays"):
        grad(transposed_and_reshaped, backend="numba")(m)


def test_an_argument_that_numba_has_no_type_for():
    with pytest.raises(NativeError, match="another byte order|Unsupported array dtype"):
        grad(programs.rosenbrock, backend="numba")(np.ones(3, ">f8"))


def test_numba_that_is_told_to_compile_nothing(monkeypatch):
    monkeypatch.setattr(numba.config, "DISABLE_JIT", 1)
    with pytest.raises(NativeError, match="NUMBA_DISABLE_JIT is set"):
        grad(lambda x: x * x * x, backend="numba")(2.0)


def with_an_else(x, places):
    s = 0.0
    for k in range(len(places)):
        y = x[places[k]]
        s += (y if y > 0.5 else y * y) * k
    return s


def carried_by_a_branch(x, places):
    s = 1.0
    for k in range(len(places)):
        if x[places[k]] > 0.5:
            s = s * x[k] + x[places[k]]
    return s


@pytest.mark.parametrize(("function", "free"), [(with_an_else, True), (carried_by_a_branch, False)])
def test_sums_by_branch_run_upwards_and_what_is_carried_does_not(function, free):
    arguments = orders.V, np.array([3, 0, 3, 1, 2])
    native = grad(function, backend="numba")
    np.testing.assert_allclose(native(*arguments), grad(function)(*arguments), rtol=1e-12)
    _, reverse = native.source.split("# Reverse") if "# Reverse" in native.source else ("", "")
    assert (", -1, -1)" not in reverse) == free
