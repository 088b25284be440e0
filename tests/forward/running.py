"""Tangents of the programs of other tests, compared with what those compare adjoints with."""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.structure import map_leaves
from autodiff.transforms.tangents import Tangent
from tests.language import oracle


def direction(value: Any, random: np.random.Generator) -> Any:
    """A random tangent of a value; what is no float stays as it is."""

    def drawn(leaf: Any) -> Any:
        shape = np.shape(leaf)
        found: Any = random.uniform(0.5, 1.5, shape) * random.choice([-1.0, 1.0], shape)
        if np.iscomplexobj(leaf):
            found = found * np.exp(1j * random.uniform(0.0, 6.0, shape))
        if isinstance(leaf, np.ndarray):
            return np.asarray(found).astype(leaf.dtype)
        return type(leaf)(found)

    return map_leaves(drawn, value)


def inner(left: Any, right: Any) -> float:
    """The sum over the leaves of `left` of real(conj(a) * b)."""
    terms: list[float] = []
    map_leaves(lambda a, b: terms.append(float(np.sum(np.real(np.conj(a) * b)))), left, right)
    return sum(terms)


def check_tangent(
    function: Any,
    args: tuple[Any, ...],
    keywords: dict[str, Any],
    wrt: tuple[str, ...],
    expected: list[list[Any]],
    tolerance: float = 1e-5,
    repeatable: bool = True,
    **options: bool,
) -> None:
    """Along a random direction: value, form of the tangent, and <seed, J v> = <adjoint, v>.

    `expected` holds the adjoints of `oracle.seed_for(value)`, as lists of leaves. `repeatable`: the
    value is the very number that the function gives, as `Program` says.
    """
    primal = function(*oracle.copied(list(args)), **oracle.copied(keywords))
    seed = oracle.seed_for(primal)
    given = oracle.arguments(function, args, keywords).arguments
    random = np.random.default_rng(3)
    v = tuple(direction(given[name], random) for name in wrt)
    used, named = oracle.copied(list(args)), oracle.copied(keywords)
    value, tangent = Tangent(function, "jvp", wrt, False, options).along(tuple(used), named, v)
    if repeatable:
        oracle.assert_same(value, primal)
    else:
        np.testing.assert_allclose(value, primal, rtol=1e-14, atol=0.0)
    oracle.assert_same(used, list(args), "arguments")
    terms = [
        (float(np.sum(np.real(np.conj(a) * b))), float(np.sum(np.abs(a) * np.abs(b))))
        for name, parts in zip(v, expected, strict=True)
        for a, b in zip(oracle.leaves(name), parts, strict=True)
    ]
    wanted, size = (sum(part) for part in zip(*terms)) if terms else (0.0, 0.0)
    found = inner(seed, tangent)
    assert abs(found - wanted) <= tolerance * max(1.0, size), (found, wanted)
    map_leaves(_same_form, primal, tangent)


def _same_form(primal: Any, tangent: Any) -> Any:
    assert np.shape(tangent) == np.shape(primal)
    assert np.result_type(tangent) == np.result_type(primal) or not isinstance(primal, np.ndarray)
    return primal
