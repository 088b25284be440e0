"""Neighbouring branches with one test are one branch."""

from __future__ import annotations

import gast

from autodiff.optimize.change import Block, changed, is_inert, map_blocks, unchanged
from autodiff.optimize.facts import Facts
from autodiff.optimize.sections import map_reverse
from autodiff.syntax.walk import of_class, same


def same_tests(tree: gast.FunctionDef, facts: Facts) -> gast.FunctionDef:
    """Join branches of the reverse sweep that stand side by side and ask the same.

        if r < 9.0:                                 if r < 9.0:
            s = 1.0 / r                                 s = 1.0 / r
        if r < 9.0:                becomes              r_bar = -s * s
            r_bar = -s * s                          else:
        else:                                           r_bar = 0.0
            r_bar = 0.0

    Where the answer does not change meanwhile. Loops that became one (`independent`) have such.
    """
    if len(of_class(tree, gast.If)) < 2:
        return tree

    def block(body: Block) -> Block:
        new: Block = []
        for node in body:
            node = map_blocks(block, node)
            if new and isinstance(node, gast.If) and _may_join(new[-1], node, facts):
                first = new.pop()
                node = changed(
                    node, body=_both(first.body, node.body), orelse=_both(first.orelse, node.orelse)
                )
                node = map_blocks(block, node)
            new.append(node)
        return body if unchanged(new, body) else new

    def statement(node: gast.stmt) -> gast.stmt:
        result: gast.stmt = map_blocks(block, node)
        return result

    return map_reverse(statement, tree, facts)


def _may_join(first: gast.stmt, second: gast.If, facts: Facts) -> bool:
    if not isinstance(first, gast.If) or not same(first.test, second.test):
        return False
    test = facts.effects[first.test]
    if test.calls or test.writes or facts.decides(first.test):
        return False
    parts = [facts.effects[node] for node in (*first.body, *first.orelse)]
    return not any(
        part.calls or not part.writes.isdisjoint(test.loads) or test.looks and part.stores
        for part in parts
    )


def _both(first: Block, second: Block) -> Block:
    """The statements of both blocks; one that holds nothing but `pass` is none."""
    kept = [node for node in first if not isinstance(node, gast.Pass)]
    if all(map(is_inert, second)):
        return kept or second
    return [*kept, *second]
