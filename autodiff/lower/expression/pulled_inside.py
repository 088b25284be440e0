"""Calls of a pullback inside of a function.

    value, pullback = vjp(f, x)         value = ...
    pullback(seed)                      the reverse sweep, with the seed

The first call, where `vjp` is called, is the reverse sweep of that call; others run `f` once more.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from autodiff.analysis.kind import Array, Kind, Scalar
from autodiff.core import NotYet, Value, placed
from autodiff.dataflow.settle import rename
from autodiff.lower.entries import boxes
from autodiff.lower.entries.above import Expressions
from autodiff.lower.entries.entry import Entries, Entry, Pack
from autodiff.lower.recipes import array_recipes

if TYPE_CHECKING:
    from autodiff.lower.expression.derivatives import Sweep


class Pulled:
    """What runs the reverse sweep of a call. again: runs both for a seed."""

    def __init__(
        self, sweep: Sweep, value: Value, again: Callable[[Expressions, Value], list[Entry]]
    ) -> None:
        self.sweep, self.block, self.value = sweep, sweep.expressions.builder.block, value
        self.like, self.again = (sweep.lifted.function.seeds or [value])[0], again
        self.used = False

    def called(self, expressions: Expressions, given: Entries) -> Entry:
        """The adjoints of the arguments, for that of the value."""
        like = self.like.kind
        seed = expressions.loaded(expressions.as_value(given[0])) if len(given) == 1 else None
        if seed is None or not fits(seed.kind, like):
            raise NotYet("a seed that has another shape than the value")
        if isinstance(like, Array) and (seed.kind != like or None in like.shape):
            boxes.called(expressions, array_recipes.check_seed, seed, self.value)
        block = expressions.builder.block
        if block is not self.block or self.used:
            return Pack(tuple(self.again(expressions, seed)))
        function = self.sweep.lifted.function
        rename(function, {self.like: seed})
        function.seeds, self.sweep.expressions, self.used = None, expressions, True
        placed(block, function.body.operations)
        block.operations += function.body.operations
        return Pack(tuple(self.sweep.adjoints()))


def fits(seed: Kind, like: Kind) -> bool:
    """Whether a seed has the form of a value, but for its shape."""
    if isinstance(like, Scalar) and isinstance(seed, Scalar):
        return like.type == seed.type == "float"
    return isinstance(like, Array) and isinstance(seed, Array) and seed.dtype == like.dtype
