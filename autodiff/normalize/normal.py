"""The normal form of a function: everything before kinds come into play, kept per function."""

from __future__ import annotations

from typing import Any

import gast

from autodiff.frontend.source import Source
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


_EXPECTED = (
    *(range, len, min, zip, enumerate, reversed, map, filter),
    *(sum, max, list, dict, tuple, sorted),
)


def shadowed(namespace: Any) -> frozenset[str]:
    """Names of builtins that mean something else where the function lives."""
    if namespace is None:
        return frozenset()
    return frozenset(
        builtin.__name__
        for builtin in _EXPECTED
        if namespace.globals.get(builtin.__name__, builtin) is not builtin
        or builtin.__name__ in namespace.cells
    )


def defaults_of(read: Source) -> dict[str, Any]:
    """The default value of each parameter that has one."""
    arguments = read.tree.args
    positional = [a.id for a in (*arguments.posonlyargs, *arguments.args)]
    values = read.namespace.defaults or ()
    found = dict(zip(reversed(positional), reversed(values)))
    found.update(read.namespace.kwdefaults or {})
    return found
