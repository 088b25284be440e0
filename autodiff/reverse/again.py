"""Definitions that the reverse sweep computes again, as that is as cheap as keeping the value."""

from __future__ import annotations

import gast

from autodiff.analysis.alias import Aliases
from autodiff.analysis.indexing import is_basic
from autodiff.analysis.kind import Array, Scalar
from autodiff.analysis.known import Kinds
from autodiff.reverse.items import Block
from autodiff.reverse.listing import primal_of
from autodiff.syntax.names import reads, writes
from autodiff.syntax.walk import map_children, walk


def recomputable(
    items: Block, order: list[str], kinds: Kinds, aliases: Aliases, assigned: set[str]
) -> dict[str, gast.Assign]:
    """Definitions that the reverse sweep may run again instead of popping their result."""
    found: dict[str, gast.Assign] = {}
    single: dict[str, gast.Assign | None] = {}
    for statement in primal_of(items):
        for n in writes(statement):
            simple = isinstance(statement, gast.Assign) and n not in single
            single[n] = statement if simple else None
    for n in order:
        definition = single.get(n)
        if definition is None or not isinstance(definition.targets[0], gast.Name):
            continue
        if not is_cheap(definition.value, kinds):
            continue
        operands = {o for o in reads(definition.value) if o in kinds.local}
        looked_at = operands - (_referred(definition.value, kinds) - aliases.replaced)
        if all(
            o not in assigned or o in found for o in operands
        ) and not any(aliases.is_changed(o) for o in looked_at):
            again = map_children(lambda child: child, definition)
            found[n] = again
    return found


def _referred(value: gast.expr, kinds: Kinds) -> set[str]:
    """Names of which only the reference is needed: a view shows what the memory holds when read."""
    if not isinstance(kinds.known(value), Array):
        return set()
    if isinstance(value, gast.Subscript) and isinstance(value.value, gast.Name):
        return {value.value.id} - reads(value.slice)
    return reads(value) if isinstance(value, gast.Name) else set()


def is_cheap(value: gast.expr, kinds: Kinds) -> bool:
    """Whether computing a value again costs no more than keeping it."""
    kind = kinds.known(value)
    if isinstance(value, gast.Subscript):
        base = kinds.known(value.value)
        return not isinstance(base, Array) or isinstance(kind, (Scalar, Array)) and not any(
            isinstance(n, (gast.Call, gast.List)) for n in walk(value.slice)
        ) and _is_view(value.slice, kinds)
    if isinstance(value, (gast.Attribute, gast.Name, gast.Constant)):
        return True
    if isinstance(value, (gast.BinOp, gast.UnaryOp, gast.Compare)):
        parts = [n for n in walk(value) if isinstance(n, (gast.Name, gast.Subscript))]
        return all(isinstance(kinds.known(n), Scalar) for n in parts) and not any(
            isinstance(n, gast.Call) or isinstance(getattr(n, "op", None), gast.Pow)
            for n in walk(value)
        )
    return False


def _is_view(index: gast.expr, kinds: Kinds) -> bool:
    return is_basic(index, kinds.of) is True
