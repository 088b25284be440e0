"""A block without derivatives works on constants.

    with no_grad():                     s = no_grad(s)
        s = s + x                       x_constant = no_grad(x)
        a[0] = s * x                    s = s + x_constant
                                        a[0] = s * x_constant
"""

from __future__ import annotations

from typing import Any

import gast

from autodiff.errors import UnsupportedSyntaxError
from autodiff.normalize.build import assign
from autodiff.normalize.sugar.context import Context, meaning
from autodiff.runtime.constant import no_grad
from autodiff.syntax.names import name, parameters, reads, writes
from autodiff.syntax.origin import origin_of
from autodiff.syntax.walk import clone, map_children, walk

_INNER = (gast.FunctionDef, gast.Lambda, gast.Delete)


def constant_block(statement: gast.With, context: Context) -> list[gast.stmt] | None:
    """The statements of the block, on constants."""
    item, origin = statement.items[0], origin_of(statement)
    call = item.context_expr
    if not isinstance(call, gast.Call) or meaning(call.func, context) is not no_grad:
        return None
    if call.args or call.keywords or item.optional_vars is not None or len(statement.items) > 1:
        raise UnsupportedSyntaxError(
            "no_grad with something beside it",
            origin,
            why="it has no arguments and gives nothing",
            cure="write `with no_grad():`",
        )
    if any(isinstance(node, _INNER) for part in statement.body for node in walk(part)):
        raise UnsupportedSyntaxError(
            "a function is defined, or a name deleted, under no_grad",
            origin,
            why="what it reads later on is no constant",
            cure="define it outside of the block",
        )
    assigned = _before(context, origin)
    own = writes(statement.body)
    read = reads(statement.body) & assigned
    constants = {n: context.temporary(f"{n}_constant") for n in sorted(read - own)}
    body = [_with(part, constants) for part in statement.body]
    before: list[gast.stmt] = []
    for outer in sorted(own & assigned | {n for n in constants if constants[n] in reads(body)}):
        value = gast.Call(func=clone(call.func), args=[name(outer)], keywords=[])
        before.append(assign(constants.get(outer, outer), value, origin))
    return [*before, *body]


def _before(context: Context, origin: Any) -> set[str]:
    """Parameters, and the names that are assigned in lines before a place."""
    found = set(parameters(context.tree.args))
    for node in walk(context.tree):
        place = getattr(node, "origin", None)
        if isinstance(node, gast.stmt) and place is not None and place.line < origin.line:
            if isinstance(node, (gast.For, gast.While, gast.If, gast.With, gast.Try)):
                found |= writes(getattr(node, "target", None) or [])
                found |= writes(getattr(node, "items", None) or [])
            else:
                found |= writes(node)
    return found


def _with(node: Any, constants: dict[str, str]) -> Any:
    """Code that reads constants; what it stores into, or calls a method of, stays."""
    if isinstance(node, gast.Name):
        if isinstance(node.ctx, gast.Load) and node.id in constants:
            return gast.copy_location(name(constants[node.id]), node)
        return node
    if isinstance(node, gast.Expr) and isinstance(node.value, gast.Call):
        call = node.value
        if isinstance(call.func, gast.Attribute):
            new = map_children(lambda child: _with(child, constants), node)
            new.value.func = call.func
            new.origin = origin_of(node)
            return new
    if isinstance(node, (gast.Subscript, gast.Attribute)) and isinstance(
        node.ctx, (gast.Store, gast.Del)
    ):
        new = map_children(lambda child: _with(child, constants), node)
        new.value = node.value
        return new
    new = map_children(lambda child: _with(child, constants), node)
    if isinstance(node, gast.stmt):
        new.origin = origin_of(node)
    return new
