"""Every way to write into an array becomes a store: `x[i] = e`, `x[i] += e` or `x[i] -= e`.

    x *= y                      product = x * y              (where `x` may not be rebound)
                                x[...] = product
    x[i] /= y                   x_i = x[i]
                                quotient = x_i / y
                                x[i] = quotient
    x[x > 1] /= y               condition = x > 1
                                x_condition = x[condition]
                                quotient = x_condition / y
                                x[condition] = quotient
    np.sin(y, out=x)            sin_y = np.sin(y)
                                x[...] = sin_y
    x.fill(0.0)                 x[...] = 0.0

What kinds say of the statement comes as a `Meaning`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import gast

from autodiff.normalize.anf import hint
from autodiff.normalize.build import assign
from autodiff.normalize.rebind import shared, within
from autodiff.syntax.names import Names, name, reads
from autodiff.syntax.origin import origin_of
from autodiff.syntax.walk import clone, map_children, same, shallow, walk

_COMPOUND = (gast.If, gast.For, gast.While, gast.With, gast.Try, gast.ExceptHandler)
_LINEAR = (gast.Add, gast.Sub)


@dataclass(frozen=True, slots=True)
class Meaning:
    """What is asked of the kinds.

    is_pure: whether a call has no effect besides its value. is_array: whether an expression is an
    array of floats. repeats: whether an index may name an element twice. written: for a call the
    array that it writes, the call that computes the values, and the index (None where it writes
    none). changing: whether the memory of a name changes in place.
    """

    is_pure: Callable[[gast.Call], bool]
    is_array: Callable[[gast.expr], bool]
    repeats: Callable[[gast.expr], bool]
    written: Callable[[gast.Call], tuple[gast.expr, gast.expr, gast.expr] | None]
    changing: Callable[[str], bool]


def stores(tree: gast.FunctionDef, names: Names, meaning: Meaning) -> gast.FunctionDef:
    """The tree in which arrays are only written by stores."""
    rewriter = _Stores(names, meaning)
    new: gast.FunctionDef = within(tree, rewriter.block)
    return new


class _Stores:
    def __init__(self, names: Names, meaning: Meaning) -> None:
        self.names = names
        self.meaning = meaning

    def block(self, statements: list[gast.stmt]) -> list[gast.stmt]:
        new: list[gast.stmt] = []
        for statement in statements:
            parts = self.one(statement)
            if len(parts) == 2 and isinstance(statement, gast.Assign):
                parts = self.once(new, parts)
            new.extend(parts)
        return shared(new, statements)

    def once(self, before: list[gast.stmt], parts: list[gast.stmt]) -> list[gast.stmt]:
        """`x[m] = 2 * x[m]` with one `condition` for both m: what is read before, in `before`.

        `parts` are the index and the store.
        """
        first, last = parts
        target = last.targets[0] if isinstance(last, gast.Assign) else None
        if not isinstance(first, gast.Assign) or not isinstance(target, gast.Subscript):
            return parts
        own, index = first.targets[0], first.value
        if not isinstance(own, gast.Name) or not same(target.slice, name(own.id)):
            return parts
        names = reads(index)
        place, found = len(before), len(before)
        while place and self.may_follow(before[place - 1], names, last):
            place -= 1
            read = before[place].value
            if isinstance(read, gast.Subscript) and same(read.slice, index):
                new = shallow(before[place])
                new.value = shallow(read)
                new.value.slice = gast.copy_location(name(own.id), read.slice)
                before[place], found = new, place
        if found == len(before):
            return parts
        before.insert(found, first)
        return [last]

    def may_follow(self, passed: gast.stmt, names: set[str], store: gast.stmt) -> bool:
        """Whether an index of these names is the same before and after a part of a statement."""
        if not isinstance(passed, gast.Assign) or not isinstance(passed.targets[0], gast.Name):
            return False
        alike = origin_of(passed) == origin_of(store) and passed.targets[0].id not in names
        return alike and not self.has_effect(passed.value)

    def one(self, statement: gast.stmt) -> list[gast.stmt]:
        if isinstance(statement, gast.For) and self.has_effect(statement.iter):
            return self.looped(statement)
        if isinstance(statement, _COMPOUND):
            return [within(statement, self.block)]
        if isinstance(statement, gast.AugAssign):
            return self.augmented(statement)
        if isinstance(statement, gast.Expr) and isinstance(statement.value, gast.Call):
            made = self.called(statement.value, statement)
            return [statement] if made is None else made[0]
        if isinstance(statement, gast.Assign):
            return self.assigned(statement)
        return [statement]

    def has_effect(self, node: gast.AST) -> bool:
        """Whether evaluating an index or a range twice is not the same as once."""
        calls = [part for part in walk(node) if isinstance(part, gast.Call)]
        return any(not self.meaning.is_pure(call) for call in calls)

    def looped(self, statement: gast.For) -> list[gast.stmt]:
        """A range whose bounds are evaluated once."""
        before: list[gast.stmt] = []

        def part(node: gast.AST) -> gast.AST:
            if isinstance(node, gast.Call) and not self.meaning.is_pure(node):
                return self.temporary(node, statement, before)
            return map_children(part, node)

        new = within(statement, self.block)
        new = shallow(new)
        new.iter = part(statement.iter)
        return [*before, new]

    def assigned(self, statement: gast.Assign) -> list[gast.stmt]:
        target = statement.targets[0]
        value = statement.value
        if isinstance(value, gast.Subscript) and self.has_effect(value.slice):
            before: list[gast.stmt] = []
            new = shallow(statement)
            new.value = self.named(value, statement, before)
            new.value.ctx = gast.Load()
            return [*before, new]
        if isinstance(target, gast.Subscript):
            return self.fixed(target, statement)
        made = None
        if isinstance(statement.value, gast.Call) and isinstance(target, gast.Name):
            made = self.called(statement.value, statement)
        if made is None:
            return [statement]
        return [*made[0], assign(target, made[1], origin_of(statement))]

    def called(
        self, call: gast.Call, statement: gast.stmt
    ) -> tuple[list[gast.stmt], gast.expr] | None:
        """The stores that a call comes to, and what it returns."""
        found = self.meaning.written(call)
        if found is None:
            return None
        base, value, index = found
        result: gast.expr = gast.Constant(value=None, kind=None)  # of `b.fill(e)`
        if isinstance(value, gast.Call) and same(value.func, call.func):
            result = clone(base)  # of `np.sin(x, out=b)`
        before: list[gast.stmt] = []
        if not isinstance(value, (gast.Name, gast.Constant)):
            value = self.temporary(value, statement, before)
        target = gast.Subscript(value=clone(base), slice=index, ctx=gast.Store())
        gast.copy_location(target, call)
        return [*before, *self.fixed(target, self.made(statement, target, value))], result

    def augmented(self, statement: gast.AugAssign) -> list[gast.stmt]:
        target = statement.target
        if isinstance(target, gast.Name):
            if not self.meaning.is_array(target):
                return [statement]
            whole = gast.Constant(value=..., kind=None)
            base = gast.copy_location(name(target.id), target)
            target = gast.Subscript(value=base, slice=whole, ctx=gast.Store())
            gast.copy_location(target, statement)
        if not isinstance(target, gast.Subscript) or not self.meaning.is_array(target.value):
            return [statement]
        before: list[gast.stmt] = []
        if any(isinstance(node, gast.Call) for node in walk(target.slice)):
            if self.meaning.repeats(target.slice):  # not to be evaluated twice
                target = self.named(target, statement, before)
        return [*before, *self.updated(target, statement)]

    def updated(self, target: gast.Subscript, statement: gast.AugAssign) -> list[gast.stmt]:
        if isinstance(statement.op, _LINEAR) and not self.meaning.repeats(target.slice):
            new = gast.AugAssign(target=target, op=statement.op, value=statement.value)
            gast.copy_location(new, statement)
            new.origin = origin_of(statement)
            return self.fixed(target, new)
        before: list[gast.stmt] = []
        if self.reads_changing(target.slice):
            target = self.named(target, statement, before)
        if isinstance(target.slice, gast.Constant) and target.slice.value is ...:
            old: gast.expr = clone(target.value)
        else:
            read = clone(target)
            read.ctx = gast.Load()
            old = self.temporary(gast.copy_location(read, statement), statement, before)
        operation = gast.BinOp(left=old, op=statement.op, right=clone(statement.value))
        value = self.temporary(gast.copy_location(operation, statement), statement, before)
        return [*before, *self.fixed(target, self.made(statement, target, value))]

    def fixed(self, target: gast.Subscript, statement: gast.stmt) -> list[gast.stmt]:
        """A store whose index does not read memory that changes: `x[x > 0] = 0` changes it."""
        if not self.reads_changing(target.slice) and not self.has_effect(target.slice):
            return [statement]
        before: list[gast.stmt] = []
        new = map_children(lambda child: child, statement)
        fixed = self.named(target, statement, before)
        if isinstance(new, gast.AugAssign):
            new.target = fixed
        else:
            new.targets = [fixed]
        return [*before, new]

    def reads_changing(self, index: gast.expr) -> bool:
        return any(self.meaning.changing(n) for n in reads(index))

    def named(
        self, target: gast.Subscript, statement: gast.stmt, before: list[gast.stmt]
    ) -> gast.Subscript:
        """The target with names for the parts of its index that are no names or constants."""

        def part(node: gast.AST) -> gast.AST:
            if isinstance(node, (gast.Slice, gast.Tuple)):
                return map_children(part, node)
            if isinstance(node, (gast.Name, gast.Constant)):
                return node
            return self.temporary(node, statement, before)

        new = gast.Subscript(value=target.value, slice=part(target.slice), ctx=gast.Store())
        return gast.copy_location(new, target)

    def made(self, statement: gast.stmt, target: gast.expr, value: gast.expr) -> gast.Assign:
        return gast.copy_location(assign(target, value, origin_of(statement)), statement)

    def temporary(
        self, value: gast.expr, statement: gast.stmt, before: list[gast.stmt]
    ) -> gast.Name:
        own = self.names.fresh(hint(value))
        before.append(gast.copy_location(assign(own, value, origin_of(statement)), statement))
        return gast.copy_location(name(own), value)
