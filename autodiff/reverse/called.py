"""Methods of lists and dicts that are called for their effect: the shadow does the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

import gast

from autodiff.reverse.following import is_mirrored, putting, refuse, taking
from autodiff.reverse.items import Step
from autodiff.reverse.slots import Put, rebuilt
from autodiff.syntax.names import store
from autodiff.syntax.origin import origin_of
from autodiff.syntax.quote import quote, quote_statements
from autodiff.syntax.walk import clone

if TYPE_CHECKING:
    from autodiff.reverse.reverse import Reverse


def called(reverse: Reverse, statement: gast.Expr) -> Step | None:
    """`xs.append(e)` and other methods that are called for their effect."""
    call = statement.value
    if not isinstance(call, gast.Call) or not isinstance(call.func, gast.Attribute):
        return None
    if not is_mirrored(reverse, call.func.value):
        return None
    base, method = rebuilt(reverse, call.func.value), call.func.attr
    primal: list[gast.stmt] = [statement]
    puts: list[Put] = []
    put = putting(reverse, statement, puts)

    def done(*arguments: gast.expr) -> gast.expr:
        func = gast.Attribute(value=base, attr=method, ctx=gast.Load())
        return gast.Call(func=func, args=list(arguments), keywords=[])

    arguments = call.args
    if any(isinstance(a, gast.Starred) for a in arguments) or (
        call.keywords and method != "sort"
    ):
        refuse(reverse, statement, f"`.{method}(...)` with such arguments")
    if method == "append" and len(arguments) == 1:
        primal.append(gast.Expr(value=done(put(arguments[0]))))
    elif method == "insert" and len(arguments) == 2:
        primal.append(gast.Expr(value=done(clone(arguments[0]), put(arguments[1]))))
    elif method in ("extend", "update") and len(arguments) == 1:
        primal.append(gast.Expr(value=done(put(arguments[0], True))))
    elif method in ("clear", "reverse") and not arguments:
        primal.append(gast.Expr(value=done()))
    elif method in ("pop", "setdefault"):
        primal.append(gast.Expr(value=taking(reverse, statement, call, put)))
    elif method == "remove" and len(arguments) == 1:
        index = quote("x.index(v)", x=call.func.value, v=arguments[0])
        found = reverse.slot(statement, None, "index")
        first = gast.Assign(targets=[store(found)], value=index)
        cut = quote_statements("del s[k]", s=base, k=found)
        primal = [first, statement, *cut]
    elif method == "sort" and not arguments:
        order = quote("f(x)", f=reverse.helper("sorting"), x=call.func.value)
        order.keywords = [clone(keyword) for keyword in call.keywords]
        found = reverse.slot(statement, None, "order")
        first = gast.Assign(targets=[store(found)], value=order)
        text = "s[:] = [s[k] for k in o]"
        primal = [first, statement, *quote_statements(text, s=base, o=found)]
    elif method in ("get", "index", "count", "copy", "keys", "values", "items"):
        return None
    else:
        refuse(reverse, statement, f"`.{method}(...)`")
    adjoint = [s for one in puts for s in one.adjoint()]
    before = [s for one in puts for s in one.before]
    return Step([primal[0], *before, *primal[1:]], adjoint, origin_of(statement))
