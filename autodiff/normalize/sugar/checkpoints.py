"""A loop over a checkpointed range is the loop over the range, in a block that says so.

for t in checkpointed(range(n), snapshots=s):     with checkpointed(snapshots=s):
    u = step(u)                                       for t in range(n):
                                                          u = step(u)
"""

from __future__ import annotations

import gast

from autodiff.errors import UnsupportedSyntaxError
from autodiff.normalize.build import at, shallow
from autodiff.normalize.sugar.context import Context, meaning
from autodiff.normalize.sugar.loops import is_counted
from autodiff.runtime.checkpoints import checkpointed
from autodiff.syntax.origin import origin_of, place


def block_of(statement: gast.For, context: Context) -> list[gast.stmt] | None:
    """The block around the plain loop."""
    call, origin = statement.iter, origin_of(statement)
    if not isinstance(call, gast.Call) or meaning(call.func, context) is not checkpointed:
        return None
    if len(call.args) != 1 or not is_counted(call.args[0], context):
        raise UnsupportedSyntaxError(
            "a checkpointed loop that does not run over a range",
            place(call, origin),
            why="its steps are told apart by a counter",
            cure="write `for k in checkpointed(range(len(xs)), snapshots=...)` and take `xs[k]`",
        )
    loop = shallow(statement)
    loop.iter = call.args[0]
    manager = gast.Call(func=call.func, args=[], keywords=call.keywords)
    gast.copy_location(manager, call)
    items = [gast.withitem(context_expr=manager, optional_vars=None)]
    return [at(gast.With(items=items, body=[loop], type_comment=None), origin)]
