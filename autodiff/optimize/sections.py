"""The titles of the two sweeps, which say where each begins."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from autodiff.optimize.change import changed, map_blocks, unchanged
from autodiff.optimize.effects import is_generated
from autodiff.optimize.facts import Facts
from autodiff.syntax.emit import is_comment
from autodiff.syntax.walk import of_class

FORWARD, REVERSE = "Forward sweep", "Reverse sweep"


def reverse_sweep(block: list[gast.stmt]) -> int:
    """The place in a block at which the reverse sweep begins; its end, if there is none."""
    for place, node in enumerate(block):
        if _is_title(node):
            return place
    return len(block)


def _is_title(node: gast.stmt) -> bool:
    return is_comment(node) and str(node.value.value) == REVERSE


def replace_in_reverse(
    code: Callable[[gast.stmt], list[gast.stmt] | None], tree: gast.FunctionDef
) -> gast.FunctionDef:
    """The tree with what `code` makes of statements of the last reverse sweep, at any depth.

    Where it makes None, the blocks inside a statement are looked at.
    """
    titles = [k for k, node in enumerate(tree.body) if _is_title(node)]
    if not titles:
        return tree
    start = titles[-1]

    def block(body: list[gast.stmt]) -> list[gast.stmt]:
        result: list[gast.stmt] = []
        for node in body:
            made = code(node)
            result.extend([map_blocks(block, node)] if made is None else made)
        return result

    new: gast.FunctionDef = changed(tree, body=[*tree.body[:start], *block(tree.body[start:])])
    return new


def map_reverse(
    function: Callable[[gast.stmt], gast.stmt],
    tree: gast.FunctionDef,
    facts: Facts,
    whole: bool = False,
) -> gast.FunctionDef:
    """The tree with `function` applied to the statements of the reverse sweep, or of the pullback.

    With `whole`, to all statements. An expression of the primal's value, which may be in the
    `return`, stays as it is.
    The tree itself if none of them changed.
    """
    start = 0 if whole else reverse_sweep(tree.body)
    body: list[gast.stmt] = []
    for place, node in enumerate(tree.body):
        if is_generated(node, facts):
            inner = [function(statement) for statement in node.body]
            node = node if unchanged(inner, node.body) else changed(node, body=inner)
        elif place >= start:
            exact = facts.exact and not whole and isinstance(node, gast.Return)
            node = _adjoints(function, node, facts) if exact else function(node)
        body.append(node)
    if unchanged(body, tree.body):
        return tree
    result: gast.FunctionDef = changed(tree, body=body)
    return result


def _adjoints(
    function: Callable[[Any], Any], node: gast.Return, facts: Facts
) -> gast.Return:
    """The `return` of the primal's value and of its adjoints with `function` applied to these."""
    pair = node.value
    if not isinstance(pair, gast.Tuple) or len(pair.elts) != 2:
        return node
    elts = [e if k == facts.place else function(e) for k, e in enumerate(pair.elts)]
    if unchanged(elts, pair.elts):
        return node
    result: gast.Return = changed(node, value=changed(pair, elts=elts))
    return result


def sums(tree: gast.AST) -> bool:
    """Whether anything is called `sum` in a tree: most passes over sums find nothing."""
    return any(node.attr == "sum" for node in of_class(tree, gast.Attribute))
