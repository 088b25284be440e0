"""Calls of `checkpoint(f)`: the body stands in place of the call, and is known to be one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autodiff.core import NotYet, Value, constant
from autodiff.lower.entries.above import Expressions
from autodiff.lower.entries.entry import Entry
from autodiff.rules import registry
from autodiff.runtime.checkpoints import checkpointed


def recomputed(
    expressions: Expressions, target: Any, call: Callable[[Value], Entry]
) -> Entry | None:
    """What a call gives whose reverse sweep computes it again; None for other calls."""
    if target is checkpointed:
        raise NotYet("a checkpointed loop")
    function = registry.original(target)
    if function is target or expressions.trusts:
        return None
    block, origin = expressions.builder.block, expressions.builder.origin
    count = len(block.operations)
    found = call(constant(function))
    own = getattr(function, "__name__", "")
    name = own if own.isidentifier() else "function"
    expressions.unit.again.append((name, origin, block.operations[count:]))
    return found
