"""What is masked again wherever it is read need not be masked before."""

from __future__ import annotations

from typing import Any

import gast

from autodiff.optimize.change import changed, map_blocks, unchanged
from autodiff.optimize.facts import Facts
from autodiff.optimize.mask_conditions import Conditions
from autodiff.optimize.mask_parts import alike, conditions, is_mask, is_triangle, let_through
from autodiff.syntax.names import writes
from autodiff.syntax.walk import children, of_class

_SCOPES = (gast.Lambda, gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)


def masked_later(tree: gast.FunctionDef, facts: Facts, start: int) -> gast.FunctionDef:
    """Mask what a name holds where it is used, once, if that is under the same mask each time.

        z_bar = np.where(mask, 0.0, 2.0 * y_bar)             z_bar = 2.0 * y_bar
        z[mask] = z_kept                           becomes   z[mask] = z_kept
        y_bar = np.where(mask, 0.0, z_bar / z)               y_bar = np.where(mask, 0.0, z_bar / z)

    From the statement at `start` on. For conditions that have a name.
    """
    if not any(is_mask(call) for call in of_class(tree, gast.Call)):
        return tree
    return _Later(tree, facts).function(start)


class _Later:
    def __init__(self, tree: gast.FunctionDef, facts: Facts) -> None:
        self.tree, self.facts = tree, facts
        self.conditions = Conditions(tree, facts)
        self.loads: dict[str, int] = {}
        for node in of_class(tree, gast.Name):
            if isinstance(node.ctx, gast.Load):
                self.loads[node.id] = self.loads.get(node.id, 0) + 1

    def function(self, start: int) -> gast.FunctionDef:
        body = [*self.tree.body[:start], *self.block(self.tree.body[start:])]
        if unchanged(body, self.tree.body):
            return self.tree
        result: gast.FunctionDef = changed(self.tree, body=body)
        return result

    def block(self, statements: list[gast.stmt]) -> list[gast.stmt]:
        new: list[gast.stmt] = []
        for place, node in enumerate(statements):
            bare: gast.stmt | None = map_blocks(self.block, node)
            while bare is not None and (value := self.bare(bare, statements, place)):
                own = bare.targets[0].id
                same = isinstance(value, gast.Name) and value.id == own
                bare = None if same else changed(bare, value=value)
            new.extend([] if bare is None else [bare])
        return statements if unchanged(new, statements) else new

    def bare(self, node: gast.stmt, block: list[gast.stmt], place: int) -> gast.expr | None:
        """What a statement masks, where it need not."""
        if not isinstance(node, gast.Assign) or not isinstance(node.targets[0], gast.Name):
            return None
        mask, own = node.value, node.targets[0].id
        if not is_mask(mask) or not isinstance(mask, gast.Call) or is_triangle(mask):
            return None
        (condition,), through = conditions(mask), let_through(mask)
        if not isinstance(condition, gast.Name) or not self.facts.chooses(condition):
            return None
        shape = self.facts.shape(mask)
        if through is None or shape is None or self.facts.shape(through) != shape:
            return None
        is_itself = isinstance(through, gast.Name) and through.id == own
        is_new = isinstance(through, (gast.BinOp, gast.UnaryOp))
        if not is_new and not (is_itself and own in self.conditions.own()):
            return None
        return through if self.is_masked(own, mask, block, place, is_new) else None

    def is_masked(
        self, own: str, mask: gast.Call, block: list[gast.stmt], place: int, is_new: bool
    ) -> bool:
        """Whether all that reads a name comes behind this place in the block, under the mask."""
        condition = mask.args[0]
        found = 0
        for node in block[place + 1 :]:
            known = self.facts.effects[node]
            outside, under = _reads(node, own, mask)
            if outside or under and known.calls:
                return False
            found += under
            if own in writes(node):
                if isinstance(node, gast.Assign):
                    return found > 0
                if not is_new or not isinstance(node, gast.AugAssign):
                    return False  # what is added to must be its own memory
            if condition.id in writes(node) or not self.conditions.lasts(condition, node):
                break
        return found > 0 and found + self.earlier(own, block, place) == self.loads[own]

    def earlier(self, own: str, block: list[gast.stmt], place: int) -> int:
        """How often a name is read here, and before in the block after it was bound there."""
        found = 0
        for node in reversed(block[: place + 1]):
            if node is not block[place] and isinstance(node, gast.Assign) and own in writes(node):
                return found
            found += sum(_reads(node, own, None))
        return 0


def _reads(node: gast.AST, own: str, mask: Any) -> tuple[int, int]:
    """How often a name is read outside of what masks like this one let through, and inside."""
    if isinstance(node, gast.Name):
        return int(node.id == own and isinstance(node.ctx, gast.Load)), 0
    if isinstance(node, _SCOPES):
        return sum(part.id == own for part in of_class(node, gast.Name)), 0
    inside = let_through(node) if mask and is_mask(node) and alike(node, mask) else None
    outside = under = 0
    for child in children(node):
        more = _reads(child, own, mask)
        if child is inside:
            under += sum(more)
        else:
            outside, under = outside + more[0], under + more[1]
    return outside, under
