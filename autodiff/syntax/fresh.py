"""Calls that make memory of their own, by the name of the function or method."""

from __future__ import annotations

import gast
import numpy as np

ALLOCATORS = frozenset(
    "zeros zeros_like empty empty_like ones ones_like full full_like copy".split()
)
SUMS = frozenset("sum dot vdot outer tensordot matmul mean inner".split())
"""Functions of NumPy, and methods of its arrays."""
_JOINED = frozenset("where concatenate stack cumsum".split())
_SOLVED = frozenset("solve inv cholesky".split())


def called(call: gast.Call) -> str | None:
    """The last name in what is called.

    >>> called(gast.parse("np.linalg.norm(x)").body[0].value)
    'norm'
    """
    func = call.func
    found: str | None = func.attr if isinstance(func, gast.Attribute) else getattr(func, "id", None)
    return found


def is_made(call: gast.Call) -> bool:
    """Whether a call of NumPy is known to make new memory, as nobody says where it is to go.

    >>> is_made(gast.parse("np.exp(x)").body[0].value)
    True
    >>> is_made(gast.parse("np.exp(x, y)").body[0].value)
    False
    """
    func = call.func
    if not isinstance(func, gast.Attribute) or any(isinstance(a, gast.Starred) for a in call.args):
        return False
    if not _is_numpy(func.value):
        return func.attr in _SOLVED and _is_linalg(func.value)
    ufunc = getattr(np, func.attr, None)
    if not isinstance(ufunc, np.ufunc):
        return func.attr in _JOINED
    return not call.keywords and len(call.args) == ufunc.nin and ufunc.nout == 1


def _is_linalg(node: gast.expr) -> bool:
    return isinstance(node, gast.Attribute) and node.attr == "linalg" and _is_numpy(node.value)


def _is_numpy(node: gast.expr) -> bool:
    return isinstance(node, gast.Name) and node.id in ("np", "numpy")


def is_product(call: gast.Call) -> bool:
    """Whether a call is `np.outer(a, b)` or the like: new memory, whatever the operands are."""
    func = call.func
    if not isinstance(func, gast.Attribute) or func.attr not in SUMS:
        return False
    return _is_numpy(func.value)
