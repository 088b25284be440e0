"""Calls of a pullback inside of a function.

    value, pullback = vjp(f, x)         value = ...
    pullback(seed)                      the reverse sweep, with the seed

The first call, where `vjp` is called, is the reverse sweep of that call; others run `f` once more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from autodiff.analysis.kind import Array, Kind, Scalar
from autodiff.core import Function, Loop, NotYet, Operation, Value, placed
from autodiff.core.function import around
from autodiff.core.statements import Stays
from autodiff.dataflow.settle import rename
from autodiff.lower.entries import boxes
from autodiff.lower.entries.above import Expressions
from autodiff.lower.entries.entry import Entries, Entry, Pack
from autodiff.lower.recipes import array_recipes

if TYPE_CHECKING:
    from autodiff.lower.expression.derivatives import Sweep


def check_unchanged(function: Function) -> None:
    """What `vjp` is given, and its function reads around it, is the same where the pullback is
    called, which may read it then.
    """
    marks = [op for op in function.body.walk() if isinstance(op, Stays)]
    for mark in marks:
        regions = {value.region for value in mark.operands}
        for op in passed(function, mark) if mark.since is not None else ():
            if any(e.what != "read" and e.region.find() in regions for e in op.effects()):
                raise NotYet("memory that changes before a pullback reads it")
    for mark in marks:
        mark.block.operations.remove(mark)


def passed(function: Function, mark: Stays) -> Iterator[Operation]:
    """What runs since: it stands between, or in a loop that only the later one is in."""
    since = mark.since
    assert since is not None
    order: dict[Operation, int] = {op: k for k, op in enumerate(function.body.walk())}
    loops = {own.parent for own in around(mark.block)}
    loops -= {own.parent for own in around(since.block)}
    for op in order:
        inside = {own.parent for own in around(op.block) if isinstance(own.parent, Loop)}
        if order.get(since, -1) < order[op] < order[mark] or not inside.isdisjoint(loops):
            yield op


class Pulled:
    """What runs the reverse sweep of a call. again: runs both for a seed."""

    def __init__(
        self,
        sweep: Sweep,
        value: Value,
        primals: tuple[Value, ...],
        again: Callable[[Expressions, Value, Stays], list[Entry]],
    ) -> None:
        self.sweep, self.block, self.value = sweep, sweep.expressions.builder.block, value
        self.like, self.again = (sweep.lifted.function.seeds or [value])[0], again
        self.used = False
        self.since = Stays(list(primals))
        sweep.expressions.builder.add(self.since)

    def called(self, expressions: Expressions, given: Entries) -> Entry:
        """The adjoints of the arguments, for that of the value."""
        like = self.like.kind
        seed = expressions.loaded(expressions.as_value(given[0])) if len(given) == 1 else None
        if seed is None or not fits(seed.kind, like):
            raise NotYet("a seed that has another shape than the value")
        if isinstance(like, Array) and (seed.kind != like or None in like.shape):
            boxes.called(expressions, array_recipes.check_seed, seed, self.value)
        block = expressions.builder.block
        expressions.builder.add(Stays(list(self.since.operands), self.since))
        if block is not self.block or self.used:
            return Pack(tuple(self.again(expressions, seed, self.since)))
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
