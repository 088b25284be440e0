"""Nothing flows into what was not chosen, whatever the slope there is.

    y = np.sqrt(x)                     y_bar[x < 1.0] = 0.0
    y[x < 1.0] = 0.0                   x_bar = np.where(y_bar, y_bar / (2 * y), 0.0)

An adjoint is zero where a branch did not use its value, where the memory of it was overwritten, or
where nobody read. There the slope may be infinite, and zero times infinity is no number; a plain
product needs no gate.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import gast
import numpy as np

from autodiff import runtime
from autodiff.core import Access, Apply, For, If, Load, Operation, Region, Store, Take, View, ends
from autodiff.core.value import Block, Value, constant, unite
from autodiff.kinds.kind import Array, Kind, Record, Scalar
from autodiff.primitives import SYNTAX, Application, Builder, argument, filled, hole
from autodiff.reversal import choices

_SUMS = frozenset((np.sum, runtime.unbroadcast))


class Gates:
    """Which adjoints may be zero in places by how they came about. strict: see `Function`."""

    def __init__(self, strict: bool = False) -> None:
        self.strict = strict
        self.regions: set[Region] = set()
        """Adjoint memory of which parts are set to zero, or stay so."""
        self.replaced: set[Region] = set()
        """Adjoint memory of which is set to zero what a mask or indices chose."""
        self.plain: set[Value] = set()
        """Adjoints that vanish with memory that was overwritten, or with a root of squares: what
        they are multiplied by is a number.
        """
        self.by_value: set[Region] = set()
        """Adjoint memory of which parts are set to zero, or stay so, as it depends on values."""
        self.partial: dict[Value, bool] = {}
        self.chosen: dict[Value, bool] = {}
        """What was asked before, and the answer."""
        self.wild: dict[Value, bool] = {}
        self.bounds: dict[Value, float] = {}
        self.met: set[Region] = set()
        """Adjoint memory of which no part was set to zero when it was asked."""

    def close(self, shadow: Value, block: Block, chosen: bool = False) -> None:
        """A part of adjoint memory is set to zero. block: where that is; chosen: by values."""
        if shadow.region is not None:
            self.regions.add(shadow.region)
            if chosen or is_conditional(block):
                self.by_value.add(shadow.region)
            if shadow.region in self.met:
                self.partial, self.met = {}, set()

    def replace(self, shadow: Value, op: Store) -> None:
        """A part of adjoint memory is set to zero by a store. What a mask chooses, or indices for a
        constant, is replaced because of what was there: it may be no number.
        """
        chosen = chosen_by(op)
        self.close(shadow, op.block, bool(chosen))
        self.leave(shadow, op.index, bool(chosen) and op.value.is_constant)

    def leave(self, shadow: Value, index: Sequence[Value], whole: bool = False) -> None:
        """A part of adjoint memory is zero as a mask says, which may tell what is no number."""
        masks = any(isinstance(v.kind, Array) and v.kind.dtype == "bool" for v in index)
        if (masks or whole) and shadow.region is not None and shadow.region not in self.replaced:
            self.replaced.add(shadow.region)
            self.chosen = {}

    def take(self, shadow: Value, g: Value, block: Block) -> None:
        """What was not chosen in a contribution is left out in the memory that it goes to."""
        if reaches(g, self.is_left_out, self.chosen, computed):
            self.close(shadow, block, True)
            if shadow.region is not None and shadow.region not in self.replaced:
                self.replaced.add(shadow.region)
                self.chosen = {}

    def is_partial(self, g: Value) -> bool:
        """Whether an adjoint may be zero in places: overwritten, not read, or not chosen."""
        return reaches(g, self.begins, self.partial)

    def is_wild(self, made: Value, own: Sequence[Operation]) -> bool:
        """Whether one is multiplied by what the program may have set to infinity or NaN."""
        op = made.op
        if op not in own or not isinstance(op, Apply):
            return reaches(made, choices.is_wild, self.wild, choices.made_of)
        return any(self.is_wild(operand, own) for operand in op.operands)

    def is_open(self, g: Value, singular: list[Apply]) -> bool:
        """Whether an adjoint may be zero in places where an operation is infinite. One number that
        divides an array is zero for all of it, or for none: what is overwritten in each run does
        not tell.
        """
        numbers = all(isinstance(choices.divisor(op).kind, Scalar) for op in singular)
        if not numbers or not isinstance(g.kind, Array):
            return self.is_partial(g)
        return reaches(g, self.differs, {})

    def differs(self, g: Value) -> bool:
        """Whether an adjoint has its zeros from here, as it depends on values."""
        return bool(memory_of(g) & self.by_value) or self.leaves(g)

    def begins(self, g: Value) -> bool:
        """Whether an adjoint has its zeros from here."""
        touched = memory_of(g)
        if touched & self.regions:
            return True
        self.met |= touched
        return self.leaves(g)

    def leaves(self, g: Value) -> bool:
        """Whether a branch or a mask leaves an adjoint zero."""
        op = g.op
        if isinstance(op, If) and op.reverse:
            return any(end.is_constant and end.constant == 0.0 for end in ends(g))
        return is_chosen(g)

    def is_left_out(self, g: Value) -> bool:
        """Whether an adjoint is zero where a value was not chosen, though it was computed."""
        if g in self.plain or isinstance(g.op, Load) and chosen_by(g.op):
            return False
        return is_chosen(g) or bool(memory_of(g) & self.replaced)

    def gated(
        self, builder: Builder, g: Value, made: Value, since: int, root: bool = False
    ) -> Value:
        """A contribution that is zero where the adjoint is.

        since: the operations that made it stand behind this place in the block. What was not chosen
        by `np.where` was computed all the same, and may be no number; else only a slope may be
        infinite. root: the adjoint is one of a root, and may vanish with it. What is summed to the
        shape of an operand is zero in places before that.
        """
        if made is g:
            return made
        own = builder.block.operations[since:]
        left_out = any(choices.is_product(op, self.bounds) for op in own) and reaches(
            g, self.is_left_out, self.chosen, computed
        )
        singular = (
            []
            if choices.has_run(builder.source, self.strict)
            else [op for op in own if choices.is_singular(op, self.bounds)]
        )
        is_gated = left_out or bool(singular) and (root or self.is_open(g, singular))
        is_gated = is_gated or self.is_wild(made, own) and self.is_partial(g)
        if is_gated or choices.is_written(g):
            chosen = choices.through(builder, g, made, own, partial(self.gated, builder))
            if chosen is not None:
                return chosen
        if not is_gated:
            return made
        vanishes = root or not left_out
        total = summed(made, own)
        if total is None:
            return self.kept(gate(builder, g, made, own), vanishes)
        operations, whole = builder.block.operations, total.operands[0]
        count = len(operations)
        if whole is not g:
            total.operands[0] = gate(builder, g, whole, own)
            unite(whole, total.operands[0])  # which may be what is returned
            moved, operations[count:] = operations[count:], []
            place = operations.index(total)
            operations[place:place] = moved
        return self.kept(made, vanishes)

    def kept(self, made: Value, vanishes: bool) -> Value:
        """An adjoint, remembered if what it is multiplied by is a number."""
        if vanishes:
            self.plain.add(made)
        return made


def gate(builder: Builder, g: Value, made: Value, own: Sequence[Operation]) -> Value:
    """What is zero where an adjoint is, which has one shape with it or is a number."""
    if isinstance(made.kind, Scalar) and isinstance(g.kind, Scalar):
        operands = [g]
        body = inside(made, own if any(op.raises for op in own) else [], operands)
        form = gast.IfExp(test=hole(0), body=body, orelse=gast.Constant(0.0, None))
        found = builder.apply(SYNTAX, Application((form,)), form, operands, made.kind)
        assert isinstance(found.op, Apply)
        found.op.gates = True
        return found
    if isinstance(g.kind, Array) and isinstance(made.kind, (Array, Scalar)):
        if not isinstance(made.kind, Array) or made.kind.shape != g.kind.shape:
            return made
    if not isinstance(g.kind, (Array, Scalar)) or not isinstance(made.kind, Array):
        return builder.call("gated", runtime.gated, g, made, kind=made.kind)
    found = choices.where(builder, g, made, constant(0.0))
    assert isinstance(found.op, Apply)
    found.op.gates = True
    return found


def is_conditional(block: Block) -> bool:
    """Whether it depends on values if a block runs."""
    while block.parent is not None:
        if not isinstance(block.parent, For):
            return True
        block = block.parent.block
    return False


def memory_of(g: Value) -> set[Region]:
    """The adjoint memory that an adjoint is, or that it was read from."""
    touched = [g.region]
    if isinstance(g.op, (Load, Take)):
        touched.append(g.op.base.region)
    return {region for region in touched if region is not None}


def chosen_by(op: Access) -> list[Kind]:
    """The kinds of masks and indices that choose the window of an access."""
    return [each.kind for each in op.index if isinstance(each.kind, (Array, Record))]


def summed(made: Value, own: Sequence[Operation]) -> Apply | None:
    """The operation that sums a contribution to the shape of its operand."""
    op = made.op
    while isinstance(op, Apply) and op in own:
        if op.primitive.function in _SUMS:
            return op
        further = [value.op for value in op.operands if value.op in own]
        op = further[0] if len(further) == 1 else None
    return None


def reaches(
    g: Value,
    asked: Callable[[Value], bool],
    known: dict[Value, bool],
    further: Callable[[Value], list[Value]] | None = None,
) -> bool:
    """Whether what is asked holds for an adjoint, or for one that it is made of."""
    pending, seen = [g], {g}
    while pending:
        value = pending.pop()
        if known.get(value) is None and not asked(value):
            for source in (further or sources)(value):
                if source not in seen and known.get(source) is not False:
                    seen.add(source)
                    pending.append(source)
        elif known.get(value) is not False:
            known[g] = True
            return True
    known.update(dict.fromkeys(seen, False))
    return False


def sources(g: Value) -> list[Value]:
    """What an adjoint is made of: sums of zeros are zero, wherever they are put."""
    op = g.op
    if op is None or not op.reverse:
        return []
    if isinstance(op, If):
        return ends(g)
    return op.operands if isinstance(op, (Apply, Load, View)) else []


def computed(g: Value) -> list[Value]:
    """What an adjoint is made of. Those of what a store put where a mask chose are of numbers."""
    if not isinstance(g.op, Load) or not chosen_by(g.op):
        return sources(g)
    return [g.op.base] if is_chosen(g.op.base) else sources(g.op.base)


def inside(value: Value, own: Sequence[Operation], operands: list[Value]) -> gast.expr:
    """A value in an expression, with some operations in it that are not to run on their own, as
    Python's numbers have no quotient by zero.
    """
    op = value.op
    if isinstance(op, Apply) and op in own:
        given = op.operands
        found: gast.expr = filled(op.form, lambda k: inside(given[k], own, operands))
        return found
    return argument(value, operands)


def is_chosen(g: Value) -> bool:
    """Whether an adjoint is chosen between a value and zero, as `np.where` or `np.tril` do it."""
    op = g.op
    if not isinstance(op, Apply) or not op.reverse or op.primitive.leaves:
        return isinstance(op, Apply) and op.reverse
    if op.primitive.function is np.where and len(op.application.arguments) == 3:
        return any(map(may_be_zero, op.application.arguments[1:]))
    return op.primitive is SYNTAX and hasattr(op.form, "orelse") and may_be_zero(op.form)


def may_be_zero(node: gast.expr) -> bool:
    """Whether zero is written down, or one of several that are chosen from."""
    if hasattr(node, "orelse"):
        return may_be_zero(node.body) or may_be_zero(node.orelse)
    return getattr(node, "value", None) == 0.0
