"""New arrays as calls of intrinsics: Numba need not compile functions."""

from __future__ import annotations

from typing import Any

import gast
import numpy as np

from autodiff.kinds.kind import Array
from autodiff.native import intrinsics
from autodiff.native.bindings import Helpers
from autodiff.native.native_kinds import NativeKinds
from autodiff.native.vocabulary import DTYPES
from autodiff.rules.home import hashable
from autodiff.syntax.change import changed
from autodiff.syntax.walk import map_children, shared

_SIZED: dict[Any, Any] = {np.empty: intrinsics.empty, np.zeros: intrinsics.zeros}
_LIKE: dict[Any, Any] = {np.empty_like: intrinsics.empty_like, np.zeros_like: intrinsics.zeros_like}


def allocated(tree: gast.FunctionDef, known: NativeKinds, helpers: Helpers) -> gast.FunctionDef:
    """The function with its new arrays made where they stand.

    y = np.empty(n)                        y = empty(n, "float64")
    x_bar = np.zeros_like(x)               x_bar = zeros_like(x)
    """

    def visit(node: gast.AST) -> Any:
        new = shared(map_children(visit, node), node)
        if isinstance(node, gast.Call) and not node.keywords:
            return _made(node, new, known, helpers)
        return new

    result: gast.FunctionDef = changed(tree, body=[visit(statement) for statement in tree.body])
    return result


def _made(node: gast.Call, new: gast.Call, known: NativeKinds, helpers: Helpers) -> gast.Call:
    """The call `new` of an intrinsic, if one does what this function of NumPy's does."""
    called: Any = known.called(node) if hashable(known.called(node)) else None
    first, *others = node.args or [None]
    if called in _LIKE and isinstance(known.of(first), Array) and not others:
        return _calling(called.__name__, _LIKE[called], new, new.args, helpers)
    if called not in _SIZED or len(others) > 1:
        return new
    dtype = "float64"
    for other in others:
        if not isinstance(other, gast.Attribute) or other.attr not in DTYPES:
            return new
        dtype = other.attr.rstrip("_")
    arguments = [new.args[0], gast.Constant(value=dtype, kind=None)]
    return _calling(called.__name__, _SIZED[called], new, arguments, helpers)


def _calling(
    name: str, intrinsic: Any, node: gast.Call, arguments: list[gast.expr], helpers: Helpers
) -> gast.Call:
    result: gast.Call = changed(node, func=helpers.use(name, intrinsic), args=arguments)
    return result
