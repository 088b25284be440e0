"""Blocks in which no derivative flows."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any


class _Everything:
    """What `no_grad` is called without."""


def no_grad(x: Any = _Everything) -> Any:
    """A block in which no derivative flows: what it computes is constant.

        with no_grad():
            scale = np.max(np.abs(x))
            history[k] = scale
        y = x / scale

    Inside, all values are constants. The names that the block assigns hold constants after it,
    also where it leaves them as they were; so do the elements that it stores into. For a single
    value there is `stop_gradient`, which `no_grad(x)` is, too.
    """
    return nullcontext() if x is _Everything else x
