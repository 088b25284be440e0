"""What touches all of a view touches a window of the memory that it is a view of."""

from __future__ import annotations

from autodiff.core.function import Function
from autodiff.core.operation import Access, Load, Store, View
from autodiff.core.references import References


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


def into(op: Access, view: View) -> None:
    """The window of a view is that of an operation."""
    rest = op.operands[1:]
    op.operands = [view.base, *rest, *view.index]
    op.window = view.window
    op.raises = True
