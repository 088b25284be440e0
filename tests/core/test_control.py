"""Loops, branches and what leaves them, through Core."""

from __future__ import annotations

import linecache
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autodiff import grad, value_and_grad
from autodiff.pipeline import compiler
from tests.core import effects
from tests.core.differences import check

V = np.array([0.5, -0.3, 1.2, 0.7, 0.4])


# Ranges ------------------------------------------------------------------------------------------


def reversed_range(x, n):
    s = 0.0
    for i in reversed(range(n)):
        s = s * x[i] + x[i]
    return s


def reversed_range_that_only_the_tape_undoes(x, n):
    s = 1.0
    for i in reversed(range(n)):
        s = s * np.sin(x[0]) + i
    return s


def range_with_step(x, n):
    s = 1.0
    for i in range(n, 0, -2):
        s = s * x[i] + x[i - 1]
    return s


def reversed_range_with_step(x, n):
    s = 1.0
    for i in reversed(range(0, n, 2)):
        s = np.sin(s) * x[i] + x[i + 1] * s
    return s


def step_that_is_given(x, step):
    s = 1.0
    for i in range(0, 5, step):
        s = np.sin(s) * x[i]
    return s


def item_of_new_memory(x):
    y = x.copy()
    for i in range(3):
        z = y * 1.5
        z[0] = np.exp(y[i + 1] ** 2)
    return np.sum(y * z)


def in_place_backwards(x, n):
    y = x.copy()
    for i in reversed(range(n - 1)):
        y[i] = y[i] * y[i + 1]
    return np.sum(y * y)


def in_place_by_step(x, n):
    y = x.copy()
    for i in range(n - 1, 0, -1):
        y[i] = y[i - 1] * y[i] + np.sin(y[i])
    return np.sum(y * y)


@pytest.mark.parametrize(
    ("function", "args"),
    [
        (reversed_range, (V, 4)),
        (reversed_range_that_only_the_tape_undoes, (V, 4)),
        (range_with_step, (V, 4)),
        (reversed_range_with_step, (V, 4)),
        (step_that_is_given, (V, 2)),
        (in_place_backwards, (V, 5)),
        (item_of_new_memory, (V,)),
        (in_place_by_step, (V, 5)),
    ],
)
def test_ranges(monkeypatch: pytest.MonkeyPatch, function: Any, args: Any) -> None:
    check(monkeypatch, function, *args)


# Variables that get their first value in a loop or a branch ---------------------------------------


def loop_variable_afterwards(x, n):
    for i in range(n):
        x = x * 1.5
    return x * i


def loop_variable_before_and_afterwards(x, n):
    i = 7
    for i in range(n):
        x = np.sin(x) + i
    return x * i


def loop_variable_assigned(x, n):
    for i in range(n):
        x = np.sin(x) + i
        i = 2 * i + 1
    return x * i


def loop_variable_of_nested_loops(x, n):
    s = 0.0
    for i in range(n):
        for j in range(i + 1):
            s = s + np.sin(x * j)
        s = s * j + i * x
    return s * i


def first_value_in_a_loop(x, n):
    for i in range(n):
        y = x * x + i
    return np.sin(y)


def first_value_in_a_certain_loop(x):
    for i in range(3):
        y = x * x + i
        x = x + y
    return np.sin(y) * i


def first_value_in_a_branch(x, n):
    if n > 2:
        y = x * x
    z = 3.0 * x
    if n > 2:
        z = z * y
    return z


def value_of_the_iteration_before(x, n):
    s = 0.0
    for i in range(n):
        if i > 0:
            s = s + last * x  # noqa: F821
        last = np.sin(x + i)
    return s


def array_of_the_iteration_before(x, n):
    s = 0.0
    for i in range(n):
        if i > 0:
            s = s + np.sum(last * x)  # noqa: F821
        last = np.sin(x + i)
    return s


