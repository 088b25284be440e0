"""`match` in a run: what patterns compare, take apart and ask is followed."""

from __future__ import annotations

import dataclasses
import enum
from typing import Any

import numpy as np
import pytest

from autodiff import grad, value_and_grad
from tests.tracing.alone import followed_alone

X = np.array([0.7, 1.3, 0.4])


@dataclasses.dataclass
class Point:
    x: Any
    y: Any = 1.0


class Row(Point):
    @property
    def norm(self) -> Any:
        return np.sum(self.x**2)


class Color(enum.Enum):
    RED = 1
    BLUE = 2


def asked(own: Any, x: Any) -> Any:
    match own:
        case 0 | 1.5 | "k":
            return x[0]
        case None:
            return x[1]
        case float(v) if v > 1:
            return v * v
        case float() as v:
            return v * 3
        case Color.RED:
            return x[0] * 5
        case Color():
            return x[0] * 7
        case [Point(x=a, y=b), *rest]:
            return a * b + len(rest)
        case a, [b, c]:
            return a * b * c
        case [a, *middle, b] if len(middle) > 1:
            return a * b + sum(middle)
        case (float(a), b) | {"a": a, "b": b}:
            return a - b
        case {"k": Point(p, q), **others}:
            return p * q + sum(others.values())
        case Row(norm=n, x=xs):
            return n * xs[0]
        case Point(p):
            return p * 2
        case [*_]:
            return x[2]
    return own * x[0]


def values(x: Any) -> list[Any]:
    return [
        *(0, 1.5, "k", None, x[0], x[1], Color.RED, Color.BLUE, [], 3),
        *([Point(x[0], x[1]), 3, 4], (x[0], [x[1], x[2]]), [x[0], x[1], x[2], x[0]]),
        *((x[0], x[1]), {"a": x[0], "b": x[1]}, {"k": Point(x[0], x[2]), "m": x[1]}),
        *(Row(x), Point(x[0])),
    ]


def of_all(x: Any) -> Any:
    return sum(asked(own, x) * (k + 1) for k, own in enumerate(values(x)))


def test_all_kinds_of_patterns() -> None:
    step = np.eye(3) * 1e-6
    expected = [(of_all(X + e) - of_all(X - e)) / 2e-6 for e in step]
    with followed_alone():
        value, gradient = value_and_grad(of_all)(X)
    assert value == pytest.approx(of_all(X), rel=1e-14)
    np.testing.assert_allclose(gradient, expected, rtol=1e-6, atol=1e-7)


def test_errors_are_those_of_python() -> None:
    def program(x: Any) -> Any:
        match Point(x[0]):
            case Point(a, b, c):  # type: ignore[misc]
                return a * b * c
        return x[0]

    with followed_alone(), pytest.raises(TypeError, match="accepts 2 positional"):
        grad(program)(X)
