"""Checkpointed loops and calls in text for compiled code, which has no functions as values.

u, kept = run_steps(range(n), s, (u,), (nu,))       y = layer(x, w)
(u_bar,) = reverse_steps(kept, (u_bar,))            x_bar, w_bar = layer_adjoints(x, w, (y_bar,))
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import gast

from autodiff.core.statements import Pullback, Recomputed, Steps
from autodiff.syntax.names import name, store

if TYPE_CHECKING:
    from autodiff.emit.calls import Calls


def run_steps(calls: Calls, op: Steps) -> gast.stmt:
    """The state behind a loop, and what is kept to reverse it, if anybody does."""
    over, count, *given = map(calls.expr, op.operands)
    users = calls.places.users
    names = [calls.names[value] if value in users else "_" for value in op.results]
    groups = [_group(given[: op.width]), _group(given[op.width :])]
    counts = [over] if op.test is None else []
    call: gast.expr = gast.Call(name(calls.spelled(op.name)), [*counts, count, *groups], [])
    state: gast.expr = gast.Tuple([*map(store, names[: op.width])], gast.Store())
    if len(names) == op.width:
        call = gast.Subscript(value=call, slice=gast.Constant(0, None), ctx=gast.Load())
        return gast.Assign([state], call, None)
    if {*names[: op.width]} <= {"_"}:
        state = store("_")
    return gast.Assign([gast.Tuple([state, store(names[op.width])], gast.Store())], call, None)


def adjoints(calls: Calls, op: Pullback, call: Steps) -> gast.expr:
    """The adjoints of what a loop or a call was given."""
    count = len(call.given) if isinstance(call, Recomputed) else 1
    given = [calls.expr(value) for value in op.operands]
    own = name(calls.spelled(call.variant))
    return gast.Call(own, [*given[:count], _group(given[count:])], [])


def _group(nodes: list[gast.expr]) -> gast.expr:
    return gast.Tuple(elts=nodes, ctx=gast.Load())
