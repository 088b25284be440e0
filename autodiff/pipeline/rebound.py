"""Numbers that are added to, in a derivative that is differentiated again.

    y_bar += x_bar * x                      y_bar = y_bar + x_bar * x

To Python these are the same for a number. Where the text is read again, it is no longer known of
every name that it holds one, and `+=` might change an array in place.
"""

from __future__ import annotations

import gast

from autodiff.optimize.change import changed, map_blocks, unchanged
from autodiff.optimize.facts import Facts
from autodiff.syntax.names import name, store


def rebound(tree: gast.FunctionDef, facts: Facts) -> gast.FunctionDef:
    """The function, in which names of numbers are assigned anew."""

    def block(body: list[gast.stmt]) -> list[gast.stmt]:
        new = [one(node) for node in body]
        return body if unchanged(new, body) else new

    def one(node: gast.stmt) -> gast.stmt:
        if not isinstance(node, gast.AugAssign):
            result: gast.stmt = map_blocks(block, node)
            return result
        if not isinstance(node.target, gast.Name) or not facts.scalar(node.target):
            return node
        own = node.target.id
        total = gast.BinOp(left=name(own), op=node.op, right=node.value)
        new = gast.Assign(targets=[store(own)], value=total, type_comment=None)
        new.origin = getattr(node, "origin", None)
        return new

    found = block(tree.body)
    result: gast.FunctionDef = tree if found is tree.body else changed(tree, body=found)
    return result