def array_of_the_last_iteration(x, n):
    y = x
    for i in range(n):
        z = np.sin(y) * i
        y = y + z * x
    return np.sum(y * z)


def array_of_some_iteration(x, n):
    y = x
    for i in range(n):
        if i % 2 == 0:
            held = np.cos(y + i)
        y = y * held + x
    return np.sum(y)


def array_of_an_inner_loop(x, n):
    y = x
    for i in range(n):
        for j in range(i + 1):
            held = np.cos(y + j)
        y = y * held + x
    if n > 2:
        return np.sum(y * held)
    return np.sum(y)


def arrays_of_several_lengths(x, n):
    y = x
    for i in range(n):
        half = np.sin(y[1:])
        y = half * half[0]
    return np.sum(half) * np.sum(y)


def set_in_some_iterations(x, n):
    s = 0.0
    for i in range(n):
        if i % 2 == 0:
            held = np.sin(x * (i + 1))
        s = s + held * held * x
    return s


def set_in_an_inner_loop(x, n):
    s = 0.0
    for i in range(n):
        for j in range(i):
            held = np.sin(x + i + j)
        if i > 0:
            s = s * x + held * held
    return s


def pair_in_a_branch(x, flag):
    if flag:
        pair = (x, np.sin(x))
    else:
        pair = (x * x, 2.0)
    return pair[0] * pair[1]


def array_in_a_branch(x, flag):
    if flag:
        y = x * x
        y[0] = np.sin(x[1])
    if flag:
        return np.sum(y * y)
    return np.sum(x)


def jumps_out(x, n):
    for i in range(n):
        y = x * i
        if i == 1:
            continue
        x = x + np.sin(y)
    return x * y


@pytest.mark.parametrize(
    ("function", "args"),
    [
        (loop_variable_afterwards, (0.7, 4)),
        (loop_variable_before_and_afterwards, (0.7, 4)),
        (loop_variable_before_and_afterwards, (0.7, 0)),
        (loop_variable_assigned, (0.7, 4)),
        (loop_variable_of_nested_loops, (0.7, 4)),
        (first_value_in_a_loop, (0.7, 3)),
        (first_value_in_a_loop, (V[2], 1)),
        (first_value_in_a_certain_loop, (0.7,)),
        (first_value_in_a_branch, (0.7, 3)),
        (first_value_in_a_branch, (0.7, 1)),
        (value_of_the_iteration_before, (0.7, 4)),
        (array_of_the_iteration_before, (V, 3)),
        (array_of_the_last_iteration, (V, 3)),
        (array_of_some_iteration, (V, 4)),
        (array_of_an_inner_loop, (V, 3)),
        (arrays_of_several_lengths, (V, 3)),
        (array_in_a_branch, (V, True)),
        (array_in_a_branch, (V, False)),
        (set_in_some_iterations, (0.7, 5)),
        (set_in_an_inner_loop, (0.7, 5)),
        (pair_in_a_branch, (0.7, True)),
        (pair_in_a_branch, (0.7, False)),
        (jumps_out, (0.7, 4)),
    ],
)
def test_first_values(monkeypatch: pytest.MonkeyPatch, function: Any, args: Any) -> None:
    check(monkeypatch, function, *args)


def test_a_variable_without_a_value_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    """As the function itself does: the variable is read in the forward sweep."""
    for function in (first_value_in_a_loop, loop_variable_afterwards):
        compiler.REASONS.clear()
        for derivative in (grad(function), value_and_grad(function)):
            with pytest.raises(UnboundLocalError):
                derivative(0.7, 0)
        assert not compiler.REASONS


# While and break ---------------------------------------------------------------------------------


def while_loop(x):
    y = x
    while y < 10.0:
        y = y * y + x + 1.0
    return y


def while_with_counter(x):
    k = 0
    while x < 10.0 and k < 5:
        x = x * x + np.sin(x) + 1.0
        k += 1
    return x * k


def while_never(x):
    y = 2.0 * x
    while y > 10.0:
        y = y * y
    return y * x


