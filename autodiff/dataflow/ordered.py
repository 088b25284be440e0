"""Stores from one row of elements to another of the same memory, which may overlap."""

from __future__ import annotations

from autodiff.analysis.kind import Array
from autodiff.core.function import Function
from autodiff.core.operation import Access, Apply, Load, Store, View
from autodiff.core.window import Span


def orderless(function: Function, store: Store) -> bool:
    """Whether NumPy may read, in a store, what it has just written there: `m[1] = m[:, 2]`.

    It copies first, except from one row of elements to another, whose steps may differ here.
    """
    source, row = store.value.op, store.value.kind
    if not isinstance(source, Load) or not isinstance(row, Array) or len(row.shape) > 1:
        return False
    region = store.base.region
    if region is None or source.base.region is not region:
        return False
    if source.base is store.base and steps(source) == steps(store):
        return False
    return any(
        isinstance(op, View)
        and op.base.region is region
        and steps(op) is not None
        or isinstance(op, Apply)
        and op.primitive.memory == "view"
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
