"""Assignments and updates: of variables, parts of boxes, windows of memory."""

from __future__ import annotations

import operator
from types import FunctionType
from typing import TypeGuard

import gast
import numpy as np

from autodiff.core import WHOLE, Apply, Named, NotYet, Raises, Value, Window, constant
from autodiff.kinds.classes import class_attribute
from autodiff.kinds.kind import Array, Numeric, Scalar, Sequence
from autodiff.kinds.operation import BINARY
from autodiff.lower.entries import cells
from autodiff.lower.entries.boxes import called, put, special
from autodiff.lower.entries.captured import put_global
from autodiff.lower.entries.entry import Box, Entry, Outer, Pack
from autodiff.lower.entries.lists import item_value, memory_of, put_part
from autodiff.lower.entries.objects import answered, is_held
from autodiff.lower.expression.expressions import lacks
from autodiff.lower.expression.parts import extended, updated
from autodiff.lower.expression.places import Places, changes, has_axes_of, raises, starred, unpacked
from autodiff.lower.flow import opaque
from autodiff.lower.flow.peeled import begin_apart
from autodiff.normalize.build import loaded
from autodiff.primitives import ITEM, is_opaque, may_repeat
from autodiff.primitives.meanings import flat_item, flat_store

Touched = tuple[Value, Window | None, list[Value]]
"""Memory, the window of it, and what that is asked by."""
_IN_PLACE = {
    own: getattr(operator, "i" + function.__name__.rstrip("_")) for own, function in BINARY.items()
}


