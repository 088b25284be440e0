"""Blocks in which no derivative flows, and blocks that run in the reverse sweep."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import nullcontext
from types import TracebackType
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


class _Skip(BaseException):
    """Leaves a block before its first statement."""


class insert_grad_of:
    """Run statements on the adjoint of `x` in the reverse sweep, at the place of the block.

        with insert_grad_of(x) as x_bar:
            print("adjoint of x:", np.max(np.abs(x_bar)))
            x_bar = np.clip(x_bar, -1.0, 1.0)

    Inside, `x_bar` is the adjoint of the value that `x` has here, as far as the statements after
    the block contribute to it; what it holds in the end goes on to what `x` was computed from. It
    must keep its shape. Other names have the values that they have at this place; they cannot be
    assigned. `breakpoint()` stops there.

    Where no adjoints are computed (the function is simply called, or in forward mode), the block
    is skipped.
    """

    def __init__(self, x: Any) -> None:
        self._traced: Any = None

    def __enter__(self) -> Any:
        frame = sys._getframe(1)
        self._traced = sys.gettrace(), frame.f_trace

        def skip(*event: Any) -> Any:
            raise _Skip

        sys.settrace(lambda *event: None)  # lines are only traced while something is
        frame.f_trace = skip

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> bool:
        trace, local = self._traced
        sys._getframe(1).f_trace = local
        sys.settrace(trace)
        return kind is _Skip


def inserted(x: Any, function: Callable[..., Any], *others: Any) -> None:
    """Nothing: the place where the reverse sweep calls `function` on the adjoint of `x`."""
