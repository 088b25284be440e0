"""Buffers that are only written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import gast

from autodiff.optimize.change import Block, blocks
from autodiff.optimize.facts import Facts
from autodiff.optimize.tape import is_pop
from autodiff.syntax.fresh import ALLOCATORS, SUMS, called
from autodiff.syntax.windows import root

_STRAIGHT = frozenset((gast.If, gast.While, gast.For))
_NEW = (gast.BinOp, gast.UnaryOp, gast.Compare, gast.List, gast.Dict, gast.Constant)


def unread_buffers(body: Block, facts: Facts) -> frozenset[str]:
    """Names of memory that is made here, and then stored to but never read.

    Every value bound to the name is new (so nobody else sees its memory), and the name is never
    mentioned but as what is stored to, by statements that do nothing else.
    """
    stored: Counter[str] = Counter()
    _count_stores(body, stored)
    loads = [facts.effects[node].loads for node in body] if stored else []
    for name, count in stored.items():
        if count == sum([own[name] for own in loads if name in own]):
            break
    else:
        return frozenset()  # most of the time
    usage = _Usage(facts)
    usage.block(body)
    return frozenset(
        name
        for name, count in usage.stores.items()
        if count == usage.loads.get(name) and name in usage.made and name not in usage.spoiled
    )


def _count_stores(block: Block, stored: Counter[str]) -> None:
    for node in block:
        cls = node.__class__
        if cls is gast.AugAssign:
            stored[root(node.target) or ""] += 1
        elif cls is gast.Assign:
            if node.targets[0].__class__ is not gast.Name:
                stored[root(node.targets[0]) or ""] += 1
        elif cls in _STRAIGHT:
            for statements in blocks(node):
                _count_stores(statements, stored)


class _Usage:
    """How the names of a function are used."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.loads: dict[str, int] = {}
        self.stores: dict[str, int] = {}
        self.made: set[str] = set()
        self.spoiled: set[str] = set()

    def block(self, statements: Block) -> None:
        for node in statements:
            cls = node.__class__
            if cls is gast.If or cls is gast.While:
                self.compound(node, node.test)
            elif cls is gast.For:
                self.compound(node, node.iter, node.target)
            else:
                self.simple(node)

    def compound(self, node: gast.stmt, *header: gast.expr) -> None:
        for part in header:
            known = self.facts.effects[part]
            self.count(known.loads)
            self.spoiled |= known.writes
        for statements in blocks(node):
            self.block(statements)

    def simple(self, node: gast.stmt) -> None:
        known = self.facts.effects[node]
        self.count(known.loads)
        target = _target(node)
        name = root(target)
        if name is None or known.calls or is_pop(node):
            self.spoiled |= known.writes
            return
        self.spoiled |= known.writes - {name}
        if not isinstance(node, gast.Assign) or not isinstance(target, gast.Name):
            self.stores[name] = self.stores.get(name, 0) + 1
        elif is_new(node.value, self.facts):
            self.made.add(name)
        else:
            self.spoiled.add(name)

    def count(self, loads: Mapping[str, int]) -> None:
        own = self.loads
        for name, count in loads.items():
            own[name] = own.get(name, 0) + count


def _target(node: gast.stmt) -> gast.expr | None:
    cls = node.__class__
    if cls is gast.AugAssign:
        return node.target
    if cls is gast.Assign and len(node.targets) == 1:
        return node.targets[0]
    return None


def is_new(value: gast.expr, facts: Facts) -> bool:
    """Whether an expression makes an object that nobody else refers to."""
    if isinstance(value, gast.Call):
        if called(value) in ALLOCATORS or called(value) in SUMS:
            return facts.pure(value)
        return facts.makes(value)
    return isinstance(value, _NEW)
