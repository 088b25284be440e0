"""What comes back from the tape has the name under which it was put there."""

from __future__ import annotations

from collections import Counter
from typing import Any

import gast

from autodiff.optimize.change import changed, map_blocks, map_parts
from autodiff.optimize.facts import Facts
from autodiff.optimize.sections import reverse_sweep
from autodiff.optimize.tape import Pair, pairs, popping, pushing
from autodiff.syntax.names import parameters
from autodiff.syntax.walk import of_class


def popped(tree: gast.FunctionDef, facts: Facts) -> gast.FunctionDef:
    """Name what is popped like what was pushed, and push nothing twice.

        tape.push((y_0, y_0))                       tape.push(y_0)
        ...                          becomes        ...
        y_0_2, y_0_3 = tape.pop()                   y_0 = tape.pop()
        y_bar = 2 * y_0_3                           y_bar = 2 * y_0

    Where the name is not in use in the reverse sweep.
    """
    found = [pair for pair in pairs(tree).values() if _differs(pair)]
    start = reverse_sweep(tree.body)
    if not found or start == len(tree.body):
        return tree
    ahead, back = tree.body[:start], tree.body[start:]
    forward = {node.id for node in of_class(ahead, gast.Name)}
    used = Counter(node.id for node in of_class(back, gast.Name))
    bound = Counter(
        node.id for node in of_class(back, gast.Name) if not isinstance(node.ctx, gast.Load)
    )
    taken = {*parameters(tree.args)}.union(*(facts.effects[node].held for node in tree.body))
    new: dict[str, str] = {}
    kept: dict[gast.stmt, gast.stmt] = {}
    for pair in found:
        values: list[gast.expr] = []
        targets: list[gast.expr] = []
        first: dict[str, str] = {}
        for value, target in zip(pair.values, pair.targets):
            own, other = getattr(value, "id", ""), getattr(target, "id", "")
            free = bound[other] == 1 and other not in forward and other not in taken
            if own in first and free and bound[first[own]] == 1:
                new[other] = new.get(first[own], first[own])
                continue
            if own and other:
                first.setdefault(own, other)
                if own != other and free and not used[own] and own not in taken:
                    new[other] = own
                    used[own] += 1
            values.append(value)
            targets.append(target)
        if len(values) < len(pair.values):
            kept[pair.push], kept[pair.pop] = pushing(pair.push, values), popping(pair.pop, targets)
    if not new:
        return tree

    def block(body: list[gast.stmt]) -> list[gast.stmt]:
        return [kept.get(node) or map_blocks(block, node) for node in body]

    def rename(node: Any) -> Any:
        if isinstance(node, gast.Name):
            return changed(node, id=new[node.id]) if node.id in new else node
        return map_parts(rename, node)

    back = [rename(node) for node in block(back)]
    result: gast.FunctionDef = changed(tree, body=[*block(ahead), *back])
    return result


def _differs(pair: Pair) -> bool:
    """Whether anything has another name when it comes back, or goes on the tape twice."""
    values = [value.id for value in pair.values if isinstance(value, gast.Name)]
    targets = [target.id for target in pair.targets if isinstance(target, gast.Name)]
    return values != targets or len(set(values)) < len(values)
