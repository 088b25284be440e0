"""All of an array is written as the array itself."""

from __future__ import annotations

from typing import Any

import gast

from autodiff.optimize.change import changed, map_blocks, map_parts
from autodiff.optimize.effects import effects, is_generated
from autodiff.optimize.facts import Facts
from autodiff.optimize.sections import reverse_sweep
from autodiff.syntax.names import parameters
from autodiff.syntax.walk import of_class


def wholes(tree: gast.FunctionDef, facts: Facts) -> gast.FunctionDef:
    """Where an array is updated in place, or is an operand of adjoint code, `x` says `x[...]`.

        out[...] += k * part                            out += k * part
        a_bar = out_bar[...] * part        becomes      a_bar = out_bar * part

    A function inside needs the brackets for an array of the function around it: a name that it
    adds to is its own.
    """
    if not any(_is_all(node.slice) for node in of_class(tree, gast.Subscript)):
        return tree
    return _within(tree, facts)


def _within(tree: gast.FunctionDef, facts: Facts) -> gast.FunctionDef:
    """The function so written; `back`: the statement is of a reverse sweep."""
    local = set(parameters(tree.args)).union(*(effects(n, facts).writes for n in tree.body))

    def statement(node: Any) -> Any:
        if isinstance(node, gast.FunctionDef):
            return _within(node, facts) if is_generated(node, facts) else node
        if isinstance(node, gast.AugAssign):
            target, value = node.target, operand(node.value) if back else node.value
            if is_whole(target) and target.value.id in local:
                target = changed(target.value, ctx=gast.Store())
            if target is node.target and value is node.value:
                return node
            return changed(node, target=target, value=value)
        if isinstance(node, gast.Assign) and back:
            value = node.value if is_whole(node.value) else operand(node.value)
            return node if value is node.value else changed(node, value=value)
        return map_blocks(block, node)

    def block(body: list[gast.stmt]) -> list[gast.stmt]:
        new = [statement(node) for node in body]
        return body if new == body else new

    def operand(node: Any) -> Any:
        if isinstance(node, gast.Subscript) and is_whole(node):
            return node.value
        return map_parts(operand, node) if isinstance(node, gast.expr) else node

    def is_whole(node: gast.AST) -> bool:
        return (
            isinstance(node, gast.Subscript)
            and _is_all(node.slice)
            and isinstance(node.value, gast.Name)
            and facts.shape(node.value) is not None
        )

    start = reverse_sweep(tree.body)
    back = False
    ahead = block(tree.body[:start])
    back = True
    body = [*ahead, *block(tree.body[start:])]
    if body == tree.body:
        return tree
    result: gast.FunctionDef = changed(tree, body=body)
    return result


def _is_all(index: gast.AST) -> bool:
    return isinstance(index, gast.Constant) and index.value is Ellipsis
