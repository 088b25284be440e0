"""Results that nobody else holds are returned as they are."""

from __future__ import annotations

from collections.abc import Iterator

import gast

from autodiff.optimize.change import changed, map_blocks, unchanged
from autodiff.optimize.facts import Facts
from autodiff.optimize.ownership import holders, own_buffers, passing
from autodiff.syntax.names import reads
from autodiff.syntax.quote import quote
from autodiff.syntax.walk import of_class


def last_copies(tree: gast.FunctionDef, facts: Facts) -> gast.FunctionDef:
    """Memory of the function's own, returned once, needs no copy.

        scaled = g / y                             scaled = g / y
        return scaled.copy(), -scaled * x          return scaled, -scaled * x

    Nor is `scaled = scaled.copy()` of any use; `part = w[1:-1]` before `part = part.copy()` is one
    statement with it.
    """
    if any(map(_is_renewed, of_class(tree, gast.Assign))):
        tree = map_blocks(_copied_at_once, _without_copies_of_themselves(tree, facts))
    last = tree.body[-1]
    if not isinstance(last, gast.Return) or last.value is None:
        return tree
    parts = _leaves(last.value)
    new = [_fresh(part, facts) for part in parts]
    copied = [_copied(part) for part in new]
    if any(copied):
        own = holders(tree, facts)
        for place, name in enumerate(copied):
            if name is not None and name in own and _is_held_once(own[name], place, new, facts):
                new[place] = new[place].func.value
    if unchanged(new, parts):
        return tree
    value = _with_leaves(last.value, iter(new))
    result: gast.FunctionDef = changed(tree, body=[*tree.body[:-1], changed(last, value=value)])
    return result


def _without_copies_of_themselves(tree: gast.FunctionDef, facts: Facts) -> gast.FunctionDef:
    """Without `x_bar = x_bar.copy()`, where nobody else sees the memory of `x_bar`."""
    assigned = of_class(tree, gast.Assign)
    copied = {_copied(node.value) for node in assigned if _is_renewed(node)}
    needless = copied & own_buffers(tree, facts) if copied else copied
    if not needless:
        return tree

    def block(body: list[gast.stmt]) -> list[gast.stmt]:
        kept = [
            map_blocks(block, node)
            for node in body
            if not (_is_renewed(node) and _copied(node.value) in needless)
        ]
        return body if kept == body else kept

    result: gast.FunctionDef = map_blocks(block, tree)
    return result


def _copied_at_once(body: list[gast.stmt]) -> list[gast.stmt]:
    """`part = w[1:-1].copy()` for `part = w[1:-1]` and `part = part.copy()`."""
    new: list[gast.stmt] = []
    for node in body:
        before = new[-1] if new and _is_renewed(node) else None
        if isinstance(before, gast.Assign) and _name(before.targets[0]) == _copied(node.value):
            new[-1] = changed(before, value=quote("x.copy()", x=before.value))
        else:
            new.append(map_blocks(_copied_at_once, node))
    return body if unchanged(new, body) else new


def _is_renewed(node: gast.stmt) -> bool:
    """Whether a statement is `x = x.copy()`."""
    if not isinstance(node, gast.Assign) or not isinstance(node.targets[0], gast.Name):
        return False
    return bool(node.targets[0].id == _copied(node.value))


def _name(node: gast.expr) -> str | None:
    return node.id if isinstance(node, gast.Name) else None


def _leaves(value: gast.expr) -> list[gast.expr]:
    """What is in a tuple, and in the tuples in it."""
    if not isinstance(value, gast.Tuple):
        return [value]
    return [leaf for part in value.elts for leaf in _leaves(part)]


def _with_leaves(value: gast.expr, leaves: Iterator[gast.expr]) -> gast.expr:
    if not isinstance(value, gast.Tuple):
        return next(leaves)
    result: gast.expr = changed(value, elts=[_with_leaves(part, leaves) for part in value.elts])
    return result


def _fresh(part: gast.expr, facts: Facts) -> gast.expr:
    """`a @ b` for `(a @ b).copy()`."""
    if not _is_copy(part) or not isinstance(part.func.value, gast.BinOp):
        return part
    array: gast.expr = part.func.value
    return part if facts.shape(array) is None else array


def _is_held_once(
    names: frozenset[str], place: int, parts: list[gast.expr], facts: Facts
) -> bool:
    """Whether no other result may share memory with these names; displays may hold anything."""
    return not any(
        names & (reads(part) if isinstance(part, (gast.List, gast.Dict)) else passing(part, facts))
        for other, part in enumerate(parts)
        if other != place
    )


def _is_copy(node: gast.expr) -> bool:
    if not isinstance(node, gast.Call) or node.args or node.keywords:
        return False
    return isinstance(node.func, gast.Attribute) and node.func.attr == "copy"


def _copied(node: gast.expr) -> str | None:
    """The name in `name.copy()`."""
    return _name(node.func.value) if _is_copy(node) else None
