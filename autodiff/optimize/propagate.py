"""Copies and constants are used directly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Set
from functools import cached_property
from typing import Any

import gast

from autodiff.optimize import literals
from autodiff.optimize.change import Block, blocks, changed, map_blocks, map_parts, unchanged
from autodiff.optimize.displays import indexed_only, item
from autodiff.optimize.effects import is_generated, of_block, outer_names
from autodiff.optimize.facts import Facts
from autodiff.syntax.names import name, parameters, reads, substitute
from autodiff.syntax.walk import clone, of_class, walk

Copies = dict[str, gast.expr]

_COPIED = frozenset((gast.Name, gast.Constant, gast.UnaryOp, gast.List, gast.Tuple))
"""What may be read in place of a name."""
_DISPLAYS = (gast.List, gast.Tuple)
_LATE = (gast.Lambda, gast.GeneratorExp)
_COMPREHENSIONS = (gast.ListComp, gast.SetComp, gast.DictComp)


def propagate(tree: gast.FunctionDef, facts: Facts) -> gast.FunctionDef:
    """After `t = x` or `t = 2.0`, with t the compiler's, read x or 2.0 where t was read.

    As long as neither is assigned again; `dead_code` then removes the assignment. Where it cannot,
    as t is read after x has changed, t is read throughout. So is an item of `t = [x, y]`, a list
    that is only read item by item, and of a tuple after `x, y = t`, read directly.

    >>> import ast, gast, textwrap
    >>> from autodiff.optimize.facts import Facts
    >>> tree = gast.parse(textwrap.dedent('''
    ...     def f(x):
    ...         t = x
    ...         y = t * t
    ...         x = 1
    ...         return y + x
    ... ''')).body[0]
    >>> print(ast.unparse(gast.gast_to_ast(propagate(tree, Facts(frozenset("t"))))))
    def f(x):
        t = x
        y = x * x
        x = 1
        return y + x
    """
    return _Propagate(facts, tree, frozenset()).function(tree, {})


class _Propagate:
    """Walks forward through one function with the copies that hold at this place."""

    def __init__(self, facts: Facts, tree: gast.FunctionDef, outer: frozenset[str]) -> None:
        self.facts = facts
        self.tree = tree
        self.outer = outer
        self.fixed = outer_names(tree)
        """Names that somebody else may assign."""

    @cached_property
    def assigned(self) -> dict[str, int]:
        """How many places assign each name of this function."""
        counts = dict.fromkeys(parameters(self.tree.args), 1)
        self.count(self.tree.body, counts)
        return counts

    @cached_property
    def listed(self) -> dict[str, int]:
        """The names of lists that are only read item by item, or put together to one array."""

        def looks(call: gast.Call) -> bool:  # what it returns neither is nor holds a list
            return self.facts.pure(call) and self.facts.signed(call)

        return indexed_only(self.tree, self.facts.temporaries, looks)

    @cached_property
    def grouped(self) -> frozenset[str]:
        """The names of tuples that are assigned once, for themselves, and only taken apart."""
        assigned = of_class(self.tree, gast.Assign)
        groups = [node.value.id for node in assigned if _is_unpacked(node)]
        if self.facts.temporaries.isdisjoint(groups):
            return frozenset()
        mentions = self.mentions
        parts = Counter(groups)
        for node in of_class(self.tree, gast.Subscript):
            if isinstance(node.value, gast.Name) and item(node) is not None:
                parts[node.value.id] += 1
        single = {node.targets[0].id for node in assigned if _is_single(node)}
        return frozenset(own for own in single & parts.keys() if mentions[own] == 1 + parts[own])

    @cached_property
    def local(self) -> frozenset[str]:
        """The names of this function and of those around it."""
        written = [self.facts.effects[node].writes for node in self.tree.body]
        return self.outer.union(parameters(self.tree.args), *written)

    def count(self, block: Block, counts: dict[str, int]) -> None:
        for node in block:
            places = 1
            if isinstance(node, (gast.If, gast.While, gast.For)):
                header = (node.iter, node.target) if isinstance(node, gast.For) else (node.test,)
                written = of_block(header, self.facts).writes
                for inner in blocks(node):
                    self.count(inner, counts)
            else:
                written = self.facts.effects[node].writes
                if blocks(node) and not isinstance(node, (gast.FunctionDef, gast.ClassDef)):
                    places = 2
            for own in written:
                counts[own] = counts.get(own, 0) + places

    def function(self, tree: gast.FunctionDef, copies: Copies) -> gast.FunctionDef:
        body = self.block(tree.body, copies)
        result: gast.FunctionDef = tree if body is tree.body else changed(tree, body=body)
        return result

    def block(self, statements: Block, copies: Copies) -> Block:
        """The block with copies resolved; `copies` is brought up to date in place."""
        new: Block = []
        for place, node in enumerate(statements):
            new.append(self.statement(node, copies))
            if copies and node.__class__ is gast.Assign and _is_renaming(node):
                if self.outlives(statements, place) or self.is_handed_on(statements, place):
                    copies.pop(node.targets[0].id, None)
        return statements if unchanged(new, statements) else new

    def outlives(self, statements: Block, place: int) -> bool:
        """Whether after `t = x` the name x gets another value before t is read for the last time.

        The assignment has to stay then, and both names read best as what they are.
        """
        target, value = statements[place].targets[0].id, statements[place].value.id
        changed = False
        for node in statements[place + 1 :]:
            known = self.facts.effects[node]
            if changed and target in known.loads:
                return True
            changed = changed or value in known.writes
        return False

    def is_handed_on(self, statements: Block, place: int) -> bool:
        """Whether x of `t = x` has its value just for this: it is substituted, and t the name."""
        target, value = statements[place].targets[0].id, statements[place].value.id
        if not place or value not in self.facts.temporaries:
            return False
        before = statements[place - 1]
        made = isinstance(before, gast.Assign) and isinstance(before.targets[0], gast.Name)
        if not made or before.targets[0].id != value:
            return False
        return self.mentions[value] == 2 and target not in self.facts.effects[before].writes

    @cached_property
    def mentions(self) -> Counter[str]:
        """How often each name stands in the function."""
        return Counter([node.id for node in of_class(self.tree, gast.Name)])

    def statement(self, node: gast.stmt, copies: Copies) -> gast.stmt:
        known = self.facts.effects[node]
        written = known.writes
        cls = node.__class__
        if cls is gast.Assign or cls is gast.AugAssign:  # most of all
            if copies and not copies.keys().isdisjoint(known.loads):
                node = _resolve(node, copies, "value", "targets", "target")
        elif cls is gast.ClassDef:
            pass
        elif cls is gast.FunctionDef:
            if is_generated(node, self.facts):
                node = self.nested(node, copies)
        elif blocks(node):
            node = self.compound(node, copies, written)
        elif copies and not copies.keys().isdisjoint(known.loads):
            node = _resolve(node, copies, "value", "targets", "target")
        if written and copies:
            for own in _lost(copies, written):
                del copies[own]
        if cls is gast.Assign and node.value.__class__ in _COPIED:
            if node.targets[0].__class__ is gast.Name:
                self.learn(node.targets[0].id, node.value, copies)
            elif _is_unpacked(node):
                self.learn_items(node.value, node.targets[0], copies)
        return node

    def compound(self, node: gast.stmt, copies: Copies, written: frozenset[str]) -> gast.stmt:
        """A branch begins with the copies that hold before it, a loop with those that it keeps."""
        if isinstance(node, gast.If):
            start = copies
            node = _resolve(node, copies, "test")
        else:
            start = _without(copies, written)
            node = _resolve(_resolve(node, copies, "iter"), start, "test")
        result: gast.stmt = map_blocks(lambda block: self.block(block, dict(start)), node)
        return result

    def learn(self, target: str, value: gast.expr, copies: Copies) -> None:
        if target not in self.facts.temporaries or target in self.fixed:
            return
        if isinstance(value, gast.Name):
            if value.id != target and value.id in self.local and value.id not in self.fixed:
                copies[target] = value
        elif literals.number(value) is not None or _is_singleton(value) or _is_axes(value):
            copies[target] = value
        elif _is_display(value) and target in self.listed:
            items = [part for part in value.elts if isinstance(part, gast.Name)]
            if items and not {part.id for part in items} & (self.fixed | {target}):
                if all(part.id in self.local for part in items):
                    copies[target] = value

    def learn_items(self, value: gast.Name, target: gast.Tuple, copies: Copies) -> None:
        """After `x, y = t` the items of a tuple of the compiler's have names."""
        if value.id not in self.facts.temporaries or value.id in self.fixed:
            return
        names = [part.id for part in target.elts]
        if len(set(names)) < len(names) or not self.fixed.isdisjoint(names):
            return
        if value.id in self.grouped and self.facts.group(value):
            elts = [name(own) for own in names]
            copies[value.id] = gast.Tuple(elts=elts, ctx=gast.Load())

    def nested(self, node: gast.FunctionDef, copies: Copies) -> gast.FunctionDef:
        """A nested function may run at any time: only what is assigned just once holds in it."""
        inside = _Propagate(self.facts, node, frozenset(self.local))
        if not any(node is statement for statement in self.tree.body):
            return inside.function(node, {})

        def lasts(name: str) -> bool:
            return self.assigned.get(name, 0) <= 1 and name not in inside.assigned

        lasting = {
            name: value
            for name, value in copies.items()
            if lasts(name) and all(map(lasts, _names(value)))
        }
        return inside.function(node, lasting)


