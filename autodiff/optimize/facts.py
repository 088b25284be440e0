"""What the passes of this package are told about the function they rewrite."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import gast


def _never(expression: gast.expr) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Facts:
    """Facts that the earlier analyses know; the defaults know nothing, which is always safe.

    temporaries: names that the compiler introduced; only these are folded into their use.
    pure: the call has no side effect, so that it may be dropped or moved.
    scalar: the expression is a Python or NumPy number, which nobody can mutate.
    inexact: the expression is a float or complex number or array (`1.0 * e` is `e`).
    """

    temporaries: frozenset[str] = frozenset()
    pure: Callable[[gast.Call], bool] = _never
    scalar: Callable[[gast.expr], bool] = _never
    inexact: Callable[[gast.expr], bool] = _never

    effects: dict[int, tuple[gast.AST, Any]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    """What was found out about a node, by its `id`; the node is kept beside it to keep the `id`.

    Passes share what they do not change, so this saves them from asking again and again.
    """
    folded: dict[int, tuple[gast.AST, Any]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    """What became of a statement by constant folding."""
