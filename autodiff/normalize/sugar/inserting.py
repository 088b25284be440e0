"""A block that works on an adjoint is a function of that, beside the value.

with insert_grad_of(x) as x_bar:          def insert_x_bar(x_bar, i):
    print(i, x_bar)                           print(i, x_bar)
                                              return x_bar
                                          inserted(x, insert_x_bar, i)
"""

from __future__ import annotations

from typing import Any

import gast

from autodiff.errors import UnsupportedSyntaxError
from autodiff.normalize.build import at
from autodiff.normalize.sugar.context import INSERTED, Context, meaning
from autodiff.runtime.inserting import insert_grad_of
from autodiff.syntax.definition import definition
from autodiff.syntax.names import name, reads, writes
from autodiff.syntax.origin import origin_of
from autodiff.syntax.walk import walk

_LEAVING = (gast.Return, gast.Break, gast.Continue, gast.Global, gast.Nonlocal)


def block_on_adjoint(statement: gast.With, context: Context) -> list[gast.stmt] | None:
    """The function, and the call that says where its adjoint is asked for."""
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
