"""What names and constants mean, and expressions as values."""

from __future__ import annotations

import contextlib
import types
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import gast
import numpy as np

from autodiff.core import Again, Apply, LoadOuter, NotYet, Raises, Value, constant, noted
from autodiff.frontend.jitted import plain
from autodiff.kinds.kind import Array, Kind, Numeric, Static, differentiable
from autodiff.lower.entries import (
    Box,
    DictView,
    Entry,
    Maybe,
    Mixed,
    Outer,
    Pack,
    Stale,
    Unbound,
    members,
)
from autodiff.lower.entries.cells import held, inherited
from autodiff.lower.entries.entry import leaves, rebuilt
from autodiff.lower.entries.handed import evaluating
from autodiff.lower.entries.lists import check_item, memory_of
from autodiff.lower.entries.mixed import may_miss
from autodiff.lower.entries.outer import loaded_whole, missing, reading
from autodiff.lower.entries.wording import check_frame, no_value, not_for_a_rule
from autodiff.lower.flow import opaque
from autodiff.lower.flow.frame import Frame
from autodiff.primitives import BOUND, OPAQUE, Application, Builder, hole, is_opaque
from autodiff.rules import registry
from autodiff.rules.home import is_library
from autodiff.syntax.names import name

CONSTANTS = (bool, int, float, complex, str, bytes, type(None), type(Ellipsis))


