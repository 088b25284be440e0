"""Calls of `checkpoint(f)`: the body stands in place of the call, and is known to be one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autodiff.lower.entries.above import Expressions
from autodiff.lower.entries.entry import Entry


def recomputed(expressions: Expressions, function: Any, call: Callable[[], Entry]) -> Entry:
    """What a call gives whose reverse sweep computes it again."""
    block = expressions.builder.block
    count, origin = len(block.operations), expressions.builder.origin
    found = call()
    own = getattr(function, "__name__", "")
    name = own if own.isidentifier() else "function"
    expressions.unit.again.append((name, origin, block.operations[count:]))
    return found
