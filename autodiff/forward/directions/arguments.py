"""The arguments of a call, and the call with others."""

from __future__ import annotations

from typing import Any

import gast

from autodiff.analysis.operation import Operation
from autodiff.forward.directions.batch import Batch, Unruled


def given_to(operation: Operation, *parameters: str) -> dict[str, gast.expr]:
    """The arguments of a call by name; Unruled if it has others."""
    found = dict(zip(parameters, operation.arguments))
    if len(operation.arguments) > len(parameters):
        raise Unruled
    for own, value in operation.keywords:
        if own not in parameters or own in found:
            raise Unruled
        found[own] = value
    return found


def literal(value: object) -> gast.expr:
    if isinstance(value, tuple):
        return gast.Tuple(elts=[literal(part) for part in value], ctx=gast.Load())
    if isinstance(value, int) and value < 0:
        positive = gast.Constant(value=-value, kind=None)
        return gast.UnaryOp(op=gast.USub(), operand=positive)
    return gast.Constant(value=value, kind=None)


def behind(axis: Any) -> Any:
    """An axis, or several, counted behind that of the directions."""
    if isinstance(axis, tuple):
        return tuple(map(behind, axis))
    return axis + 1 if axis >= 0 else axis


def only_tangent(batch: Batch, given: dict[str, gast.expr]) -> tuple[gast.expr, gast.expr]:
    """The first argument, which has to be a tangent and the only one."""
    node, *rest = given.values()
    if not batch.carries(node) or batch.carries(rest):
        raise Unruled
    return node, node


def called_with(
    node: gast.Call, new: gast.expr, own: gast.expr, *rest: gast.expr, **keywords: gast.expr | None
) -> gast.Call:
    """The call with `new` for its first argument `own`, as a method if it was one."""
    named = [gast.keyword(arg=k, value=v) for k, v in keywords.items() if v is not None]
    if isinstance(node.func, gast.Attribute) and node.func.value is own:
        function = gast.Attribute(value=new, attr=node.func.attr, ctx=gast.Load())
        return gast.Call(func=function, args=[*rest], keywords=named)
    return gast.Call(func=node.func, args=[new, *rest], keywords=named)