def _is_singleton(value: gast.expr) -> bool:
    return isinstance(value, gast.Constant) and isinstance(value.value, (bool, type(None)))


def _is_axes(value: gast.expr) -> bool:
    """Whether a value is a short tuple of numbers, such as `(1, 3)`."""
    if not isinstance(value, gast.Tuple) or not 0 < len(value.elts) <= 3:
        return False
    return all(literals.number(part) is not None for part in value.elts)


def _is_renaming(node: gast.Assign) -> bool:
    """Whether an assignment is `t = x`."""
    return node.value.__class__ is gast.Name and node.targets[0].__class__ is gast.Name


def _is_single(node: gast.Assign) -> bool:
    return len(node.targets) == 1 and isinstance(node.targets[0], gast.Name)


def _is_unpacked(node: gast.Assign) -> bool:
    """Whether a statement is `x, y = t`."""
    target = node.targets[0]
    return (
        isinstance(node.value, gast.Name)
        and isinstance(target, gast.Tuple)
        and all(isinstance(part, gast.Name) and part.id != node.value.id for part in target.elts)
    )


def _is_display(value: gast.expr) -> bool:
    return isinstance(value, _DISPLAYS)


def _names(value: gast.expr) -> set[str]:
    """The names that may take the place of another."""
    parts = value.elts if _is_display(value) else [value]
    return {part.id for part in parts if isinstance(part, gast.Name)}


