"""Two variables that always hold one value are one."""

from __future__ import annotations

from collections import Counter
from typing import Any

import gast

from autodiff.optimize.change import blocks, changed, map_blocks, map_parts
from autodiff.optimize.facts import Facts
from autodiff.syntax.names import reads, writes
from autodiff.syntax.walk import of_class

_LEAVING = (gast.Break, gast.Continue, gast.Return, gast.Raise, gast.Assert)
_CATCHING = (gast.Try, gast.With, gast.Global, gast.Nonlocal)


def twins(tree: gast.FunctionDef, facts: Facts) -> gast.FunctionDef:
    """The function without copies that follow what they copy, in the same block, each time.

    for k in range(n):                 for k in range(n):
        rate = g / length                  rate = g / length
        a = rate * s                       a = rate * s
        rate_2 = rate            becomes
    for k in reversed(range(n)):       for k in reversed(range(n)):
        s_bar += a_bar * rate_2            s_bar += a_bar * rate

    Both are set at one place only, the copy is a variable of the compiler's.
    """
    copies = {
        id(node): (node.targets[0].id, node.value.id)
        for node in of_class(tree, gast.Assign)
        if node.value.__class__ is gast.Name
        and node.targets[0].__class__ is gast.Name
        and node.targets[0].id in facts.temporaries
    }
    if not copies or of_class(tree, *_CATCHING):
        return tree
    bound = Counter(n.id for n in of_class(tree, gast.Name) if n.ctx.__class__ is not gast.Load)
    found: dict[str, str] = {}
    todo = blocks(tree)
    while todo:
        block = todo.pop()
        for place, node in enumerate(block):
            todo += blocks(node)
            own, other = copies.get(id(node), ("", ""))
            if bound[own] == 1 == bound[other] and _follows(block[:place], own, other):
                found[own] = other
    return _renamed(tree, found) if found else tree


def _follows(before: list[gast.stmt], own: str, other: str) -> bool:
    """Whether `other` is set in these statements, and `own` not read, or the rest left, after."""
    for node in reversed(before):
        if node.__class__ is gast.Assign and node.targets[0].__class__ is gast.Name:
            if node.targets[0].id == other:
                return True
        if own in reads(node) or of_class(node, *_LEAVING):
            return False
    return False


def _renamed(tree: gast.FunctionDef, found: dict[str, str]) -> gast.FunctionDef:
    while not found.keys().isdisjoint(found.values()):
        found = {own: found.get(other, other) for own, other in found.items()}

    def part(node: gast.AST) -> Any:
        if node.__class__ is gast.Name:
            return changed(node, id=found[node.id]) if node.id in found else node
        if isinstance(node, gast.stmt) and found.keys().isdisjoint(reads(node) | writes(node)):
            return node
        return map_parts(part, node)

    def block(statements: list[gast.stmt]) -> list[gast.stmt]:
        kept = [map_blocks(block, node) for node in statements if not _is_idle(node)]
        return statements if kept == statements else kept

    new: gast.FunctionDef = map_blocks(block, map_parts(part, tree))
    return new


def _is_idle(node: gast.stmt) -> bool:
    """Whether a statement is what is left of a copy: `rate = rate`."""
    if node.__class__ is not gast.Assign or node.value.__class__ is not gast.Name:
        return False
    return bool(getattr(node.targets[0], "id", None) == node.value.id)
