"""The clauses of a `try` put together, and the body of a `with`: each says that it ran.

The reverse sweep asks.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

import gast

from autodiff.reverse.items import Attempt, Context
from autodiff.syntax.names import Names, name
from autodiff.syntax.origin import with_origin
from autodiff.syntax.quote import quote, quote_statements
from autodiff.syntax.walk import map_children


def tried(
    item: Attempt,
    body: list[gast.stmt],
    orelse: list[gast.stmt],
    handled: Iterable[list[gast.stmt]],
    flagged: bool,
) -> gast.Try:
    """The `try` with these clauses; `flagged`: each says that it was the one that ran."""
    new = map_children(lambda child: child, item.primal)
    blocks = iter(handled)
    new.handlers = []
    number = 0
    for handler, block in zip(item.primal.handlers, item.handlers):
        if block is None:
            new.handlers.append(handler)
            continue
        number += 1
        own = map_children(lambda child: child, handler)
        code = [part for part in next(blocks) if not isinstance(part, gast.Pass)]
        own.body = [*flagging(item, number), *code] if flagged else code
        own.body = own.body or with_origin([gast.Pass()], item.origin)
        new.handlers.append(own)
    if flagged and orelse:
        orelse = [*orelse, *flagging(item, 0)]
    elif flagged:
        body = [*body, *flagging(item, 0)]
    new.body, new.orelse = body or with_origin([gast.Pass()], item.origin), orelse
    return new


def flagging(item: Attempt, clause: int) -> list[gast.stmt]:
    """The assignment that says which clause ran: a truth value where there are only two."""
    assert item.flag is not None
    value = clause if item.clauses > 2 else clause == 0
    constant = gast.Constant(value=value, kind=None)
    return with_origin(quote_statements("f = c", f=item.flag, c=constant), item.origin)


def chosen(item: Attempt, backs: list[list[gast.stmt]]) -> list[gast.stmt]:
    """The reverse of the clause that ran."""
    if item.flag is None:
        return backs[0]
    flag = name(item.flag)
    if item.clauses == 2:
        completed, handled = backs
        if completed:
            return [gast.If(test=flag, body=completed, orelse=handled)]
        test = gast.UnaryOp(op=gast.Not(), operand=flag)
        return [gast.If(test=test, body=handled, orelse=[])] if handled else []
    tests = [
        (quote("f == c", f=flag, c=gast.Constant(value=number, kind=None)), back)
        for number, back in enumerate(backs)
        if back
    ]
    chain: list[gast.stmt] = tests.pop()[1] if all(backs) else []
    for test, back in reversed(tests):
        chain = [gast.If(test=test, body=back, orelse=chain)]
    return chain


def completing(context: Context, new: gast.With, names: Names) -> list[gast.stmt]:
    """A `with` whose manager may swallow an exception: after one, there is no derivative."""
    if context.completed is None:
        context.completed = names.fresh("completed")
    manager = ast.unparse(gast.gast_to_ast(context.primal.items[0].context_expr))
    message = f"the body of `with {manager}` did not run to its end: its derivative is unknown"
    before, after, check = quote_statements(
        "done = False\ndone = True\nif not done:\n    raise RuntimeError(message)",
        done=context.completed,
        message=gast.Constant(value=message, kind=None),
    )
    new.body = [*new.body, after]
    check.origin = context.origin
    return [before, new, check]