def _without(copies: Copies, written: Set[str]) -> Copies:
    """The copies that hold after these names were assigned."""
    lost = _lost(copies, written)
    return {name: value for name, value in copies.items() if name not in lost}


def _lost(copies: Copies, written: Set[str]) -> list[str]:
    """The copies that hold no more: one of these names is the copy, or is read in its place."""
    found: list[str] = []
    for own, value in copies.items():
        cls = value.__class__
        if own in written:
            found.append(own)
        elif cls is gast.Name:
            if value.id in written:
                found.append(own)
        elif cls in _DISPLAYS and not written.isdisjoint(_names(value)):
            found.append(own)
    return found


def _resolve(node: gast.stmt, copies: Copies, *fields: str) -> gast.stmt:
    """The statement with copies resolved in some of its fields."""
    if not copies:
        return node
    new: dict[str, Any] = {}
    for field in fields:
        value = getattr(node, field, None)
        if isinstance(value, list):
            items = [_replace(item, copies) for item in value]
            if not unchanged(items, value):
                new[field] = items
        elif value is not None:
            result = _replace(value, copies)
            if result is not value:
                new[field] = result
    result = changed(node, **new) if new else node
    return result


def _replace(node: gast.AST, copies: Copies) -> gast.AST:
    if isinstance(node, gast.Subscript) and isinstance(node.value, gast.Name):
        display = copies.get(node.value.id)
        if display is not None and _is_display(display):
            key = item(node)
            part = display.elts[key] if key is not None and key < len(display.elts) else None
            return clone(part) if isinstance(part, gast.Name) else node
    if isinstance(node, gast.Name):
        value = copies.get(node.id) if isinstance(node.ctx, gast.Load) else None
        return node if value is None else clone(value)
    if isinstance(node, _LATE):
        return node
    if isinstance(node, _COMPREHENSIONS):
        inner = list(walk(node))
        bound = {n.id for n in inner if isinstance(n, gast.Name) and _is_bound(n)}
        plain = {own: value for own, value in copies.items() if not _is_display(value)}
        free = _without(plain, bound)
        if any(isinstance(n, _LATE) for n in inner) or free.keys().isdisjoint(reads(node)):
            return node
        return substitute(node, free)
    return map_parts(lambda child: _replace(child, copies), node)


def _is_bound(node: gast.Name) -> bool:
    return not isinstance(node.ctx, gast.Load)
