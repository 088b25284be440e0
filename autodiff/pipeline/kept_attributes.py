"""Attributes that a call may give another value are read once, where the function reads them.

    x[STATE.i] = y                  STATE_i = STATE.i
    STATE.advance()                 x[STATE_i] = y
                                    STATE.advance()

The variable is kept for the reverse sweep like any other; in an index or a range the attribute
would be read again, with its last value.
"""

from __future__ import annotations

import gast

from autodiff.analysis.kinds import kinds
from autodiff.analysis.known import Kinds
from autodiff.analysis.rebinding import ATTRIBUTE, rebinding
from autodiff.analysis.run_by import run_by
from autodiff.normalize.anf import hint
from autodiff.normalize.build import assign
from autodiff.normalize.rebind import shared, within
from autodiff.pipeline.unit import Unit
from autodiff.syntax.names import name
from autodiff.syntax.origin import origin_of
from autodiff.syntax.walk import COMPOUND, map_children, of_class, shallow, statements


def kept_attributes(unit: Unit, known: Kinds) -> Kinds:
    """Take such attributes out of other expressions; `unit.unsettled` are their names."""
    loads = {node.attr for node in of_class(unit.tree.body, gast.Attribute) if _is_read(node)}
    if not loads:
        return known
    stored = {node.attr for node in of_class(unit.tree.body, gast.Attribute) if not _is_read(node)}
    simple = [s for s in statements(unit.tree.body) if s.__class__ not in COMPOUND]
    heads = [head for s in statements(unit.tree.body) for head in _heads(s)]
    roots = [root for node in (*simple, *heads) for root in run_by(node, known)]
    rebinds = rebinding(roots)
    unit.unsettled = frozenset(a for a in loads if a in stored or rebinds(ATTRIBUTE, a))
    if not unit.unsettled:
        return known
    tree = within(unit.tree, _Keeping(unit).block)
    if tree is unit.tree:
        return known
    unit.tree = tree
    return kinds(tree, unit.given, unit.scope, unit.recursion.result)


class _Keeping:
    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.before: list[gast.stmt] = []

    def block(self, body: list[gast.stmt]) -> list[gast.stmt]:
        return shared([new for statement in body for new in self.statement(statement)], body)

    def statement(self, statement: gast.stmt) -> list[gast.stmt]:
        outer, self.before = self.before, []
        new = within(statement, self.block) if statement.__class__ in COMPOUND else statement
        if isinstance(new, gast.For):
            new = self.with_part(new, "iter", statement)
        elif isinstance(new, gast.Assign):
            if not isinstance(new.value, gast.Attribute):
                new = self.with_part(new, "value", statement)
            if isinstance(new.targets[0], (gast.Subscript, gast.Attribute)):
                targets = [self.taken(target, statement) for target in new.targets]
                if targets != new.targets:
                    new = shallow(new)
                    new.targets = targets
        elif isinstance(new, (gast.Expr, gast.AugAssign)):
            for field in ("target", "value"):
                if hasattr(new, field):
                    new = self.with_part(new, field, statement)
        found, self.before = [*self.before, new], outer
        return found

    def with_part(self, statement: gast.stmt, field: str, old: gast.stmt) -> gast.stmt:
        part = getattr(statement, field)
        taken = self.taken(part, old)
        if taken is part:
            return statement
        new = shallow(statement)
        setattr(new, field, taken)
        return new

    def taken(self, node: gast.AST, statement: gast.stmt) -> gast.AST:
        """The expression with variables for the attributes, which are assigned before."""
        if isinstance(node, (gast.Lambda, gast.GeneratorExp, gast.ListComp)):
            return node  # evaluated later, or again
        function = node.func if isinstance(node, gast.Call) else None
        new = map_children(
            lambda child: child if child is function else self.taken(child, statement), node
        )
        if not isinstance(node, gast.Attribute) or not _is_read(node):
            return new if new.__dict__ != node.__dict__ else node
        if node.attr not in self.unit.unsettled:
            return new
        own = self.unit.names.fresh(hint(node))
        self.unit.temporaries.add(own)
        self.before.append(assign(own, new, origin_of(statement)))
        return name(own)


def _heads(statement: gast.stmt) -> list[gast.AST]:
    if isinstance(statement, gast.With):
        return list(statement.items)
    return [getattr(statement, field) for field in ("iter", "test") if hasattr(statement, field)]


def _is_read(node: gast.Attribute) -> bool:
    return isinstance(node.ctx, gast.Load)
