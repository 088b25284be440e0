"""Which names hold a mask, and whether its condition can still be asked."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, field, replace
from typing import Any

import gast

from autodiff.optimize import literals
from autodiff.optimize.change import changed, is_inert, is_straight, map_inner
from autodiff.optimize.effects import effects
from autodiff.optimize.facts import Facts
from autodiff.optimize.mask_conditions import Conditions, Place, changed_in
from autodiff.optimize.mask_parts import (
    conditions,
    is_mask,
    is_triangle,
    let_through,
    with_condition,
    with_sides,
)
from autodiff.optimize.ownership import unshared
from autodiff.syntax.make import make
from autodiff.syntax.names import name, reads, store, writes
from autodiff.syntax.walk import clone, of_class, same
from autodiff.syntax.windows import root

_IN_ORDER = (gast.If, gast.With)


@dataclass(slots=True)
class _Layer:
    """One of the masks that a name holds, by one condition.

    is_lost: the condition is not what it was any more.
    """

    mask: Any
    place: Place
    is_lost: bool = False


@dataclass(slots=True)
class _Held:
    """What a name holds: what the outermost of the layers lets through is the next, and so on.

    statement: the one that made it; since: what came after.
    """

    layers: list[_Layer]
    statement: gast.stmt
    since: list[gast.stmt] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class HeldMasks:
    """What holds at one place of a block.

    masks: by the name that holds them; called: conditions that have a name, while they hold.
    """

    facts: Facts
    conditions: Conditions
    masks: dict[str, _Held] = field(default_factory=dict)
    called: dict[str, gast.expr] = field(default_factory=dict)

    def inside(self) -> HeldMasks:
        """What holds at the beginning of a block here."""
        masks = {
            own: _Held([replace(layer) for layer in held.layers], held.statement, [*held.since])
            for own, held in self.masks.items()
        }
        return replace(self, masks=masks, called=dict(self.called))

    def read(self, own: str) -> gast.expr:
        """The masks that a name holds, applied to it once more; their conditions are asked here."""
        result: gast.expr = name(own)
        for layer in reversed(self.masks[own].layers):
            if layer.is_lost:
                self.conditions.wanted.add(layer.place)
            through = let_through(layer.mask)
            number = through is not None and literals.number(through) is not None
            result = _around(layer.mask, clone(through) if number else result)
        return result

    def enter(self, node: gast.stmt) -> None:
        """Forget what does not hold everywhere inside a statement that has blocks."""
        if is_straight(node) and not isinstance(node, gast.FunctionDef):
            self.after(node, isinstance(node, _IN_ORDER))
        else:
            self.masks.clear()
            self.called.clear()

    def leave(self, node: gast.stmt) -> None:
        """Forget what was bound in a statement that has blocks."""
        for own in self.masks.keys() & writes(node):
            del self.masks[own]

    def after(self, node: gast.stmt, enters: bool = False) -> None:
        """Forget what a statement ends: it may change memory, or bind a name.

        A name that a branch binds holds its mask when this is entered.
        """
        if not (self.masks or self.called) or is_inert(node):
            return
        change = effects(node, self.facts)
        targets = changed_in(node, self.facts) if change.stores or change.calls else []
        stored = {root(target) for target in targets}
        is_apart = not change.calls and stored <= self.conditions.own()
        bound = writes(node)
        for own, condition in list(self.called.items()):
            if (bound | stored) & reads(condition) or not (
                is_apart or self.conditions.lasts(condition, node)
            ):
                del self.called[own]
        for own, held in list(self.masks.items()):
            held.since.append(node)
            ends = own in stored or own in bound and not enters
            if ends or not is_apart and not self.is_alone(own, held):
                del self.masks[own]
                continue
            layers = held.layers
            held.layers = [k for k in layers if self.holds(k, node, stored, bound, is_apart)]
            if not held.layers:
                del self.masks[own]

    def holds(
        self, layer: _Layer, node: gast.stmt, stored: Set[str | None], bound: set[str], apart: bool
    ) -> bool:
        """Whether a mask can be asked for after a statement: by a name, if need be."""
        parts = conditions(layer.mask)
        read = {identifier for part in parts for identifier in reads(part)}
        if stored & read or not (apart or all(self.conditions.lasts(p, node) for p in parts)):
            layer.is_lost = True  # only what was computed is not the memory that changes
            return self.may_have_name(layer.mask) and all(map(self.conditions.computed, parts))
        if bound & read:
            layer.is_lost = True
        return not layer.is_lost or self.may_have_name(layer.mask)

    def is_alone(self, own: str, held: _Held) -> bool:
        """Whether nothing else has got hold of the memory since the mask was made."""
        if own in self.facts.numbers or own in self.conditions.own():
            return True
        return own in unshared([held.statement, *held.since], self.facts)

    def may_have_name(self, mask: Any) -> bool:
        """Whether a name may hold the condition of a mask while other names are bound."""
        if is_triangle(mask):
            return False
        (condition,) = conditions(mask)
        if not all(self.facts.pure(part) for part in of_class(condition, gast.Call)):
            return False
        return self.conditions.computed(condition) or self.facts.chooses(condition)

    def ran(self, node: gast.stmt, before: gast.stmt) -> list[gast.stmt]:
        """The statement, after those that give conditions a name where that was asked for.

        before: the statement as it was. From here on its target may hold a mask.
        """
        named: list[gast.stmt] = []
        layers: list[_Layer] = []
        if isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name):
            if not isinstance(node.value, gast.Name) and not effects(node, self.facts).calls:
                layers, value = self.layers(node.value, (id(before), 0), named)
                for first in named:
                    first.origin = getattr(node, "origin", None)
                node = changed(node, value=value) if named else node
        self.after(node)
        layers = [layer for layer in layers if self.begins(layer, writes(node))]
        if layers:
            self.masks[node.targets[0].id] = _Held(layers, node)
        return [*named, node]

    def layers(
        self, value: gast.expr, place: Place, named: list[gast.stmt]
    ) -> tuple[list[_Layer], gast.expr]:
        """The masks that a value holds, and the value with their conditions by name."""
        if isinstance(value, gast.UnaryOp) and isinstance(value.op, gast.USub):
            layers, inner = self.layers(value.operand, place, named)
            return layers, value if inner is value.operand else changed(value, operand=inner)
        if isinstance(value, gast.Name) and value.id in self.masks:
            return [replace(layer) for layer in self.masks[value.id].layers], value
        through = let_through(value) if is_mask(value) else None
        if through is None:
            return [], value
        layers, inner = self.layers(through, (place[0], place[1] + 1), named)
        value = value if inner is through else _around(value, inner)
        if place in self.conditions.asked:
            value = self.by_name(value, named)
        return [_Layer(value, place), *layers], value

    def by_name(self, mask: gast.expr, named: list[gast.stmt]) -> gast.expr:
        """The mask with a name for its condition."""
        (condition,) = conditions(mask)
        if isinstance(condition, gast.Name) and condition.id in self.conditions.is_new:
            return mask
        own = self.conditions.called(condition)
        self.called[own] = condition
        named.append(make(gast.Assign, targets=[store(own)], value=condition))
        return with_condition(mask, name(own))

    def begins(self, layer: _Layer, bound: set[str]) -> bool:
        """Whether a mask can be asked for after the statement that makes it and binds names."""
        parts = conditions(layer.mask)
        if any(bound & reads(part) or of_class(part, gast.Call) for part in parts):
            layer.is_lost = True
        return not layer.is_lost or self.may_have_name(layer.mask)

    def named_in(self, node: gast.stmt) -> gast.stmt:
        """The statement with the names of those conditions that have one."""
        if not self.called or effects(node, self.facts).calls:
            return node

        def part(node: gast.AST) -> gast.AST:
            if isinstance(node, gast.expr):
                for own, condition in self.called.items():
                    if same(node, condition):
                        return name(own)
            new: gast.AST = map_inner(part, node)
            return new

        new: gast.stmt = map_inner(part, node)
        return new


def _around(mask: Any, value: gast.expr) -> gast.expr:
    """A mask by the same condition, of another value."""
    through = let_through(mask)
    return with_sides(mask, lambda part: value if part is through else clone(part))
