"""Expressions that stand as they are, as operations: a choice is a branch, a comprehension a loop.

z_bar / y if z_bar else 0.0                     if z_bar: ... else: ...
[unbroadcast(g, like=row) for row in rows]      for k in range(len(rows)): bars.append(...)
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import gast
import numpy as np

from autodiff.core import (
    ABSENT,
    WHOLE,
    Apply,
    At,
    Block,
    For,
    If,
    NotYet,
    Operation,
    Value,
    Window,
    placed,
)
from autodiff.dataflow.settle import rename
from autodiff.kinds.kind import Array, Kind, Record, Scalar, Sequence, is_complex, number
from autodiff.lower.entries.alternatives import known_number
from autodiff.lower.entries.entry import Entry
from autodiff.lower.entries.spans import short_range
from autodiff.lower.expression.wholes import decided
from autodiff.lower.flow.frame import Unit
from autodiff.primitives import Builder, bound
from autodiff.primitives.algebra import either
from autodiff.primitives.applying import born
from autodiff.primitives.table import SYNTAX
from autodiff.reversal.template_rules import TemplateFrame, Templates
from autodiff.runtime import add_items, unbroadcast


def unfold(unit: Unit, varied: set[Value] | None = None) -> None:
    """Expressions of the reverse sweep that stand as they are become operations; varied: choices
    that give such a value.
    """
    swapped: dict[Value, Value] = {}
    lists: dict[Value, Value] = {}  # what the new ones hold, and these

    def becomes(op: Operation, made: Value) -> None:
        swapped[op.result] = made
        if isinstance(made.kind, Sequence):
            swapped[op.result] = builder.load(made)
            lists[swapped[op.result]] = made

    for block in list(unit.function.body.blocks()):
        operations: list[Operation] = []
        for op in block.operations:
            op.operands = [swapped.get(value, value) for value in op.operands]
            builder = Builder(Block(), unit.references, op.origin)
            if isinstance(op, Apply) and op.reverse and op.primitive is SYNTAX:
                if varied is None or op.result in varied:
                    becomes(op, unfolded(unit, builder, op))
                else:
                    operations.append(op)
            elif isinstance(op, Apply) and op.primitive.function is add_items:
                bars, g = op.operands
                added(builder, bars, lists.get(g, g))
            elif is_spread(op):
                becomes(op, spread(builder, *op.operands))
            else:
                operations.append(op)
            placed(block, builder.block.operations)
            operations += builder.block.operations
        block.operations = operations
    rename(unit.function, swapped)


def unfolded(unit: Unit, builder: Builder, op: Apply) -> Value:
    """The value of an expression, made by operations."""
    frame = TemplateFrame(unit, builder)
    frame.names = {value.token: value for value in op.operands if not value.is_constant}
    made = Unfolding(frame).content(bound(op.form, op.operands))  # type: ignore[arg-type]
    made.hint, made.named = op.result.hint, op.result.named
    return made


def is_spread(op: Operation) -> bool:
    """Whether an adjoint is brought into the form of a list that NumPy took for an array."""
    if not isinstance(op, Apply) or op.primitive.function is not unbroadcast or not op.reverse:
        return False
    g, like = op.operands
    if not isinstance(g.kind, Array) or is_complex(g.kind):
        return False
    if isinstance(like.kind, Sequence):
        return rank(like.kind) == len(g.kind.shape) > rank(like.kind.item)
    return isinstance(like.kind, Record) and rank(like.kind) == len(g.kind.shape)


def rank(kind: Kind) -> int:
    """How many axes an array has that is made of this; -1 where that is not known."""
    if isinstance(kind, (Array, Scalar)):
        return len(getattr(kind, "shape", ()))
    if not isinstance(kind, (Record, Sequence)) or kind.cls not in (list, tuple):
        return -1
    inner = {rank(kind.item)} if isinstance(kind, Sequence) else set(map(rank, kind.items))
    return -1 if len(inner) != 1 or -1 in inner else 1 + inner.pop()


def spread(builder: Builder, g: Value, like: Value) -> Value:
    """`unbroadcast(g, like=items)`: the list of the parts of an array."""
    if isinstance(like.kind, Record):
        items = []
        for k, kind in enumerate(like.kind.items):
            own = builder.item(like, k, kind) if rank(kind) else like
            items.append(part_of(builder, builder.load(g, Window((k,))), own, kind))
        return builder.display(list, tuple(range(len(items))), items)
    made = builder.holding(list, [], [], gast.List(elts=[], ctx=gast.Load()))
    with over(builder, like) as (inner, index):
        item = inner.load(like, *index)
        inner.append(made, part_of(inner, inner.load(g, *index), item, item.kind))
    return made


def part_of(builder: Builder, g: Value, like: Value, kind: Kind) -> Value:
    """A part of an adjoint in the form of an item of a kind."""
    if rank(kind) == 0:
        return as_number(builder, g)
    if not isinstance(kind, Array):
        return spread(builder, g, like)
    own = builder.call("unbroadcast", unbroadcast, g, like)
    return builder.call(".copy", np.copy, own)


def as_number(builder: Builder, g: Value) -> Value:
    """The adjoint of a number."""
    if isinstance(g.kind, Scalar):
        return g
    return builder.call("np.sum", np.sum, g, kind=number("float", "?"))


def added(builder: Builder, bars: Value, g: Value) -> None:
    """`add_items(bars, g)`."""
    with over(builder, bars) as (inner, index):
        part = g if isinstance(g.kind, Scalar) else inner.load(g, *index)
        own = inner.load(bars, *index)
        if isinstance(own.kind, Array):
            inner.accumulate(own, part, WHOLE)
        elif isinstance(own.kind, Scalar):
            total = inner.binary(gast.Add(), own, as_number(inner, part))
            inner.put(bars, as_number(inner, total), *index)
        else:
            raise NotYet("adjoints in a list of what is not known")


def again(builder: Builder, items: Value) -> Value:
    """A list of what another one holds, which changes."""
    if not isinstance(items.kind, Sequence) or items.kind.cls is not list:
        raise NotYet("a container on the tape that changes")
    made = builder.holding(list, [], [], gast.List(elts=[], ctx=gast.Load()))
    with over(builder, items) as (inner, index):
        item = inner.load(items, *index)
        if item.is_written or not isinstance(item.kind, (Array, Scalar)):
            raise NotYet("a list on the tape of what changes")
        inner.append(made, item)
    return made


@contextlib.contextmanager
def over(builder: Builder, *lists: Value) -> Iterator[tuple[Builder, tuple[Window, list[Value]]]]:
    """A loop over the items of lists, all at once: its body, and where they are."""
    sizes = [builder.look("len(_0)", number("int"), value) for value in lists]
    size = builder.call("min", min, *sizes) if sizes[1:] else sizes[0]
    loop = For(builder.call("range", range, size), born("k", number("int")), builder.origin)
    yield builder.inside(loop.body), (Window((At(0),)), [loop.variable])
    builder.add(loop)


class Unfolding(Templates):
    """Lowers an expression part by part."""

    def of_IfExp(self, node: gast.IfExp) -> Entry:
        found = decided(node)
        if found is not node:
            return self.entry(found)
        known = self.told(node.test)
        if known is not None:
            return self.entry(node.body if known else node.orelse)
        frame, outer = self.frame, self.builder
        branch = If(self.content(node.test), outer.origin)
        ends = []
        for block, part in zip(branch.blocks, (node.body, node.orelse)):
            frame.builder = outer.inside(block)
            ends.append(self.content(part))
        frame.builder = outer
        one, other = ends
        branch.merge(one, other, Value("", either(one.kind, other.kind)))
        outer.add(branch)
        return branch.results[0]

    def told(self, node: gast.expr) -> bool | None:
        """What a test comes to; None if that is not known."""
        if hasattr(node, "values"):
            absorbing = {gast.Or: True, gast.And: False}[type(node.op)]
            found = [self.told(part) for part in node.values]
            if absorbing in found:
                return absorbing
            return None if None in found else not absorbing
        frame, outer = self.frame, self.builder
        frame.builder = outer.inside(Block())  # which is left out
        known = known_number(self.entry(node))
        frame.builder = outer
        return None if known is ABSENT else bool(known)

    def comprehension(self, node: gast.ListComp, over_: list[Value], names: list[str]) -> Entry:
        frame, outer = self.frame, self.builder
        if all(isinstance(v.kind, Record) or short_range(v) is not None for v in over_):
            rows = zip(*map(self.parts, over_))
            columns = [dict(zip(names, map(self.as_value, row))) for row in rows]
            parts = [self.each(node.elt, column) for column in columns]
            return outer.display(tuple, tuple(range(len(parts))), parts)
        made = outer.holding(list, [], [], gast.List(elts=[], ctx=gast.Load()))
        with over(outer, *over_) as (frame.builder, index):
            items = {own: self.builder.load(value, *index) for own, value in zip(names, over_)}
            self.builder.append(made, self.each(node.elt, items))
        frame.builder = outer
        return made
