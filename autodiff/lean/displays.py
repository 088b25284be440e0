"""What touches all of a view touches the memory; all parts of a tuple, in order, are the tuple."""

from __future__ import annotations

from autodiff.core import Access, Apply, Function, Load, References, Store, Value, View
from autodiff.kinds.kind import Array, Record
from autodiff.lean.rewriting import Rewriting
from autodiff.primitives import DISPLAY, ITEM


def windows(function: Function, references: References) -> None:
    """Adjoints of views are added where they belong.

    before: `u_value_bar = u_bar[1:-1]`, `u_value_bar += g`
    after: `u_bar[1:-1] += g`
    """
    for op in function.body.walk():
        if isinstance(op, (Load, Store)) and op.window is None and op.reverse:
            view = op.base.op
            while isinstance(view, View) and op.window is None:
                into(op, view)
                view = op.base.op
        if isinstance(op, (Load, Store)) and op.reverse and op.window and op.window.is_whole:
            if isinstance(op.base.kind, Array):
                op.window = None


def into(op: Access, view: View) -> None:
    """The window of a view is that of an operation."""
    rest = op.operands[1:]
    op.operands = [view.base, *rest, *view.index]
    op.window = view.window
    op.raises = True


def displays(work: Rewriting) -> None:
    """Tuples that are taken apart and put together again stay as they are.

    before: `a_bar.reshape((a.shape[0], a.shape[1]))`
    after: `a_bar.reshape(a.shape)`
    """
    swapped: dict[Value, Value] = {}
    for op in work.operations():
        if isinstance(op, Apply) and op.primitive is DISPLAY:
            whole = taken_apart(op)
            if whole is not None:
                swapped[op.result] = whole
    work.rename(swapped)


def taken_apart(op: Apply) -> Value | None:
    """The tuple whose parts an operation puts together."""
    kind = op.result.kind
    if not isinstance(kind, Record) or kind.cls is not tuple or not op.operands:
        return None
    first = op.operands[0].op
    whole = first.operands[0] if isinstance(first, Apply) and first.operands else None
    if whole is None or not isinstance(whole.kind, Record) or whole.kind.cls is not tuple:
        return None
    if whole.kind.keys != kind.keys:
        return None
    for key, value in zip(kind.keys, op.operands):
        item = value.op
        if not isinstance(item, Apply) or item.primitive is not ITEM:
            return None
        if item.operands[0] is not whole:
            return None
        part = item.application.arguments[1] if len(item.application.arguments) == 2 else None
        if getattr(part, "value", None) != key:
            return None
    return whole
