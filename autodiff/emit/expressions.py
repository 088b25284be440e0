"""Values and operations as expressions."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import gast

from autodiff.analysis.kind import Array, Sequence
from autodiff.core.function import Function
from autodiff.core.notyet import NotYet
from autodiff.core.operation import Apply, Block, Load, LoadOuter, Loop, Operation, View
from autodiff.core.value import Value
from autodiff.core.window import WHOLE, Named
from autodiff.emit.idioms import by_method, is_sum
from autodiff.emit.names import named
from autodiff.emit.places import Places
from autodiff.normalize.build import method
from autodiff.primitives.builder import index_node
from autodiff.primitives.containing import is_container
from autodiff.primitives.form import filled, written
from autodiff.primitives.repeated import copies
from autodiff.syntax.names import name
from autodiff.syntax.quote import quote
from autodiff.syntax.walk import map_children


class Expressions:
    """What values print as. `spelled` gives the name by which an object is referred to."""

    def __init__(self, function: Function, taken: set[str], spelled: Callable[[Any], str]) -> None:
        self.function, self.spelled = function, spelled
        self.places = Places(function)
        self.names = named(function, self.places, taken)
        self.stems: Any = None
        """The place of the operation that was last written inside a statement."""

    def expr(self, value: Value) -> gast.expr:
        """A value where it is used."""
        if value.is_constant:
            return self.constant(value)
        if value not in self.places.inline:
            return name(self.names[value])
        assert value.op is not None
        return self.operation(value.op)

    def constant(self, value: Value) -> gast.expr:
        """A number, or an object of outside by its path."""
        if value.op is None and isinstance(value.hint, str) and callable(value.constant):
            return self.path(value.hint)
        return written(value.constant)

    def path(self, path: str) -> gast.expr:
        """A path outside: `np.pi`, `CONFIG.steps[0]`."""
        root = re.match(r"[@\w]+", path)
        assert root is not None
        return quote(f"root{path[root.end() :]}", root=self.spelled(root[0]))

    def operation(self, op: Operation) -> gast.expr:
        """An operation as an expression."""
        self.stems = op.origin or self.stems
        if isinstance(op, LoadOuter):
            return self.path(op.path)
        if isinstance(op, Apply):
            found = self.form(filled(op.form, lambda number: self.expr(op.operands[number])))
            return by_method(found) if op.reverse and is_sum(op) else found
        if isinstance(op, (Load, View)):
            base = self.expr(op.base)
            found = base if op.window is None else self.subscript(base, op)
            if isinstance(op, Load) and self.must_copy(op):
                return self.copied(found, op.result)
            return found
        raise NotYet(f"{type(op).__name__} as an expression")

    def copied(self, found: gast.expr, value: Value) -> gast.expr:
        """`x.copy()`; in the memory order of `x`, where that decides what is a view."""
        axes = len(value.kind.shape) if isinstance(value.kind, Array) else 0
        way = [gast.Constant("K", None)] if self.function.laid_out and axes > 1 else []
        return method(found, "copy", *way)

    def form(self, node: gast.AST) -> Any:
        """The skeleton with the names that references got."""
        if isinstance(node, gast.Name):
            return name(self.spelled(node.id)) if node.id[0] == "@" else node
        return map_children(self.form, node)

    def subscript(self, base: gast.expr, op: Any) -> gast.expr:
        """`base[window]`."""
        window = op.window or WHOLE
        if window.parts and isinstance(window.parts[0], Named):
            return gast.Attribute(value=base, attr=window.parts[0].name, ctx=gast.Load())
        index = index_node(window, [self.expr(v) for v in op.index])
        return gast.Subscript(value=base, slice=index, ctx=gast.Load())

    def is_lent(self, op: Load) -> bool:
        """Whether a load is memory that somebody writes, under another name."""
        if is_container(op.base.kind) and op.window is not None:
            return False  # an item itself
        value, region = op.result, op.base.region
        if not isinstance(value.kind, (Array, Sequence)) or region is None or not region.written:
            return False
        return op.window is None or value.memory is None or not copies(op.index)

    def must_copy(self, op: Load) -> bool:
        """A load is a view in Python: it is copied if its memory is written while it lives. A copy
        of it is put on the tape.
        """
        if not self.is_lent(op):
            return False
        value, region = op.result, op.base.region
        users = self.places.users.get(value, [])
        if any(isinstance(u, Loop) or isinstance(u, Block) and u.parent is not None for u in users):
            return True
        if value in self.places.inline:
            return False
        low, high = self.places.where(value), self.places.reach(value)
        return self.places.is_written(region, low, high, op)
