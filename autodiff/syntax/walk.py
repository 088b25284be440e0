"""Copying, rewriting and walking trees.

Every pass does this all the time, so what a class of nodes can hold is looked up once, by class.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import gast

from autodiff.syntax.memo import Memo

Node = TypeVar("Node", bound=gast.AST)

_MARKS = frozenset(("site", "introduced", "forward"))
"""What passes note on a node for each other; a copy is another node, and does not carry it."""

_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")
_TEXT = frozenset(
    "id attr name names arg asname module level rest kwd_attrs kind type_comment".split()
    + "conversion simple is_async lineno tag str".split()
)
_NO_NODES = (type(None), str)
"""What a field may hold besides nodes; text is the name that `except ... as name` binds."""
_SIGNS = frozenset(("ctx", "op", "ops"))
_NODES_IN_TEXT = {
    gast.ExceptHandler: ("type", "name", "body"),
    gast.Import: ("names",),
    gast.ImportFrom: ("names",),
    gast.Constant: (),
    gast.MatchSingleton: (),
}
if hasattr(gast, "TypeAlias"):  # Python 3.12
    _NODES_IN_TEXT[gast.TypeAlias] = ("name", "type_params", "value")


class _Parts(dict[type, tuple[str, ...]]):
    """For each class the fields that may hold nodes; text, operators and contexts left out."""

    def __missing__(self, cls: type) -> tuple[str, ...]:
        fields: tuple[str, ...] = getattr(cls, "_fields", ())
        found = tuple(f for f in fields if f not in _TEXT and f not in _SIGNS)
        self[cls] = found = _NODES_IN_TEXT.get(cls, found)
        return found


class _Blank(dict[type, dict[str, None]]):
    """For each class all its fields, empty: what a node was made without, its copy has as None."""

    def __missing__(self, cls: type) -> dict[str, None]:
        self[cls] = found = dict.fromkeys(cls._fields)  # type: ignore[attr-defined]
        return found


PARTS = _Parts()
_BLANK = _Blank()


def shallow(node: Node) -> Node:
    """A copy of `node` that shares everything below it, lists of nodes included."""
    cls = node.__class__
    copy: Node = cls.__new__(cls)
    copy.__dict__ = new = {**_BLANK[cls], **node.__dict__}
    if not _MARKS.isdisjoint(new):
        for mark in _MARKS.intersection(new):
            del new[mark]
    return copy


def clone(node: Node) -> Node:
    """A deep copy that keeps places and origins (many times faster than `copy.deepcopy`).

    Operators and contexts, which hold nothing, are shared.
    """
    copy = shallow(node)
    new = copy.__dict__
    for field in PARTS[node.__class__]:
        value = new[field]
        if value.__class__ is list:
            new[field] = [None if item is None else clone(item) for item in value]
        elif value.__class__ not in _NO_NODES:
            new[field] = clone(value)
    return copy


def map_children(function: Callable[[gast.AST], Any], node: Node) -> Node:
    """A copy of `node` with `function` applied to each direct child.

    In a list of children the function may return a list, which is spliced in, or None, which
    drops the child. Operators and contexts are no children.
    """
    copy = shallow(node)
    new = copy.__dict__
    for field in PARTS[node.__class__]:
        value = new[field]
        if value.__class__ is list:
            if not value:
                new[field] = []
                continue
            items: list[Any] = []
            for item in value:
                if item is None:
                    items.append(item)
                    continue
                part = function(item)
                if part.__class__ is list:
                    items.extend(part)
                elif part is not None:
                    items.append(part)
            new[field] = items
        elif value.__class__ not in _NO_NODES:
            new[field] = function(value)
    return copy


def shared(new: Node, old: Node) -> Node:
    """The old node where the new one holds the very same parts, else the new one."""
    if new.__class__ is not old.__class__:
        return new
    parts, before = new.__dict__, old.__dict__
    for field in new._fields:
        if parts.get(field) != before.get(field):
            return new
    return old


def children(node: gast.AST) -> list[gast.AST]:
    """The direct children of a node, in source order; operators and contexts are none."""
    found: list[gast.AST] = []
    held = node.__dict__
    for field in PARTS[node.__class__]:
        value = held.get(field)
        if value.__class__ is list:
            found.extend([item for item in value if item is not None] if None in value else value)
        elif value.__class__ not in _NO_NODES:
            found.append(value)
    return found


def walk(node: gast.AST | list[Any]) -> list[Any]:
    """The node (or the nodes of a list) and all below, outer ones first.

    In the order of `gast.walk`, which takes several times as long; without operators and contexts.
    """
    found: list[Any] = list(node) if node.__class__ is list else [node]
    add, extend = found.append, found.extend
    for item in found:
        cls = item.__class__
        held = item.__dict__
        if cls is gast.Name:  # these three are most nodes
            if held.get("annotation") is None:
                continue
        elif cls is gast.BinOp:
            add(held["left"])
            add(held["right"])
            continue
        elif cls is gast.Constant:
            continue
        for field in PARTS[cls]:
            value = held.get(field)
            if value.__class__ is list:
                if value:
                    extend([part for part in value if part is not None] if None in value else value)
            elif value.__class__ not in _NO_NODES:
                add(value)
    return found


COMPOUND = frozenset(
    cls
    for cls in (*gast.stmt.__subclasses__(), *gast.excepthandler.__subclasses__())
    if not {"body", "handlers", "cases"}.isdisjoint(cls._fields)
)
_SIMPLE = frozenset(gast.stmt.__subclasses__()) - COMPOUND


def _by_class(node: gast.AST) -> dict[type, list[Any]]:
    found: dict[type, list[Any]] = {}
    for part in walk(node):
        cls = part.__class__
        if cls in found:
            found[cls].append(part)
        else:
            found[cls] = [part]
    return found


_INDEX = Memo(_by_class)


def _pieces(node: gast.AST) -> tuple[list[dict[type, list[Any]]], set[type]]:
    """The compound statement itself, and all that is simple in it, each by class.

    And all classes that occur: most of those that are looked for do not.
    """
    found: list[dict[type, list[Any]]] = [{node.__class__: [node]}]
    for child in children(node):
        if child.__class__ in COMPOUND:
            found += _PIECES[child][0]
        else:
            found.append(_INDEX[child])
    return found, set().union(*found)


_PIECES = Memo(_pieces)


class _Inside(dict[type, Memo]):
    """For each class what there is of it in compound statements."""

    def __missing__(self, cls: type) -> Memo:
        def inside(node: gast.AST) -> list[Any]:
            pieces, _ = _PIECES[node]
            return [part for piece in pieces if cls in piece for part in piece[cls]]

        self[cls] = found = Memo(inside)
        return found


_INSIDE = _Inside()


def of_class(tree: gast.AST | list[Any], *classes: type) -> list[Any]:
    """The nodes of these very classes in a tree or list, at any depth, class by class.

    What a pass looks for is rare as a rule: this finds it without a walk through all nodes.
    """
    found: list[Any] = []
    for node in tree if tree.__class__ is list else (tree,):
        if node.__class__ in COMPOUND:
            _, occurring = _PIECES[node]
            for cls in classes:
                if cls in occurring:
                    found += _INSIDE[cls][node]
            continue
        known = _INDEX[node]
        for cls in classes:
            if cls in known:
                found += known[cls]
    return found


def statements(tree: gast.AST | list[Any]) -> list[Any]:
    """The statements in a tree or list, at any depth, and the tree itself if it is one."""
    found: list[Any] = list(tree) if tree.__class__ is list else [tree]
    others = False  # clauses, expressions
    for node in found:
        if node.__class__ in _SIMPLE:
            continue
        others = others or not isinstance(node, gast.stmt)
        held = node.__dict__
        for block in _BLOCKS:
            if block in held:
                part = held[block]
                if part.__class__ is list:
                    found.extend(part)
    return [node for node in found if isinstance(node, gast.stmt)] if others else found


def same(left: Any, right: Any) -> bool:
    """Whether two trees are equal, places and origins aside."""
    if left is right:
        return True
    if left.__class__ is not right.__class__:
        return False
    if isinstance(left, gast.AST):
        mine, others = left.__dict__, right.__dict__
        for field in left._fields:
            one, other = mine.get(field), others.get(field)
            if one is not other and not same(one, other):
                return False
        return True
    if isinstance(left, list):
        return len(left) == len(right) and all(same(a, b) for a, b in zip(left, right))
    return bool(left == right or (left != left and right != right))
