"""What shows what is stored after it was made, and who reads what a call may have overwritten."""

from __future__ import annotations

from autodiff.core.function import Function, outputs, users
from autodiff.core.operation import Apply, If, Load, Loop, Operation, View
from autodiff.core.statements import Try
from autodiff.core.value import Value
from autodiff.primitives.lending import READ_ONLY


def remade(function: Function) -> None:
    """A view that nobody can write to, of memory that changes, is made again where it is read.

    d = np.diagonal(m)
    m[0, 0] = 2.0
    y = d[0]                        y = np.diagonal(m)[0]
    """
    used = users(function)
    for op in list(function.body.walk()):
        if not isinstance(op, Apply) or op.primitive.function not in READ_ONLY:
            continue
        region, views, reads = op.result.region, [op.result], list[Load]()
        if region is None or not region.written:
            continue
        for value in views:
            own = used.get(value, [])
            views += [user.result for user in own if isinstance(user, View)]
            reads += [user for user in own if isinstance(user, Load)]
        if all(isinstance(user, (View, Load)) for value in views for user in used.get(value, [])):
            for read in reads:
                made_again(read, op)
            for value in views:
                assert value.op is not None
                assert value.op.block is not None
                value.op.block.operations.remove(value.op)


def made_again(read: Load, view: Apply) -> None:
    """The operations that make a view stand before one that reads it."""
    steps: list[View] = []
    while isinstance(read.base.op, View):
        steps.insert(0, read.base.op)
        read.operands[0] = read.base.op.base
    made: list[Operation] = []
    given = list(view.operands)
    for k, value in enumerate(given):
        if value.region is view.result.region:
            given[k] = Value("", value.kind)
            made.append(Load([value], [given[k]], None, read.origin))
    memory = next(load.result.memory for load in made)
    found = Value(view.result.hint, view.result.kind, memory)
    made.append(Apply(view.primitive, view.application, view.form, given, [found], read.origin))
    for step in steps:
        own = Value(step.result.hint, step.result.kind, memory)
        made.append(View([found, *step.index], [own], step.window, read.origin))
        found = own
    read.operands[0] = found
    assert read.block is not None
    for op in made:
        op.block = op.result.block = read.block
        op.raises, op.contexts = True, read.contexts
    place = read.block.operations.index(read)
    read.block.operations[place:place] = made


def read_later(function: Function, op: Apply) -> bool:
    """Whether memory that a call may overwrite is the caller's, or may be read after it.

    `np.median(y, overwrite_input=True)` leaves anything in `y`.
    """
    loads = [v.op for v in op.operands if isinstance(v.op, Load)]
    given = [load.base for load in loads] + op.operands
    memory = {region for value in given if value.region for region in value.region.reached()}
    if any(region.given for region in memory):
        return True
    own = {op, *loads, *op.mended}
    order = list(function.body.walk())
    later = set(order[order.index(op) + 1 :])
    block = op.block
    while block is not None and block.parent is not None:
        around = block.parent
        if isinstance(around, Loop):
            if any(load.base.op not in block.operations for load in loads):
                return True  # the next iteration reads it
            later.update(block.walk())
        elif isinstance(around, If) and not isinstance(around, Try):
            later -= {o for other in around.blocks if other is not block for o in other.walk()}
        block = around.block
    read = [value for o in later - own for value in o.operands]
    read += [value for inner in function.body.blocks() for value in inner.results]
    read += outputs(function)
    return any(
        region in memory for value in read if value.region for region in value.region.reached()
    )
