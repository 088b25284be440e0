"""Checking a derivative against differences of the function itself."""

from __future__ import annotations

import functools
import inspect
import itertools
import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from autodiff.derivatives.derivative import Derivative
from autodiff.derivatives.target import Target, target_of
from autodiff.errors import AutodiffError, NonDifferentiableError
from autodiff.frames import hidden
from autodiff.kinds.arguments import kinds_of
from autodiff.kinds.kind import differentiable
from autodiff.structure import leaves, map_leaves
from autodiff.transforms.hessian import HessianProduct
from autodiff.transforms.pullback import Pullback
from autodiff.transforms.tangents import Tangent

_DIRECTIONS = 3
_STEPS = (1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9)
_UNSETTLED = 1e-3


@hidden
def check_grads(
    f: Callable[..., Any],
    *args: Any,
    order: int = 1,
    rtol: float | None = None,
    atol: float = 1e-10,
    seed: int = 0,
) -> None:
    """Compare the derivatives of `f` at `args`, by both modes, with differences of `f`.

    For each argument that holds floats, along random directions, the pullback of a random seed is
    compared with a central difference of fourth order; where the function accepts complex numbers
    and agrees with that difference, with the far more exact complex step. Differences are taken in
    double precision whatever the precision of the arguments. The tangent is compared with the
    pullback, unless forward mode refuses the function. `order=2` does the same with the gradient
    of `f`, which must return a scalar: tangents of the gradient, and its pullback where reverse
    mode takes it.

    `rtol` is relative to the size of the terms of the directional derivative; its default fits the
    precision of the arguments. The error that the differences themselves show is added. For
    complex numbers the adjoint is the one of the inner product `sum(real(conj(a) * b))`.

    Raises `AssertionError`, naming the argument and both numbers, where they disagree (at a kink
    differences average both sides), and where the differences do not settle (at a jump). Where they
    disagree, each operation that `f` carries out is checked by itself for the values that it gets
    there, and the message shows the first statement whose own derivative is wrong.
    """
    if order not in (1, 2):
        raise AutodiffError(
            f"check_grads cannot check order {order}",
            why="it knows first and second derivatives",
            cure="check the gradient itself: check_grads(grad(f), *args, order=2)",
        )
    check = functools.partial(_checked, rtol=rtol, atol=atol, seed=seed)
    standing = f.__standing__() if isinstance(f, HessianProduct) else f  # which takes a vector, too
    try:
        check(standing, args, order)
    except _Disagreement as error:
        from autodiff.checking.blame import blamed  # noqa: PLC0415 (it brings in the compiler)

        more = blamed(f, args, check, order)
        raise AssertionError("\n".join(filter(None, (str(error), more)))) from None


class _Disagreement(AssertionError):
    """Two derivatives that should be one differ."""


def _checked(
    f: Callable[..., Any],
    args: tuple[Any, ...],
    order: int,
    rtol: float | None,
    atol: float,
    seed: int,
) -> None:
    _check(f, args, f, rtol, atol, seed, "derivative", exact=True)
    if order == 2:
        gradient = Derivative(f, "grad", _names(f, args))
        _check(gradient, args, gradient, rtol, atol, seed, "second derivative", exact=False)


def _names(f: Callable[..., Any], args: tuple[Any, ...]) -> tuple[str, ...]:
    """The parameters that hold floats."""
    target = target_of(f)
    arguments = dict(zip(target.names, target.bind(args, {}).values))
    covered, _ = target.covered(len(args))
    names = tuple(name for name in covered if differentiable(kinds_of((arguments[name],))[0]))
    if not names:
        raise NonDifferentiableError(
            f"cannot check {target.place}", why="no argument holds a float", cure="pass floats"
        )
    return names


def _check(
    f: Callable[..., Any],
    args: tuple[Any, ...],
    called: Callable[..., Any],
    rtol: float | None,
    atol: float,
    seed: int,
    what: str,
    exact: bool,
) -> None:
    """Compare pullback, tangent and differences of a function.

    `exact`: it is no derivative itself, so reverse mode has to take it.
    """
    target, names = target_of(f), _names(f, args)
    arguments = dict(zip(target.names, target.bind(args, {}).values))
    random = np.random.default_rng(seed)
    adjoints: Any = None
    try:
        value, function = Derivative(f, "vjp", names)(*args)
        weights = map_leaves(lambda leaf: _weight(random, leaf), value)
        adjoints = Pullback(function, value)(weights)
    except AutodiffError:
        if exact:
            raise
        weights = map_leaves(lambda leaf: _weight(random, leaf), called(*args))
    for place, name in enumerate(names):
        single = any(np.asarray(leaf).itemsize < 8 for leaf in leaves(arguments[name]))
        for _ in range(_DIRECTIONS):
            direction = map_leaves(lambda leaf: _direction(random, leaf), arguments[name])
            slope = _slope(_Line(target, called, arguments, name, direction, weights))
            where = f"{what} of {target.place} with respect to {name}"
            tangent = _tangent(f, args, name, direction)
            by_tangent = None if tangent is None else _dot(weights, tangent)
            if adjoints is None:
                if by_tangent is None:
                    raise AutodiffError(f"the {where} is refused by both modes")
                given, size, by = by_tangent, _dot(weights, tangent, np.abs), "tangent"
            else:
                given, size = (_dot(direction, adjoints[place], of) for of in (np.real, np.abs))
                by = "pullback"
            size += abs(slope.value)
            relative = rtol if rtol is not None else 1e-3 if single else slope.rtol
            if not slope.error <= _UNSETTLED * size + atol:
                raise AssertionError(
                    f"{where}: the differences of the function do not settle "
                    f"({slope.value:.10g} within {slope.error:.1g}); is there a jump?"
                )
            if not abs(given - slope.value) <= relative * size + atol + 4 * slope.error:
                raise _Disagreement(
                    f"{where} along a random direction: "
                    f"{given:.15g} by the {by}, {slope.value:.15g} by {slope.method}"
                )
            if by_tangent is None:
                continue
            if not abs(given - by_tangent) <= (1e-3 if single else 1e-8) * size + atol:
                raise _Disagreement(
                    f"{where} along a random direction: "
                    f"{given:.15g} by the {by}, {by_tangent:.15g} by the tangent"
                )


