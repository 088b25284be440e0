"""What an operation writes on the tape, and how tangents go through it."""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.runtime import zeros_like
from autodiff.runtime.structure import as_tuple
from autodiff.tracing.number import add, fitted, is_made_of_floats, layer, value_of
from autodiff.tracing.one_operation import Missing, Operation
from autodiff.tracing.trace import Trace, Unfollowed, place_of

_OURS = (ValueError, TypeError, IndexError, AttributeError)
"""Errors that a derivative does not raise where its function raised none."""


def record(
    trace: Trace,
    operation: Operation,
    active: tuple[int, ...],
    places: tuple[Any, ...],
    values: tuple[Any, ...],
    result: Any,
    outs: list[Any],
) -> None:
    """Writes an operation on the tape, and carries tangents through it."""
    result = _plain(result)
    if trace.tangents:
        dots = [_or_zero(layer(trace, "dot", own), own) for own in places]
        value, tangent = _pushed(trace, operation, "jvp", active, values, dots)
        _check(value, result)
        if operation.elementwise:
            tangent = _where_moved(tangent, dots)
        for out, own in zip(outs, _flat(tangent, result)):
            if out is not None:
                add(trace, "dot", out, own)
    if trace.forward:
        return
    if trace.second:
        if len(outs) != 1:
            raise Missing("a second derivative of an operation with several results")
        zero = zeros_like(result)
        _pushed(trace, operation, "second", active, (*values, zero), [*dots, zero])

        def back() -> None:
            seed = layer(trace, "bar", outs[0])
            seed_dot = layer(trace, "bar_dot", outs[0])
            if not _moves(seed) and not _moves(seed_dot):
                return
            given = (*values, _or_zero(seed, result))
            moving = [*dots, _or_zero(seed_dot, result)]
            both = operation.pushed("second", active, given, moving)
            asked = (_or_zero(seed, result), _or_zero(seed_dot, result))
            if operation.elementwise and not all(
                np.all(np.isfinite(own)) for own in (*both[0], *both[1])
            ):
                both = _both_where_asked(operation, active, values, dots, asked)
            for name, adjoints in zip(("bar", "bar_dot"), both):
                for own, adjoint in zip(places, adjoints):
                    add(trace, name, own, fitted(own, adjoint))

    else:
        value, pullback = operation.pulled(active, values)
        _check(value, result)

        def back() -> None:
            seeds = [None if out is None else layer(trace, "bar", out) for out in outs]
            if not any(map(_moves, seeds)):
                return
            try:
                adjoints = pullback(_seed(result, iter(seeds)))
            except _OURS as error:
                raise trace.fail(f"a derivative that raises {type(error).__name__}") from error
            if operation.elementwise and not all(np.all(np.isfinite(own)) for own in adjoints):
                adjoints = _where_asked(operation, active, values, seeds[0], adjoints)
            for own, adjoint in zip(places, adjoints):
                add(trace, "bar", own, fitted(own, adjoint))

    if trace.watch is not None:
        back = trace.watch.taken(trace, operation, places, values, outs, back)
    trace.tape.append(back)


def _pushed(trace: Trace, operation: Operation, way: str, *given: Any) -> Any:
    """What tangents give. An error of theirs is none of the function's: whoever catches it there,
    it ends the run.
    """
    try:
        return operation.pushed(way, *given)
    except _OURS as error:
        raise Missing(f"a derivative that raises {type(error).__name__}") from error
    except (Missing, Unfollowed):
        raise
    except Exception as error:
        trace.failed = trace.failed or error
        raise


def _plain(x: Any) -> Any:
    """A result whose arrays are of no class of their own."""
    if isinstance(x, tuple):
        return as_tuple(x, list(map(_plain, x)))
    return list(map(_plain, x)) if x.__class__ is list else place_of(x)


def _where_asked(
    operation: Operation, active: tuple[int, ...], values: Any, seed: Any, adjoints: Any
) -> Any:
    """Adjoints of an elementwise operation without what elements give that nobody asks for."""
    if np.ndim(seed) == 0 or np.all(seed):
        return adjoints
    whole = _whole(values, active, seed.shape)
    parts = operation.pulled(active, whole)[1](seed)
    return [np.where(seed != 0, own, 0) for own in parts]


def _both_where_asked(
    operation: Operation, active: tuple[int, ...], values: Any, dots: Any, asked: Any
) -> Any:
    """Adjoints and their tangents, zero where nobody asks for either."""
    seed, seed_dot = map(np.asarray, asked)
    whole = _whole(values, active, seed.shape)
    moving = [np.broadcast_to(own, seed.shape).copy() for own in dots]
    both = operation.pushed("second", active, (*whole, seed), [*moving, seed_dot])
    mask = (seed != 0) | (seed_dot != 0)
    return [[np.where(mask, own, 0) for own in each] for each in both]


def _whole(values: Any, active: tuple[int, ...], shape: tuple[int, ...]) -> tuple[Any, ...]:
    """Operands of an elementwise operation, each with an element for each of the result's."""
    return tuple(
        np.broadcast_to(own, shape).copy() if np.ndim(own) or k in active else own
        for k, own in enumerate(values)
    )


def _where_moved(tangent: Any, dots: list[Any]) -> Any:
    """The tangent of an elementwise operation, zero where no operand moves."""
    if np.all(np.isfinite(tangent)):
        return tangent
    moved = np.zeros(np.shape(tangent), bool)
    for own in dots:
        moved = moved | (np.asarray(own) != 0)
    return np.where(moved, tangent, 0)[()]


def _check(value: Any, result: Any) -> None:
    """The compiled operation is the one that was run, or there is no derivative of it."""
    if isinstance(result, (tuple, list)):
        for own, other in zip(value, result):
            _check(own, other)
    elif is_made_of_floats(result) and (
        np.shape(value) != np.shape(result)
        or not np.allclose(value, result, rtol=1e-4, equal_nan=True)
    ):
        raise Missing("an operation that gives something else once more")


def _moves(x: Any) -> bool:
    return x is not None and bool(np.any(x))


def _or_zero(x: Any, of: Any) -> Any:
    """An adjoint or tangent of the type of what it is of."""
    value = value_of(of)
    if x is None:
        return zeros_like(value)
    if isinstance(value, np.ndarray):
        return np.asarray(x, value.dtype)
    return type(value)(x)


def _seed(x: Any, seeds: Any) -> Any:
    """The seeds in the structure of a result, zeros where there is none."""
    if isinstance(x, tuple):
        return as_tuple(x, [_seed(own, seeds) for own in x])
    if x.__class__ is list:
        return [_seed(own, seeds) for own in x]
    own = next(seeds)
    return _or_zero(own, x) if is_made_of_floats(x) else zeros_like(x)


def _flat(x: Any, like: Any) -> list[Any]:
    if isinstance(like, (tuple, list)):
        return [part for own, each in zip(x, like) for part in _flat(own, each)]
    return [x]
