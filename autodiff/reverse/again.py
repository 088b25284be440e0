"""Definitions that the reverse sweep computes again, as that is as cheap as keeping the value."""

from __future__ import annotations

from collections.abc import Set

import gast

from autodiff.analysis.alias import Aliases
from autodiff.analysis.indexing import is_basic
from autodiff.analysis.kind import Array, Record, Scalar
from autodiff.analysis.known import Kinds
from autodiff.analysis.purity import CHANGING
from autodiff.reverse.items import Block
from autodiff.reverse.listing import primal_of
from autodiff.syntax.names import USES, reads, store
from autodiff.syntax.walk import map_children, of_class, walk
from autodiff.syntax.windows import root


def recomputable(
    items: Block,
    order: list[str],
    kinds: Kinds,
    aliases: Aliases,
    assigned: set[str],
    inner: Set[str] = frozenset(),
    unsettled: Set[str] = frozenset(),
) -> dict[str, gast.Assign]:
    """Definitions that the reverse sweep may run again instead of popping their result.

    In their order; also of names of `inner`, which nobody else asks for, where one of `order`
    needs them: `pair = params[i]` for `w = pair[0]`, no numbers. Attributes that are
    `unsettled` may hold something else by then.
    """
    found: dict[str, gast.Assign] = {}
    single: dict[str, gast.Assign | None] = {}
    primal = primal_of(items)
    grown = frozenset(base for call in of_class(primal, gast.Call) for base in _grown(call, kinds))
    for statement in primal:
        for n in USES[statement][1]:
            simple = isinstance(statement, gast.Assign) and n not in single
            single[n] = statement if simple else None

    def find(n: str) -> bool:
        definition = single.get(n)
        again = None if definition is None else _defining(n, definition, kinds)
        if again is None or not is_cheap(again.value, kinds):
            return False
        if unsettled and any(a.attr in unsettled for a in of_class(again.value, gast.Attribute)):
            return False
        operands = {o for o in reads(again.value) if o in kinds.local}
        referred = _referred(again.value, kinds, grown, aliases)
        looked_at = operands - (referred - aliases.replaced)
        if any(aliases.is_changed(o) for o in looked_at):
            return False
        for o in operands & assigned - found.keys():
            if o not in inner or isinstance(kinds.names.get(o), Scalar) or not find(o):
                return False
        found[n] = again
        return True

    for n in order:
        find(n)
    return found


def _defining(own: str, definition: gast.Assign, kinds: Kinds) -> gast.Assign | None:
    """What sets one name: `w = pair[0]` for `w, b = pair`."""
    target, value = definition.targets[0], definition.value
    again: gast.Assign = map_children(lambda child: child, definition)
    if isinstance(target, gast.Name):
        return again
    kind = kinds.known(value)
    if not isinstance(target, gast.Tuple) or not isinstance(value, gast.Name):
        return None
    if not isinstance(kind, Record) or kind.cls not in (tuple, list) or not kind.indexed:
        return None
    place = next((k for k, e in enumerate(target.elts) if getattr(e, "id", None) == own), None)
    if place is None or any(isinstance(part, gast.Starred) for part in target.elts):
        return None
    index = gast.Constant(value=place, kind=None)
    again.targets = [store(own)]
    again.value = gast.Subscript(value=value, slice=index, ctx=gast.Load())
    return again


def _grown(call: gast.Call, kinds: Kinds) -> set[str]:
    """The list or dict that a call of one of its methods changes."""
    function = call.func
    if not isinstance(function, gast.Attribute) or function.attr not in CHANGING:
        return set()
    base = root(function.value)
    return set() if base is None or isinstance(kinds.names.get(base), Array) else {base}


def _referred(
    value: gast.expr, kinds: Kinds, grown: Set[str], aliases: Aliases
) -> set[str]:
    """Names of which only the reference is needed: a view shows what the memory holds when read.

    Of a list that grows meanwhile, an index that counts from its end means another item later.
    """
    if not isinstance(kinds.known(value), Array):
        return set()
    if isinstance(value, gast.Subscript) and isinstance(value.value, gast.Name):
        base, index = value.value.id, value.slice
        moves = any(aliases.share(base, other) for other in grown)
        stays = isinstance(index, gast.Constant) and type(index.value) is int and index.value >= 0
        return set() if moves and not stays else {base} - reads(index)
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
