"""Stores from one row of elements to another of the same memory, which may overlap.

What shows what is stored after it was made, and who reads what a call may have overwritten.
"""

from __future__ import annotations

import gast
import numpy as np

from autodiff.core import (
    About,
    Function,
    NotYet,
    References,
    Span,
    Try,
    Unseen,
    Value,
    Verbatim,
    outputs,
    users,
)
from autodiff.core.operation import Access, Apply, If, Load, LoadOuter, Loop, Operation, Store, View
from autodiff.dataflow.apart import apart, through
from autodiff.kinds.kind import Array, Drawing, Unknown
from autodiff.primitives import READ_ONLY, Builder, copies, hole, is_world
from autodiff.primitives.untraced import lost
from autodiff.runtime import orderless as checks
from autodiff.syntax.names import name


def ordered(function: Function, references: References) -> None:
    """Writes the checks that stores need whose result may depend on the order of copying.

    before: `m[1] = m[:, 2]`
    after: `orderless(m[1], m[:, 2])`, `m[1] = m[:, 2]`
    """
    for block in function.body.blocks():
        operations, block.operations = block.operations, []
        for op in operations:
            if isinstance(op, Store) and orderless(function, op):
                builder = Builder(block, references, op.origin)
                builder.add(check(references, view(builder, op), view(builder, source_of(op))))
            if isinstance(op, Verbatim) and op.about_order:
                if op.operands[0].region is not op.operands[1].region:
                    continue
            block.operations.append(op)


def check(references: References, target: Value, source: Value) -> Verbatim:
    """`orderless(target, source)`."""
    own = name(references.use("orderless", checks))
    call = gast.Call(func=own, args=[hole(0), hole(1)], keywords=[])
    made = Verbatim(gast.Expr(value=call), [target, source])
    made.about_order = True
    return made


def view(builder: Builder, access: Access) -> Value:
    """What an access touches, as memory."""
    if access.window is None:
        return access.base
    return builder.view(access.base, access.window, access.index)


def source_of(store: Store) -> Load:
    """What a store reads."""
    load = store.value.op
    assert isinstance(load, Load)
    return load


def orderless(function: Function, store: Store) -> bool:
    """Whether NumPy may read, in a store, what it has just written there: `m[1] = m[:, 2]`.

    It copies first, except from one row of elements to another, whose steps may differ here, and
    where a mask says where to store.
    """
    source, row = store.value.op, store.value.kind
    if not isinstance(source, Load) or not isinstance(row, Array):
        return False
    region = store.base.region
    if region is None or source.base.region is not region or copies(source.index):
        return False
    if not isinstance(store.base.kind, Array):
        return False  # what a container holds is replaced, not written
    if any(isinstance(v.kind, Array) and v.kind.dtype == "bool" for v in store.index):
        with About(store):
            raise NotYet("a store by a mask of what may overlap")
    if len(row.shape) > 1 or copies(store.index):
        return False
    read = through(source)
    if read.base is store.base:
        if steps(read) == steps(store) or apart(read, store, None, True, False):
            return False
    return any(
        isinstance(op, View)
        and op.base.region is region
        and steps(op) is not None
        or isinstance(op, Apply)
        and op.primitive.memory != "new"
        and op.result.region is region
        for op in function.body.walk()
    ) or not (steps(store) is steps(source) is None)


def copied_rows(function: Function, references: References) -> None:
    """Copies what a store of the reverse sweep reads, where NumPy would read what it has written.

    before: `y_bar[::2] = np.broadcast_to(y_bar[:4], (4,))`
    after: `y_bar[::2] = np.broadcast_to(y_bar[:4], (4,)).copy()`
    """
    for block in function.body.blocks():
        operations, block.operations = block.operations, []
        for op in operations:
            if type(op) is Store and op.reverse and is_row_of_itself(op):  # adding copies itself
                builder = Builder(block, references, op.origin, reverse=True)
                value = op.value
                op.operands[1] = builder.call(".copy", np.copy, value, kind=value.kind)
            block.operations.append(op)


def is_row_of_itself(store: Store) -> bool:
    """Whether what is stored may be another row of the same memory."""
    kind, region, op = store.value.kind, store.base.region, store.value.op
    if region is None or not isinstance(kind, Array) or len(kind.shape) > 1:
        return False
    if not isinstance(store.base.kind, Array):
        return False
    while isinstance(op, (Apply, View)) and (isinstance(op, View) or op.primitive.memory != "new"):
        same = [v for v in op.operands if v.region is store.value.region]
        op = same[0].op if same and same[0].region is not None else None
    if not isinstance(op, Load) or op.base.region is not region or copies(op.index):
        return False
    read = through(op)
    alike = read.base is store.base and steps(read) == steps(store)
    return not (alike or apart(read, store, None, True, False) or copies(store.index))


def steps(access: Access) -> tuple[object, ...] | None:
    """What decides the step of a row: the axes that it leaves out, and a slice's step. None for
    parts of arrays of one axis, one element after the other.
    """
    window, kind = access.window, access.base.kind
    if window is None:
        return None
    found = tuple(
        part.step if isinstance(part, Span) else Ellipsis if part is Ellipsis else int
        for part in window.parts
    )
    is_row = isinstance(kind, Array) and len(kind.shape) == 1
    return None if is_row and found in ((None,), (1,), (int,), (Ellipsis,)) else found


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
    while block.parent is not None:
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


_HELD = (
    "an object of outside is read here that this function may change",
    "the reverse sweep would read what it holds then",
    "change a copy of it, or pass what is changed as an argument",
)


def check_followed(function: Function) -> None:
    """Refuses memory that changes and is not followed."""
    worlds = any(map(is_world, function.body.walk()))
    for op in list(function.body.walk()):
        with About(op):
            check_memory(function, op, worlds)


def check_memory(function: Function, op: Operation, worlds: bool) -> None:
    """What memory of one operation is not followed through yet."""
    for value in op.results:
        if is_vague(value) and value.is_written:
            check_known(function, value)
            raise NotYet("memory that changes and may be a number")
    if isinstance(op, Apply) and op.spoils and read_later(function, op):
        if not op.mended:
            raise NotYet("memory that is read after a call may have overwritten it")
    elif isinstance(op, Apply) and op.mended:
        op.block.operations = [o for o in op.block.operations if o not in op.mended]
    changed = isinstance(op, LoadOuter) and not (op.result.is_array or is_drawing(op.result))
    if changed and op.result.region and any(r.written for r in op.result.region.reached()):
        raise NotYet("memory of outside is changed")
    if isinstance(op, LoadOuter) and op.held:
        if worlds or any(region.find().written for region in op.held):
            raise Unseen(op.origin, *_HELD)
    if isinstance(op, Store) and op.base.is_constant:
        raise NotYet("a store into a constant")


def check_known(function: Function, value: Value) -> None:
    """Refuses a call of which nothing is known, and which gives what may be a number."""
    for op in function.body.walk():
        if is_world(op) and op.writes(value.home.find()):
            with About(op):
                raise lost(op, any(not each.is_constant for each in op.operands))


def is_drawing(value: Value) -> bool:
    """Whether a value is a random generator, which moves on where it is asked."""
    return isinstance(value.kind, Drawing)


def is_vague(value: Value) -> bool:
    """Whether a value may be a number or an array."""
    return isinstance(value.kind, Unknown) and not is_drawing(value)
