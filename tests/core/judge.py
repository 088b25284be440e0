"""Judges derivatives that go through Core: against differences, in all modes, at several points.

    judge(f, [(0.7, np.ones(3), 2)], wrt=("x", "a"))   # Verdict("right", "")

A verdict is "right", "not yet" (and the reason), "unsteady" (the differences do not settle there),
"wrong", or "crash": an error that the function itself does not raise. No number is replaced.
"""

from __future__ import annotations

import functools
import inspect
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from types import FunctionType
from typing import Any
from unittest import mock

import numpy as np

from autodiff import grad, value_and_grad, vjp
from autodiff.core.notyet import NotYet, Unseen
from autodiff.derivatives import cache
from autodiff.errors import AutodiffError, InternalError
from autodiff.pipeline import assembly, compiler
from autodiff.pipeline.compiled import Compiled
from autodiff.pipeline.request import Request
from autodiff.transforms.tangents import Tangent

Function = Callable[..., Any]
MODES = ("grad", "value_and_grad", "vjp")
"""What is asked for by default; "jvp" is judged as well."""
_STEPS = (1e-6, 1e-5)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a function, and why."""

    what: str
    why: str = ""


class Wrong(Exception):
    """A number, or somebody's memory, is not what it should be."""


class Unsteady(Exception):
    """Differences do not tell."""


@contextmanager
def core_alone(judged: Function | None = None) -> Iterator[None]:
    """Derivatives go through Core, checked after each pass, and nowhere else. judged: those of this
    function; what it takes itself where it runs goes the way it always does.
    """

    usual = compiler.made

    def made(function: FunctionType, request: Request) -> Compiled:
        if judged is None or function.__code__ is judged.__code__:
            return compiler.by_core(function, request)
        return usual(function, request)

    with (
        mock.patch.object(compiler, "made", made),
        mock.patch.object(assembly, "CHECKED", True),
    ):
        yield


def programs(namespace: dict[str, Any]) -> list[Function]:
    """The functions of `x` and `a` that a module defines: each is a program to be judged."""
    return [
        value
        for value in list(namespace.values())
        if getattr(value, "__module__", "") == namespace["__name__"]
        and getattr(value, "__code__", None) is not None
        and value.__code__.co_varnames[:2] == ("x", "a")
    ]


def judge(
    function: Function,
    points: Sequence[tuple[Any, ...]],
    wrt: Sequence[str],
    modes: Sequence[str] = MODES,
) -> Verdict:
    """The verdict on the derivatives of a function with respect to some arguments; in tests where
    runs are followed, that is what happens to what the compiler does not take.
    """
    own: AbstractContextManager[None] = nullcontext() if cache.FOLLOWING else core_alone(function)
    try:
        with own, np.errstate(all="ignore"):
            for point in points:
                judged_at(function, point, tuple(wrt), modes)
    except NotYet as reason:
        return Verdict("not yet", reason.reason)
    except Unsteady:
        return Verdict("unsteady")
    except Wrong as fault:
        return Verdict("wrong", str(fault))
    except InternalError as fault:
        return Verdict("crash", str(fault)[:150])
    except (AutodiffError, Unseen) as error:
        return Verdict("not yet", f"refused: {type(error).__name__}")
    except Exception as error:  # whatever a compiler and its code may raise
        frame = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{frame.filename.rpartition('/')[2]}:{frame.lineno}"
        return Verdict("crash", f"{type(error).__name__} {place} {error}"[:150])
    return Verdict("right")


def judged_at(
    function: Function, point: tuple[Any, ...], wrt: tuple[str, ...], modes: Sequence[str]
) -> None:
    """Raises if a mode does not give what differences give."""
    names = list(inspect.signature(function).parameters)
    chosen = [names.index(name) for name in wrt]
    try:
        value = function(*copied(point))
    except Exception:  # an index that is out of bounds there
        raise Unsteady from None
    if not all(np.all(np.abs(leaf) < 1e6) for leaf in leaves(value)):
        raise Unsteady
    slopes = jacobian(function, point, chosen)
    is_number = not isinstance(value, tuple) and np.ndim(value) == 0
    for mode in modes:
        if mode == "vjp":
            pulled(function, point, chosen, names, value, slopes)
        elif mode == "jvp":
            pushed(function, point, wrt, chosen, value, slopes)
        elif is_number:
            derivative = (grad if mode == "grad" else value_and_grad)(function, wrt=wrt)
            given = copied(point)
            found = derivative(*given)
            if mode == "value_and_grad":
                compare(found[0], value, f"{mode}, value")
                found = found[1]
            same(given, point, mode)
            compare_adjoints(found, slopes, [1.0], mode)
            apart(found, given, mode)


