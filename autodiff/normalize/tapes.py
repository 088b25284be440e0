"""The tape of generated code as the list that it is, so that a derivative can be differentiated.

    tape = Tape()           tape = []
    tape.push((y, k))       tape.append((y, k))
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from autodiff.runtime import Tape
from autodiff.syntax.names import writes
from autodiff.syntax.walk import map_children, nodes


def tapes(tree: gast.FunctionDef, lookup: Callable[[str], Any] | None) -> gast.FunctionDef:
    """The function with lists for tapes; the tree itself if it has none."""
    found = {
        statement.targets[0].id
        for statement in nodes(tree)
        if isinstance(statement, gast.Assign)
        and isinstance(statement.targets[0], gast.Name)
        and _makes_tape(statement.value, tree, lookup)
    }
    if not found:
        return tree

    def visit(node: gast.AST) -> gast.AST:
        if isinstance(node, gast.Call) and _makes_tape(node, tree, lookup):
            return gast.copy_location(gast.List(elts=[], ctx=gast.Load()), node)
        new = map_children(visit, node)
        if isinstance(new, gast.Attribute) and new.attr == "push":
            if isinstance(new.value, gast.Name) and new.value.id in found:
                new.attr = "append"
        return new

    result: gast.FunctionDef = visit(tree)
    return result


def _makes_tape(
    node: gast.AST, tree: gast.FunctionDef, lookup: Callable[[str], Any] | None
) -> bool:
    if lookup is None or not isinstance(node, gast.Call) or node.args or node.keywords:
        return False
    if not isinstance(node.func, gast.Name) or node.func.id in writes(tree.body):
        return False
    try:
        return lookup(node.func.id) is Tape
    except (KeyError, ValueError):
        return False
