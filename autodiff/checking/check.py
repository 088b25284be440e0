"""Checking a derivative against differences of the function itself."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from autodiff.checking.differences import Line, Slope, dot, slope
from autodiff.derivatives.derivative import Derivative
from autodiff.derivatives.target import target_of
from autodiff.errors import AutodiffError, NonDifferentiableError
from autodiff.frames import hidden
from autodiff.kinds.arguments import kinds_of
from autodiff.kinds.kind import differentiable
from autodiff.runtime.keywords import spelled
from autodiff.structure import leaves, map_leaves
from autodiff.transforms.hessian import HessianProduct
from autodiff.transforms.pullback import Pullback
from autodiff.transforms.tangents import Tangent

_DIRECTIONS = 3
_UNSETTLED = 1e-3


@hidden
@spelled
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
    there, and the message shows the first statement whose own derivative is wrong. Raises
    `OptionError` for another option.
    """
    if order not in (1, 2):
        raise AutodiffError(
            f"check_grads cannot check order {order}",
            why="it knows first and second derivatives",
            cure="check the gradient: "
            "check_grads(lambda *args: np.sum(grad(f)(*args)), *args, order=2)",
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
    """Raise where pullback, tangent and differences of a function disagree."""
    for found in compared(f, args, called, rtol, atol, seed, what, exact):
        if found.wrong is not None:
            raise found.wrong


@dataclass(frozen=True, slots=True)
class Compared:
    """The derivative with respect to one argument along a random direction, in three ways.

    reverse, forward: None where that mode refuses the function. wrong: what is raised where they
    disagree.
    """

    name: str
    reverse: float | None
    forward: float | None
    slope: Slope
    wrong: AssertionError | None


def compared(
    f: Callable[..., Any],
    args: tuple[Any, ...],
    called: Callable[..., Any],
    rtol: float | None = None,
    atol: float = 1e-10,
    seed: int = 0,
    what: str = "derivative",
    exact: bool = True,
) -> Iterator[Compared]:
    """Pullback, tangent and differences of a function, for each argument and some directions.

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
            by = slope(Line(target, called, arguments, name, direction, weights))
            where = f"{what} of {target.place} with respect to {name}"
            tangent = _tangent(f, args, name, direction)
            forward = None if tangent is None else dot(weights, tangent)
            reverse = None if adjoints is None else dot(direction, adjoints[place])
            if adjoints is not None:
                size = dot(direction, adjoints[place], np.abs)
            elif tangent is not None:
                size = dot(weights, tangent, np.abs)
            else:
                raise AutodiffError(f"the {where} is refused by both modes")
            size += abs(by.value)
            relative = rtol if rtol is not None else 1e-3 if single else by.rtol
            bounds = relative * size + atol + 4 * by.error, (1e-3 if single else 1e-8) * size + atol
            wrong: AssertionError | None = _wrong(where, reverse, forward, by, bounds)
            if not by.error <= _UNSETTLED * size + atol:
                wrong = AssertionError(
                    f"{where}: the differences of the function do not settle "
                    f"({by.value:.10g} within {by.error:.1g}); is there a jump?"
                )
            yield Compared(name, reverse, forward, by, wrong)


def _wrong(
    where: str,
    reverse: float | None,
    forward: float | None,
    by: Slope,
    bounds: tuple[float, float],
) -> _Disagreement | None:
    """What is raised where numbers that should be one are further apart than the bounds say."""
    own, mode = (forward, "tangent") if reverse is None else (reverse, "pullback")
    others = (by.value, by.method), (own if forward is None else forward, "the tangent")
    for (other, method), bound in zip(others, bounds):
        if not abs(own - other) <= bound:  # type: ignore[operator]
            return _Disagreement(
                f"{where} along a random direction: "
                f"{own:.15g} by the {mode}, {other:.15g} by {method}"
            )
    return None


def _tangent(f: Callable[..., Any], args: tuple[Any, ...], name: str, direction: Any) -> Any:
    """The tangent of the value along a direction; None where forward mode refuses the function."""
    try:
        return Tangent(f, "jvp", (name,)).along(args, {}, (direction,))[1]
    except AutodiffError:
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


def _like(leaf: Any, values: Any) -> Any:
    if isinstance(leaf, np.ndarray):
        return np.asarray(values).astype(leaf.dtype)
    return type(leaf)(values)
