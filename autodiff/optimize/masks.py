"""What a mask leaves out stays left out: in adjoints and tangents, factors move under it."""

from __future__ import annotations

from functools import partial
from typing import Any

import gast

from autodiff.optimize.change import changed, map_blocks, map_inner, unchanged
from autodiff.optimize.effects import is_generated
from autodiff.optimize.facts import Facts
from autodiff.optimize.held_masks import HeldMasks
from autodiff.optimize.mask_conditions import Conditions
from autodiff.optimize.mask_parts import (
    holds_mask,
    is_mask,
    is_triangle,
    let_through,
    product,
    under,
)
from autodiff.optimize.masked_later import masked_later
from autodiff.optimize.sections import reverse_sweep
from autodiff.syntax.names import reads
from autodiff.syntax.walk import of_class, same

_SIMPLE = (gast.Assign, gast.AugAssign, gast.Return, gast.Expr)
_INDEXING = (gast.Call, gast.Subscript, gast.Attribute)
_LEFT_ALONE = (
    *(gast.Name, gast.Constant, gast.Lambda),
    *(gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp),
)


def masks(tree: gast.FunctionDef, facts: Facts) -> gast.FunctionDef:
    """The adjoint of what `np.where` did not choose is 0, whatever the slopes behind it are.

        np.where(x > 0, y_bar, 0.0) / (2 * y)    becomes    np.where(x > 0, y_bar / (2 * y), 0.0)

    and so under `np.tril` and `np.triu`, for the masks that rules write (they are marked as such).
    Without that, an infinite slope or a NaN on the branch not taken would make 0 * inf of the 0. A
    temporary that holds a mask is masked again where it is multiplied. If its condition is lost
    before, because memory changes or a name gets another value, the condition gets a name:

        y_bar = np.where(y > 0, y_bar, 0.0)               mask = y > 0
        y = tape.pop()                       becomes      y_bar = np.where(mask, y_bar, 0.0)
        y_bar = y_bar / y                                 y = tape.pop()
                                                          y_bar = np.where(mask, y_bar / y, 0.0)

    What masks a number may be multiplied by an array, and then masks an array:

        (0.0 if s == 0 else 1 / s) * x    becomes    np.where(s == 0, 0.0, (0.0 if ... ) * x)
    """
    if not holds_mask(tree):
        return tree
    conditions: Conditions | None = Conditions(tree, facts)
    moved = tree
    while conditions is not None:
        moved = _Mover(facts, conditions).function(tree)
        conditions = conditions.named()
    return masked_later(moved, facts, _start(moved))


def _start(tree: gast.FunctionDef) -> int:
    """Where masks begin: in forward mode only tangents hold what a rule has marked."""
    start = reverse_sweep(tree.body)
    return 0 if start == len(tree.body) else start


