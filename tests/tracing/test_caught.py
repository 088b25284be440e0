"""Errors that handlers look at, raise again, or keep; managers that may suppress one."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

from autodiff import grad
from tests.core.differences import check, refused_or_right
from tests.reverse.test_attempt import left_by_jumps


class Missing(Exception):
    pass


class Stop(Missing):
    pass


LOCK = threading.Lock()


def trip(k: int, at: int) -> None:
    if k == at:
        raise Missing(k, 0.5)
    if k == at + 10:
        raise Stop(k)
    if k == at + 20:
        raise KeyError(k)


class Counting:
    """Suppresses errors of a number of arguments."""

    def __enter__(self) -> float:
        return 2.0

    def __exit__(self, kind: Any, error: Any, trace: Any) -> bool:
        return error is not None and len(error.args) > 1


def read_behind_the_body(x: Any, at: int) -> Any:
    y = x
    try:
        y = y * np.sin(x)
        trip(0, at)
        y = y * y
        trip(1, at)
    except Stop as error:
        y = y * x * (2.0 if error.args[0] == 1 else 3.0)
    except Missing as error:
        y = y * x * error.args[1] * len(error.args)
    return y * x


def raised_again(x: Any, at: int) -> Any:
    y = x
    try:
        try:
            y = y * x
            trip(0, at)
            y = y * y
        except Missing:
            y = y * 3.0
            if at == 0:
                raise
            y = y * 2.0
    except Missing as error:
        y = y * (x if len(error.args) == 2 else 2.0)
    return y


def passes_a_finally(x: Any, at: int) -> Any:
    y = x
    for k in range(3):
        try:
            try:
                y = y * x
                trip(k, at)
                y = np.sin(y)
            finally:
                y = y * 1.5
        except Missing:
            y = y + x
    return y


def suppressed(x: Any, at: int) -> Any:
    y = x
    for k in range(3):
        with Counting() as two:
            y = y * two
            trip(k, at)
            y = y * x
    with LOCK:
        y = y * np.sin(x)
    return y


FUNCTIONS = [
    read_behind_the_body,
    raised_again,
    passes_a_finally,
    left_by_jumps,
    pytest.param(suppressed, marks=pytest.mark.followed),
]


@pytest.mark.parametrize("at", [0, 1, 2, -9, -10, -19, 4, 9])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_right(monkeypatch: pytest.MonkeyPatch, function: Any, at: int) -> None:
    try:
        function(0.7, at)
    except (Missing, KeyError) as error:
        with pytest.raises(type(error)):
            grad(function)(0.7, at)
        return
    check(monkeypatch, function, 0.7, at)


def lost(x: Any) -> Any:
    y = x * x
    try:
        if x > 0.0:
            raise Missing(y)
    except Missing as error:
        return error.args[0] * 1.0
    return y


def lost_as_text(x: Any) -> Any:
    try:
        raise_it(x * x)
    except Missing as error:
        return float(str(error)) + x
    return x


def raise_it(y: Any) -> None:
    if y > 0.0:
        raise Missing(f"{y}")


def changed_by_its_name(x: Any) -> Any:
    y = np.array([x, 2.0])
    try:
        if x > 0.0:
            raise Missing(y)
    except Missing as error:
        error.args[0][0] = 5.0
    return y[0] * x


@pytest.mark.parametrize(
    ("function", "why"),
    [
        (lost, "returns no number"),  # none that is known to be one
        (lost_as_text, "a number that is read from text"),
        (changed_by_its_name, "a derivative would be lost in `error.args`"),
    ],
)
def test_no_derivative_is_lost_in_an_error(function: Any, why: str) -> None:
    refused_or_right(function, 0.7, match=why)


def test_the_error_is_the_one_that_was_raised() -> None:
    def again(x: Any, at: int) -> Any:
        y = x
        try:
            y = y * x
            trip(0, at)
            y = y * y
        except Stop as error:
            raise ValueError("stopped") from error
        except Missing:
            y = y * 2.0
            raise
        return y

    with pytest.raises(Missing, match=r"\(0, 0.5\)"):
        grad(again)(0.7, 0)
    with pytest.raises(ValueError, match="stopped") as raised:
        grad(again)(0.7, -10)
    assert isinstance(raised.value.__cause__, Stop)


def said_by_a_text(x, text):
    try:
        factor = float(text)
    except ValueError:
        factor = 3.0
    return factor * x * x


def test_texts_that_say_no_number() -> None:
    for text, expected in (("2.5", 5.0), ("a", 6.0)):
        assert grad(said_by_a_text)(1.0, text) == expected
    with pytest.raises(ValueError, match="could not convert"):
        grad(lambda x: x * float("a"))(1.0)
