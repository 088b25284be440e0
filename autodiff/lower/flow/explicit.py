"""`super()` as `super(cls, self)`, which means the same anywhere."""

from __future__ import annotations

import gast

from autodiff.syntax.names import name, parameters
from autodiff.syntax.walk import map_children


def explicit_super(tree: gast.FunctionDef, cls: str = "__class__") -> gast.FunctionDef:
    """The function with `super()` as `super(__class__, self)`, which means the same anywhere; in
    those of a class that is defined inside, with the name of that.
    """
    own = parameters(tree.args)[:1]

    def visit(node: gast.AST) -> gast.AST:
        if isinstance(node, gast.ClassDef):
            return of_methods(node)
        new = map_children(visit, node)
        if isinstance(new, gast.Call) and isinstance(new.func, gast.Name):
            if new.func.id == "super" and not new.args and own:
                new.args = [name(cls), name(own[0])]
        return new

    found: gast.FunctionDef = map_children(visit, tree)
    return found


def of_methods(node: gast.ClassDef) -> gast.ClassDef:
    """The same, of the methods of a class."""
    new = map_children(lambda part: part, node)
    new.body = [
        explicit_super(part, node.name) if isinstance(part, gast.FunctionDef) else part
        for part in node.body
    ]
    return new
