"""Rebuilding only what changed: a pass shares every other node with the tree it was given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from autodiff.syntax.walk import PARTS

Block = list[gast.stmt]

_BLOCKS = ("body", "orelse", "handlers", "cases", "finalbody")


class _Fields(dict[type, tuple[str, ...]]):
    """For each class the fields that may hold blocks."""

    def __missing__(self, cls: type) -> tuple[str, ...]:
        fields: tuple[str, ...] = getattr(cls, "_fields", ())
        self[cls] = found = tuple(field for field in _BLOCKS if field in fields)
        return found


_HOLDING = _Fields()
_LEAVES = frozenset((gast.Name, gast.Constant))
PLAIN = frozenset((gast.Assign, gast.Expr, gast.AugAssign, gast.Return, gast.Pass))
_STRAIGHT = frozenset((gast.If, gast.For, gast.While, gast.FunctionDef))
_HARMLESS = ("errstate", "nullcontext")


def changed(node: gast.AST, **fields: Any) -> Any:
    """A shallow copy of `node` with some fields replaced.

    Unlike `clone` it keeps all attributes, among them the `site` of tape operations.
    """
    cls = node.__class__
    copy = cls.__new__(cls)
    copy.__dict__ = {**node.__dict__, **fields}
    return copy


def unchanged(new: list[Any], old: list[Any]) -> bool:
    """Whether two lists hold the same things, one by one."""
    return new == old  # nodes are equal to themselves only


def blocks(statement: gast.AST) -> list[Block]:
    """The blocks directly inside a statement, empty ones left out."""
    found: list[Block] = []
    for field in _HOLDING[statement.__class__]:
        part = statement.__dict__.get(field)
        if part and part.__class__ is list:
            if field in ("handlers", "cases"):
                found.extend(inner.body for inner in part)
            else:
                found.append(part)
    return found


def is_straight(statement: gast.stmt) -> bool:
    """Whether the blocks of a statement run like any other code.

    Not in `try`, nor in `with`, which may also catch an exception: there it matters where one is
    raised, so that nothing may be dropped or moved. A class body makes attributes.
    """
    if statement.__class__ is gast.With:
        calls = [item.context_expr for item in statement.items]
        return all(
            isinstance(call, gast.Call) and getattr(call.func, "attr", None) in _HARMLESS
            for call in calls
        )
    return statement.__class__ in _STRAIGHT


def is_inert(statement: gast.stmt) -> bool:
    """Whether a statement is a comment, a docstring or `pass`."""
    cls = statement.__class__
    if cls is gast.Expr:
        return statement.value.__class__ is gast.Constant
    return cls is gast.Pass


def filled(block: Block) -> Block:
    """The block itself, or with a `pass` where a block without statements would not parse."""
    if all(isinstance(s, gast.Expr) and is_inert(s) for s in block):
        return [*block, gast.Pass()]
    return block


def map_blocks(function: Callable[[Block], Block], statement: gast.AST) -> Any:
    """The statement with `function` applied to the blocks in it; itself if none changed."""
    fields = _HOLDING[statement.__class__]
    if not fields:
        return statement
    new: dict[str, Any] = {}
    for field in fields:
        part = statement.__dict__.get(field)
        if not part or part.__class__ is not list:
            continue
        if field in ("handlers", "cases"):
            result = [map_blocks(function, inner) for inner in part]
            if not unchanged(result, part):
                new[field] = result
        else:
            result = function(part)
            if result is not part:
                new[field] = result if field == "orelse" else filled(result)
    return changed(statement, **new) if new else statement


def map_parts(function: Callable[[gast.AST], gast.AST], node: gast.AST) -> Any:
    """The node with `function` applied to each direct child; itself if none changed."""
    cls = node.__class__
    if cls in _LEAVES:
        return node
    if cls is gast.BinOp:  # most of what is left
        left, right = function(node.left), function(node.right)
        if left is node.left and right is node.right:
            return node
        return changed(node, left=left, right=right)
    return _mapped(function, node, frozenset())


def map_inner(function: Callable[[gast.AST], gast.AST], node: gast.AST) -> Any:
    """As `map_parts`, but names and constants stay as they are."""
    cls = node.__class__
    if cls in _LEAVES:
        return node
    if cls is gast.BinOp:
        left, right = node.left, node.right
        if left.__class__ not in _LEAVES:
            left = function(left)
        if right.__class__ not in _LEAVES:
            right = function(right)
        if left is node.left and right is node.right:
            return node
        return changed(node, left=left, right=right)
    return _mapped(function, node, _LEAVES)


def _mapped(
    function: Callable[[gast.AST], gast.AST], node: gast.AST, left_alone: frozenset[type]
) -> Any:
    new: dict[str, Any] = {}
    held = node.__dict__
    for field in PARTS[node.__class__]:
        value = held.get(field)
        if value.__class__ is list:
            items = [
                item if item is None or item.__class__ in left_alone else function(item)
                for item in value
            ]
            if not unchanged(items, value):
                new[field] = items
        elif value is not None and value.__class__ is not str:
            result = value if value.__class__ in left_alone else function(value)
            if result is not value:
                new[field] = result
    return changed(node, **new) if new else node
