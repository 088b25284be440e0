"""A temporary holds the opposite where that saves minus signs."""

from __future__ import annotations

from collections import Counter
from functools import cached_property, partial
from typing import Any

import gast

from autodiff.optimize.change import Block, changed, map_blocks, map_inner, map_parts, unchanged
from autodiff.optimize.effects import effects, is_generated
from autodiff.optimize.facts import Facts
from autodiff.optimize.fold import fold_statement
from autodiff.optimize.minus import without_sign
from autodiff.optimize.sections import map_reverse, reverse_sweep
from autodiff.syntax.make import SIGNS, make
from autodiff.syntax.names import name, writes
from autodiff.syntax.walk import children, of_class, walk

_SIMPLE = (gast.Assign, gast.AugAssign, gast.Return, gast.Expr)
_LEFT_ALONE = (gast.Name, gast.Constant, gast.FunctionDef, gast.ClassDef, gast.Lambda)
_ARITHMETIC = (gast.BinOp, gast.UnaryOp)
_OPPOSITE = {gast.Add: gast.Sub(), gast.Sub: gast.Add()}


def signs(tree: gast.FunctionDef, facts: Facts) -> gast.FunctionDef:
    """Where a temporary is `-e` and its uses take the sign in, let it be `e`.

        t = -x / y                             t = x / y
        a_bar += t            becomes          a_bar -= t
        b_bar = b_bar - t * z                  b_bar = b_bar + t * z
        c_bar = -1.0 + y                       c_bar = y - 1.0

    A minus turns no more than a sign, so all results are the very same. A variable that is named
    an adjoint stays one, unless its definition becomes a copy, which will go; and the forward
    sweep computes what the user wrote.
    """
    flips = _Flips(facts, tree)
    start = reverse_sweep(tree.body)
    ahead, back = tree.body[:start], flips.block(tree.body[start:])
    ahead = [
        map_blocks(flips.block, node) if is_generated(node, facts) else node for node in ahead
    ]
    body = [*ahead, *back]
    if not unchanged(body, tree.body):
        tree = changed(tree, body=body)
    return map_reverse(partial(_led, facts), tree, facts) if of_class(tree, gast.UnaryOp) else tree


def _led(facts: Facts, node: gast.AST) -> Any:
    """Sums that do not begin with a minus, at any depth."""
    if node.__class__ in _LEFT_ALONE:
        return node
    if isinstance(node, gast.stmt) and not of_class(node, gast.UnaryOp):
        return node
    return _sum(map_inner(partial(_led, facts), node), facts)


def _sum(new: Any, facts: Facts) -> Any:
    """A sum that does not begin with a minus, and in which signs of matrix products are its own."""
    if new.__class__ is gast.AugAssign and new.op.__class__ in _OPPOSITE:
        value = _of_product(new.value, facts)
        return changed(new, op=_OPPOSITE[new.op.__class__], value=value) if value else new
    if new.__class__ is not gast.BinOp or new.op.__class__ not in _OPPOSITE:
        return new
    right = _of_product(new.right, facts)
    if right is not None and facts.signed(new.left):
        new = changed(new, op=_OPPOSITE[new.op.__class__], right=right)
    if not isinstance(new.op, gast.Add):
        return new
    left = without_sign(new.left, facts.signed) or _of_product(new.left, facts)
    if left is None or not facts.signed(new.right) or without_sign(new.right, facts.signed):
        return new
    if effects(new.left, facts).calls or effects(new.right, facts).calls:
        return new
    return changed(new, left=new.right, op=gast.Sub(), right=left)


def _of_product(value: gast.expr, facts: Facts) -> gast.expr | None:
    """The `a @ b` for which a product of matrices is its opposite: `-a @ b` or `a @ -b`.

    Rounding does not look at signs; only a zero of many terms may have another one.
    """
    if value.__class__ is not gast.BinOp or not isinstance(value.op, gast.MatMult):
        return None
    for side in ("left", "right"):
        part = getattr(value, side)
        positive = without_sign(part, facts.signed) or _of_product(part, facts)
        if positive is not None and facts.signed(value):
            result: gast.expr = changed(value, **{side: positive})
            return result
    return None