def while_in_a_for(x, n):
    s = 0.0
    for i in range(n):
        y = x[i]
        while y < 3.0:
            y = y * y + 1.0
        s = s * x[i] + y
    return s


def for_in_a_while(x, n):
    k = 0
    while x < 3.0:
        for i in range(k + n):
            x = x + 0.1 * np.sin(x * i) + 0.2
        k += 1
    return x * k


def while_in_a_while(x):
    s = x
    while s < 20.0:
        y = s
        while y < 5.0:
            y = y * y + 0.5
        s = s + y * x
    return s


def while_over_memory(x):
    y = x.copy()
    k = 0
    while np.sum(y * y) < 50.0:
        y[k % 5] = y[k % 5] * y[k % 5] + 1.5
        k += 1
    return np.sum(np.sin(y))


def while_test_reads_what_changes(x):
    y = x.copy()
    while y[0] < 4.0:
        y[0] = y[0] * y[0] + y[1]
        y[1] = y[1] * 1.5 + 1.0
    return y[0] * y[1]


def while_with_arrays(x):
    y = x
    while y.sum() < 20.0:
        y = y * y + np.sin(x) + 1.0
    return np.sum(y)


def while_true(x):
    while True:
        x = x * x + 0.5
        if x > 9.0:
            break
    return np.sin(x)


def first_value_in_a_while(x):
    while True:
        y = x * x
        x = x + y
        if x > 9.0:
            break
    return y * x


def break_in_a_for(x, n):
    for i in range(n):
        if x > 100.0:
            break
        x = x * x + 1.0
    return x * i


def break_in_the_middle(x, n):
    s = 0.0
    for i in range(n):
        s = s + np.sin(x * i)
        if s > 1.0:
            break
        s = s * x
    return s


def break_of_a_range(x, n):
    s = 1.0
    for i in range(1, n, 2):
        s = s * x[i] + x[i - 1]
        if s > 2.0:
            break
        s = np.sin(s)
    return s


def break_of_a_reversed_range(x, n):
    s = 1.0
    for i in reversed(range(n)):
        s = s * x[i] + x[i]
        if s < 1.2:
            break
    return s * i


def breaks_in_nested_loops(x, n):
    s = 0.0
    for i in range(n):
        for j in range(n):
            if j > i:
                break
            s = s + np.sin(x[i] * x[j] + s)
        if s > 1.5:
            break
    return s


def break_and_continue(x, n):
    s = x
    for i in range(n):
        if i % 3 == 1:
            continue
        s = s * x + i
        if s > 20.0:
            break
        s = np.sin(s) + 4.0
    return s


def break_after_a_store(x, n):
    y = x.copy()
    for i in range(1, n):
        y[i] = y[i] * y[i - 1] + 1.0
        if y[i] > 1.3:
            break
    return np.sum(y * y * x)


def return_in_a_loop(x, n):
    for i in range(n):
        x = x * x + 0.3
        if x > 2.0:
            return x * i
    return np.sin(x)


def for_else(x, n):
    for i in range(n):
        x = x * x + 0.3
        if x > 2.0:
            break
    else:
        x = np.sin(x)
    return x * x


def fixed_point(x):
    y = x
    for i in range(100):
        new = np.cos(y * x)
        if abs(new - y) < 1e-12:
            break
        y = new
    return y