class _Mover:
    def __init__(self, facts: Facts, conditions: Conditions) -> None:
        self.facts = facts
        self.held = HeldMasks(facts, conditions)

    def function(self, tree: gast.FunctionDef) -> gast.FunctionDef:
        start = _start(tree)
        body = [
            self.compound(node) if is_generated(node, self.facts) else node
            for node in tree.body[:start]
        ]
        result: gast.FunctionDef = changed(tree, body=[*body, *self.block(tree.body[start:])])
        return result

    def block(self, statements: list[gast.stmt]) -> list[gast.stmt]:
        """The block, at whose end `held` is what holds there."""
        new: list[gast.stmt] = []
        for statement in statements:
            if isinstance(statement, _SIMPLE):
                moved = self.statement(self.held.named_in(statement))
                new.extend(self.held.ran(moved, statement))
            else:
                new.append(self.compound(statement))
        return statements if unchanged(new, statements) else new

    def compound(self, node: gast.stmt) -> gast.stmt:
        """A statement with blocks, after which holds what holds at the end of each of them.

        What a loop begins with is first taken to hold at its end, too.
        """
        self.held.enter(node)
        repeats = isinstance(node, (gast.For, gast.While))
        while True:
            start = self.held
            ends: list[HeldMasks] = []
            new: gast.stmt = map_blocks(partial(self.inner, start, ends), node)
            if repeats or isinstance(node, gast.If) and not node.orelse:
                ends.append(start)
            self.held = start.joined(ends, node)
            if not repeats or self.held.same_as(start):
                return new

    def inner(
        self, start: HeldMasks, ends: list[HeldMasks], block: list[gast.stmt]
    ) -> list[gast.stmt]:
        """A block that begins with what holds at the start; the end of it joins the others."""
        self.held = start.inside()
        new = self.block(block)
        ends.append(self.held)
        return new

    def statement(self, node: gast.stmt) -> gast.stmt:
        if not self.held.masks and not holds_mask(node):
            return node
        value = getattr(node, "value", None)
        moved = self.part(value) if value is not None else None
        result: gast.stmt = node if moved is value else changed(node, value=moved)
        return result

    def part(self, node: gast.AST) -> gast.AST:
        if node.__class__ in _LEFT_ALONE:
            return node
        new: gast.AST = map_inner(self.part, node)
        if isinstance(new, gast.Call):
            return self.total(new)
        if isinstance(new, gast.UnaryOp) and is_mask(new.operand):
            return self.held.mask(new) or new
        if isinstance(new, gast.BinOp) and isinstance(new.op, (gast.Mult, gast.Div)):
            if self.is_fitted(new.left, new.right):
                inner = self.part(changed(new, left=new.left.args[0]))
                return changed(new.left, args=[inner, *new.left.args[1:]])
            left = self.held.mask(new.left)
            if left is not None:
                return self.product(new, left, "left")
            right = self.held.mask(new.right) if isinstance(new.op, gast.Mult) else None
            if right is not None:
                return self.product(new, right, "right")
        return new

    def total(self, node: gast.Call) -> gast.expr:
        """A sum over all that a mask by a number lets through is masked by that number itself."""
        if getattr(node.func, "attr", "") != "sum" or len(node.args) != 1 or node.keywords:
            return node
        (own,) = node.args
        if not isinstance(own, gast.Call) or not is_mask(own) or is_triangle(own):
            return node
        if not same(node.func.value, own.func.value):
            return node  # no function of NumPy
        test, *sides = own.args
        if not self.facts.scalar(test):
            return node
        through = let_through(own)
        body, orelse = (changed(node, args=[s]) if s is through else s for s in sides)
        whole = gast.IfExp(test=test, body=body, orelse=orelse)
        whole.masks, whole.where = True, own.func
        return gast.copy_location(whole, node)

    def is_fitted(self, node: gast.expr, other: gast.expr) -> bool:
        """Whether a mask is added up to the shape of an array that alone is in the other factor.

        What is added up may as well be multiplied before.
        """
        if not isinstance(node, gast.Call) or not self.facts.fits(node) or len(node.args) != 2:
            return False
        own, like = node.args
        if not is_mask(own) or not isinstance(like, gast.Name) or of_class(other, *_INDEXING):
            return False
        return like.id in reads(other) and all(
            n.id == like.id or self.facts.scalar(n) for n in of_class(other, gast.Name)
        )

    def product(self, node: gast.BinOp, mask: Any, side: str) -> gast.expr:
        """The mask of a product of which `mask` is the factor on one side."""
        other = node.right if side == "left" else node.left
        if isinstance(mask, gast.IfExp) and not self.facts.scalar(other):
            sides = [mask.body, mask.orelse]
            through = let_through(mask)
            inner = self.product(node, through, side) if is_mask(through) else node
            whole = gast.Call(mask.where, [mask.test], [])
            whole.args += [inner if part is through else part for part in sides]
            whole.masks = True
            return gast.copy_location(whole, node)

        def moved(through: gast.expr) -> gast.expr:
            inner = product(node, through, mask, side)
            return self.product(inner, through, side) if is_mask(through) else inner

        return under(mask, moved)
