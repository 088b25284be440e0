"""Whole objects that were built from their parts must be read only, and never be compared."""

from __future__ import annotations

from typing import Any

import gast

from autodiff.analysis.alias import alias
from autodiff.analysis.changes import changed_by
from autodiff.analysis.classes import class_attribute
from autodiff.analysis.kind import Array, Bound, Derived, Record, Scalar, Span, Static, Text
from autodiff.analysis.kinds import kinds
from autodiff.analysis.purity import CHANGING
from autodiff.analysis.special import told_operands, truth_changes
from autodiff.errors import UnsupportedSyntaxError
from autodiff.pipeline.unit import Unit
from autodiff.syntax.names import reads, writes
from autodiff.syntax.origin import origin_of
from autodiff.syntax.walk import statements, walk


class Copies:
    """The names that may refer to an object which was built as a copy."""

    def __init__(self, unit: Unit, built: dict[str, Any]) -> None:
        self.unit = unit
        self.known = kinds(unit.tree, unit.given, unit.scope, loosen=False)
        self.built = built
        self.parent: dict[str, str] = {}
        for node in walk(unit.tree):
            if isinstance(node, gast.Assign):
                names = [n for n in sorted(writes(node) | reads(node)) if self.may_hold(n)]
                self.join(names)
            elif isinstance(node, gast.Call):
                self.join([n for n in sorted(reads(node)) if self.may_hold(n)])

    def join(self, names: list[str]) -> None:
        for other in names[1:]:
            self.parent[self.find(other)] = self.find(names[0])

    def find(self, identifier: str) -> str:
        while self.parent.setdefault(identifier, identifier) != identifier:
            identifier = self.parent[identifier]
        return identifier

    def may_hold(self, identifier: str) -> bool:
        kind = self.known.names.get(identifier)
        return identifier in self.known.local and not isinstance(
            kind, (Scalar, Array, Span, Static, Text)
        )

    def check(self) -> None:
        """Refuse a function that changes a copy, or asks whether it is some other object."""
        copies = {self.find(name) for name in self.built}
        for statement in statements(self.unit.tree.body):
            told = self.told(statement)
            for node in _own(statement):
                for identifier in (*self.changed(node), *told):
                    if self.may_hold(identifier) and self.find(identifier) in copies:
                        raise UnsupportedSyntaxError(
                            f"`{identifier}` may be an object that is held elsewhere too, and is "
                            "changed or compared by identity here",
                            origin_of(statement),
                            why="autodiff follows an object that changes only under names that "
                            "always mean the same object",
                            cure="make a new object instead of changing this one",
                        )

    def told(self, statement: Any) -> set[str]:
        """Objects whose own methods a statement runs, which may change them: `if stack:`."""
        found = {n for node in _own(statement) for n in self.run(node)}
        if isinstance(statement, (gast.If, gast.While)):
            if truth_changes(statement.test, self.known):
                found |= reads(statement.test)
        return found

    def run(self, node: Any) -> set[str]:
        return {n for operand in told_operands(node, self.known) for n in reads(operand)}

    def changed(self, node: Any) -> list[str]:
        """The names of containers that a node changes, or compares by identity."""
        if isinstance(node, (gast.Attribute, gast.Subscript)):
            if isinstance(node.ctx, (gast.Store, gast.Del)) and isinstance(node.value, gast.Name):
                return [node.value.id]
        if isinstance(node, gast.Call):
            found = list(changed_by(node, self.known))
            if isinstance(node.func, gast.Attribute) and isinstance(node.func.value, gast.Name):
                base = self.known.of(node.func.value)
                is_list = isinstance(base, Record) and base.indexed
                if node.func.attr in CHANGING and (is_list or not isinstance(base, Record)):
                    if node.func.attr not in ("append", "extend"):
                        found.append(node.func.value.id)
            names = self.known.names
            return [n for n in found if not isinstance(names.get(n), (Bound, Derived))]
        if isinstance(node, gast.Compare) and len(node.ops) == 1:
            sides = [node.left, node.comparators[0]]
            if any(isinstance(side, gast.Constant) for side in sides):
                return []
            if isinstance(node.ops[0], (gast.In, gast.NotIn)):
                if isinstance(self.known.of(node.left), (Scalar, Text)):
                    return []  # a number or text is found by what it is
            if isinstance(node.ops[0], (gast.Is, gast.IsNot, gast.In, gast.NotIn)):
                return sorted(reads(node))
            bases = [self.known.of(side) for side in sides]
            if any(
                isinstance(k, Record) and class_attribute(k.cls, "__eq__") is object.__eq__
                for k in bases
            ):
                return sorted(reads(node))
        return []


def check_borrowed(unit: Unit, borrowed: dict[str, Any]) -> None:
    """Refuse a function that changes what a class holds for all its instances."""
    if not borrowed:
        return
    aliases = alias(unit.tree, kinds(unit.tree, unit.given, unit.scope, loosen=False))
    for identifier, statement in borrowed.items():
        if aliases.is_changed(identifier):
            raise UnsupportedSyntaxError(
                f"`{identifier}` belongs to the class, and is changed for all its instances",
                origin_of(statement),
                why="a derivative must not change what outlives the call",
                cure="set the attribute in `__init__`",
            )


def _own(statement: Any) -> list[Any]:
    """The nodes of a statement, those of the statements in it left out."""
    if isinstance(statement, (gast.For, gast.While, gast.If)):
        return walk(statement.iter if isinstance(statement, gast.For) else statement.test)
    if isinstance(statement, (gast.With, gast.Try)):
        return walk(list(getattr(statement, "items", [])))
    return walk(statement)
