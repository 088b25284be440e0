"""Copies and constants are used directly."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gast

from autodiff.optimize import literals
from autodiff.optimize.change import Block, blocks, changed, map_blocks
from autodiff.optimize.effects import effects, outer_names
from autodiff.optimize.facts import Facts
from autodiff.syntax.names import name as name_node
from autodiff.syntax.names import parameters, substitute, writes
from autodiff.syntax.walk import children, clone

Copies = dict[str, gast.expr]

_SCOPES = (
    gast.Lambda,
    gast.ListComp,
    gast.SetComp,
    gast.DictComp,
    gast.GeneratorExp,
    gast.FunctionDef,
    gast.ClassDef,
)


def propagate(tree: gast.FunctionDef, facts: Facts) -> gast.FunctionDef:
    """After `t = x` or `t = 2.0`, with t the compiler's, read x or 2.0 where t was read.

    As long as neither is assigned again; `dead_code` then removes the assignment.

    >>> import ast, gast, textwrap
    >>> from autodiff.optimize.facts import Facts
    >>> tree = gast.parse(textwrap.dedent('''
    ...     def f(x):
    ...         t = x
    ...         y = t * t
    ...         x = 1
    ...         return y + t
    ... ''')).body[0]
    >>> print(ast.unparse(gast.gast_to_ast(propagate(tree, Facts(frozenset("t"))))))
    def f(x):
        t = x
        y = x * x
        x = 1
        return y + t
    """
    return _Propagate(facts, tree, frozenset()).function(tree, {})


class _Propagate:
    """Walks forward through one function with the copies that hold at this place."""

    def __init__(self, facts: Facts, tree: gast.FunctionDef, outer: frozenset[str]) -> None:
        self.facts = facts
        arguments = parameters(tree.args)
        self.assigned = dict.fromkeys(arguments, 1)
        """How many places assign each name of this function; `_count` fills it."""
        self._count(tree.body)
        self.local = outer.union(self.assigned)
        self.fixed = outer_names(tree)
        """Names that somebody else may assign."""

    def _count(self, block: Block) -> None:
        for node in block:
            inner = blocks(node)
            if inner and not isinstance(node, (gast.FunctionDef, gast.ClassDef)):
                for statements in inner:
                    self._count(statements)
                written = effects(node.target, self.facts).writes if _is_for(node) else ()
                if not isinstance(node, (gast.If, gast.While, gast.For)):
                    written = effects(node, self.facts).writes
            else:
                written = effects(node, self.facts).writes
            for name in written:
                self.assigned[name] = self.assigned.get(name, 0) + 1

    def function(self, tree: gast.FunctionDef, copies: Copies) -> gast.FunctionDef:
        body = self.block(tree.body, copies)
        result: gast.FunctionDef = tree if body is tree.body else changed(tree, body=body)
        return result

    def block(self, statements: Block, copies: Copies) -> Block:
        """The block with copies resolved; `copies` is brought up to date in place."""
        new = [self.statement(node, copies) for node in statements]
        return statements if all(a is b for a, b in zip(new, statements)) else new

    def statement(self, node: gast.stmt, copies: Copies) -> gast.stmt:
        known = effects(node, self.facts)
        inner = blocks(node)
        if isinstance(node, (gast.FunctionDef, gast.ClassDef)):
            if isinstance(node, gast.FunctionDef):
                node = self.nested(node, copies)
        elif inner:
            if isinstance(node, (gast.If, gast.For)):
                field = "test" if isinstance(node, gast.If) else "iter"
                node = _resolve(node, copies, field)
            before = copies if isinstance(node, gast.If) else _without(copies, known.writes)
            if isinstance(node, gast.While):
                node = _resolve(node, before, "test")
            node = map_blocks(lambda block: self.block(block, dict(before)), node)
        elif copies and not copies.keys().isdisjoint(known.loads):
            node = _resolve(node, copies, "value", "targets", "target")
        if known.writes and copies:
            kept = _without(copies, known.writes)
            copies.clear()
            copies.update(kept)
        if isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name):
            self.learn(node.targets[0].id, node.value, copies)
        return node

    def learn(self, target: str, value: gast.expr, copies: Copies) -> None:
        if target not in self.facts.temporaries or target in self.fixed:
            return
        if isinstance(value, gast.Name):
            if value.id != target and value.id in self.local and value.id not in self.fixed:
                copies[target] = value
        elif literals.number(value) is not None or _is_constant(value):
            copies[target] = value

    def nested(self, node: gast.FunctionDef, copies: Copies) -> gast.FunctionDef:
        """A nested function may run at any time: only what is assigned just once holds in it."""
        inside = _Propagate(self.facts, node, frozenset(self.local))
        hidden = set(inside.assigned)
        lasting = {
            name: value
            for name, value in copies.items()
            if self.once(name)
            and name not in hidden
            and (not isinstance(value, gast.Name) or self.once(value.id))
            and not (isinstance(value, gast.Name) and value.id in hidden)
        }
        return inside.function(node, lasting)

    def once(self, name: str) -> bool:
        return self.assigned.get(name, 0) <= 1


def _is_for(node: gast.stmt) -> bool:
    return isinstance(node, gast.For)


def _is_constant(value: gast.expr) -> bool:
    return isinstance(value, gast.Constant) and (value.value is None or value.value in (True, False))


def _without(copies: Copies, written: frozenset[str]) -> Copies:
    return {
        name: value
        for name, value in copies.items()
        if name not in written and not (isinstance(value, gast.Name) and value.id in written)
    }


def _resolve(node: gast.stmt, copies: Mapping[str, gast.expr], *fields: str) -> gast.stmt:
    """The statement with copies resolved in some fields."""
    new: dict[str, Any] = {}
    for field in fields:
        value = getattr(node, field, None)
        if isinstance(value, list):
            items = [_replace(item, copies) for item in value]
            if any(a is not b for a, b in zip(items, value)):
                new[field] = items
        elif value is not None:
            result = _replace(value, copies)
            if result is not value:
                new[field] = result
    return changed(node, **new) if new else node  # type: ignore[no-any-return]