class _Flips:
    def __init__(self, facts: Facts, tree: gast.FunctionDef) -> None:
        self.facts = facts
        self.tree = tree

    @cached_property
    def counts(self) -> tuple[Counter[str], Counter[str]]:
        """How often each name is bound, and how often it is read."""
        bound: list[str] = []
        read: list[str] = []
        for node in of_class(self.tree, gast.Name):
            (read if node.ctx.__class__ is gast.Load else bound).append(node.id)
        return Counter(bound), Counter(read)

    def block(self, statements: Block) -> Block:
        new = list(statements)
        for place in range(len(new)):
            node = new[place]
            if isinstance(node, gast.FunctionDef) and not is_generated(node, self.facts):
                continue
            new[place] = map_blocks(self.block, node)
            target = self.candidate(node)
            if target is not None:
                self.flip(new, place, target)
        return statements if unchanged(new, statements) else new

    def candidate(self, node: gast.stmt) -> str | None:
        """The temporary that a statement sets to the opposite of something, for good."""
        if not isinstance(node, gast.Assign) or not isinstance(node.targets[0], gast.Name):
            return None
        target: str = node.targets[0].id
        if target not in self.facts.temporaries:
            return None
        value = without_sign(node.value, self.facts.signed)
        if value is None or self.counts[0][target] != 1:
            return None
        if not self.facts.scalar(node.value) and not isinstance(value, gast.BinOp):
            return None  # an array of its own must not become another name for `x`
        if target.endswith("_bar") and not isinstance(value, gast.Name):
            return None
        return target

    def flip(self, block: Block, place: int, target: str) -> None:
        """Flip a temporary if every use of it stands in this block, and signs become fewer."""
        definition = block[place]
        scalar = self.facts.scalar(definition.value)
        users = {}
        found = 0
        for later in range(place + 1, len(block)):
            node = block[later]
            if target not in effects(node, self.facts).loads:
                continue
            if not isinstance(node, _SIMPLE) or target in writes(node):
                return
            users[later] = node
            found += _uses(node, target, everywhere=scalar)
        if not users or found != self.counts[1][target]:
            return
        value = without_sign(definition.value, self.facts.signed)
        assert value is not None
        new = {k: self.opposed(node, target) for k, node in users.items()}
        before = _minuses(definition) + sum(map(_minuses, users.values()))
        after = _minuses(value) + sum(map(_minuses, new.values()))
        if after < before or after == before and isinstance(value, gast.Name):
            block[place] = changed(definition, value=value)
            for later, node in new.items():
                block[later] = node

    def opposed(self, node: gast.AST, target: str) -> Any:
        """A statement in which the temporary holds the opposite, with as few signs as it takes."""
        return _led(self.facts, fold_statement(_opposed(node, target), self.facts))


def _uses(node: gast.AST, target: str, everywhere: bool) -> int:
    """How often a name is read; unless `everywhere`, only where arithmetic makes a new value."""
    count = 0
    for child in children(node):
        if isinstance(child, gast.Name) and child.id == target:
            count += everywhere or isinstance(node, (*_ARITHMETIC, gast.AugAssign))
        else:
            count += _uses(child, target, everywhere)
    return count


def _opposed(node: gast.AST, target: str) -> gast.AST:
    """The node with `-t` for `t`."""
    if isinstance(node, gast.Name):
        if node.id != target:
            return node
        return make(gast.UnaryOp, op=SIGNS[gast.USub], operand=name(target))
    result: gast.AST = map_parts(lambda child: _opposed(child, target), node)
    return result


def _minuses(node: gast.AST) -> int:
    return sum(1 for n in walk(node) if isinstance(n, gast.UnaryOp) and isinstance(n.op, gast.USub))
