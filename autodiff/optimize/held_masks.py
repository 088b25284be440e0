"""Which names hold a mask, and whether its condition can still be asked."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, field, replace
from typing import Any

import gast

from autodiff.optimize.change import changed, is_inert, is_straight, map_inner
from autodiff.optimize.effects import effects
from autodiff.optimize.facts import Facts
from autodiff.optimize.mask_conditions import NOWHERE, Conditions, Place, changed_in
from autodiff.optimize.mask_layers import (
    Layer,
    around,
    common,
    copied,
    copies,
    number_in,
    part_of,
    place_of,
)
from autodiff.optimize.mask_parts import (
    alike,
    conditions,
    is_mask,
    is_sum,
    is_triangle,
    let_through,
    with_condition,
)
from autodiff.optimize.ownership import unshared
from autodiff.syntax.make import make
from autodiff.syntax.names import name, reads, store, writes
from autodiff.syntax.walk import clone, of_class, same
from autodiff.syntax.windows import root


@dataclass(slots=True)
class _Held:
    """What a name holds: a value that is 0 wherever one of the layers lets nothing through.

    number: what all of them let through, if that is one; statement: the one that made it; since:
    what came after; memory: the name whose memory it is, or a part of it by an index that reads
    these names.
    """

    layers: list[Layer]
    number: gast.expr | None
    statement: gast.stmt
    memory: str
    index: frozenset[str]
    since: list[gast.stmt] = field(default_factory=list)

    def is_like(self, other: _Held) -> bool:
        """Whether as much is known of another."""
        lost, before = ([layer.is_lost for layer in held.layers] for held in (self, other))
        return lost == before and (self.number is None) is (other.number is None)


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
            own: replace(held, layers=copies(held.layers), since=[*held.since])
            for own, held in self.masks.items()
        }
        return replace(self, masks=masks, called=dict(self.called))

    def mask(self, node: gast.expr) -> gast.expr | None:
        """An expression as a mask, or several in one another, if it is one.

        A name that holds one is masked again: the conditions are asked for here.
        """
        layers, _ = self.layers(node, NOWHERE, [])
        if not layers:
            return None
        for layer in layers:
            if layer.is_lost:
                self.conditions.want(layer.place, layer.also)
        result = self.bare(node, layers)
        for layer in reversed(layers):
            result = around(layer.mask, result)
        return result

    def bare(self, node: gast.expr, layers: list[Layer]) -> gast.expr:
        """The value of a mask without these layers, which are put around it."""
        if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub):
            return part_of(node, operand=self.bare(node.operand, layers))
        if is_sum(node):
            left, right = self.bare(node.left, layers), self.bare(node.right, layers)
            return part_of(node, left=left, right=right)
        if (own := place_of(node)) in self.masks:
            held = self.masks[own]
            if held.number is None or len(common(held.layers, layers)) < len(held.layers):
                return node
            return clone(held.number)
        if is_mask(node) and any(alike(layer.mask, node) for layer in layers):
            through = let_through(node)
            assert through is not None
            return self.bare(through, layers)
        return node

    def enter(self, node: gast.stmt) -> None:
        """Forget what does not hold everywhere inside a statement that has blocks.

        What it binds holds at the beginning.
        """
        if is_straight(node) and not isinstance(node, gast.FunctionDef):
            self.after(node, enters=True)
        else:
            self.masks.clear()
            self.called.clear()

    def joined(self, ends: list[HeldMasks], node: gast.stmt) -> HeldMasks:
        """What holds after a statement that began with this, at the ends of all its blocks."""
        bound = writes(node)
        masks = {own: held for own, held in self.masks.items() if own not in bound}
        if not is_straight(node) or isinstance(node, gast.FunctionDef):
            ends = []
        for own in bound:
            found = [end.masks[own] for end in ends if own in end.masks]
            if not found or len(found) < len(ends):
                continue
            layers = copies(found[0].layers)
            for other in found[1:]:
                layers = common(layers, other.layers)
            if not layers and isinstance(node, gast.If):
                layers = self.by_one_name([held.layers for held in found])
            begun = self.masks.get(own, replace(found[0], statement=node, since=[]))
            if layers:
                masks[own] = replace(begun, layers=layers, number=None, since=[*begun.since])
        return replace(self, masks=masks)

    def by_one_name(self, ends: list[list[Layer]]) -> list[Layer]:
        """A mask by a condition that has another text in each branch: a name may stand for all."""
        first = [layers[0] for layers in ends]
        if not all(self.may_have_name(layer.mask) for layer in first):
            return []
        masks = [with_condition(layer.mask, name("c")) for layer in first]
        if not all(alike(mask, masks[0]) for mask in masks):
            return []
        also = tuple(place for layer in first for place in (layer.place, *layer.also))
        return [Layer(first[0].mask, first[0].place, True, also)]

    def same_as(self, other: HeldMasks) -> bool:
        """Whether the same masks are held, as well known: of the same number, none lost since."""
        return self.masks.keys() == other.masks.keys() and all(
            held.is_like(other.masks[own]) for own, held in self.masks.items()
        )

    def after(self, node: gast.stmt, enters: bool = False) -> None:
        """Forget what a statement ends: it may change memory, or bind a name.

        A name that a branch binds holds its mask when this is entered.
        """
        if not (self.masks or self.called) or is_inert(node):
            return
        change = effects(node, self.facts)
        targets = changed_in(node, self.facts) if change.stores or change.calls else []
        stored = {root(target) for target in targets}
        parts = {root(target) for target in targets if not isinstance(target, gast.Name)}
        is_apart = not change.calls and stored <= self.conditions.own()
        bound = writes(node)
        for own, condition in list(self.called.items()):
            if (bound | stored) & reads(condition) or not (
                is_apart or self.conditions.lasts(condition, node)
            ):
                del self.called[own]
        for own, held in list(self.masks.items()):
            held.since.append(node)
            memory, index = held.memory, held.index
            ends = memory in parts or memory in bound and (not enters or bool(index))
            if ends or bound & index or not is_apart and not self.is_alone(memory, held):
                del self.masks[own]
                continue
            layers = held.layers
            held.layers = [k for k in layers if self.holds(k, node, stored, bound, is_apart)]
            if not held.layers:
                del self.masks[own]

    def holds(
        self, layer: Layer, node: gast.stmt, stored: Set[str | None], bound: set[str], apart: bool
    ) -> bool:
        """Whether a mask can be asked for after a statement: by a name, if need be."""
        parts = conditions(layer.mask)
        read = {identifier for part in parts for identifier in reads(part)}
        if stored & read or not (apart or all(self.conditions.lasts(p, node) for p in parts)):
            layer.is_lost = True  # only what was computed is not the memory that changes
            return self.may_be_kept(layer) and all(map(self.conditions.computed, parts))
        if bound & read:
            layer.is_lost = True
        return not layer.is_lost or self.may_be_kept(layer)

    def is_alone(self, own: str, held: _Held) -> bool:
        """Whether nothing else has got hold of the memory since the mask was made."""
        if own in self.facts.numbers or own in self.conditions.own():
            return True
        return own in unshared([held.statement, *held.since], self.facts)

    def may_be_kept(self, layer: Layer) -> bool:
        """Whether a condition that is lost could have had a name, which it has not."""
        return layer.place not in self.conditions.asked and self.may_have_name(layer.mask)

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
        layers: list[Layer] = []
        target = node.targets[0] if isinstance(node, gast.Assign) else getattr(node, "target", None)
        own = place_of(target) if target is not None else None
        if own is not None and not effects(node, self.facts).calls:
            if not isinstance(node, gast.Assign) or place_of(node.value) is None:
                layers, value = self.layers(node.value, (id(before), ""), named)
                for first in named:
                    first.origin = getattr(node, "origin", None)
                node = changed(node, value=value) if named else node
            if isinstance(node, gast.AugAssign):
                adds = isinstance(node.op, (gast.Add, gast.Sub)) and own in self.masks
                layers = common(layers, self.masks[own].layers) if adds else []
        self.after(node)
        memory = root(target) if own is not None else None
        ends = {*writes(node), memory}
        layers = [layer for layer in layers if self.begins(layer, ends)]
        if layers and own is not None and memory is not None:
            number = number_in(node.value) if isinstance(node, gast.Assign) else None
            index = frozenset(reads(target) - {memory})
            if not index or memory in self.conditions.own():
                self.masks[own] = _Held(layers, number, node, memory, index)
        return [*named, node]

    def layers(
        self, value: gast.expr, place: Place, named: list[gast.stmt]
    ) -> tuple[list[Layer], gast.expr]:
        """The masks that a value holds, and the value with their conditions by name."""
        statement, path = place
        if isinstance(value, gast.UnaryOp) and isinstance(value.op, gast.USub):
            layers, inner = self.layers(value.operand, place, named)
            return layers, part_of(value, operand=inner)
        if is_sum(value):
            layers, left = self.layers(value.left, (statement, path + "l"), named)
            others, right = self.layers(value.right, (statement, path + "r"), named)
            return common(layers, others), part_of(value, left=left, right=right)
        if (own := place_of(copied(value))) in self.masks:
            return copies(self.masks[own].layers), value
        if (wide := copied(value)) is not value and is_mask(wide):
            layers, inner = self.layers(wide, (statement, path + "b"), named)
            return layers, part_of(value, args=[inner, *value.args[1:]]) if value.args else value
        through = let_through(value) if is_mask(value) else None
        if through is None:
            return [], value
        layers, inner = self.layers(through, (statement, path + "t"), named)
        value = value if inner is through else around(value, inner)
        if place in self.conditions.asked:
            value = self.by_name(value, place, named)
        others = [layer for layer in layers if not alike(layer.mask, value)]
        return [Layer(value, place), *others], value

    def by_name(self, mask: gast.expr, place: Place, named: list[gast.stmt]) -> gast.expr:
        """The mask with a name for its condition."""
        (condition,) = conditions(mask)
        if isinstance(condition, gast.Name) and condition.id in self.conditions.is_new:
            return mask
        own = self.conditions.called(condition, place)
        self.called[own] = condition
        named.append(make(gast.Assign, targets=[store(own)], value=condition))
        return with_condition(mask, name(own))

    def begins(self, layer: Layer, bound: Set[str | None]) -> bool:
        """Whether a mask can be asked for after the statement that makes it and binds names."""
        parts = conditions(layer.mask)
        if any(bound & reads(part) or of_class(part, gast.Call) for part in parts):
            layer.is_lost = True
        return not layer.is_lost or self.may_be_kept(layer)

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
