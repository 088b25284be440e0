"""Whether tangents are right: paired with a seed, what its gradient says along the direction."""

from __future__ import annotations

import copy
import functools
import inspect
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from autodiff import vjp
from autodiff.pipeline import assembly, compiler
from autodiff.runtime import replica
from autodiff.transforms.tangents import Tangent
from tests.core.differences import STEP
from tests.language import oracle, test_language
from tests.language.corpus import Call, Program


def directions(values: list[Any], turned: bool) -> list[Any]:
    """Directions of the form of some arguments; `turned`: arrays in the other memory order."""
    stream = np.random.default_rng(7)

    def made(leaf: Any) -> Any:
        content = stream.uniform(-1.0, 1.0, np.shape(leaf))
        if np.iscomplexobj(leaf):
            content = content + 1j * stream.uniform(-1.0, 1.0, np.shape(leaf))
        found = oracle.wide_like(leaf, content)
        return np.array(found, order="F") if turned and np.ndim(found) > 1 else found

    leaves = [made(leaf) for leaf in oracle.leaves(values)]
    found: list[Any] = oracle.rebuild(values, iter(leaves))
    return found


def pairs(value: Any, tangent: Any) -> Iterator[tuple[Any, Any]]:
    """The numbers and arrays of a value, each with its tangent."""
    if oracle.is_leaf(value):
        assert np.shape(value) == np.shape(tangent), f"shape {np.shape(tangent)}"
        assert np.asarray(value).dtype == np.asarray(tangent).dtype, "dtype of a tangent"
        yield value, tangent
        return
    assert oracle.items(value) is None or type(value) is type(tangent), "form of a tangent"
    for key, item in oracle.items(value) or ():
        by_key = isinstance(value, (tuple, list, dict))
        yield from pairs(item, tangent[key] if by_key else getattr(tangent, key))


def check(entry: Program, point: Call, thorough: bool) -> None:
    """Value, tangent along two directions, arguments untouched; see `test_language.check`."""
    primal = test_language.primal_value(entry, point)
    seed = oracle.seed_for(primal)
    expected = test_language.expected_at(entry, point, seed)
    wrt = entry.wrt_at(point)
    for turned in (False, True) if thorough else (False,):
        args, kwargs = test_language.fresh(point)
        given = oracle.arguments(entry.function, args, kwargs).arguments
        along = directions([given[name] for name in wrt], turned)
        before = oracle.copied(along)
        derivative = Tangent(entry.function, "jvp", wrt)
        value, tangent = derivative.along(tuple(args), kwargs, tuple(along))
        test_language.assert_primal(entry, value, primal)
        slopes = [part for parts in expected for part in parts]
        wanted = sum(
            np.sum(np.conj(slope) * dot).real for slope, dot in zip(slopes, oracle.leaves(along))
        )
        weights = oracle.leaves(seed)
        found = sum(
            np.sum(np.conj(w) * dot).real
            for w, (_, dot) in zip(weights, pairs(value, tangent), strict=True)
        )
        single = any(np.asarray(v).dtype.itemsize < 8 for v in oracle.leaves([*args, primal]))
        close = max(entry.tolerance, 1e-4 if single else 0.0) * 10
        np.testing.assert_allclose(found, wanted, rtol=close, atol=close, err_msg="tangent")
        untouched = test_language.fresh(point)
        oracle.assert_same(args, untouched[0], "arguments")
        oracle.assert_same(kwargs, untouched[1], "arguments")
        oracle.assert_same(along, before, "directions")


def along_differences(function: Callable[..., Any], args: tuple[Any, ...], dots: list[Any]) -> Any:
    """The derivative along a direction by central differences; of what a function returns as one
    array.
    """

    def at(step: float) -> Any:
        moved = [
            oracle.rebuild(x, iter([a + step * v for a, v in zip(oracle.leaves(x), parts)]))
            for x, parts in zip(args, map(oracle.leaves, dots))
        ]
        return flat(function(*laid_out(moved, args), *fresh(args[len(dots) :])))

    return (at(STEP) - at(-STEP)) / (2.0 * STEP)


def laid_out(values: list[Any], like: tuple[Any, ...]) -> list[Any]:
    """Arrays that lie in memory as others do."""
    found = []
    for value, own in zip(values, like):
        if isinstance(own, np.ndarray):
            made = replica(own)
            made[...] = value
            value = made
        found.append(value)
    return found


def fresh(values: tuple[Any, ...]) -> list[Any]:
    """Copies of arguments, arrays as they lie in memory."""
    return laid_out(list(copy.deepcopy(values)), values)


def flat(value: Any) -> Any:
    """All numbers of a result in one row."""
    return np.concatenate([np.ravel(leaf) for leaf in oracle.leaves(value)])


def checked(
    monkeypatch: pytest.MonkeyPatch, function: Callable[..., Any], *args: Any, wrt: int = 1
) -> str:
    """Compares the tangent by the first arguments with differences and with the pullback, along
    directions in both memory orders. Gives its text; fails where Core does not take the function.
    """
    monkeypatch.setattr(assembly, "CHECKED", True)
    compiler.REASONS.clear()
    names = tuple(inspect.signature(function).parameters)[:wrt]
    derivative = Tangent(function, "jvp", names)
    primal = function(*fresh(args))
    for turned in (False, True):
        given = fresh(args)
        dots = directions(list(given[:wrt]), turned)
        value, tangent = derivative.along(tuple(given), {}, tuple(dots))
        found = np.concatenate([np.ravel(dot) for _, dot in pairs(primal, tangent)])
        np.testing.assert_array_equal(flat(value), flat(primal))
        expected = along_differences(function, args, dots)
        np.testing.assert_allclose(found, expected, rtol=2e-5, atol=2e-5)
        for before, after in zip(args, given):
            oracle.assert_same(after, before, "arguments")
    assert not compiler.REASONS, compiler.REASONS
    text = derivative.source_for(*args)
    weights = oracle.seed_for(primal)
    given = dict(zip(inspect.signature(function).parameters, fresh(args)))
    fixed = {name: value for name, value in given.items() if name not in names}
    _, pullback = vjp(functools.partial(function, **fixed), *(given[name] for name in names))
    back = [np.ravel(leaf) for leaf in oracle.leaves(list(pullback(weights)[:wrt]))]
    paired = sum(np.sum(a * np.ravel(b)) for a, b in zip(back, oracle.leaves(dots)))
    np.testing.assert_allclose(np.sum(flat(weights) * found), paired, rtol=1e-8, atol=1e-8)
    return text
