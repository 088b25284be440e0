"""Whose memory the value of an expression may share, by expression."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

from autodiff.analysis.arguments import kind_of
from autodiff.analysis.references import VIEWS, borrowed, has_memory, is_mutable
from autodiff.rules import registry
from tests.analysis.given import UNKNOWN, VALUES, expression, function, known
from tests.rules.samples import SAMPLES

registry.load()

BORROWED = {
    "x": "x",
    "t": "",
    "i": "",
    "us": "us",
    "mystery": "mystery",
    "3.0": "",
    "x + y": "",
    "x + t": "",
    "t + s": "",
    "-x": "",
    "x > y": "",
    "x[1:]": "x",
    "x[i]": "",
    "x[...]": "x",
    "x[None]": "x",
    "a[i]": "a",
    "a[i, j]": "",
    "a[:, 1]": "a",
    "x[index]": "",
    "x[mask]": "",
    "x[[0, 1]]": "",
    "a[i, index]": "",
    "x[mystery]": "x",
    "mystery[i]": "mystery",
    "a.T": "a",
    "a.real": "a",
    "a.shape": "",
    "a.flat": "a",
    "a.reshape(-1)": "a",
    "a.ravel()": "a",
    "a.flatten()": "",
    "a.copy()": "",
    "a.sum()": "",
    "a.sum(axis=0)": "",
    "np.sum(a, axis=0)": "",
    "a.astype(float)": "",
    "a.astype(float, copy=False)": "a",
    "np.array(x)": "",
    "np.array(x, copy=False)": "x",
    "np.asarray(x)": "x",
    "np.ascontiguousarray(a)": "a",
    "np.broadcast_to(x, (2, 4))": "x",
    "np.diagonal(a)": "a",
    "np.zeros_like(x)": "",
    "np.concatenate((x, y))": "",
    "np.where(mask, x, y)": "",
    "np.sin(x)": "",
    "np.add(x, y)": "",
    "np.sin(x, out=y)": "x y",
    "np.sin(x, y)": "x y",
    "np.dot(a, x, y)": "a x y",
    "np.clip(x, 0.0, 1.0, y)": "x y",
    "np.clip(x, 0.0, 1.0)": "",
    "x if flag else y": "x y",
    "x if flag else t": "x",
    "mystery or x": "mystery x",
    "[x, y]": "x y",
    "(x, t)": "x",
    "(t, s)": "",
    "{'p': x}": "x",
    "us[0]": "us",
    "us[i]": "us",
    "us[1:]": "us",
    "numbers[0]": "",
    "numbers[1:]": "numbers",
    "d['u']": "d",
    "o.u": "o",
    "[x] + us": "us x",
    "[x] * 3": "x",
    "numbers + [t]": "",
    "list(us)": "us",
    "list(numbers)": "numbers",
    "len(us)": "",
    "float(t)": "",
    "call(x)": "x",
    "call(t)": "",
    "call(t, us)": "us",
}


@pytest.mark.parametrize(("text", "expected"), BORROWED.items(), ids=str)
def test_borrowed(text: str, expected: str) -> None:
    tree = function("pass")
    assert " ".join(sorted(borrowed(expression(text), known(tree)))) == expected


@pytest.mark.parametrize("name", [*VALUES, UNKNOWN])
def test_has_memory(name: str) -> None:
    wanted = name not in {"i", "j", "n", "s", "t", "flag"}
    assert has_memory(name, known(function("pass"))) == wanted


def test_names_that_are_not_local_have_no_memory() -> None:
    kinds = known(function("pass"))
    assert not has_memory("np", kinds) and not has_memory("nowhere", kinds)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (1.0, False),
        ("text", False),
        (None, False),
        ((1.0, 2.0), False),
        ((1.0, "a", (2,)), False),
        ((1.0, [2.0]), True),
        ([1.0], True),
        ({}, True),
    ],
)
def test_is_mutable(value: object, expected: bool) -> None:
    assert is_mutable(kind_of(value)) == expected


def test_what_is_not_known_is_mutable() -> None:
    assert is_mutable(None)


def test_views_are_functions_of_numpy() -> None:
    homes = (np, np.ndarray, np.linalg, np.fft)
    missing = {n for n in VIEWS if not any(hasattr(home, n) for home in homes)}
    assert missing <= {"matrix_transpose", "permute_dims", "unstack"} | {  # of NumPy 2
        "sliding_window_view"  # of np.lib.stride_tricks
    }


KNOWN_OTHERWISE = {"einsum"}
"""Functions that may return a view, of which `borrowed` takes care in another way."""


def arrays(value: Any) -> list[Any]:
    if isinstance(value, (list, tuple)):
        return [array for item in value for array in arrays(item)]
    return [value] if isinstance(value, np.ndarray) else []


def hands_on_memory(function: Any, calls: list[tuple[Any, ...]]) -> bool:
    """Whether the result of one of the calls shares memory with an argument."""
    for args in calls:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            try:
                results = arrays(function(*args))
            except Exception:
                continue
        if any(np.shares_memory(r, a) for r in results for a in arrays(args)):
            return True
    return False


def degenerate() -> list[tuple[Any, ...]]:
    """Arguments for which a function may have nothing to do."""
    matrix, vector = np.ones((2, 2)), np.ones(3)
    more = [(), (0,), (1,), ((),), (None,), ([],), (False,)]
    return [(array.copy(), *rest) for array in (matrix, vector) for rest in more]


FUNCTIONS = {
    f"{function.__module__}.{function.__name__}": function
    for function in [*SAMPLES, *registry.nondifferentiable_functions()]
    if (getattr(function, "__module__", None) or "").startswith("numpy")
    and not isinstance(function, np.ufunc)
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_that_hand_on_memory_are_known(name: str) -> None:
    function = FUNCTIONS[name]
    calls = [sample.args for sample in SAMPLES.get(function, [])] + degenerate()
    own = name.rpartition(".")[2]
    if own not in VIEWS | KNOWN_OTHERWISE:
        assert not hands_on_memory(function, calls)


OWN = [m for m in dir(np.ndarray) if not m.startswith("_") and hasattr(np.eye(2), m)]


@pytest.mark.parametrize("method", OWN)
def test_methods_that_hand_on_memory_are_known(method: str) -> None:
    made = np.ones((2, 3))
    found = getattr(made, method)
    if callable(found):
        try:
            found = found()
        except Exception:
            return
    if any(np.shares_memory(result, made) for result in arrays(found)):
        text = f"a.{method}()" if callable(getattr(made, method)) else f"a.{method}"
        assert borrowed(expression(text), known(function("pass"))) == {"a"}
