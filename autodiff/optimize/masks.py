"""What a mask leaves out stays left out: in adjoints and tangents, factors move under it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import gast

from autodiff.optimize import literals
from autodiff.optimize.change import changed, map_blocks, map_inner
from autodiff.optimize.effects import is_generated
from autodiff.optimize.facts import Facts
from autodiff.optimize.ownership import own_buffers
from autodiff.optimize.sections import reverse_sweep
from autodiff.syntax.names import reads, writes
from autodiff.syntax.walk import clone, of_class
from autodiff.syntax.windows import root

_SIMPLE = (gast.Assign, gast.AugAssign, gast.Return, gast.Expr)
_LEFT_ALONE = (
    *(gast.Name, gast.Constant, gast.Lambda),
    *(gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp),
)


def masks(tree: gast.FunctionDef, facts: Facts) -> gast.FunctionDef:
    """The adjoint of what `np.where` did not choose is 0, whatever the slopes behind it are.

        np.where(x > 0, y_bar, 0.0) / (2 * y)    becomes    np.where(x > 0, y_bar / (2 * y), 0.0)

    and so under `np.tril` and `np.triu`, for the masks that rules write (they are marked as such).
    Without that, an infinite slope or a NaN on the branch not taken would make 0 * inf of the 0. A
    temporary that holds a mask is masked again where it is multiplied, as long as the condition is
    what it was. What masks a number may be multiplied by an array, and then masks an array:

        (0.0 if s == 0 else 1 / s) * x    becomes    np.where(s == 0, 0.0, (0.0 if ... ) * x)
    """
    if not _holds_mask(tree):
        return tree
    mover = _Mover(tree, facts)
    start = reverse_sweep(tree.body)
    if start == len(tree.body):  # forward mode: only tangents hold what a rule has marked
        start = 0
    body = [
        changed(node, body=mover.block(node.body)) if is_generated(node, facts) else node
        for node in tree.body[:start]
    ]
    result: gast.FunctionDef = changed(tree, body=[*body, *mover.block(tree.body[start:])])
    return result


class _Mover:
    def __init__(self, tree: gast.FunctionDef, facts: Facts) -> None:
        self.facts = facts
        self.masked: dict[str, gast.Call | gast.IfExp] = {}
        self.own = cache(lambda: own_buffers(tree, facts))

    def block(self, statements: list[gast.stmt]) -> list[gast.stmt]:
        outer, self.masked = self.masked, {}
        new = []
        for statement in statements:
            if not isinstance(statement, _SIMPLE):
                new.append(map_blocks(self.block, statement))
                self.masked = {}
                continue
            moved = self.statement(statement)
            self.forget(moved)
            self.note(moved)
            new.append(moved)
        self.masked = outer
        return new

    def statement(self, node: gast.stmt) -> gast.stmt:
        if not self.masked and not _holds_mask(node):
            return node
        value = getattr(node, "value", None)
        moved = self.part(value) if value is not None else None
        result: gast.stmt = node if moved is value else changed(node, value=moved)
        return result

    def forget(self, node: gast.stmt) -> None:
        """The masks that do not hold any more: memory may have changed, or a name."""
        if not self.masked:
            return
        targets = getattr(node, "targets", [getattr(node, "target", None)])
        stored = {root(t) for t in targets if not isinstance(t, (gast.Name, gast.Tuple))}
        is_apart = not stored or stored <= self.own()
        bound = writes(node) | stored
        for own, mask in list(self.masked.items()):
            if not is_apart or bound & (_read(mask) | {own}):
                del self.masked[own]

    def note(self, node: gast.stmt) -> None:
        if isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name):
            if _is_mask(node.value):
                calls = any(of_class(part, gast.Call) for part in _conditions(node.value))
                if not calls and node.targets[0].id not in _read(node.value):
                    self.masked[node.targets[0].id] = node.value

    def part(self, node: gast.AST) -> gast.AST:
        if node.__class__ in _LEFT_ALONE:
            return node
        new: gast.AST = map_inner(self.part, node)
        if isinstance(new, gast.UnaryOp) and _is_mask(new.operand):
            return self.mask(new) or new
        if isinstance(new, gast.BinOp) and isinstance(new.op, (gast.Mult, gast.Div)):
            left = self.mask(new.left)
            if left is not None:
                return self.product(new, left, "left")
            right = self.mask(new.right) if isinstance(new.op, gast.Mult) else None
            if right is not None:
                return self.product(new, right, "right")
        return new

    def product(self, node: gast.BinOp, mask: Any, side: str) -> gast.expr:
        """The mask of a product of which `mask` is the factor on one side."""
        other = node.right if side == "left" else node.left
        if isinstance(mask, gast.IfExp) and not self.facts.scalar(other):
            sides = [mask.body, mask.orelse]
            chosen = _chosen(mask)
            whole = gast.Call(mask.where, [mask.test], [])
            whole.args += [node if part is chosen else part for part in sides]
            whole.masks = True
            return gast.copy_location(whole, node)
        return _under(mask, lambda chosen: _product(node, chosen, mask, side))

    def mask(self, node: gast.expr) -> gast.expr | None:
        """The expression as a mask, if it is one."""
        if _is_mask(node):
            return node
        if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub):
            inner = self.mask(node.operand)
            if inner is not None:
                return _under(inner, lambda chosen: changed(node, operand=chosen))
        if isinstance(node, gast.Name) and node.id in self.masked:
            mask = self.masked[node.id]
            chosen = _chosen(mask)
            known = literals.number(chosen) is not None if chosen is not None else False
            return _with_sides(
                mask, lambda part: node if part is chosen and not known else clone(part)
            )
        return None


def _holds_mask(node: gast.AST) -> bool:
    return any(part.__dict__.get("masks") for part in of_class(node, gast.Call, gast.IfExp))


def _is_mask(node: gast.AST) -> bool:
    return getattr(node, "masks", False) and _chosen(node) is not None


def _conditions(mask: Any) -> list[gast.expr]:
    """What a mask chooses by."""
    if isinstance(mask, gast.IfExp):
        return [mask.test]
    conditions: list[gast.expr] = mask.args[1:] if _is_triangle(mask) else mask.args[:1]
    return conditions


def _read(mask: Any) -> set[str]:
    return {identifier for part in _conditions(mask) for identifier in reads(part)}


def _is_triangle(mask: Any) -> bool:
    """Whether a mask is `np.tril(y_bar, k)` or `np.triu(y_bar, k)`."""
    return isinstance(mask, gast.Call) and getattr(mask.func, "attr", "") in ("tril", "triu")


def _chosen(mask: Any) -> gast.expr | None:
    """What a mask lets through; the other alternative is 0."""
    if _is_triangle(mask):
        own: gast.expr = mask.args[0]
        return own
    if isinstance(mask, gast.IfExp):
        sides = [mask.body, mask.orelse]
    else:
        sides = mask.args[1:] if isinstance(mask, gast.Call) and len(mask.args) == 3 else []
    zeros = [literals.number(side) == 0 for side in sides]
    if zeros.count(True) != 1:
        return None
    chosen: gast.expr = sides[zeros.index(False)]
    return chosen


def _product(node: gast.BinOp, chosen: gast.expr, mask: gast.expr, side: str) -> gast.expr:
    """The product with one factor replaced; in an array, 1 times the other is the other."""
    is_one = isinstance(node.op, gast.Mult) and literals.number(chosen) == 1
    if is_one and isinstance(mask, gast.Call):
        other: gast.expr = node.right if side == "left" else node.left
        return other
    result: gast.expr = changed(node, **{side: chosen})
    return result


def _under(mask: Any, wrap: Callable[[gast.expr], gast.expr]) -> gast.expr:
    """The mask with what it lets through made into something else."""
    chosen = _chosen(mask)
    assert chosen is not None

    def new(side: gast.expr) -> gast.expr:
        return wrap(side) if side is chosen else side

    return _with_sides(mask, new)


def _with_sides(mask: Any, new: Callable[[gast.expr], gast.expr]) -> gast.expr:
    result: gast.expr
    if isinstance(mask, gast.IfExp):
        result = changed(mask, body=new(mask.body), orelse=new(mask.orelse))
    else:
        result = changed(mask, args=[new(argument) for argument in mask.args])
    return result
