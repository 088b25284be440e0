"""Derivatives along a line by differences, or by the complex step where a function takes that."""

from __future__ import annotations

import inspect
import itertools
import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from autodiff.derivatives.derivative import Derivative
from autodiff.derivatives.target import Target
from autodiff.structure import leaves, map_leaves

_STEPS = (1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9)


@dataclass(frozen=True, slots=True)
class Line:
    """The weighted value of a function along a straight line through one of its arguments."""

    target: Target
    called: Callable[..., Any]
    arguments: dict[str, Any]
    name: str
    direction: Any
    weights: Any

    def __call__(self, t: float | complex) -> complex:
        return complex(dot(self.weights, self.value(t), np.asarray))

    def size(self) -> float:
        """The size of the terms whose rounding errors a difference divides by the step."""
        return float(dot(self.weights, self.value(0.0), np.abs))

    def value(self, t: float | complex) -> Any:
        """The value of the function at one point of the line."""
        # fresh copies, since the function may update its arguments in place
        arguments = {name: map_leaves(_copy, value) for name, value in self.arguments.items()}
        own = self.arguments[self.name]
        arguments[self.name] = map_leaves(lambda x, v: _double(x) + t * v, own, self.direction)
        call = inspect.BoundArguments(self.target.signature, arguments)
        if isinstance(self.called, Derivative):
            return self.called(*call.args[len(self.target.prefix) :], **call.kwargs)
        return self.target.function(*call.args, **call.kwargs)


@dataclass(frozen=True, slots=True)
class Slope:
    """A derivative along a line, with the error that the method itself shows."""

    value: float
    error: float
    method: str
    rtol: float


def slope(line: Line) -> Slope:
    estimates = [_difference(line, step) for step in _STEPS]
    rounding = 2.0**-52 * line.size()
    errors = [
        abs(a - b) + rounding / step
        for (a, b), step in zip(itertools.pairwise(estimates), _STEPS[1:])
    ]
    finite = [error if math.isfinite(error) else math.inf for error in errors]
    best = finite.index(min(finite))
    found = Slope(estimates[best + 1], errors[best], "central differences", 1e-6)
    exact = _complex_step(line)
    if exact is not None and abs(exact - found.value) <= 1e-5 * abs(exact) + 10 * found.error:
        return Slope(exact, 0.0, "complex step", 1e-8)
    return found


def _difference(line: Line, h: float) -> float:
    with np.errstate(all="ignore"):
        near = (line(h) - line(-h)).real
        far = (line(2 * h) - line(-2 * h)).real
    return (8 * near - far) / (12 * h)


def _complex_step(line: Line) -> float | None:
    """The derivative by one step in the imaginary direction, None if the function refuses it."""
    if any(map(np.iscomplexobj, (*leaves(line.direction), *leaves(line.weights)))):
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # such as a discarded imaginary part
            return line(1e-30j).imag / 1e-30
    except Exception:  # the function is not written for complex numbers
        return None


def _double(x: Any) -> Any:
    if isinstance(x, (np.ndarray, np.generic)):
        return x.astype(np.result_type(x.dtype, np.float64))
    return x


def _copy(x: Any) -> Any:
    return x.copy() if isinstance(x, np.ndarray) else x


def dot(left: Any, right: Any, of: Callable[[Any], Any] = np.real) -> Any:
    """The inner product: over the leaves of `left`, of their conjugates with those of `right`."""
    terms: list[Any] = []
    map_leaves(lambda a, b: terms.append(np.sum(of(np.multiply(np.conj(a), b)))), left, right)
    return sum(terms)
