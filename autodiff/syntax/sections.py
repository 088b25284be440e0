"""The titles of the two sweeps, which say where each begins."""

from __future__ import annotations

from collections.abc import Callable

import gast

from autodiff.syntax.change import changed, map_blocks
from autodiff.syntax.emit import is_comment

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
