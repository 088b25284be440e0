"""A name that is tested for its type and assigned again where the test holds: two versions of it.

    if isinstance(y, float):          if isinstance(y, float):
        y = max(y, tiny)                  y_2 = y
    else:                                 y_2 = max(y_2, tiny)
        y[y < tiny] = tiny            else:
                                          y_2 = y
                                          y_2[y < tiny] = tiny

The kind of a name is that of all of its versions, so the test would be about both.
"""

from __future__ import annotations

import itertools
from typing import Any

import gast

from autodiff.analysis.known import Kinds
from autodiff.optimize.change import changed, map_blocks
from autodiff.syntax.names import name, reads, store, writes
from autodiff.syntax.origin import origin_of
from autodiff.syntax.walk import nodes

_OF_TYPES = ("ndim", "dtype")
_Chains = dict[int, tuple[Any, ...]]


def reassigned(tree: gast.FunctionDef, kinds: Kinds, chains: _Chains) -> gast.FunctionDef:
    """The tree with `y = y` where such branches begin, for `versions` to tell apart.

    `chains` belong to statements, also to new ones.
    """

    def block(body: list[gast.stmt]) -> list[gast.stmt]:
        return [one(node) for node in body]

    def one(node: gast.stmt) -> gast.stmt:
        new: gast.stmt = map_blocks(block, node)
        if isinstance(node, gast.If):
            assigned = writes([*node.body, *node.orelse])
            apart = {n for side in (node.body, node.orelse) for n in _copied(side)}
            asked = sorted((_asked_of(node.test) & assigned & kinds.local) - apart)
            sides = [
                [*(_copy(own, node, chains) for own in asked), *side]
                for side in (new.body, new.orelse)
            ]
            new = changed(new, body=sides[0], orelse=sides[1])
        chains[id(new)] = chains.get(id(node), ())
        return new

    found: gast.FunctionDef = changed(tree, body=block(tree.body))
    return found


def trimmed(tree: gast.FunctionDef, chains: _Chains) -> gast.FunctionDef:
    """The tree without the `y = y` of versions that are one."""

    def block(body: list[gast.stmt]) -> list[gast.stmt]:
        kept = []
        for node in body:
            if not _is_idle(node):
                kept.append(map_blocks(block, node))
                chains[id(kept[-1])] = chains.get(id(node), ())
        return kept

    found: gast.FunctionDef = changed(tree, body=block(tree.body))
    return found


def _is_idle(node: gast.stmt) -> bool:
    if not isinstance(node, gast.Assign) or not isinstance(node.value, gast.Name):
        return False
    target = node.targets[0]
    return isinstance(target, gast.Name) and target.id == node.value.id


def _copied(block: list[gast.stmt]) -> set[str]:
    """The names that a block copies before it does anything else, as it does once told apart."""
    first = itertools.takewhile(
        lambda node: isinstance(node, gast.Assign) and isinstance(node.value, gast.Name), block
    )
    return {node.value.id for node in first}


def _copy(own: str, around: gast.If, chains: _Chains) -> gast.Assign:
    new = gast.Assign(targets=[store(own)], value=name(own), type_comment=None)
    gast.copy_location(new, around)
    new.origin = origin_of(around)
    chains[id(new)] = chains.get(id(around), ())
    return new


def _asked_of(test: gast.expr) -> set[str]:
    """Names of whose types, or of their being None, a test may tell something."""
    found: set[str] = set()
    for node in nodes(test):
        if isinstance(node, gast.Call):
            found |= {n for part in node.args[:1] for n in reads(part)}
        elif isinstance(node, gast.Attribute) and node.attr in _OF_TYPES:
            found |= reads(node.value)
        elif isinstance(node, gast.Compare) and isinstance(node.ops[0], (gast.Is, gast.IsNot)):
            found |= reads(node.left)
    return found
