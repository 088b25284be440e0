"""A loop over `numba.prange(...)` is the loop over the range, as it is to Python.

    for i in prange(n):                               for i in range(n):
        s += x[i] * x[i]                                  s += x[i] * x[i]
"""

from __future__ import annotations

import gast

from autodiff.normalize.build import call, shallow
from autodiff.normalize.sugar.context import Context, meaning
from autodiff.rules.home import module_of


def in_turn(statement: gast.For, context: Context) -> list[gast.stmt] | None:
    """The loop over the range; which iterations of its adjoint are independent is not asked."""
    iterable = statement.iter
    if not isinstance(iterable, gast.Call) or iterable.keywords or not iterable.args:
        return None
    called = meaning(iterable.func, context)
    if not module_of(called).startswith("numba.") or getattr(called, "__name__", "") != "prange":
        return None
    if not context.is_builtin("range"):
        return None
    loop = shallow(statement)
    loop.iter = gast.copy_location(call("range", *iterable.args), iterable)
    return [loop]