def _tangent(f: Callable[..., Any], args: tuple[Any, ...], name: str, direction: Any) -> Any:
    """The tangent of the value along a direction; None where forward mode refuses the function."""
    try:
        return Tangent(f, "jvp", (name,)).along(args, {}, (direction,))[1]
    except AutodiffError:
        return None


@dataclass(frozen=True, slots=True)
class _Line:
    """The weighted value of a function along a straight line through one of its arguments."""

    target: Target
    called: Callable[..., Any]
    arguments: dict[str, Any]
    name: str
    direction: Any
    weights: Any

    def __call__(self, t: float | complex) -> complex:
        return complex(_dot(self.weights, self.value(t), np.asarray))

    def size(self) -> float:
        """The size of the terms whose rounding errors a difference divides by the step."""
        return float(_dot(self.weights, self.value(0.0), np.abs))

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
class _Slope:
    """A derivative along a line, with the error that the method itself shows."""

    value: float
    error: float
    method: str
    rtol: float


def _slope(line: _Line) -> _Slope:
    estimates = [_difference(line, step) for step in _STEPS]
    rounding = 2.0**-52 * line.size()
    errors = [
        abs(a - b) + rounding / step
        for (a, b), step in zip(itertools.pairwise(estimates), _STEPS[1:])
    ]
    finite = [error if math.isfinite(error) else math.inf for error in errors]
    best = finite.index(min(finite))
    slope = _Slope(estimates[best + 1], errors[best], "central differences", 1e-6)
    exact = _complex_step(line)
    if exact is not None and abs(exact - slope.value) <= 1e-5 * abs(exact) + 10 * slope.error:
        return _Slope(exact, 0.0, "complex step", 1e-8)
    return slope


def _difference(line: _Line, h: float) -> float:
    with np.errstate(all="ignore"):
        near = (line(h) - line(-h)).real
        far = (line(2 * h) - line(-2 * h)).real
    return (8 * near - far) / (12 * h)


def _complex_step(line: _Line) -> float | None:
    """The derivative by one step in the imaginary direction, None if the function refuses it."""
    if any(map(np.iscomplexobj, (*leaves(line.direction), *leaves(line.weights)))):
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # such as a discarded imaginary part
            return line(1e-30j).imag / 1e-30
    except Exception:  # the function is not written for complex numbers
        return None


def _weight(random: np.random.Generator, leaf: Any) -> Any:
    shape = np.shape(leaf)
    values: Any = random.uniform(0.5, 1.5, shape) * random.choice([-1.0, 1.0], shape)
    if np.iscomplexobj(leaf):
        values = values * np.exp(1j * random.uniform(0.0, 6.0, shape))
    return _like(leaf, values)


def _direction(random: np.random.Generator, leaf: Any) -> Any:
    """A random direction in which each element moves in proportion to its size."""
    shape = np.shape(leaf)
    values: Any = random.standard_normal(shape)
    if np.iscomplexobj(leaf):
        values = values + 1j * random.standard_normal(shape)
    size = np.abs(leaf).astype(float)
    moved = values * np.where(size > 0, size, 1.0)
    if not isinstance(leaf, np.ndarray):
        return moved
    found = np.empty_like(leaf, moved.dtype)  # the function may go by the order in memory
    found[...] = moved
    return found


def _double(x: Any) -> Any:
    if isinstance(x, (np.ndarray, np.generic)):
        return x.astype(np.result_type(x.dtype, np.float64))
    return x


def _copy(x: Any) -> Any:
    return x.copy() if isinstance(x, np.ndarray) else x


def _like(leaf: Any, values: Any) -> Any:
    if isinstance(leaf, np.ndarray):
        return np.asarray(values).astype(leaf.dtype)
    return type(leaf)(values)


def _dot(left: Any, right: Any, of: Callable[[Any], Any] = np.real) -> Any:
    """The inner product: over the leaves of `left`, of their conjugates with those of `right`."""
    terms: list[Any] = []
    map_leaves(lambda a, b: terms.append(np.sum(of(np.multiply(np.conj(a), b)))), left, right)
    return sum(terms)
