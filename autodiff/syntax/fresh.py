"""Calls that make memory of their own, by the name of the function or method."""

from __future__ import annotations

import gast

SUMS = frozenset("sum dot vdot outer tensordot matmul mean inner".split())
"""Functions of NumPy, and methods of its arrays."""


def called(call: gast.Call) -> str | None:
    """The last name in what is called.

    >>> called(gast.parse("np.linalg.norm(x)").body[0].value)
    'norm'
    """
    func = call.func
    found: str | None = func.attr if isinstance(func, gast.Attribute) else getattr(func, "id", None)
    return found


def is_product(call: gast.Call) -> bool:
    """Whether a call is `np.outer(a, b)` or the like: new memory, whatever the operands are."""
    func = call.func
    if not isinstance(func, gast.Attribute) or func.attr not in SUMS:
        return False
    return isinstance(func.value, gast.Name) and func.value.id in ("np", "numpy")
