"""What is added to an element of an array, as a call of an intrinsic."""

from __future__ import annotations

import gast

from autodiff.frontend.jitted import is_jitted
from autodiff.kinds.kind import Array, Scalar, Static
from autodiff.kinds.known import Kinds
from autodiff.native.addresses import add_at, subtract_at
from autodiff.native.bindings import Helpers
from autodiff.syntax.change import changed, map_blocks
from autodiff.syntax.make import LOAD
from autodiff.syntax.origin import origin_of
from autodiff.syntax.walk import walk

_NUMBERS = ("float", "int", "bool")


def addressed(tree: gast.FunctionDef, known: Kinds, helpers: Helpers) -> gast.FunctionDef:
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


def _is_update(node: gast.stmt, known: Kinds) -> bool:
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
    calls = [part for part in walk([target.slice, node.value]) if isinstance(part, gast.Call)]
    return _is_number(known, node.value, _NUMBERS) and not any(_is_users(known, c) for c in calls)


def _is_number(known: Kinds, node: gast.expr, kinds: tuple[str, ...]) -> bool:
    kind = known.of(node)
    return isinstance(kind, Scalar) and kind.type in kinds


def _is_users(known: Kinds, call: gast.Call) -> bool:
    kind = known.of(call.func)
    return not isinstance(kind, Static) or is_jitted(kind.value)
