"""Sizes in adjoint code that the user has a name for.

    n = len(x)
    s = np.concatenate([u, v])          reverse: u_bar = s_bar[:n]

not `s_bar[: len(u)]`, for which `u` would have to be kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import TypeVar

import gast

from autodiff.analysis.kind import Scalar
from autodiff.analysis.known import Kinds
from autodiff.analysis.size import Dim, lowest
from autodiff.reverse.items import Block
from autodiff.reverse.listing import steps
from autodiff.syntax.names import name, writes
from autodiff.syntax.walk import map_children

_Node = TypeVar("_Node", bound=gast.AST)


def named_sizes(
    block: Block, body: list[gast.stmt], kinds: Kinds, lasting: Set[str], made: Set[str]
) -> None:
    """Puts the user's names for sizes into the adjoint code.

    `body` is the primal in normal form, `lasting` the names of what is set to one value, `made`
    those that are ours.
    """
    once: set[str] = set()
    for node in body:
        once |= writes(node) if isinstance(node, gast.Assign) else set()
    names: dict[Dim, str] = {}
    for own in sorted((once & lasting) - made):
        kind = kinds.names.get(own)
        if isinstance(kind, Scalar) and kind.dtype is None and isinstance(kind.value, Dim):
            least = lowest(kind.value)
            if kind.value.is_given and least is not None and least >= 0:
                names.setdefault(kind.value, own)
    if names:
        for step in steps(block):
            step.adjoint = [_named(node, names, kinds) for node in step.adjoint]


def _named(node: _Node, names: Mapping[Dim, str], kinds: Kinds) -> _Node:
    if isinstance(node, gast.expr) and _is_size(node):
        kind = kinds.known(node)
        if isinstance(kind, Scalar) and isinstance(kind.value, Dim) and kind.value in names:
            found: _Node = name(names[kind.value])
            return found
    return map_children(lambda child: _named(child, names, kinds), node)


def _is_size(node: gast.expr) -> bool:
    """Whether an expression is `len(x)` or `x.shape[k]`."""
    if isinstance(node, gast.Call):
        return isinstance(node.func, gast.Name) and node.func.id == "len" and len(node.args) == 1
    if not isinstance(node, gast.Subscript) or not isinstance(node.slice, gast.Constant):
        return False
    return isinstance(node.value, gast.Attribute) and node.value.attr == "shape"
