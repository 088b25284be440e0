"""Containers some part of which is replaced: little is known of what they hold."""

from __future__ import annotations

import gast

from autodiff.analysis.kind import UNKNOWN, Kind, Record, as_sequence, forget_values
from autodiff.syntax.names import reads, writes
from autodiff.syntax.walk import walk


def loosened(kind: Kind) -> Kind:
    """The kind of a container whose parts are replaced: nothing is fixed about them."""
    if isinstance(kind, Record) and kind.cls is list:
        return forget_values(as_sequence(kind))
    if isinstance(kind, Record) and not issubclass(kind.cls, tuple):
        return UNKNOWN
    return kind


def stored_into(tree: gast.FunctionDef) -> set[str]:
    """Names that may refer to a container some part of which is replaced."""
    parent: dict[str, str] = {}
    bases: set[str] = set()

    def find(name: str) -> str:
        while parent.setdefault(name, name) != name:
            name = parent[name]
        return name

    for node in walk(tree):
        if isinstance(node, (gast.Subscript, gast.Attribute)):
            if isinstance(node.ctx, (gast.Store, gast.Del)):
                base = node.value
                while isinstance(base, (gast.Subscript, gast.Attribute)):
                    base = base.value
                if isinstance(base, gast.Name):
                    bases.add(base.id)
        elif isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute):
            if node.func.attr in _REPLACING and isinstance(node.func.value, gast.Name):
                bases.add(node.func.value.id)
    if not bases:
        return bases
    for node in walk(tree):
        if isinstance(node, gast.Assign) and isinstance(node.value, _SHARING):
            names = [find(name) for name in sorted(writes(node) | reads(node.value))]
            for other in names[1:]:
                parent[find(other)] = find(names[0])
    roots = {find(base) for base in bases}
    return {name for name in list(parent) if find(name) in roots} | bases


_SHARING = (gast.Name, gast.Subscript, gast.Attribute, gast.Tuple, gast.List, gast.Dict, gast.IfExp)


_REPLACING = frozenset("update setdefault pop popitem clear insert remove sort reverse".split())
