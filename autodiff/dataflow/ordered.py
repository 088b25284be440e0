"""Stores from one row of elements to another of the same memory, which may overlap."""

from __future__ import annotations

import gast

from autodiff.analysis.kind import Array
from autodiff.core.function import Function, References
from autodiff.core.notyet import NotYet
from autodiff.core.operation import Access, Apply, Load, Store, View
from autodiff.core.statements import Verbatim
from autodiff.core.value import Value
from autodiff.core.window import Span
from autodiff.dataflow.apart import apart, through
from autodiff.primitives.builder import Builder
from autodiff.primitives.form import hole
from autodiff.primitives.repeated import copies
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
    if any(isinstance(v.kind, Array) and v.kind.dtype == "bool" for v in store.index):
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
