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
from autodiff.normalize.build import assign, at
from autodiff.normalize.sugar.context import INSERTED, Context, meaning
from autodiff.runtime.constant import insert_grad_of, no_grad
from autodiff.syntax.definition import definition
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


_LEAVING = (gast.Return, gast.Break, gast.Continue, gast.Global, gast.Nonlocal)


def block_on_adjoint(statement: gast.With, context: Context) -> list[gast.stmt] | None:
    """A block that works on an adjoint: a function, and the call that says where that is asked for.

    before: `with insert_grad_of(x) as x_bar: print(i, x_bar)`
    after: `def insert_x_bar(x_bar, i): print(i, x_bar); return x_bar`,
        `inserted(x, insert_x_bar, i)`
    """
    item, origin = statement.items[0], origin_of(statement)
    call, target = item.context_expr, item.optional_vars
    if not isinstance(call, gast.Call) or meaning(call.func, context) is not insert_grad_of:
        return None
    value = call.args[0] if len(call.args) == 1 and not call.keywords else None
    if not isinstance(value, gast.Name) or value.id not in context.bound:
        raise _refusal(
            statement,
            "insert_grad_of is given something that is no local variable",
            "the adjoint is that of a variable at one place",
            "assign the value to a name, and write `with insert_grad_of(name) as name_bar:`",
        )
    if not isinstance(target, gast.Name) or len(statement.items) > 1:
        raise _refusal(
            statement,
            "insert_grad_of does not bind the adjoint to a name",
            "the statements in the block work on it",
            f"write `with insert_grad_of({value.id}) as {value.id}_bar:`",
        )
    own = target.id
    leaving = next((s for s in walk_statements(statement.body) if isinstance(s, _LEAVING)), None)
    if leaving is not None:
        raise _refusal(
            leaving,
            "a block on an adjoint is left in the middle",
            "it runs in the reverse sweep, where there is nothing to go on with",
            "use `if` and `else` inside the block",
        )
    outside = context.outer(statement)
    for other in sorted((writes(statement.body) - {own}) & outside):
        raise _refusal(
            statement,
            f"`{other}` is assigned in a block on an adjoint, and used outside of it",
            "the block runs in the reverse sweep, long after the statements around it",
            f"use another name for it; only `{own}` goes on",
        )
    if own in outside:
        raise _refusal(
            statement,
            f"`{own}`, the adjoint in a block, is also a name outside of it",
            "the block runs in the reverse sweep, long after the statements around it",
            "use another name for the adjoint",
        )
    others = sorted((reads(statement.body) & context.bound) - {own} - writes(statement.body))
    title = context.names.fresh(f"insert_{own}")
    ending = at(gast.Return(value=name(own)), origin)
    made = definition(title, (own, *others), [*statement.body, ending])
    values = [name(value.id), name(title), *map(name, others)]
    asked = gast.Call(func=name(INSERTED), args=values, keywords=[])
    return [at(made, origin), at(gast.Expr(value=asked), origin)]


def walk_statements(body: list[gast.stmt]) -> list[Any]:
    """All nodes in a block."""
    return [node for statement in body for node in walk(statement)]


def _refusal(node: gast.stmt, what: str, why: str, cure: str) -> UnsupportedSyntaxError:
    return UnsupportedSyntaxError(what, origin_of(node), why=why, cure=cure)
