"""Which numbers of a function's value change with which numbers of its arguments, by trying."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autodiff.sparsity.sparse import _flat, _shaped
from tests.language import oracle

STEP, LEAST = 1e-6, 1e-3


def dependence(
    function: Callable[..., Any], args: Any, kwargs: Any, wrt: tuple[str, ...]
) -> np.ndarray[Any, Any]:
    """The matrix of True where a value changes, by more than rounding, with an argument."""
    bound = oracle.arguments(function, args, kwargs)
    given = dict(bound.arguments)
    primals = tuple(given[name] for name in wrt)
    x = _flat(primals, primals)

    def value(x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        fresh = oracle.copied(given)
        for name, own in zip(wrt, _shaped(x, primals), strict=True):
            fresh[name] = oracle.copied(own)
        bound.arguments.update(fresh)
        found = function(*bound.args, **bound.kwargs)
        return _flat(found, found)

    with np.errstate(all="ignore"):
        base = value(x)
        found = np.zeros((base.size, x.size), bool)
        for k in range(x.size):
            moved = x.copy()
            moved[k] += STEP
            after = value(moved)
            if after.shape == base.shape:
                found[:, k] = np.abs(after - base) > LEAST * STEP * np.maximum(1.0, np.abs(base))
    return found
