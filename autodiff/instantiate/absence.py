"""Adjoints of parts of a result that nobody used: `d[y][1]` where `y[1]` has no influence.

What a template adds to others because of them is zero, as it is linear in them, and is left out.
"""

from __future__ import annotations

from collections.abc import Collection

import gast

from autodiff.rules.template import Rule
from autodiff.syntax.names import writes
from autodiff.syntax.walk import children

Path = tuple[object, ...]


class Absence:
    """Tells which expressions of a template are zero; `present` are the paths that have a seed."""

    def __init__(self, rule: Rule, present: Collection[Path]) -> None:
        self.rule = rule
        self.present = present

    def holds(self, node: gast.expr) -> bool:
        """Whether an expression depends on adjoints of unused parts alone."""
        if () in self.present or not self.present:
            return False
        wanted = {*map(_path, self.mentioned(node))}
        return bool(wanted) and not any(
            path is None or path[: len(own)] == own[: len(path)]
            for path in wanted
            for own in self.present
        )

    def mentioned(self, node: gast.AST) -> list[gast.AST]:
        """The outermost `d[...]...` in an expression of the template, locals looked through."""
        if isinstance(node, gast.Subscript) and is_seed(node):
            return [node]
        if isinstance(node, gast.Name):
            known = [s.value for s in self.rule.locals if node.id in writes(s.targets[0])]
            return [found for value in known for found in self.mentioned(value)]
        return [found for child in children(node) for found in self.mentioned(child)]


def is_seed(node: gast.AST) -> bool:
    """Whether an expression of a template is `d[y]`, or a part of it."""
    while isinstance(node, gast.Subscript):
        node = node.value
    return isinstance(node, gast.Name) and node.id == "d"


def _path(node: gast.AST) -> Path | None:
    """The part of the result whose adjoint `d[y][0]` is; None where it is only known when run."""
    parts: list[object] = []
    while isinstance(node, gast.Subscript) and isinstance(node.value, gast.Subscript):
        if not isinstance(node.slice, gast.Constant):
            return None
        parts.append(node.slice.value)
        node = node.value
    return tuple(reversed(parts))