@pytest.mark.parametrize(
    ("function", "args"),
    [
        (while_loop, (0.7,)),
        (while_loop, (11.0,)),
        (while_with_counter, (0.7,)),
        (while_never, (0.7,)),
        (while_in_a_for, (V, 4)),
        (for_in_a_while, (0.7, 2)),
        (while_in_a_while, (0.7,)),
        (while_over_memory, (V,)),
        (while_test_reads_what_changes, (V,)),
        (while_with_arrays, (V,)),
        (while_true, (1.1,)),
        (first_value_in_a_while, (1.1,)),
        (break_in_a_for, (1.1, 20)),
        (break_in_a_for, (1.1, 3)),
        (break_in_the_middle, (1.1, 4)),
        (break_of_a_range, (V + 0.5, 5)),
        (break_of_a_range, (V, 5)),
        (break_of_a_reversed_range, (V + 0.5, 5)),
        (break_of_a_reversed_range, (V + 1.5, 5)),
        (breaks_in_nested_loops, (V, 5)),
        (breaks_in_nested_loops, (0.1 * V, 5)),
        (break_and_continue, (1.5, 9)),
        (break_after_a_store, (V, 5)),
        (return_in_a_loop, (1.1, 8)),
        (return_in_a_loop, (0.1, 3)),
        (for_else, (1.1, 8)),
        (for_else, (0.1, 3)),
        (fixed_point, (0.7,)),
    ],
)
def test_leaving(monkeypatch: pytest.MonkeyPatch, function: Any, args: Any) -> None:
    check(monkeypatch, function, *args)


def nested(depth: int) -> str:
    lines, indent = ["def function(x, n):", "    s = 0.0"], "    "
    for k in range(depth):
        lines.append(f"{indent}for i{k} in range(n):")
        indent += "    "
        lines.append(f"{indent}held{k} = np.sin(x + s)")
        lines.append(f"{indent}s = s + held{k}")
    return "\n".join(
        [*lines, f"{indent}s = s * x", *(f"    s = s + held{k}" for k in range(depth))]
    )


def test_lowering_is_linear_in_the_depth_of_loops(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loops that carry variables which first get a value in them are lowered twice, once."""
    from autodiff.lower.statement import statements

    counts = []
    for depth in (2, 4, 6):
        count = 0
        own = statements.Statements.on_Assign

        def counted(self: Any, node: Any, own: Any = own) -> None:
            nonlocal count
            count += 1
            own(self, node)

        monkeypatch.setattr(statements.Statements, "on_Assign", counted)
        function = defined(nested(depth) + "\n    return s\n")
        check(monkeypatch, function, 0.3, 2)
        counts.append(count)
        monkeypatch.setattr(statements.Statements, "on_Assign", own)
    assert counts[2] - counts[1] <= 1.5 * (counts[1] - counts[0]), counts


def defined(text: str) -> Any:
    """The function that a text defines, with a file that its source is read from."""
    namespace: dict[str, Any] = {"np": np}
    name = f"<nested {len(text)}>"
    linecache.cache[name] = len(text), None, text.splitlines(keepends=True), name
    exec(compile(text, name, "exec"), namespace)
    return namespace["function"]


def rows_of_rows(x, n):
    s = 0.0
    for page in x.reshape(1, n, n):
        for row in page:
            s = s + row[0] * np.sum(row**2)
    return s


def test_adjoints_of_rows_of_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first contribution to an adjoint stands in the loop that makes another one."""
    check(monkeypatch, rows_of_rows, np.arange(9.0) / 7.0, 3)


# Statements for their effect ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("function", "args"),
    [
        (effects.raises_in_a_branch, (0.7, 3)),
        (effects.raises_otherwise, (0.7, 1)),
        (effects.raises_otherwise, (0.7, 2)),
        (effects.raises_in_a_loop, (0.7, 6)),
        (effects.raises_before_a_first_value, (0.7, 4)),
        (effects.asserts, (V, 3)),
        (effects.prints, (V, 3)),
    ],
)
def test_effects(monkeypatch: pytest.MonkeyPatch, function: Any, args: Any) -> None:
    check(monkeypatch, function, *args)


