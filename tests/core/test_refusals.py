"""What is refused is told with its place, why, and what to do; the cures are applied here."""

from __future__ import annotations

import io
import linecache
import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autodiff import AutodiffError, adjoint, d, grad, jvp, vjp
from autodiff.errors import (
    InternalError,
    MissingRuleError,
    NonDifferentiableError,
    UnsupportedSyntaxError,
)
from autodiff.lower.expression.expressions import Expressions
from tests.core.judge import Verdict, judge

X = np.array([0.7, 1.3, 0.4])
LOG: list[float] = []
unknown = np.frompyfunc(math.sqrt, 1, 1)


def pointed(error: AutodiffError) -> str:
    """The text over the caret."""
    _, _, text, carets, *_ = str(error).splitlines()
    assert error.why
    assert error.cure
    return text[carets.index("^") : len(carets)]


def refusal(f: Callable[..., Any], *args: Any) -> AutodiffError:
    with pytest.raises(AutodiffError) as caught:
        grad(f)(*args)
    assert caught.value.origin is not None
    assert caught.value.origin.file == __file__
    return caught.value


def helper(x):
    return 2.0 * unknown(x)


def in_a_helper(x):
    return helper(x) * x


def in_a_function_inside(x):
    def inner(y):
        return unknown(y) * y

    return inner(x) * 2.0


def in_a_lambda(x):
    return (lambda y: unknown(y) * y)(x)


def in_a_loop(x):
    for _ in range(3):
        x = x * unknown(x)
    return x


def in_a_comprehension(x):
    return sum(unknown(y) for y in [x, 2.0 * x])


def in_a_default(x, f=lambda y: unknown(y)):
    return f(x)


def mapped(x):
    return sum(map(lambda y: unknown(y), [x, x * 2.0]))


def twice(x):
    return helper(x) + helper(x * 2.0) + helper(x * 3.0) + x


@pytest.mark.parametrize(
    "f",
    [
        *(in_a_helper, in_a_function_inside, in_a_lambda, in_a_loop, in_a_comprehension),
        *(in_a_default, mapped, twice),
    ],
)
@pytest.mark.parametrize("mode", ["reverse", "forward"])
def test_the_innermost_place_of_the_users(f: Callable[..., Any], mode: str) -> None:
    with pytest.raises(MissingRuleError) as caught:
        grad(f)(0.7) if mode == "reverse" else jvp(f, (0.7,), (1.0,))
    assert re.fullmatch(r"unknown\(\w\)", pointed(caught.value))
    assert caught.value.what == "no derivative rule for unknown"


def over_lines(x):
    return np.sum(
        np.add(
            x,
            1.0,
            where=x > 0,
        )
    )


def test_a_place_over_several_lines() -> None:
    error = refusal(over_lines, X)
    assert error.origin is not None
    assert linecache.getline(__file__, error.origin.line).strip() == "np.add("


def by_an_item(x):
    table = {"a": io.BytesIO().write}
    return table["a"](x) * 2.0


def test_a_function_that_is_found_when_it_runs() -> None:
    error = refusal(by_an_item, X)
    assert '`table["a"]`' in error.what
    assert pointed(error) == 'table["a"](x)'


# Paths that are left out -------------------------------------------------------------------------


def three_ways(x, k):
    if k == 1:
        x = x * unknown(x)
    elif k == 2:
        x = x + np.from_dlpack(x)
    return x * x


@pytest.mark.parametrize("how", [grad, lambda f: lambda x, k: vjp(lambda y: f(y, k), x)[1](1.0)])
def test_who_comes_to_a_path_is_told_of_that_path(how: Callable[..., Any]) -> None:
    derivative = how(three_ways)
    assert derivative(0.7, 3) in (1.4, (1.4,))
    for k, call in ((1, "unknown(x)"), (2, "np.from_dlpack(x)")):
        for _ in range(2):
            with pytest.raises(MissingRuleError) as caught:
                derivative(0.7, k)
            assert pointed(caught.value) == call
    assert derivative(0.7, 3) in (1.4, (1.4,))


def none_for_some(x):
    if x < 0.0:
        return x * x
    if x > 3.0:
        return None
    return x * x * x


def test_a_path_that_returns_no_number() -> None:
    assert grad(none_for_some)(-0.7) == -1.4
    assert grad(none_for_some)(2.0) == pytest.approx(12.0)
    with pytest.raises(NonDifferentiableError, match="returns no number for these arguments"):
        grad(none_for_some)(4.0)


# Faults of our own -------------------------------------------------------------------------------


def faulty(x):
    return x * math.sin(x)


def test_a_fault_of_autodiff_says_so_and_where(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: Any, node: Any) -> Any:
        raise KeyError("gone")

    monkeypatch.setattr("autodiff.pipeline.assembly.CHECKED", False)
    monkeypatch.setattr(Expressions, "of_Call", broken)
    with pytest.raises(InternalError, match="KeyError: 'gone'") as caught:
        grad(faulty)(0.7)
    assert pointed(caught.value) == "math.sin(x)"
    assert "report it" in caught.value.cure
    assert isinstance(caught.value.__cause__, KeyError)


# Cures -------------------------------------------------------------------------------------------


ruled = np.frompyfunc(math.sqrt, 1, 1)


@adjoint(ruled)
def ruled_adjoint(y, x):
    d[x] = d[y] / (2.0 * y)


def by_a_rule(x):
    return 2.0 * ruled(x) * x


def greater(x):
    a, b = x[:1] * 1.0, x[1:2] * 2.0
    r = max(a, b)
    r[0] += r[0] ** 2
    return np.sum(a * b)


def greater_copied(x):
    a, b = x[:1] * 1.0, x[1:2] * 2.0
    r = max(a, b).copy()
    r[0] += r[0] ** 2
    return np.sum(a * b) + r[0]


def concatenated(x):
    rows = [[v, v * 2.0] for v in x]
    return sum(rows, [])[3] * x[0]


def concatenated_in_loops(x):
    rows = [[v, v * 2.0] for v in x]
    flat = []
    for row in rows:
        for v in row:
            flat.append(v)
    return flat[3] * x[0]


def joined(x):
    return np.sum(np.r_["0,2", x] ** 2)


def joined_by_name(x):
    return np.sum(np.stack([x]) ** 2)


def logged(x):
    LOG.append(x)
    return LOG[-1] * x


def logged_in_an_argument(x, log):
    log.append(x)
    return log[-1] * x


CURES = [
    (in_a_helper, by_a_rule, (0.7,), "@adjoint"),
    (greater, greater_copied, (X,), "`.copy()`"),
    (concatenated, concatenated_in_loops, (X,), "write the loop"),
    (joined, joined_by_name, (X,), "np.stack"),
    (logged, logged_in_an_argument, (0.7, [0.0]), "as an argument"),
]


@pytest.mark.parametrize(("before", "after", "args", "says"), CURES)
def test_a_cure_helps(
    before: Callable[..., Any], after: Callable[..., Any], args: tuple[Any, ...], says: str
) -> None:
    given = args[: before.__code__.co_argcount]
    assert says in refusal(before, *given).cure
    assert judge(after, [args], ["x"]) == Verdict("right")


def test_words_where_nobody_has_better_ones() -> None:
    def sliced(x):
        rows = []
        for k in range(3):
            rows.append(k * x)
        rows[::2] = [x, x]
        return rows[0] * x

    error = refusal(sliced, 0.7)
    assert type(error) is UnsupportedSyntaxError
    assert error.what.startswith("cannot differentiate this: ")
    assert "@custom" in error.cure
