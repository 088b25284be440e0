"""What is added to a slot that is still zero is stored there."""

from __future__ import annotations

from typing import Any

import gast

from autodiff.optimize.change import Block, changed, map_blocks, unchanged
from autodiff.optimize.effects import is_generated
from autodiff.optimize.facts import Facts
from autodiff.optimize.sections import reverse_sweep
from autodiff.syntax.disjoint import disjoint
from autodiff.syntax.names import reads, writes

_ZEROS = ("zeros", "zeros_like")


def first_stores(tree: gast.FunctionDef, facts: Facts) -> gast.FunctionDef:
    """Store into a new buffer where nothing is yet.

        x_bar = np.zeros_like(x)                    x_bar = np.zeros_like(x)
        x_bar[1:-1] += t            becomes         x_bar[1:-1] = t
        x_bar[0] += s                               x_bar[0] = s
        x_bar[1:] -= t                              x_bar[1:] -= t

    Only what the compiler wrote, in one block. `-=` is as cheap as a store of the negative.
    """

    def block(statements: Block) -> Block:
        new = [map_blocks(block, node) for node in statements]
        for place, node in enumerate(new):
            buffer = _zeros(node)
            if buffer is not None and buffer in facts.temporaries:
                new = _stored(new, place + 1, buffer, facts)
        return statements if unchanged(new, statements) else new

    start = reverse_sweep(tree.body)
    ahead, back = tree.body[:start], block(tree.body[start:])
    ahead = [map_blocks(block, node) if is_generated(node, facts) else node for node in ahead]
    body = [*ahead, *back]
    if unchanged(body, tree.body):
        return tree
    result: gast.FunctionDef = changed(tree, body=body)
    return result


def _stored(block: Block, place: int, buffer: str, facts: Facts) -> Block:
    """The block with stores into the buffer, which is zero at `place`."""
    new = list(block)
    filled: list[gast.expr] = []
    least = dict(facts.least)
    for index in range(place, len(block)):
        node = block[index]
        for changed_size in writes(node) & least.keys():
            del least[changed_size]
        if buffer not in reads(node) | writes(node):
            continue
        target = _slot(node, buffer)
        if target is None or buffer in reads(node.value) | reads(target.slice):
            break
        apart = all(disjoint(target.slice, other, least) for other in filled)
        if isinstance(node, gast.AugAssign) and isinstance(node.op, gast.Add) and apart:
            store = gast.Assign(targets=[target], value=node.value)
            store.origin = getattr(node, "origin", None)
            new[index] = store
        filled.append(target.slice)
    return new


def _zeros(node: Any) -> str | None:
    """The buffer of `x_bar = np.zeros_like(x)`."""
    if not isinstance(node, gast.Assign) or not isinstance(node.targets[0], gast.Name):
        return None
    call = node.value
    if not isinstance(call, gast.Call) or not isinstance(call.func, gast.Attribute):
        return None
    return str(node.targets[0].id) if call.func.attr in _ZEROS else None


def _slot(node: Any, buffer: str) -> gast.Subscript | None:
    """The slot of `x_bar[i] += e`, `x_bar[i] -= e` or `x_bar[i] = e`."""
    if isinstance(node, gast.AugAssign):
        target = node.target if isinstance(node.op, (gast.Add, gast.Sub)) else None
    else:
        target = node.targets[0] if isinstance(node, gast.Assign) else None
    if isinstance(target, gast.Subscript) and isinstance(target.value, gast.Name):
        return target if target.value.id == buffer else None
    return None