class Storing(Places):
    """Lowers assignments and updates."""

    def on_Assign(self, node: gast.Assign) -> None:
        if len(node.targets) != 1:
            raise NotYet("a chained assignment")
        target = node.targets[0]
        apart = isinstance(target, (gast.Tuple, gast.List))
        self.bind(target, self.entry(node.value) if apart else self.passed(node.value))

    def bind(self, target: gast.expr, entry: Entry) -> None:
        """A target and what it holds from now on."""
        if isinstance(target, gast.Name) and target.id in self.frame.declared:
            put_global(self, target.id, entry)
        elif isinstance(target, gast.Name):
            if (
                isinstance(entry, Value)
                and entry.op is not None
                and not entry.named
                and entry.block is self.builder.block
            ):
                entry.hint, entry.named = target.id, target.id not in self.frame.temporaries
            self.name_results(target.id, entry)
            self.frame.names[target.id] = entry
        elif isinstance(target, (gast.Tuple, gast.List)):
            stars = [k for k, part in enumerate(target.elts) if isinstance(part, gast.Starred)]
            if stars:
                for part, held in starred(self, target.elts, stars[0], entry):
                    self.bind(part, held)
                return
            items = unpacked(self, entry, len(target.elts))
            for part, item in zip(target.elts, items, strict=True):
                self.bind(part, item)
        elif isinstance(target, gast.Subscript):
            self.put(target, entry)
        elif isinstance(target, gast.Attribute):
            self.set(target, entry)
        else:
            raise NotYet(f"an assignment to {type(target).__name__}")

    def name_results(self, own: str, entry: Entry) -> None:
        """What was just taken apart is called as the variable that holds it."""
        parts = entry.slots.values() if isinstance(entry, Box) else ()
        first = next(iter(entry.items if isinstance(entry, Pack) else parts), None)
        op = first.op if isinstance(first, Value) else None
        whole = op.operands[0] if isinstance(op, Apply) and op.primitive is ITEM else None
        if isinstance(entry, Box) and not entry.hint and own not in self.frame.temporaries:
            entry.hint = own
        if whole in self.unit.results and not whole.named and whole.block is self.builder.block:
            whole.hint, whole.named = own, own not in self.frame.temporaries
            for key, item in enumerate(self.unit.results[whole].items):
                if isinstance(item, Value) and not item.named:
                    item.hint = f"{own}_{key}"

    def set(self, target: gast.Attribute, entry: Entry) -> None:
        """`base.attr = value`."""
        base = cells.as_outer(self.entry(target.value))
        if answered(self, base, target.attr, entry):
            return
        if is_opaque(base):
            self.opaque(setattr, base, constant(target.attr), entry)
            return
        if isinstance(base, Outer):
            self.set_outside(base, target.attr, entry)
            return
        if isinstance(base, Value) and isinstance(base.kind, Array) and target.attr == "flat":
            called(self, flat_store, base, Pack((constant(None),) * 3, slice), entry)
            return
        if isinstance(base, Value) and target.attr in ("real", "imag"):
            whole = self.as_value(self.of_Attribute(loaded(target)))
            self.put_into(whole, self.stored_value(entry), WHOLE, [])
            return
        if isinstance(base, Value) and lacks(base.kind, target.attr):
            raise Raises(AttributeError, "a store into an attribute")
        if not isinstance(base, Box) or base.indexed:
            raise NotYet("a store into an attribute")
        found = class_attribute(base.cls, target.attr)
        if isinstance(found, property):
            if not isinstance(found.fset, FunctionType):
                raise NotYet("a property that cannot be set")
            called(self, found.fset, base, entry, stores=True)
            return
        if memory_of(base) is not None:
            put_part(self, base, Named(target.attr), item_value(self, entry))
            return
        put(base, target.attr, entry)

    def put(self, target: gast.Subscript, entry: Entry) -> None:
        """`base[index] = value`."""
        held = self.entry(target.value)
        if isinstance(held, Outer) and held.cls in (list, dict):
            key = self.exact(target.slice)
            if not isinstance(key, Value) or not key.is_constant:
                raise NotYet("a store into a container of outside, found at run time where")
            cells.put_item(self, held, key.constant, entry)
            return
        if isinstance(held, Box) and held.cls is np.flatiter:
            called(self, flat_store, held.slots["base"], self.entry(target.slice), entry)
            return
        if isinstance(held, Box):
            method = special(self, held, "__setitem__")
            if method is not None:
                called(self, method, held, self.entry(target.slice), entry, stores=True)
            elif held.cls is tuple:
                raise Raises(TypeError, "a store into a tuple")
            else:
                with self.once(target.slice) as index:
                    self.put_at(held, index, entry)
            return
        if is_opaque(held):
            self.opaque(operator.setitem, held, self.entry(target.slice), entry)
            return
        value = self.stored_value(entry)
        base = self.as_value(held)
        window, index = self.window(target.slice, base)
        leads = isinstance(entry, Value) and isinstance(entry.kind, Array)
        self.put_into(base, value, window, index, leads)

    def on_AugAssign(self, node: gast.AugAssign) -> None:
        target = node.target
        if isinstance(target, gast.Name):
            old = self.entry(
                gast.Name(id=target.id, ctx=gast.Load(), annotation=None, type_comment=None)
            )
            value = self.entry(node.value)
            if self.extends(old, node.op, value):
                extended(self, old, value)
                return
            if isinstance(old, Box) and old.cls is dict and isinstance(node.op, gast.BitOr):
                updated(self, old, [value], [])
                return
            if not isinstance(old, Value) or not isinstance(old.kind, Array):
                if isinstance(value, Value) and isinstance(value.kind, Array):
                    begin_apart(self.unit, target.id, old)
                self.bind(target, self.updated(node.op, old, value))
                return
            self.update((old, None, []), node.op, self.stored_value(value))
            return
        held = cells.as_outer(self.entry(target.value))
        if isinstance(held, Outer):
            self.update_part(held, target, node)
            return
        if isinstance(held, Box) and held.cls is np.flatiter and isinstance(target, gast.Subscript):
            place = [held.slots["base"], self.entry(target.slice)]
            old, value = called(self, flat_item, *place), self.entry(node.value)
            if isinstance(old, Value) and isinstance(old.kind, Array):
                self.check_stored(self.stored_value(value), old, _IN_PLACE[type(node.op)])
            made = self.combined(node.op, old, value)
            called(self, flat_store, *place, made)
            return
        if isinstance(held, Box):
            self.update_part(held, target, node)
            return
        if is_opaque(held) and isinstance(target, gast.Subscript):
            at = self.entry(target.slice)
            old = opaque.item(self, self.as_value(held), at)
            made = self.updated(node.op, old, self.entry(node.value))
            self.opaque(operator.setitem, held, at, made)
            return
        if not isinstance(target, gast.Subscript):
            raise NotYet(f"an update of {type(target).__name__}")
        base = self.as_value(held)
        window, index = self.window(target.slice, base)
        self.check_memory(base)
        basic = self.builder.is_basic(window, index)
        if basic is None or any(isinstance(own.kind, Sequence) for own in index) and basic:
            raise NotYet("an index of unknown kind")  # a tuple as long as a loop makes it, say
        self.update_item(base, window, index, node, basic)

    def update_item(
        self, base: Value, window: Window, index: list[Value], node: gast.AugAssign, basic: bool
    ) -> None:
        """`base[window] op= value`: what is no view is read before the right side is evaluated; of
        several values for one place the last one stays.
        """
        operations = self.builder.block.operations
        old = self.builder.load(base, window, index)
        read = operations[-1]
        value = self.stored_value(self.entry(node.value))
        after = operations[operations.index(read) + 1 :]
        ordered = bool(self.unit.attempts) and any(map(raises, after))  # the first error is caught
        read_first = isinstance(old.kind, Scalar) or not basic
        early = read_first and (ordered or any(map(changes, after)))
        if early or not basic and may_repeat(index, window):
            self.check_stored(value, base)
            made = self.builder.binary(node.op, old, value)
            self.check_updated(base, old, made)
            self.builder.store(base, made, window, index)
            return
        operations.remove(read)
        self.update((base, window, index), node.op, value)

    def update_part(self, box: Box | Outer, target: gast.expr, node: gast.AugAssign) -> None:
        """`box.attr op= value`, `box[key] op= value`: an array is changed, a number replaced."""
        with self.named(box) as base:
            if isinstance(target, gast.Attribute):
                self.update_held(gast.Attribute(base, target.attr, target.ctx), node)
                return
            assert isinstance(target, gast.Subscript)
            with self.once(target.slice) as index:
                self.update_held(gast.Subscript(base, index, target.ctx), node)

    def update_held(self, target: gast.Attribute | gast.Subscript, node: gast.AugAssign) -> None:
        """The same, of what is spelled by names."""
        old = self.entry(loaded(target))
        value = self.entry(node.value)
        if isinstance(old, Value) and isinstance(old.kind, Array):
            self.update((old, None, []), node.op, self.numeric(value))
            made: Entry = old
        elif self.extends(old, node.op, value):
            extended(self, old, value)
            made = old
        else:
            made = self.updated(node.op, old, value)
        if made is old and is_held(self, self.entry(target.value), target):
            return
        if isinstance(target, gast.Attribute):
            self.set(target, made)
        else:
            self.put(target, made)

    def extends(self, old: Entry, operator: gast.operator, value: Entry) -> TypeGuard[Box]:
        """Whether `old += value` lets a list grow: what can be added to a list is asked first."""
        if not (isinstance(old, Box) and old.cls is list and isinstance(operator, gast.Add)):
            return False
        adds = isinstance(value, Value) and isinstance(value.kind, (Array, Scalar, Numeric))
        return not adds and special(self, value, "__radd__") is None

    def update(self, place: Touched, operator: gast.operator, value: Value) -> None:
        """`base[window] op= value`."""
        base, window, index = place
        self.check_memory(base)
        kind = base.kind if window is None else self.builder.part(base, window, index)
        self.check_stored(
            value, base, None if isinstance(kind, Scalar) else _IN_PLACE[type(operator)]
        )
        if isinstance(value.kind, Array) and not has_axes_of(kind, value.kind):
            raise NotYet("an update whose shapes are not known to fit")
        if isinstance(operator, (gast.Add, gast.Sub)):
            sign = "+" if isinstance(operator, gast.Add) else "-"
            self.builder.accumulate(base, value, window, index, sign)
            return
        if window is None:
            window = WHOLE if isinstance(base.kind, Array) and not base.kind.shape else None
        old = self.builder.load(base, window, index)
        made = self.builder.binary(operator, old, value)
        self.builder.store(base, made, window, index)