def pulled(
    function: Function,
    point: tuple[Any, ...],
    chosen: list[int],
    names: list[str],
    value: Any,
    slopes: list[np.ndarray],
) -> None:
    """The pullback, called three times; what it gives and the value are modified in between."""
    fixed = {n: v for k, (n, v) in enumerate(zip(names, copied(point))) if k not in chosen}
    if chosen != list(range(len(chosen))):  # the arguments by position are the first ones
        return
    given = [copied(point)[k] for k in chosen]
    found, pullback = vjp(functools.partial(function, **fixed), *given)
    compare(found, value, "vjp, value")
    same(given, [point[k] for k in chosen], "vjp")
    apart(found, given, "vjp, value")
    random = np.random.default_rng(1)
    first = seed_like(value, random)
    for call, seed in enumerate((first, seed_like(value, random), first)):
        seeded = copied(seed)
        adjoints = pullback(seeded)
        what = f"vjp, call {call}"
        compare_adjoints(adjoints, slopes, [np.ravel(leaf) for leaf in leaves(seed)], what)
        apart(adjoints, [*given, *leaves(found), *leaves(seeded)], what)
        for one, other in zip(leaves(seed), leaves(seeded)):
            if not np.array_equal(one, other):
                raise Wrong(f"{what}: the seed is changed")
        for leaf in [*leaves(found), *leaves(adjoints)]:
            if isinstance(leaf, np.ndarray):
                leaf[...] = 17.0


def pushed(
    function: Function,
    point: tuple[Any, ...],
    wrt: tuple[str, ...],
    chosen: list[int],
    value: Any,
    slopes: list[np.ndarray],
) -> None:
    """The tangent along a direction."""
    random = np.random.default_rng(2)
    dots = [seed_like(point[k], random) for k in chosen]
    given, along = copied(point), copied(dots)
    found, tangent = Tangent(function, "jvp", wrt).along(tuple(given), {}, tuple(along))
    compare(found, value, "jvp, value")
    same(given, point, "jvp")
    same(along, dots, "jvp, directions")
    wanted = sum(own @ np.ravel(dot) for own, dot in zip(slopes, dots))
    own = np.concatenate([np.ravel(leaf) for leaf in leaves(tangent)])
    compare(own, wanted, "jvp, tangent", 1e-4)
    for leaf, dot in zip(leaves(found), leaves(tangent)):
        if not any(np.shares_memory(leaf, own) for own in given):
            apart(dot, [*given, *along, *leaves(found)], "jvp")


def jacobian(function: Function, point: tuple[Any, ...], chosen: Sequence[int]) -> list[np.ndarray]:
    """For each argument, the slopes of all results by each of its elements."""
    return [
        np.stack([slope(function, point, k, at) for at in np.ndindex(np.shape(point[k]))], axis=-1)
        for k in chosen
    ]


def slope(function: Function, point: tuple[Any, ...], k: int, at: tuple[int, ...]) -> np.ndarray:
    """Central differences of all results by one number, with two steps that have to agree."""

    def results(step: float) -> Any:
        args = copied(point)
        if isinstance(args[k], np.ndarray):
            args[k][at] += step
        else:
            args[k] += step
        return np.concatenate([np.ravel(leaf) for leaf in leaves(function(*args))])

    one: np.ndarray
    one, two = ((results(step) - results(-step)) / (2 * step) for step in _STEPS)
    if not np.all(np.abs(one - two) <= 3e-5 + 1e-4 * np.abs(one)) or np.any(np.abs(one) > 1e4):
        raise Unsteady
    return one


def compare_adjoints(found: Any, slopes: list[np.ndarray], seed: Sequence[Any], what: str) -> None:
    """Adjoints against a seed times slopes."""
    for number, (adjoint, own) in enumerate(zip(found, slopes, strict=True)):
        compare(
            np.ravel(adjoint),
            np.concatenate([np.ravel(s) for s in seed]) @ own,
            f"{what}, adjoint {number}",
            1e-4,
        )


def compare(found: Any, expected: Any, what: str, tolerance: float = 1e-9) -> None:
    """Numbers, or structures of arrays."""
    pairs = list(zip(leaves(found), leaves(expected), strict=True))
    for one, other in pairs:
        if np.shape(one) != np.shape(other):
            raise Wrong(f"{what}: shape {np.shape(one)} for {np.shape(other)}")
        if not np.allclose(one, other, rtol=tolerance, atol=tolerance):
            raise Wrong(f"{what}: {np.ravel(one)[:4]} for {np.ravel(other)[:4]}")


def same(given: Sequence[Any], point: Sequence[Any], what: str) -> None:
    """Arguments are as they were."""
    for one, other in zip(given, point):
        if not np.array_equal(one, other):
            raise Wrong(f"{what}: an argument is changed")


def apart(found: Any, others: Sequence[Any], what: str) -> None:
    """What is given out is nobody else's memory."""
    own = [leaf for leaf in leaves(found) if isinstance(leaf, np.ndarray)]
    for leaf in own:
        for other in others:
            if isinstance(other, np.ndarray) and np.shares_memory(leaf, other):
                raise Wrong(f"{what}: shares memory")


def leaves(value: Any) -> list[Any]:
    """The numbers and arrays in tuples."""
    if isinstance(value, (tuple, list)):
        return [leaf for item in value for leaf in leaves(item)]
    return [value]


def copied(values: Any) -> Any:
    """Copies of arrays in structures."""
    if isinstance(values, (tuple, list)):
        return [copied(value) for value in values]
    return values.copy() if isinstance(values, np.ndarray) else values


def seed_like(value: Any, random: np.random.Generator) -> Any:
    """A random adjoint of a value."""
    if isinstance(value, tuple):
        return tuple(seed_like(item, random) for item in value)
    if isinstance(value, np.ndarray) and value.ndim:
        return random.normal(size=value.shape)
    return float(random.normal())
