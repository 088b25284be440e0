"""Subscripts of arrays of a given shape, and what they give: the shape, a view or a copy."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tests.programs.random.expressions import Shape


@dataclass(frozen=True, slots=True)
class Region:
    """A subscript: `text` as in `x` + text."""

    text: str
    shape: Shape
    view: bool
    """Whether the result shares memory with the array."""
    unique: bool
    """Whether no element is reached twice."""


@functools.cache
def regions(shape: Shape) -> tuple[tuple[Region, ...], ...]:
    """The subscripts of arrays of a shape, in groups that are equally likely to be drawn."""
    return tuple(filter(None, (_read(shape, texts) for texts in _groups(shape))))


@functools.cache
def regions_of(
    shape: Shape,
    wanted: Shape | None = None,
    views: bool = False,
    unique: bool = False,
) -> tuple[tuple[Region, ...], ...]:
    """Those of `regions` that give the shape wanted, a view, no element twice."""

    def fits(region: Region) -> bool:
        return (
            (wanted is None or region.shape == wanted)
            and (region.view or not views)
            and (region.unique or not unique)
        )

    return tuple(filter(None, (tuple(filter(fits, group)) for group in regions(shape))))


def _read(shape: Shape, texts: list[str]) -> tuple[Region, ...]:
    array = np.arange(int(np.prod(shape)), dtype=float).reshape(shape)
    found = []
    for text in dict.fromkeys(texts):
        try:
            part = eval(f"array{text}", {"np": np, "array": array})
        except IndexError:
            continue
        if np.size(part) == 0 or np.ndim(part) > 2:
            continue
        view = bool(isinstance(part, np.ndarray) and np.shares_memory(part, array))
        unique = len(set(np.ravel(part).tolist())) == np.size(part)
        found.append(Region(text, np.shape(part), view, unique))
    return tuple(found)


def _slices(n: int) -> list[str]:
    every = ["1:", ":-1", "::2", "1::2", "::-1", "::-2", "1:3", "-2:", ":2", "2:0:-1", "-2::-1"]
    return [text for text in every if range(n)[eval(f"np.s_[{text}]", {"np": np})]]


def _whole(n: int) -> list[str]:
    return [f"{k}" for k in dict.fromkeys([0, n - 1, n // 2, -1])]


def _gathers(n: int) -> list[str]:
    order = [(2 * k + 1) % n if n % 2 else (k + n // 2) % n for k in range(n)]
    mask = [k % 2 == 0 for k in range(n)]
    return [f"[{n - 1}, 0]", f"np.array({order})", f"np.array({mask})"]


def _repeats(n: int) -> list[str]:
    return [f"[0, {n - 1}, 0]", f"np.array([{n - 1}, {n - 1}])", f"np.array({[0] * n})"]


def _groups(shape: Shape) -> Iterator[list[str]]:
    """Texts of subscripts; those that do not fit the shape are left out later."""
    if shape:
        yield ["[:]", "[...]"]
    if len(shape) == 1:
        n = shape[0]
        yield [f"[{k}]" for k in _whole(n)]
        yield [f"[{part}]" for part in _slices(n)]
        yield [f"[{part}]" for part in _slices(n)]
        yield [f"[{part}]" for part in _gathers(n)]
        yield [f"[{part}]" for part in _repeats(n)]
        yield ["[:, None]", "[None]", "[None, :]", "[1:, None]", "[..., None]"]
    if len(shape) == 2:
        n, m = shape
        yield [f"[{i}, {j}]" for i in _whole(n) for j in _whole(m)]
        yield [f"[{i}]" for i in _whole(n)] + [f"[{i}, :]" for i in _whole(n)]
        yield [f"[:, {j}]" for j in _whole(m)] + [f"[..., {j}]" for j in _whole(m)]
        yield [f"[{i}, {j}]" for i in _whole(n) for j in _slices(m)]
        yield [f"[{i}, {j}]" for i in _slices(n) for j in _whole(m)]
        yield [f"[{part}]" for part in _slices(n)] + [f"[:, {part}]" for part in _slices(m)]
        yield [f"[{i}, {j}]" for i in _slices(n) for j in _slices(m)]
        yield [f"[{part}]" for part in _gathers(n)] + [f"[:, {part}]" for part in _gathers(m)]
        yield [f"[{part}, 1:]" for part in _gathers(n)] + [f"[0, {part}]" for part in _gathers(m)]
        yield [f"[[0, {n - 1}], [{m - 1}, 0]]", f"[np.arange({n}), 0]", f"[[{n - 1}, 0], {m - 1}]"]
        yield [f"[{part}]" for part in _repeats(n)] + [f"[:, {part}]" for part in _repeats(m)]
        yield ["[0, None]", "[:, 0, None]", "[None, -1]", "[None, :, -1]", "[0, :, None]"]
