"""The parameters of the distributions of `scipy.stats`, whose methods take `*args`."""

from __future__ import annotations

import inspect
from typing import Any

import gast

from autodiff.kinds.kind import UNKNOWN, Bound, Kind, Static


def names_of(distribution: Any) -> list[str]:
    """The parameters of a distribution, in order."""
    if not hasattr(distribution, "shapes"):
        return list(inspect.signature(distribution).parameters)
    shapes = [key.strip() for key in (distribution.shapes or "").split(",") if key.strip()]
    return [*shapes, "loc", "scale"]


def frozen(
    distribution: Any,
    arguments: tuple[gast.expr, ...],
    keywords: tuple[tuple[str, gast.expr], ...],
) -> Kind:
    """The kind of `stats.norm(loc, scale)`: its methods, with these arguments given."""
    names = names_of(distribution)
    starred = any(isinstance(argument, gast.Starred) for argument in arguments)
    if starred or len(arguments) > len(names) or any(key is None for key, _ in keywords):
        return UNKNOWN
    return Bound(Static(distribution), (), (*zip(names, arguments), *keywords))
