"""Loops as Numba takes them, and nothing that no longer has a purpose."""

from __future__ import annotations

from typing import Any

import gast

from autodiff.native.bindings import Helpers
from autodiff.native.helpers import backwards
from autodiff.native.native_kinds import is_range
from autodiff.syntax.change import changed, map_blocks, map_parts
from autodiff.syntax.names import reads
from autodiff.syntax.quote import quote


def loops(tree: gast.FunctionDef, helpers: Helpers) -> gast.FunctionDef:
    """`reversed(range(...))`, which Numba lacks, as a range that counts down.

        for i in reversed(range(1, n)):        for i in range(n - 1, 0, -1):
        f(range(1, n)[::-1])                   f(range(n - 1, 0, -1))

    Nested functions whose calls were inlined are dropped.
    """
    used = reads(tree.body)

    def block(body: list[gast.stmt]) -> list[gast.stmt]:
        kept = [n for n in body if not (isinstance(n, gast.FunctionDef) and n.name not in used)]
        return [_turned(map_blocks(block, node), helpers) for node in kept]

    result: gast.FunctionDef = changed(tree, body=block(tree.body))
    return result


def _turned(node: gast.stmt, helpers: Helpers) -> gast.stmt:
    if isinstance(node, gast.Assign):
        return _sliced(node, helpers)
    if not isinstance(node, gast.For) or not isinstance(node.iter, gast.Call):
        return node
    turned: gast.stmt
    call = node.iter
    if not (isinstance(call.func, gast.Name) and call.func.id == "reversed"):
        return node
    taken = _taken(call.args[0])
    if taken is not None:
        turned = changed(node, iter=_backwards_from(*taken, helpers))
        return turned
    if isinstance(call.args[0], gast.Name):  # a range that was kept
        holes = {"f": helpers.use("backwards", backwards), "r": call.args[0]}
        return changed(node, iter=quote("f(r.start, r.stop, r.step)", **holes))  # type: ignore[no-any-return]
    if not is_range(call.args[0]):
        return node
    turned = changed(node, iter=_backwards(call.args[0], helpers))
    return turned


def _sliced(node: gast.Assign, helpers: Helpers) -> gast.stmt:
    """A statement in which `range(...)[::-1]` is given to a function."""

    def visit(part: Any) -> Any:
        if isinstance(part, gast.Subscript) and is_range(part.value):
            if isinstance(part.slice, gast.Slice) and _literal(part.slice.step) == -1:
                return _backwards(part.value, helpers)
        return map_parts(visit, part)

    return changed(node, value=visit(node.value)) if "range" in reads(node.value) else node


def _backwards(call: gast.Call, helpers: Helpers) -> gast.expr:
    """The numbers of a range from the last to the first."""
    arguments = list(call.args)
    if len(arguments) == 1:
        return quote("range(n - 1, -1, -1)", n=arguments[0])
    start, stop = arguments[:2]
    step = _literal(arguments[2]) if len(arguments) == 3 else 1
    if step == 1:
        if isinstance(start, gast.Constant) and type(start.value) is int:
            return quote(f"range(stop - 1, {start.value - 1}, -1)", stop=stop)
        return quote("range(stop - 1, start - 1, -1)", start=start, stop=stop)
    if step == -1:
        return quote("range(stop + 1, start + 1)", start=start, stop=stop)
    given = {"start": start, "stop": stop, "step": arguments[2]}
    return quote("f(start, stop, step)", f=helpers.use("backwards", backwards), **given)


def _taken(node: gast.expr) -> tuple[gast.Call, gast.expr] | None:
    """The range and the number of its items that ran, where a loop was left: `range(n)[:steps]`."""
    if not isinstance(node, gast.Subscript) or not isinstance(node.slice, gast.Slice):
        return None
    cut = node.slice
    if not is_range(node.value) or cut.lower or cut.step or not isinstance(cut.upper, gast.Name):
        return None
    return node.value, cut.upper


def _backwards_from(call: gast.Call, count: gast.expr, helpers: Helpers) -> gast.expr:
    """The first `count` numbers of a range, which has that many, from the last of them."""
    zero, one = gast.Constant(value=0, kind=None), gast.Constant(value=1, kind=None)
    start = call.args[0] if len(call.args) > 1 else zero
    step = call.args[2] if len(call.args) == 3 else one
    use = helpers.use("backwards", backwards)
    return quote("f(a, a + c * s, s)", f=use, a=start, c=count, s=step)


def _literal(node: gast.expr | None) -> int | None:
    if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub):
        inner = _literal(node.operand)
        return None if inner is None else -inner
    if isinstance(node, gast.Constant) and type(node.value) is int:
        return node.value
    return None
