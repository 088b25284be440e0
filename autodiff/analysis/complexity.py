"""Whether complex numbers can occur in a function."""

from __future__ import annotations

from collections.abc import Iterable

import gast

from autodiff.analysis.kind import (
    Array,
    Kind,
    Mapping,
    Nullable,
    Record,
    Sequence,
    Static,
    Unknown,
    is_complex,
)
from autodiff.analysis.known import Kinds
from autodiff.rules import registry
from autodiff.rules.home import module_of
from autodiff.syntax.walk import of_class

_REAL = ("numpy", "math", "builtins", "operator", "_operator", "autodiff")
"""Parts of libraries that make no complex numbers of real ones, or whose kinds say so."""


def complexity(tree: gast.FunctionDef, kinds: Kinds, given: Iterable[Kind]) -> bool:
    """Whether a value whose kind is not known may be complex.

    It may if anything is seen that is complex, or of which nothing is known: an argument, or the
    result of a library function beyond plain NumPy.
    """
    if any(map(_is_open, given)):
        return True
    if any(map(_holds, kinds.names.values())):
        return True
    if any(isinstance(node.value, complex) for node in of_class(tree, gast.Constant)):
        return True
    names = {node.id: node for node in of_class(tree, gast.Name)}
    if any(_holds(kinds.known(names[own])) for own in names.keys() - kinds.local):
        return True
    return any(_brings(call, kinds) for call in of_class(tree, gast.Call))


def _holds(kind: Kind) -> bool:
    """Whether a value is complex, or holds one that is."""
    if isinstance(kind, Record):
        return any(map(_holds, kind.items))
    if isinstance(kind, (Sequence, Mapping)):
        return _holds(kind.item)
    return is_complex(kind)


def _is_open(kind: Kind | None) -> bool:
    """Whether it is not known of a value, or of one in it, that it is real or that it is complex.

    Of an array that is real in one call of a recursion and complex in another the dtype is open.
    """
    if isinstance(kind, Nullable):
        return _is_open(kind.other)
    if isinstance(kind, Record):
        return any(map(_is_open, kind.items))
    if isinstance(kind, (Sequence, Mapping)):
        return _is_open(kind.item)
    return isinstance(kind, Unknown) or isinstance(kind, Array) and kind.dtype is None


def _brings(node: gast.Call, kinds: Kinds) -> bool:
    """Whether the result of a call may be complex, as far as nothing says what it is."""
    function = kinds.known(node.func)
    if isinstance(function, Static) and registry.is_uncertain(function.value):
        return True
    if not _is_open(kinds.known(node)):
        return False
    if not isinstance(function, Static) or not callable(function.value):
        return False
    module = module_of(function.value) or ""
    return module.split(".")[0] not in _REAL or module.count(".") > 0 and "numpy" in module
