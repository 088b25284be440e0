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

    memo: dict[tuple[str, int], tuple[gast.AST, Any]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    """What was found out about a statement; passes share unchanged statements, so it stays valid.

    The statement is kept beside the result because its `id` is the key.
    """
