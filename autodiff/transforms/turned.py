"""The tangent of a gradient as the gradient of a tangent.

Of a function with checkpointed loops that keeps few states: the tangent goes forward with the
state, and the reverse sweep takes both back. The other order makes these loops plain.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import FunctionType
from typing import Any

from autodiff.derivatives.derivative import Derivative
from autodiff.derivatives.target import Target
from autodiff.frontend.source import Namespace
from autodiff.loader import load
from autodiff.syntax.names import Names


def is_plain(target: Target, function: FunctionType) -> bool:
    """Whether a function can be called with all its arguments by position, and holds none."""
    return not (target.prefix or target.keywords or function.__code__.co_kwonlyargcount)


@functools.lru_cache(maxsize=64)
def slope_of_tangent(
    jvp: Callable[..., Any],
    function: FunctionType,
    names: tuple[str, ...],
    moved: tuple[str, ...],
    wrt: str | tuple[str, ...],
) -> Derivative:
    """The gradient with respect to `wrt` of the derivative of a function along its inputs `moved`.

    It takes the arguments of the function, and then a tangent for each of `moved`.
    """
    free = Names({*names, "along", "jvp", "primal"})
    vectors = {own: free.fresh(f"{own}_v") for own in moved}
    given = ", ".join(names)
    tangents = ", ".join(vectors.get(own, "None") for own in names)
    text = (
        f"def along({given}, {', '.join(vectors.values())}):\n"
        f"    return jvp(primal, ({given},), ({tangents},))[1]\n"
    )
    along = load(text, "along", Namespace({}), {"jvp": jvp, "primal": function}, {})
    return Derivative(along, "grad", wrt)
