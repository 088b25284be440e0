"""The variable of a loop over a range."""

from __future__ import annotations

from dataclasses import dataclass

import gast

from autodiff.optimize.literals import number
from autodiff.syntax.names import writes


@dataclass(frozen=True, slots=True)
class Counter:
    """A loop's variable that its body leaves alone: its smallest value, and whether it grows."""

    name: str
    least: int
    grows: bool


def counter(loop: gast.stmt) -> Counter | None:
    """The counter of `for i in range(...)` or `reversed(range(...))`; None for other loops."""
    if not isinstance(loop, gast.For) or not isinstance(loop.target, gast.Name):
        return None
    if loop.target.id in writes(loop.body):
        return None
    call, grows = loop.iter, True
    if isinstance(call, gast.Call) and _is_named(call, "reversed"):
        call, grows = call.args[0], False
    if not isinstance(call, gast.Call) or not _is_named(call, "range"):
        return None
    start = call.args[0] if len(call.args) > 1 else None
    stop = call.args[len(call.args) > 1]
    step = call.args[2] if len(call.args) > 2 else None
    stride = 1 if step is None else number(step)
    if type(stride) is not int or stride == 0:
        return None
    least: int | float | None
    if stride > 0:
        least = 0 if start is None else number(start)
    else:
        least = number(stop)
        least = None if least is None else least + 1
    if type(least) is not int:
        return None
    return Counter(loop.target.id, least, grows == (stride > 0))


def _is_named(call: gast.Call, function: str) -> bool:
    return isinstance(call.func, gast.Name) and call.func.id == function and bool(call.args)
