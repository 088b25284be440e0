"""What the statements of a function may change, and what the whole function may."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import Any, NamedTuple

import gast
import numpy as np

from autodiff.optimize.change import PLAIN, Block, blocks, is_straight
from autodiff.optimize.effects import is_generated
from autodiff.optimize.facts import Facts
from autodiff.optimize.ownership import own_buffers, passing
from autodiff.optimize.tape import is_pop, is_push, tape_name
from autodiff.syntax.fresh import SUMS, called
from autodiff.syntax.names import all_names, parameters, writes
from autodiff.syntax.walk import children, statements
from autodiff.syntax.windows import root

_LOOPS = (gast.For, gast.While)
_OPERATORS = (gast.BinOp, gast.UnaryOp, gast.Compare)


class Change(NamedTuple):
    """What a statement changes: names, memory that may have any name, or perhaps everything."""

    names: frozenset[str]
    memory: bool
    all: bool


class Changes:
    """Found out when it is asked for: most functions need little of it."""

    def __init__(self, tree: gast.FunctionDef, facts: Facts) -> None:
        self.tree = tree
        self.facts = facts
        self.changes: dict[gast.AST, Change] = {}

    def of(self, node: gast.stmt) -> Change:
        """What a statement changes, the blocks in it included."""
        known = self.changes.get(node)
        if known is None:
            known = self.changes[node] = self.found(node)
        return known

    def found(self, node: Any) -> Change:
        if node.__class__ in PLAIN:  # most do no more than set names
            known = self.facts.effects[node]
            if not known.calls and not known.stores:
                return Change(known.writes, False, False)
        if self.may_run(node):
            return Change(frozenset(), True, True)
        inner = blocks(node)
        if inner and not isinstance(node, gast.FunctionDef):
            parts = [self.of(part) for block in inner for part in block]
            names = writes(node.target) if isinstance(node, gast.For) else set()
            return Change(
                frozenset(names.union(*(part.names for part in parts))),
                any(part.memory for part in parts),
                any(part.all for part in parts),
            )
        known = self.facts.effects[node]
        if not known.stores or self.is_of_tape(node):
            return Change(known.writes, False, False)
        base = root(_target(node))
        if base is None or base not in self.own:
            return Change(known.writes, True, False)
        return Change(known.writes | {base}, False, False)

    def may_run(self, node: Any) -> bool:
        """Whether a statement, the blocks in it aside, may run code that changes something."""
        if self.is_of_tape(node) or isinstance(node, (gast.Break, gast.Continue)):
            return False
        if isinstance(node, gast.For):
            return self.facts.effects[node.iter].calls
        if isinstance(node, (gast.While, gast.If)):
            return self.facts.effects[node.test].calls
        if isinstance(node, gast.With) and is_straight(node) or is_generated(node, self.facts):
            return False
        return self.facts.effects[node].calls

    def is_of_tape(self, node: Any) -> bool:
        """Whether a statement makes a tape, pushes or pops, which changes nothing else."""
        makes = isinstance(node, gast.Assign) and not self.tapes.isdisjoint(writes(node))
        return makes or is_push(node) or is_pop(node)

    def is_stable(self, identifier: str) -> bool:
        """Whether a name has one value from the first loop on."""
        count = self.bound[identifier]
        return not count or count == 1 and identifier in self.once

    @cached_property
    def tapes(self) -> set[str]:
        marked = [node for node in statements(self.tree.body) if "site" in node.__dict__]
        return {tape_name(node) for node in marked if is_push(node) or is_pop(node)}

    @cached_property
    def own(self) -> frozenset[str]:
        return own_buffers(self.tree, self.facts)

    @cached_property
    def bound(self) -> Counter[str]:
        """How often names are bound; a change of memory that has one name is taken for that."""
        places = parameters(self.tree.args)
        for node in statements(self.tree.body):
            if isinstance(node, gast.FunctionDef):
                places += [node.name, *parameters(node.args)]
            elif isinstance(node, gast.For):
                places += [*writes(node.target)] * 2
            elif not isinstance(node, (gast.While, gast.If, gast.With)):
                places += self.facts.effects[node].writes | self.of(node).names
        return Counter(places)

    @cached_property
    def once(self) -> set[str]:
        found = set(parameters(self.tree.args))
        for node in self.tree.body:
            if isinstance(node, (*_LOOPS, gast.FunctionDef)):
                break
            if isinstance(node, gast.Assign):
                found |= writes(node)
        return found

    @cached_property
    def everywhere(self) -> Block:
        """The statements of the function and of the pullback that is defined in it."""
        own = self.tree.body
        defined = [node.body for node in own if is_generated(node, self.facts)]
        return [*own, *(node for body in defined for node in body)]

    @cached_property
    def calling(self) -> bool:
        """Whether anything in the function may run code that changes something."""
        return any(self.of(node).all for node in self.everywhere)

    @cached_property
    def storing(self) -> bool:
        """Whether anything in the function may change memory that has several names."""
        return self.calling or any(self.of(node).memory for node in self.everywhere)

    @cached_property
    def returned(self) -> set[str]:
        """Names whose memory a caller may get hold of."""
        found: set[str] = set()
        for node in self.tree.body:
            if isinstance(node, gast.Return) and node.value is not None:
                found |= _passing(node.value, self.facts)
        while True:
            more = set(found)
            for node in statements(self.tree.body):
                target = _target(node)
                if target is not None and not found.isdisjoint(all_names(target)):
                    more |= _passing(node.value, self.facts)
            if more == found:
                return found
            found = more

    @cached_property
    def uses(self) -> tuple[Counter[str], Counter[str], set[str]]:
        """How often names are read, how often as operands; names of what is changed in place."""
        read: Counter[str] = Counter()
        operands: Counter[str] = Counter()
        stored: set[str] = set()
        for node in statements(self.tree.body):
            if isinstance(node, gast.AugAssign):
                stored.add(root(node.target) or "")
            elif isinstance(node, gast.Assign) and not isinstance(node.targets[0], gast.Name):
                stored |= {root(target) or "" for target in node.targets}
            for part in children(node):
                if isinstance(part, gast.expr):
                    _count(part, isinstance(node, gast.AugAssign), read, operands)
        return read, operands, stored


def makes_new(node: gast.expr) -> bool:
    """Whether the value of an expression is new memory, whatever it is made from."""
    if isinstance(node, gast.Call):
        function = called(node) or ""
        return function in SUMS or isinstance(getattr(np, function, None), np.ufunc)
    return isinstance(node, _OPERATORS)


def _passing(value: gast.expr, facts: Facts) -> set[str]:
    return set() if makes_new(value) else passing(value, facts)


def _count(node: gast.AST, operand: bool, read: Counter[str], operands: Counter[str]) -> None:
    if isinstance(node, gast.Name):
        if isinstance(node.ctx, gast.Load):
            read[node.id] += 1
            operands[node.id] += operand
        return
    inner = isinstance(node, gast.expr) and makes_new(node)
    for child in children(node):
        _count(child, inner, read, operands)


def _target(node: Any) -> gast.expr | None:
    if isinstance(node, gast.AugAssign):
        return node.target
    return node.targets[0] if isinstance(node, gast.Assign) else None
