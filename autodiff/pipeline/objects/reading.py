"""Expressions over objects: their parts are read from the variables that hold them."""

from __future__ import annotations

from typing import Any

import gast

from autodiff.analysis.classes import class_attribute
from autodiff.analysis.kind import Static
from autodiff.analysis.known import Kinds
from autodiff.analysis.objects import Parts, constant_key, is_instance, part_name
from autodiff.normalize.inline import Inliner
from autodiff.normalize.sites import Made
from autodiff.pipeline.unit import Unit
from autodiff.syntax.names import name, scope_names
from autodiff.syntax.walk import map_children, of_class


class Reader:
    """Reads parts from their variables; `changed` says whether there was anything to do."""

    def __init__(self, unit: Unit, known: Kinds, inliner: Inliner) -> None:
        self.unit = unit
        self.known = known
        self.inliner = inliner
        self.objects: dict[str, Made] = unit.scope.objects
        self.changed = False

    def parts(self, node: Any, hidden: frozenset[str]) -> Any:
        """The node with the parts of objects read from their variables; itself if there is none."""
        new = self.replaced(node, hidden)
        if new is not None:
            self.changed = True
            return gast.copy_location(new, node) if hasattr(node, "lineno") else new
        if isinstance(node, gast.FunctionDef) and self.stores(node):
            return node  # what it reads may be what it has stored before: it waits to be inlined
        inner = hidden | scope_names(node)
        changed = False

        def visit(child: gast.AST) -> gast.AST:
            nonlocal changed
            made = self.parts(child, inner)
            changed = changed or made is not child
            return made

        copy = map_children(visit, node)
        return copy if changed else node

    def stores(self, function: gast.FunctionDef) -> bool:
        """Whether a function that is defined inside stores into parts of objects."""
        return any(
            not isinstance(node.ctx, gast.Load) and part_name(self.known, node) is not None
            for node in of_class(function.body, gast.Attribute, gast.Subscript)
        )

    def replaced(self, node: Any, hidden: frozenset[str]) -> gast.expr | None:
        if isinstance(node, (gast.Attribute, gast.Subscript)):
            if not isinstance(node.ctx, gast.Load) or self.is_hidden(node.value, hidden):
                return None
            found = self.part(node)
            if found is None:
                return None
            if found[1] in self.objects[found[0].owner].fields:
                return name(self.objects[found[0].owner].fields[found[1]])
            if found[1] == "__class__" and not found[0].indexed:
                return self.inliner.helper(found[0].cls.__name__, found[0].cls)
            return None
        if isinstance(node, gast.Compare) and len(node.ops) == 1:
            return self.compared(node, hidden)
        if isinstance(node, gast.Call) and isinstance(node.func, gast.Name) and node.args:
            return self.asked(node, hidden)
        return None

    def part(self, node: Any) -> tuple[Parts, Any] | None:
        """The part that an expression or a target means, which is going to be its variable."""
        found = part_name(self.known, node)
        if found is not None:
            self.unit.followed.taken(node, found)
        return found

    def is_hidden(self, node: Any, hidden: frozenset[str]) -> bool:
        return isinstance(node, gast.Name) and node.id in hidden

    def compared(self, node: gast.Compare, hidden: frozenset[str]) -> gast.expr | None:
        """`p is None`, `"k" in d` where the answer is known."""
        left, right = node.left, node.comparators[0]
        if self.is_hidden(left, hidden) or self.is_hidden(right, hidden):
            return None
        if isinstance(left, gast.Constant) and isinstance(right, gast.Constant):
            equal = type(left.value) is type(right.value) and left.value == right.value
            if isinstance(node.ops[0], (gast.Eq, gast.NotEq)) and type(left.value) in (int, str):
                answer = equal == isinstance(node.ops[0], gast.Eq)
                return gast.Constant(value=answer, kind=None)
        kind = self.known.of(left)
        if isinstance(node.ops[0], (gast.Is, gast.IsNot)) and isinstance(kind, Parts):
            if isinstance(right, gast.Constant) and right.value is None:
                return gast.Constant(value=isinstance(node.ops[0], gast.IsNot), kind=None)
        base = self.known.of(right)
        if isinstance(node.ops[0], (gast.In, gast.NotIn)) and isinstance(base, Parts):
            made = self.objects[base.owner]
            key = constant_key(self.known, left)
            if base.cls is dict and key in made.certain:
                return gast.Constant(value=isinstance(node.ops[0], gast.In), kind=None)
        return None

    def asked(self, node: gast.Call, hidden: frozenset[str]) -> gast.expr | None:
        """`isinstance(p, C)`, `type(p)`, `hasattr(p, "x")` where the answer is known."""
        callee = self.known.of(node.func)
        first = node.args[0]
        if not isinstance(callee, Static) or self.is_hidden(first, hidden):
            return None
        kind = self.known.of(first)
        if callee.value is isinstance and len(node.args) == 2:
            answer = is_instance(kind, self.known.of(node.args[1]))
            return None if answer is None else gast.Constant(value=answer, kind=None)
        if not isinstance(kind, Parts):
            return None
        if callee.value is type and len(node.args) == 1:
            return self.inliner.helper(kind.cls.__name__, kind.cls)
        if callee.value is hasattr and len(node.args) == 2:
            key = self.known.of(node.args[1])
            made = self.objects[kind.owner]
            if isinstance(key, Static) and (
                key.value in made.certain or class_attribute(kind.cls, str(key.value)) is not None
            ):
                return gast.Constant(value=True, kind=None)
        return None


def truth(test: gast.expr) -> bool | None:
    """Whether a test holds; None where it depends on the run."""
    if isinstance(test, gast.Constant):
        return bool(test.value)
    if isinstance(test, gast.UnaryOp) and isinstance(test.op, gast.Not):
        inner = truth(test.operand)
        return None if inner is None else not inner
    if isinstance(test, gast.BoolOp):
        decisive = isinstance(test.op, gast.Or)
        for part in test.values:
            answer = truth(part)
            if answer is None or answer == decisive:
                return answer
        return not decisive
    return None
