"""New arrays, and updates of elements, as calls of intrinsics: Numba need not compile functions."""

from __future__ import annotations

from typing import Any

import gast
import numpy as np

from autodiff.frontend.jitted import is_jitted
from autodiff.kinds.kind import Array, Scalar
from autodiff.native import intrinsics
from autodiff.native.bindings import Helpers
from autodiff.native.intrinsics import add_at, subtract_at
from autodiff.native.values import NativeKinds
from autodiff.native.vocabulary import DTYPES
from autodiff.rules.home import hashable
from autodiff.syntax.change import changed, map_blocks
from autodiff.syntax.make import LOAD
from autodiff.syntax.origin import origin_of
from autodiff.syntax.walk import map_children, shared, walk

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


_NUMBERS = ("float", "int", "bool")


def addressed(tree: gast.FunctionDef, known: NativeKinds, helpers: Helpers) -> gast.FunctionDef:
    """The function with its updates of elements said at once.

        x_bar[c, 1] += y_bar                   add_at(x_bar, (c, 1), y_bar)
        x_bar[c, 2] -= z_bar                   subtract_at(x_bar, (c, 2), z_bar)

    Adjoint code is full of them, and Numba takes 8 ms for each, more than for any other statement
    of one line.
    """

    def block(body: list[gast.stmt]) -> list[gast.stmt]:
        return [statement(node) for node in body]

    def statement(node: gast.stmt) -> gast.stmt:
        return _called(node, helpers) if _is_update(node, known) else map_blocks(block, node)

    result: gast.FunctionDef = changed(tree, body=block(tree.body))
    return result


def _called(node: gast.AugAssign, helpers: Helpers) -> gast.Expr:
    less = isinstance(node.op, gast.Sub)
    use = helpers.use("subtract_at", subtract_at) if less else helpers.use("add_at", add_at)
    arguments = [changed(node.target.value, ctx=LOAD), node.target.slice, node.value]
    result: gast.Expr = gast.Expr(value=gast.Call(func=use, args=arguments, keywords=[]))
    result.origin = origin_of(node)
    return result


def _is_update(node: gast.stmt, known: NativeKinds) -> bool:
    """Whether it adds a number to an element of an array of floats, and calls nobody's function,
    which could change the element before it is read."""
    if not isinstance(node, gast.AugAssign) or not isinstance(node.op, (gast.Add, gast.Sub)):
        return False
    target = node.target
    if not isinstance(target, gast.Subscript) or not isinstance(target.value, gast.Name):
        return False
    base = known.of(target.value)
    parts = target.slice.elts if isinstance(target.slice, gast.Tuple) else [target.slice]
    if not isinstance(base, Array) or base.dtype != "float64" or len(parts) != len(base.shape):
        return False
    if not all(_is_number(known, part, ("int",)) for part in parts):
        return False
    parts = walk([target.slice, node.value])
    called = [known.called(part) for part in parts if isinstance(part, gast.Call)]
    if any(function is None or is_jitted(function) for function in called):
        return False
    return _is_number(known, node.value, _NUMBERS)


def _is_number(known: NativeKinds, node: gast.expr, kinds: tuple[str, ...]) -> bool:
    kind = known.of(node)
    return isinstance(kind, Scalar) and kind.type in kinds
