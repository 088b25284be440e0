"""A test of the one number on the tape is made again, not recorded."""

from __future__ import annotations

import gast

from autodiff.optimize.change import Block, changed, map_blocks, unchanged
from autodiff.optimize.facts import Facts
from autodiff.optimize.literals import number
from autodiff.optimize.tape import Pair, pairs, popping, pushing
from autodiff.syntax.names import parameters, reads, writes
from autodiff.syntax.walk import of_class


def retest(tree: gast.FunctionDef, facts: Facts) -> gast.FunctionDef:
    """Push a number alone where beside it is only what a comparison says of it.

        b = x > y                               b = x > y
        tape.push((x, b))       becomes         tape.push(x)
        ...                                     ...
        x, b = tape.pop()                       x = tape.pop()
                                                b = x > y

    Packing two values costs more than comparing two numbers. `y` is a constant, or a parameter
    that is never assigned.
    """
    if not of_class(tree, gast.Compare):
        return tree
    found = {id(pair.push): pair for pair in pairs(tree).values() if len(pair.values) == 2}
    bound = {n.id for n in of_class(tree.body, gast.Name) if n.ctx.__class__ is not gast.Load}
    fixed = set(parameters(tree.args)) - bound
    new: dict[int, Block] = {}

    def search(body: Block) -> Block:
        for place, node in enumerate(body):
            pair = found.get(id(node))
            for own in (0, 1):
                test = _test(body[:place], pair, own, fixed, facts) if pair else None
                if pair and test and id(node) not in new:
                    again = changed(test, origin=getattr(pair.pop, "origin", None))
                    new[id(node)] = [pushing(pair.push, [pair.values[1 - own]])]
                    new[id(pair.pop)] = [popping(pair.pop, [pair.targets[1 - own]]), again]
            map_blocks(search, node)
        return body

    def block(body: Block) -> Block:
        result = [part for node in body for part in new.get(id(node), [map_blocks(block, node)])]
        return body if unchanged(result, body) else result

    search(tree.body)
    result: gast.FunctionDef = changed(tree, body=block(tree.body)) if new else tree
    return result


def _test(before: Block, pair: Pair, own: int, fixed: set[str], facts: Facts) -> gast.Assign | None:
    """The statement that sets one of two values to a test of the other, which is still the same."""
    values = [value.id for value in pair.values if isinstance(value, gast.Name)]
    targets = [target.id for target in pair.targets if isinstance(target, gast.Name)]
    if len(values) < 2 or values != targets or values[0] == values[1]:
        return None
    for node in reversed(before):
        if values[own] in writes(node):
            break
        if values[1 - own] in writes(node):
            return None
    else:
        return None
    if not isinstance(node, gast.Assign) or not isinstance(node.targets[0], gast.Name):
        return None
    test = node.value
    if not isinstance(test, gast.Compare) or len(test.comparators) > 1 or len(node.targets) > 1:
        return None
    operands = [test.left, *test.comparators]
    if not all(isinstance(part, gast.Name) or number(part) is not None for part in operands):
        return None
    names = reads(test)
    if values[1 - own] not in names or not names - {values[1 - own]} <= fixed:
        return None
    return node if all(facts.scalar(p) for p in operands if isinstance(p, gast.Name)) else None
