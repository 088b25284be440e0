"""Containers some part of which is replaced, or that grow under several names: nothing is fixed."""

from __future__ import annotations

from dataclasses import replace

import gast

from autodiff.analysis.joins import as_mapping, as_sequence
from autodiff.analysis.kind import UNKNOWN, Kind, Mapping, Record, Sequence, forget_values, is_empty
from autodiff.runtime import Slot
from autodiff.syntax.names import parameters, reads, writes
from autodiff.syntax.walk import nodes, of_class
from autodiff.syntax.windows import root


def loosened(kind: Kind) -> Kind:
    """The kind of a container whose parts are replaced: nothing is fixed about them."""
    if isinstance(kind, Record) and kind.cls in (list, dict):
        if is_empty(kind):
            return kind
        loose = as_sequence(kind) if kind.cls is list else as_mapping(kind)
        return forget_values(inside(loose))
    if isinstance(kind, Record) and not issubclass(kind.cls, tuple):
        return kind if kind.cls is Slot else UNKNOWN  # a slot never holds but numbers and arrays
    return inside(kind)


def inside(kind: Kind) -> Kind:
    """The kind with the containers that it holds loosened, too."""
    if isinstance(kind, (Sequence, Mapping)):
        return replace(kind, item=_part(kind.item))
    if isinstance(kind, Record) and issubclass(kind.cls, tuple):
        return replace(kind, items=tuple(map(_part, kind.items)))
    return kind


def _part(kind: Kind) -> Kind:
    is_container = isinstance(kind, (Sequence, Mapping)) or (
        isinstance(kind, Record) and (kind.cls in (list, dict) or issubclass(kind.cls, tuple))
    )
    return loosened(kind) if is_container else kind


def stored_into(tree: gast.FunctionDef, arrays: frozenset[str] = frozenset()) -> set[str]:
    """Names that may refer to a container some part of which is replaced.

    arrays: names that hold arrays of numbers, into which nothing but numbers is put.
    """
    parent: dict[str, str] = {}
    bases: set[str] = set()
    grown: set[str] = set()
    taken: set[str] = set(parameters(tree.args))

    def find(name: str) -> str:
        while parent.setdefault(name, name) != name:
            name = parent[name]
        return name

    for node in of_class(tree, gast.Subscript, gast.Attribute, gast.Call, gast.Assign):
        cls = node.__class__
        if cls is gast.Subscript or cls is gast.Attribute:
            if isinstance(node.ctx, (gast.Store, gast.Del)):
                base = node.value
                while isinstance(base, (gast.Subscript, gast.Attribute)):
                    base = base.value
                if isinstance(base, gast.Name):
                    bases.add(base.id)
        elif cls is gast.Call and isinstance(node.func, gast.Attribute):
            if isinstance(node.func.value, gast.Name):
                if node.func.attr in _REPLACING:
                    bases.add(node.func.value.id)
                elif node.func.attr in _GROWING:
                    grown.add(node.func.value.id)
        elif cls is gast.Assign and _is_taken(node):
            taken |= writes(node)
    bases |= grown & taken
    if not bases:
        return bases
    for node in nodes(tree):
        for joined in _joined(node, arrays):
            names = [find(name) for name in sorted(joined)]
            for other in names[1:]:
                parent[find(other)] = find(names[0])
    roots = {find(base) for base in bases}
    return {name for name in list(parent) if find(name) in roots} | bases


def _is_taken(node: gast.Assign) -> bool:
    """Whether the value may be a container that another name, or another container, holds."""
    if isinstance(node.value, (gast.Name, gast.Subscript, gast.IfExp)):
        return True
    return isinstance(node.value, gast.Call) and isinstance(node.value.func, gast.Attribute)


def _joined(node: gast.AST, arrays: frozenset[str]) -> list[set[str]]:
    """Names that may refer to each other's containers, for one statement."""
    if isinstance(node, gast.Assign):
        target = node.targets[0]
        if isinstance(target, (gast.Subscript, gast.Attribute)):
            base = root(target)
            if base in arrays:
                return []  # the numbers are copied
            return [reads(node.value) | ({base} if base else set())]
        value = node.value
        if isinstance(value, gast.Call) and isinstance(value.func, gast.Attribute):
            gives = value.func.attr in _GIVING and not (value.func.attr == "copy" and value.args)
            return [writes(node) | reads(value)] if gives else []
        if isinstance(value, gast.Call) and isinstance(value.func, gast.Name):
            return [writes(node) | reads(value.args)] if value.func.id in _COPYING else []
        return [writes(node) | reads(value)] if isinstance(value, _SHARING) else []
    if isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute):
        if node.func.attr in _HOLDING and isinstance(node.func.value, gast.Name):
            return [{node.func.value.id}.union(*(reads(argument) for argument in node.args))]
    return []


_SHARING = (gast.Name, gast.Subscript, gast.Attribute, gast.Tuple, gast.List, gast.Dict, gast.IfExp)


_COPYING = frozenset("list tuple dict sorted reversed zip enumerate sequence".split())
"""Functions whose result holds what the container holds that they are given."""

_REPLACING = frozenset("update setdefault pop popitem clear insert remove sort reverse".split())
_GROWING = frozenset({"append", "extend"})
_GIVING = frozenset("get pop setdefault copy popitem values items".split())
_HOLDING = frozenset("append extend insert setdefault update".split())