class Values:
    """Lowers expressions in a frame. `trusts`: functions are not read, as in templates."""

    trusts = False

    def __init__(self, frame: Frame) -> None:
        self.frame, self.unit = frame, frame.unit

    @property
    def builder(self) -> Builder:
        return self.frame.builder

    # Entries and values ------------------------------------------------------------------------

    def passed(self, node: gast.expr) -> Entry:
        """What an expression gives, for those who only hand it on."""
        builder, handler = self.builder, getattr(self, f"of_{type(node).__name__}", None)
        around = builder.at
        at = around
        hidden = around is None or self.trusts or self.frame.whose.is_ours
        if around is not None and not hidden and hasattr(node, "lineno"):
            at = builder.at = around.of(node)
        try:
            if handler is None:
                raise NotYet(f"expression {type(node).__name__}")
            with evaluating(self.unit):
                found: Entry = handler(node)
        except Exception as error:
            noted(error, at)
            raise
        finally:
            builder.at = around
        if isinstance(found, (Box, Pack)):
            self.unit.pending.append(found)
        if not isinstance(found, Mixed):
            return found
        known = self.sure(self.unit.facts.known(found))
        if isinstance(known, Mixed) and known.node is None and not isinstance(node, gast.Name):
            return replace(known, node=node)
        return known

    def entry(self, node: gast.expr) -> Entry:
        """What an expression gives."""
        found = self.passed(node)
        if isinstance(found, Mixed):
            refusal: Any = found.refusal()
            refusal.node = node
            raise refusal
        return self.sure(found)

    def exact(self, node: gast.expr) -> Entry:
        """An expression whose constant is asked for."""
        return self.unit.facts.exact(self.entry(node))

    def sure(self, entry: Entry) -> Entry:
        """An entry that is read where its parts are known to hold something."""
        if isinstance(entry, Pack):
            items = tuple(map(self.sure, entry.items))
            same = all(one is two for one, two in zip(items, entry.items))
            return entry if same else Pack(items, entry.cls)
        if isinstance(entry, Value) and entry.partial and not entry.is_constant:
            return self.holding(entry, False)
        return entry

    @contextlib.contextmanager
    def named(self, entry: Entry) -> Iterator[gast.expr]:
        """An entry under a name that means nothing else."""
        names, own = self.frame.names, self.frame.temporary("object")
        names[own] = entry
        try:
            yield name(own)
        finally:
            names.pop(own, None)

    @contextlib.contextmanager
    def once(self, node: gast.expr) -> Iterator[gast.expr]:
        """An expression, or a slice, that is computed here and read as often as one likes."""
        with contextlib.ExitStack() as names:

            def read(part: Any) -> Any:
                if part is None or isinstance(part, gast.Constant):
                    return part
                if isinstance(part, gast.Slice):
                    return gast.Slice(*map(read, (part.lower, part.upper, part.step)))
                return names.enter_context(self.named(self.entry(part)))

            yield read(node)

    def value(self, node: gast.expr) -> Value:
        """The value of an expression; memory as such."""
        return self.as_value(self.entry(node))

    def content(self, node: gast.expr) -> Value:
        """What an expression holds now: memory is loaded."""
        return self.loaded(self.value(node))

    def loaded(self, value: Value) -> Value:
        """What a value holds now."""
        if is_opaque(value):
            return opaque.number(self, value)
        return self.builder.load(value) if isinstance(value.kind, (Array, Numeric)) else value

    def opaque(self, function: Any, *given: Entry, kind: Kind = OPAQUE) -> Value:
        """What a function gives of what nothing is known of."""
        return opaque.done(self, function, *given, kind=kind)

    def as_value(self, entry: Entry) -> Value:
        """An entry as one value: a tuple is written out."""
        if isinstance(entry, Value):
            return members.plain(entry) if isinstance(entry.kind, Static) else entry
        if isinstance(entry, Pack):
            if entry.cls is slice:
                limits = [self.loaded(self.as_value(item)) for item in entry.items]
                return self.builder.call("slice", slice, *limits)
            if entry.cls is not tuple:
                raise NotYet("a namedtuple as a value")
            items = [self.loaded(self.as_value(item)) for item in entry.items]
            return self.builder.display(tuple, tuple(range(len(items))), items)
        if isinstance(entry, Box):
            return self.displayed(entry)
        if isinstance(entry, Mixed):
            raise entry.refusal()
        if isinstance(entry, DictView):
            return self.as_value(Pack(entry.items))
        if isinstance(entry, Outer):
            return members.known(entry) or loaded_whole(self, entry)
        raise Again("a function as a value")

    def displayed(self, box: Box) -> Value:
        """A list or dict as one value, of what its parts hold now."""
        if not box.indexed or box.cls not in (list, tuple, dict):
            raise no_value(box.cls)
        memory = memory_of(box)
        if memory is not None:
            check_item(memory)
            found = self.builder.load(memory)
            if box.cls is tuple and not differentiable(found.kind):  # a list while it is made
                return self.builder.call("tuple", tuple, found)
            return found
        items = [self.loaded(self.as_value(item)) for item in box.slots.values()]
        return self.builder.display(box.cls, tuple(box.slots), items)

    def of_Constant(self, node: gast.Constant) -> Entry:
        if not isinstance(node.value, CONSTANTS):
            raise NotYet.saying("a constant of another class", *not_for_a_rule(node.value))
        return constant(node.value)

    def of_Name(self, node: gast.Name) -> Entry:
        holder, own = self.frame.resolve(node.id)
        if holder is not None:
            found = holder.names.get(own, Unbound())
            if isinstance(found, Mixed):
                found = self.sure(self.unit.facts.known(found))
            if isinstance(found, Unbound):
                error = UnboundLocalError if holder is self.frame else NameError
                raise Raises(error, "a variable without a value")
            if isinstance(found, Mixed) and (found.test is None or may_miss(found)):
                raise found.refusal()
            if isinstance(found, Stale):
                raise found.refusal()
            if isinstance(found, Maybe):
                found = self.certain(node.id, found.entry)
                if holder is self.frame:
                    holder.names[own] = found
            return found
        return self.outer(node)

    def certain(self, identifier: str, entry: Entry) -> Entry:
        """What a variable holds, read where it may hold nothing: that raises an error then. The
        variables that `control` makes always hold something where they are read.
        """
        raises = identifier not in self.frame.temporaries
        values = [self.holding(value, raises) for value in leaves(entry)]
        if not values:
            raise NotYet("a function that is defined on some paths only")
        return rebuilt(entry, iter(values))

    def holding(self, value: Value, raises: bool) -> Value:
        """What a variable holds where it holds something; raises: or where that is an error."""
        for op in reversed(self.builder.block.operations):
            known = isinstance(op, Apply) and op.primitive is BOUND and op.operands[0] is value
            if known and (op.raises or not raises):
                return op.result
        own = self.builder.apply(BOUND, Application((hole(0),)), hole(0), [value], value.kind)
        assert own.op is not None
        own.hint, own.kind = value.hint, value.kind
        own.op.raises = raises
        return own

    def outer(self, node: gast.expr) -> Entry:
        """What a name, or an attribute of a module, means outside."""
        if isinstance(node, gast.Name):
            holder, identifier = self.frame.outside(node.id)
            space = holder.space()
            own = held(self, space.globals, identifier) if identifier not in space.cells else None
            if own is not None:
                return own
        found, path = self.outside(node)
        check_frame(found)
        if type(found) is bool and isinstance(node, gast.Name):  # a flag: a branch is decided
            self.unit.fixed = True
            self.unit.checks.append(lambda: space.lookup(identifier) is found)
            return constant(found)
        read = reading(self, found, path)
        if type(found) is float and isinstance(node, gast.Attribute):
            home = getattr(self.static(node.value), "__name__", "")
            if is_library(home) and isinstance(read, Value) and isinstance(read.op, LoadOuter):
                read.op.always = found
        return read

    def outside(self, node: gast.expr) -> tuple[Any, str]:
        """The object that a dotted name of outside stands for, and how it is spelled."""
        if isinstance(node, gast.Name):
            found = self.frame.lookup(node.id)
            return found, self.frame.spelled(node.id, found)
        if isinstance(node, gast.Attribute):
            base, path = self.outside(node.value)
            known = inherited if isinstance(base, type) else held
            if known(self, base, node.attr) is not None:
                raise NotYet("a place outside that is stored into")
            has_parts = isinstance(base, (types.ModuleType, type, np.ufunc))
            if not has_parts and not registry.is_receiver(base):
                raise NotYet("an attribute of an object of outside")
            try:
                found = getattr(base, node.attr)
            except AttributeError:
                raise missing(base, f"{path} has no attribute {node.attr!r}") from None
            if not isinstance(base, np.ufunc):  # whose methods are others at each look, and alike
                self.unit.members.setdefault((id(base), node.attr), (base, found))
            return found, f"{path}.{node.attr}"
        raise NotYet("an object of outside")

    def static(self, node: gast.expr) -> Any:
        """The object of outside that an expression stands for; None if it is of inside."""
        root = node
        while isinstance(root, gast.Attribute):
            root = root.value
        if not isinstance(root, gast.Name) or self.frame.holder(root.id) is not None:
            return None
        try:
            return plain(self.outside(node)[0])
        except NotYet:
            return None
