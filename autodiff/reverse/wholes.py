"""Which containers have one adjoint as a whole: parts are reached by indices not known."""

from __future__ import annotations

from typing import TYPE_CHECKING

import gast

from autodiff.analysis.keys import key_of, slice_of
from autodiff.analysis.kind import Record, Sequence, Unknown
from autodiff.analysis.known import Kinds
from autodiff.syntax.walk import of_class

if TYPE_CHECKING:
    pass


def whole_names(tree: gast.FunctionDef, kinds: Kinds) -> frozenset[str]:
    """Names of containers whose parts are reached by indices that are only known at run time.

    Names between which whole containers are copied agree, so that their adjoints need no conversion
    inside loops.
    """
    found: set[str] = set()
    for node in of_class(tree, gast.Subscript, gast.Expr):
        cls = node.__class__
        if cls is gast.Subscript and isinstance(node.value, gast.Name):
            kind = kinds.names.get(node.value.id)
            if isinstance(kind, (Sequence, Unknown)):
                found.add(node.value.id)
            elif isinstance(kind, Record) and isinstance(node.ctx, gast.Load):
                if isinstance(node.slice, gast.Slice):
                    if slice_of(node.slice, kinds.of) is None:
                        found.add(node.value.id)
                elif key_of(node.slice, kinds.of) is None:
                    found.add(node.value.id)
        elif cls is gast.Expr and isinstance(node.value, gast.Call):
            function = node.value.func
            if isinstance(function, gast.Attribute) and isinstance(function.value, gast.Name):
                if isinstance(kinds.names.get(function.value.id), (Record, Sequence)):
                    if function.attr in ("append", "extend", "insert"):
                        found.add(function.value.id)
    for identifier, kind in kinds.names.items():
        if not isinstance(kind, Record):
            found.add(identifier)
    return frozenset(found)
