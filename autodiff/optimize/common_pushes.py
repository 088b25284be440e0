"""What both branches record is recorded before them."""

from __future__ import annotations

from collections.abc import Callable

import gast

from autodiff.optimize.change import Block, changed, filled, map_blocks, unchanged
from autodiff.optimize.facts import Facts
from autodiff.optimize.tape import Pair, is_pop, is_push, pairs, tape_name
from autodiff.syntax.names import all_names, reads, writes
from autodiff.syntax.walk import of_class, statements


def common_pushes(tree: gast.FunctionDef, facts: Facts) -> gast.FunctionDef:
    """Push before a branch what is all that either side pushes, and pop it before the reversed one.

        if b:                                       tape.push(x)
            tape.push(x)                            if b:
            x = x * y             becomes               x = x * y
        else:                                       else:
            tape.push(x)                                x = x / y
            x = x / y                               ...
        ...                                         x = tape.pop()
        if b:                                       if b:
            x = tape.pop()                              x_bar = x_bar * y
            x_bar = x_bar * y                       else:
        else:                                           x_bar = x_bar / y
            x = tape.pop()
            x_bar = x_bar / y
    """
    found = pairs(tree)
    if len(found) < 2:
        return tree
    pops = {pair.pop: site for site, pair in found.items()}
    pushes = {pair.push: site for site, pair in found.items()}
    backs: dict[tuple[str, str], gast.If] = {}
    new: dict[int, Block] = {}
    branches = [s for s in statements(tree.body) if s.__class__ is gast.If and s.orelse]
    for node in branches:
        both = _only(node, is_pop)
        if both is not None and both[0] in pops and both[1] in pops:
            backs[pops[both[0]], pops[both[1]]] = node
    for node in branches:
        both = _only(node, is_push)
        if both is None or both[0] not in pushes or both[1] not in pushes:
            continue
        sites = pushes[both[0]], pushes[both[1]]
        back = backs.get(sites)
        names = _same(found[sites[0]], found[sites[1]])
        if back is None or names is None or not _may_come_first(node, both, names):
            continue
        one, other = (found[site].pop for site in sites)
        if reads(back.test) & names or not _may_come_first(back, (one, other), names):
            continue
        new[id(node)] = [both[0], _without(node, both)]
        new[id(back)] = [one, _without(back, (one, other))]
    if not new:
        return tree

    def block(body: Block) -> Block:
        result = [part for node in body for part in new.get(id(node), [map_blocks(block, node)])]
        return body if unchanged(result, body) else result

    result: gast.FunctionDef = changed(tree, body=block(tree.body))
    return result


Sides = tuple[gast.stmt, gast.stmt]


def _only(node: gast.If, right: Callable[[gast.stmt], bool]) -> Sides | None:
    """The operations on the tape in the two sides, if each has just one, and not in a block."""
    found = []
    for side in (node.body, node.orelse):
        own = [part for part in side if right(part)]
        if len(own) != 1:
            return None
        tape = tape_name(own[0])
        if sum(part.id == tape for part in of_class(side, gast.Name)) != 1:
            return None
        found += own
    return found[0], found[1]


def _same(one: Pair, other: Pair) -> set[str] | None:
    """The names that both sites keep and bring back, in the same order."""
    lists = [one.values, one.targets, other.values, other.targets]
    names = [[e.id for e in each if isinstance(e, gast.Name)] for each in lists]
    if any(own != names[0] for own in names) or len(names[0]) < len(one.values):
        return None
    return set(names[0])


def _may_come_first(node: gast.If, at: Sides, names: set[str]) -> bool:
    """Whether nothing before the statements, one in each side, sets a name; of a pop: reads one."""
    for side, own in zip((node.body, node.orelse), at):
        place = next(k for k, part in enumerate(side) if part is own)
        used = all_names(side[:place]) if is_pop(own) else writes(side[:place])
        if used & names:
            return False
    return True


def _without(node: gast.If, both: Sides) -> gast.If:
    body, orelse = ([s for s in side if s not in both] for side in (node.body, node.orelse))
    result: gast.If = changed(node, body=filled(body), orelse=orelse)
    return result