@pytest.mark.parametrize(
    ("function", "args"),
    [
        (effects.raises_in_a_branch, (0.7, -3)),
        (effects.raises_in_a_branch, (0.7, 101)),
        (effects.raises_otherwise, (0.7, 3)),
        (effects.raises_in_a_loop, (1e7, 6)),
        (effects.raises_before_a_first_value, (0.7, 1)),
        (effects.asserts, (V, 0)),
        (effects.asserts, (np.array([1.0, np.inf]), 1)),
        (effects.asserts, (np.array([1.0, 3.0]), 1)),
        (effects.asserts, (np.full(5, 100.0), 1)),
    ],
)
def test_errors_are_those_of_the_function(
    monkeypatch: pytest.MonkeyPatch, function: Any, args: Any
) -> None:
    compiler.REASONS.clear()
    with pytest.raises(Exception) as expected:  # noqa: PT011 (which one is what is compared)
        function(*args)
    for derivative in (grad(function), value_and_grad(function)):
        with pytest.raises(type(expected.value)) as found:
            derivative(*args)
        # Python 3.10 has no notes: what `loader.annotate` says stands in the message.
        said = [str(part).split("\nin the derivative of")[0] for part in found.value.args]
        assert said == [str(part) for part in expected.value.args]
    assert not compiler.REASONS


def test_effects_happen_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    effects.prints(V, 3)
    expected = capsys.readouterr().out
    grad(effects.prints)(V, 3)
    assert capsys.readouterr().out == expected


# Choices -----------------------------------------------------------------------------------------


def number_or_number(x, n):
    return x * (x * 2.0 if n > 2 else np.sin(x)) + (n if n in (1, 3) else 0.5) * x


def member_of_numbers(x, n):
    s = 0.0
    for i in range(n):
        if i in (1, 4):
            continue
        s = s + (np.sin(x) if i not in (0, 2) else x) * i
    return s


def values_of_and_and_or(x, n):
    step = n or 2
    scale = (n and x * 0.5) or x
    return scale * step * x


def helper(x):
    if x > 0.2:
        return x * x
    return np.sin(x)


def asks_with_calls(x, n):
    s = x
    if n > 1 and helper(s) > 0.1 or helper(s) < -1.0:
        s = s * x
    while helper(s) > 0.01 and s < 5.0:
        s = s * 1.5
    return s * x


def chain_of_comparisons(x, n):
    if 0.0 < x <= 1.0 and not (n == 2 or n == 5):
        return x * x * n
    return np.sin(x)


def deletes(x, n):
    y = x * x
    z = np.sin(y)
    del y
    for i in range(n):
        y = z * i
    del z
    return y * x


@pytest.mark.parametrize(
    ("function", "args"),
    [
        (deletes, (0.7, 3)),
        (number_or_number, (0.7, 3)),
        (number_or_number, (0.7, 2)),
        (member_of_numbers, (0.7, 6)),
        (values_of_and_and_or, (0.7, 3)),
        (values_of_and_and_or, (0.7, 0)),
        (asks_with_calls, (0.7, 3)),
        (asks_with_calls, (0.1, 1)),
        (chain_of_comparisons, (0.7, 3)),
        (chain_of_comparisons, (0.7, 5)),
    ],
)
def test_choices(monkeypatch: pytest.MonkeyPatch, function: Any, args: Any) -> None:
    check(monkeypatch, function, *args)


def returns_before(x: Any) -> Any:
    s = x[0]
    if x[1] > 5:
        return s
    if x[2] > 0:
        s = 3.0
    return s * x[1]


def returns_a_number_before(x: Any) -> Any:
    s = x[0]
    if x[0] > 5:
        return 0.0
    s = 3.0 if x[2] > 5 else s
    return s * x[1]


def leaves_in_three_ways(x: Any) -> Any:
    s = x[0]
    for i in range(3):
        if i == 2:
            break
        if x[i] > 5:
            return s
    else:
        s = 3.0
    return s * x[1]


@pytest.mark.parametrize("f", [returns_before, returns_a_number_before, leaves_in_three_ways])
def test_what_a_branch_gives_is_computed_before_it(
    f: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    check(monkeypatch, f, np.array([0.7, -1.3, 0.4, 1.1]))
    check(monkeypatch, f, np.array([6.7, 7.3, -0.4, 1.1]))
