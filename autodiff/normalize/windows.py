"""A view that is written to, or whose array is written to, becomes a window of that array.

    row = a[i]                      row = a[i]
    row[j] = 0.0                    a[i, j] = 0.0
    s = row * b                     row_2 = a[i]
                                    s = row_2 * b

So each array is changed under one name only. A view that cannot be written as a window at its uses,
because what it is made of has changed by then, stays.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

import gast

from autodiff.normalize.build import assign
from autodiff.normalize.rebind import within
from autodiff.syntax.names import Names, captured, name, parameters, reads, substitute, writes
from autodiff.syntax.origin import origin_of
from autodiff.syntax.walk import clone, of_class, shallow, walk
from autodiff.syntax.windows import composed, is_window, root

_COMPOUND = (gast.If, gast.For, gast.While, gast.With, gast.Try, gast.ExceptHandler)
_BLOCKS = ("body", "orelse", "finalbody", "handlers")


@dataclass(frozen=True, slots=True)
class _Definition:
    """Where a name is defined: the block, the place in it, the window."""

    block: list[gast.stmt]
    place: int
    window: gast.expr


def windows(
    tree: gast.FunctionDef,
    candidates: Collection[str],
    names: Names,
    is_view: Callable[[gast.expr], bool],
    is_number: Callable[[gast.expr], bool],
) -> gast.FunctionDef:
    """The tree with one of the candidates as a window at its uses; the tree itself if none can be.

    `is_view` says of an expression that it certainly is a view (or the array itself).
    """
    for candidate in candidates:
        definition = _defined(tree, candidate, is_view)
        if definition is not None:
            rewriter = _Rewriter(candidate, definition, names, is_number)
            new: gast.FunctionDef = within(tree, rewriter.block)
            return new
    return tree


def _defined(
    tree: gast.FunctionDef, candidate: str, is_view: Callable[[gast.expr], bool]
) -> _Definition | None:
    """The definition of a name, where all uses can be written as windows instead."""
    if candidate in parameters(tree.args) or candidate in captured(tree.body):
        return None
    found: list[_Definition] = []
    total = 0

    def visit(block: list[gast.stmt]) -> None:
        nonlocal total
        for place, statement in enumerate(block):
            if isinstance(statement, _COMPOUND):
                for field in _BLOCKS:
                    visit(getattr(statement, field, None) or [])
                if candidate in writes(_head(statement)):
                    total += 2
            elif candidate in writes(statement):
                total += 1
                window = _window(statement, candidate)
                if window is not None:
                    found.append(_Definition(block, place, window))

    visit(tree.body)
    if total != 1 or not found or not is_view(found[0].window):
        return None
    definition = found[0]
    window = definition.window
    if any(isinstance(node, (gast.Call, gast.Subscript)) for node in walk(_indices(window))):
        return None
    uses = sum(_count(statement, candidate) for statement in tree.body) - 1
    tail = definition.block[definition.place + 1 :]
    counts = [_count(statement, candidate) for statement in tail]
    if sum(counts) != uses:
        return None
    last = max((k for k, count in enumerate(counts) if count), default=-1)
    return None if reads(window) & writes(tail[: last + 1]) else definition


def _window(statement: gast.stmt, candidate: str) -> gast.expr | None:
    """What a name is defined as: an item of what is unpacked, for a tuple of names."""
    if not isinstance(statement, gast.Assign) or not is_window(statement.value):
        return None
    target = statement.targets[0]
    if isinstance(target, gast.Name):
        return statement.value
    place = [part.id for part in target.elts].index(candidate)
    index = gast.Constant(value=place, kind=None)
    return gast.Subscript(value=statement.value, slice=index, ctx=gast.Load())


def _head(statement: gast.stmt) -> list[gast.AST]:
    parts = [getattr(statement, field, None) for field in ("target", "items")]
    flat = [p for part in parts if part for p in (part if isinstance(part, list) else [part])]
    return flat


def _count(statement: gast.AST, identifier: str) -> int:
    return sum(node.id == identifier for node in of_class(statement, gast.Name))


def _indices(window: gast.expr) -> list[gast.AST]:
    found: list[gast.AST] = []
    while not isinstance(window, gast.Name):
        if isinstance(window, gast.Subscript):
            found.append(window.slice)
        elif isinstance(window, gast.Call):
            found.extend([*window.args, *(keyword.value for keyword in window.keywords)])
            window = window.func
        window = window.value
    return found


class _Rewriter:
    def __init__(
        self,
        identifier: str,
        definition: _Definition,
        names: Names,
        is_number: Callable[[gast.expr], bool],
    ) -> None:
        self.identifier = identifier
        self.window = definition.window
        self.site = definition.block[definition.place]
        self.names = names
        self.is_number = is_number

    def block(self, statements: list[gast.stmt]) -> list[gast.stmt]:
        new: list[gast.stmt] = []
        changed = False
        for statement in statements:
            made = self.statement(statement)
            changed = changed or made != [statement]
            new.extend(made)
        return new if changed else statements

    def statement(self, statement: gast.stmt) -> list[gast.stmt]:
        if statement is self.site or not _count(statement, self.identifier):
            return [statement]
        if isinstance(statement, _COMPOUND):
            new = within(statement, self.block)
            new = new if new is not statement else shallow(statement)
            for field in ("test", "iter"):
                if hasattr(new, field):
                    setattr(new, field, self.substituted(getattr(new, field)))
            if isinstance(new, gast.With):
                new.items = [self.substituted(item) for item in new.items]
            return [new]
        new = shallow(statement)
        if isinstance(statement, gast.AugAssign):
            new.target = self.target(statement.target)
        elif isinstance(statement, gast.Assign):
            new.targets = [self.target(target) for target in statement.targets]
            binds = isinstance(statement.targets[0], gast.Name)
            read = self.read(statement.value) if binds else None
            if read is not None:
                new.value = read
                return [new]
        if isinstance(statement, gast.Expr):
            new.value = self.added(statement.value)
        if not _count(new, self.identifier):
            return [new]
        if isinstance(self.window, gast.Name):
            return [substitute(new, {self.identifier: self.window})]
        own = self.names.fresh(self.identifier)
        first = assign(own, clone(self.window), origin_of(statement))
        gast.copy_location(first, statement)
        return [first, substitute(new, {self.identifier: name(own)})]

    def read(self, value: gast.expr) -> gast.expr | None:
        """`w = v` and `x = v[j]` read the window itself."""
        if isinstance(value, gast.Name) and value.id == self.identifier:
            return gast.copy_location(clone(self.window), value)
        if isinstance(value, gast.Subscript) and isinstance(value.value, gast.Name):
            if value.value.id == self.identifier and not _count(value.slice, self.identifier):
                new = composed(self.window, value.slice, self.is_number)
                if isinstance(new.value, gast.Name):
                    return gast.copy_location(new, value)
        return None

    def added(self, call: gast.expr) -> gast.expr:
        """`np.add.at(v, i, e)` adds to the window itself."""
        is_at = isinstance(call, gast.Call) and isinstance(call.func, gast.Attribute)
        if not is_at or call.func.attr != "at" or not call.args:
            return call
        if not isinstance(call.args[0], gast.Name) or call.args[0].id != self.identifier:
            return call
        new = shallow(call)
        new.args = [gast.copy_location(clone(self.window), call.args[0]), *call.args[1:]]
        return new

    def target(self, target: gast.expr) -> gast.expr:
        if isinstance(target, (gast.Name, gast.Tuple)) or root(target) != self.identifier:
            return self.inside(target)
        new = self.stored(target)
        new.ctx = gast.Store()
        return gast.copy_location(new, target)

    def inside(self, target: gast.expr) -> gast.expr:
        """A target of another array; its index may read the view."""
        if isinstance(target, gast.Subscript) and _count(target.slice, self.identifier):
            new = shallow(target)
            new.slice = self.substituted(target.slice)
            return new
        return target

    def stored(self, target: gast.expr) -> gast.expr:
        """A chain of subscripts on the view, as one on its array."""
        if isinstance(target, gast.Name):
            return clone(self.window)
        new = shallow(target)
        if isinstance(target, gast.Call):
            new.func = shallow(target.func)
            new.func.value = self.stored(target.func.value)
            return new
        base = self.stored(target.value)
        if isinstance(target, gast.Subscript):
            return composed(base, self.substituted(target.slice), self.is_number)
        new.value = base
        return new

    def substituted(self, node: gast.AST) -> gast.AST:
        if not _count(node, self.identifier):
            return node
        return substitute(node, {self.identifier: clone(self.window)})
