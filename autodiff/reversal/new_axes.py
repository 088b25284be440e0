"""The adjoint of a view that only adds axes is the adjoint without them."""

from __future__ import annotations

from typing import Any

from autodiff.analysis.kind import Array
from autodiff.core.operation import Apply
from autodiff.core.value import Value
from autodiff.core.window import Span, Window
from autodiff.primitives.builder import Builder
from autodiff.primitives.primitive import Application

_ALL = Span(None, None, None)


def without_axes(builder: Builder, value: Value, window: Window, g: Value) -> Value | None:
    """An adjoint of `value[window]` as one of the value; None where that is more than a view.

    before: `x_bar = np.zeros_like(x)`, `x_bar[:, None] = d_bar.sum(axis=1, keepdims=True)`
    after: `x_bar = d_bar.sum(axis=1)`
    """
    if not all(part is None or part == _ALL for part in window.parts) or None not in window.parts:
        return None
    part, kind = builder.part(value, window, []), g.kind
    if not isinstance(kind, Array) or not isinstance(part, Array) or part.shape != kind.shape:
        return None
    if None in kind.shape or not isinstance(value.kind, Array):
        return None
    added = [k for k, each in enumerate(window.parts) if each is None]
    summed = unkept(builder, g, added, Array(kind.dtype, value.kind.shape))
    if summed is not None:
        return summed
    places = tuple(0 if each is None else each for each in window.parts)
    return builder.load(g, Window(places, len(places) > 1))


def unkept(builder: Builder, g: Value, axes: list[int], kind: Array) -> Value | None:
    """A sum that does not keep the axes that it sums over; None for what is no such sum."""
    op = g.op
    if not isinstance(op, Apply) or len(axes) != 1:
        return None
    given = dict(op.application.keywords)
    if set(given) != {"axis", "keepdims"} or not getattr(given["keepdims"], "value", False):
        return None
    axis = getattr(given["axis"], "value", None)
    if axis != axes[0]:
        return None
    application = Application(op.application.arguments, (("axis", given["axis"]),))
    return builder.apply(op.primitive, application, shorter(op.form), op.operands, kind)


def shorter(form: Any) -> Any:
    """A call without `keepdims`."""
    keywords = [keyword for keyword in form.keywords if keyword.arg != "keepdims"]
    return type(form)(func=form.func, args=form.args, keywords=keywords)
