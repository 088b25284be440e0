"""time the derivative, and the function beside it"""

from __future__ import annotations

import argparse
import copy
import time
import timeit
from collections.abc import Callable
from typing import Any

from autodiff.command.printed import print_table
from autodiff.command.subject import given, options

__all__ = ["options", "run"]
_ROUNDS = 5


def run(chosen: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """Prints what a call of each takes, the first call of the derivative, and the ratio."""
    found = given(chosen, parser)
    if found.arguments is None:
        parser.error("time calls the function: give it --args")
    args, keywords = copy.deepcopy(found.arguments)
    begun = time.perf_counter()
    found.derivative(*args, **keywords)
    first = time.perf_counter() - begun
    own = _taken(found.primal, args, keywords)
    slopes = _taken(found.derivative, args, keywords)
    rows = [("", "time", "times the function's")]
    rows += [("function", _seconds(own), "1.0")]
    rows += [(found.derivative.mode, _seconds(slopes), f"{slopes / own:.1f}")]
    rows += [("first call, which compiles", _seconds(first), "")]
    print_table(rows)
    return 0


def _taken(f: Callable[..., Any], args: tuple[Any, ...], keywords: dict[str, Any]) -> float:
    """Seconds of a call: the best of some rounds."""
    timer = timeit.Timer(lambda: f(*args, **keywords))
    count, _ = timer.autorange()
    return min(timer.repeat(_ROUNDS, count)) / count


def _seconds(taken: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("\u00b5s", 1e-6)):
        if taken >= size:
            return f"{taken / size:.3g} {unit}"
    return f"{taken * 1e9:.3g} ns"
