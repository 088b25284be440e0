"""Adding to adjoints: as values, in shadows, in buffers of our own."""

from __future__ import annotations

import operator
from typing import Any

import gast
import numpy as np

from autodiff.core import WHOLE, Apply, Load, NotYet, Span, Value, Window
from autodiff.dataflow.activity import Activity
from autodiff.emit.naming import hint
from autodiff.instantiate.expand import has_items_of
from autodiff.kinds import kind as kinds
from autodiff.lower.flow.frame import Unit
from autodiff.primitives import Application, Builder, is_numeric
from autodiff.reversal.choices import united
from autodiff.reversal.expansions import Expansions
from autodiff.reversal.gates import Gates
from autodiff.reversal.scope import Precision, Scope
from autodiff.reversal.shadows import Shadows
from autodiff.reversal.unneeded import Unneeded
from autodiff.runtime import accumulate, add_items, overwrite, unbroadcast


class Contributions:
    """Adjoints so far, and what is added to them."""

    def __init__(self, unit: Unit, active: Activity, shadows: Shadows) -> None:
        self.unit, self.active, self.of = unit, active, shadows.of
        self.replaced = shadows.replaced
        self.gates, self.precision = Gates(unit.function.strict), Precision(unit.function)
        self.unneeded = Unneeded(unit.function, active)
        self.expansions = Expansions(unit.references, self.precision.complex)
        self.stable = [v for v in unit.function.body.parameters if isinstance(v.kind, kinds.Array)]

    def take(self, scope: Scope, value: Value) -> Value | None:
        """The adjoint of a value, which is complete here."""
        if value in self.of:
            found = scope.builder.load(self.of[value])
            return found
        return scope.bars.pop(value, None)

    def add(self, scope: Scope, value: Value, g: Value | None, fresh: bool = False) -> None:
        """One more contribution."""
        if g is None or value not in self.active:
            return
        if isinstance(value.kind, kinds.Sequence):
            self.add_whole(scope, value, g)
            return
        g = self.formed(scope, value, g)
        outer = isinstance(value.kind, kinds.Array) and scope.owner(value) is not scope
        if value in self.of or outer and not value.partial:
            self.add_window(scope, value, None, [], g)
            return
        old = scope.current(value)
        if old is not None and old in scope.owned:
            self.add_window(scope, value, None, [], g)
        elif old is None or old.is_constant and old.constant == 0.0:
            scope.bars[value] = g
            if not g.named and g.op is not None and g.op.reverse and not g.hint:
                g.hint = f"{hint(value)}_bar"
        else:
            minus = negated(g)
            operator = gast.Add() if minus is None else gast.Sub()
            own = f"{hint(value)}_bar"
            if not (is_numeric(old.kind) and is_numeric(g.kind)):  # a sum of lists would join them
                scope.bars[value] = scope.builder.call(
                    "accumulate", accumulate, old, g, name_hint=own, kind=value.kind
                )
                return
            scope.bars[value] = united(scope.builder, old, g) or scope.builder.binary(
                operator, old, g if minus is None else minus, own
            )

    def add_whole(self, scope: Scope, value: Value, g: Value) -> None:
        """Contributions to a list stay apart until its shadow takes them: lists have no sum."""
        if value in self.of:
            self.add_items(scope, value, g)
        elif isinstance(value.op, Load) and scope.owner(value) is scope:
            scope.listed.setdefault(value, []).append(g)
        else:
            raise NotYet("an adjoint of a list")

    def add_items(self, scope: Scope, value: Value, g: Value) -> None:
        """Adds to the shadow of a list, item by item."""
        if self.gates.is_partial(g):
            self.gates.close(self.of[value], scope.builder.block, True)
        scope.builder.call("add_items", add_items, self.of[value], g, kind=kinds.Static(None))

    def overwrite(self, scope: Scope, shadow: Value, g: Value) -> None:
        """The shadow of memory that others share is what theirs was, which shares it alike."""
        if shadow.is_array:
            scope.builder.store(shadow, g, WHOLE)
        else:
            scope.builder.call("overwrite", overwrite, shadow, g, kind=kinds.Static(None))

    def add_window(
        self,
        scope: Scope,
        value: Value,
        window: Window | None,
        index: list[Value],
        g: Value | None,
        scattered: bool = False,
    ) -> None:
        """`value_bar[window] += g`, in the shadow or in a buffer of our own."""
        if g is None or value not in self.active:
            return
        if window is not None and window.is_all and value not in self.of:
            self.add(scope, value, self.fitted(scope, value, g))  # it may be a number of NumPy's
            return
        if window is not None and not index and value not in self.of:
            minus = negated(g)
            whole = without_axes(scope.builder, value, window, g if minus is None else minus)
            if whole is not None:
                if minus is not None:
                    whole = scope.builder.unary(gast.USub(), whole)
                self.add(scope, value, whole)
                return
        own = scope if value.partial else scope.holder(value)  # elsewhere it may hold nothing
        target = self.of[value] if value in self.of else own.buffer(value)
        like = value
        if window is not None and self.precision.is_open(value, g):
            like = scope.builder.load(target, window, index)
        g = self.precision.projected(scope.builder, like, g)
        self.gates.take(target, g, scope.builder.block)
        if window is not None:
            self.gates.close(target, scope.builder.block)
            self.gates.leave(target, index)
        minus = negated(g)
        sign = "+" if minus is None else "-"
        scope.builder.accumulate(
            target, g if minus is None else minus, window, index, sign, scattered
        )

    def formed(self, scope: Scope, value: Value, g: Value) -> Value:
        """A contribution that is a number or an array where its value is one, and real where that
        is. Rules write a list for what may be a list of arrays, or one array.
        """
        if isinstance(value.kind, kinds.Unknown) and not isinstance(value.kind, kinds.Numeric):
            raise NotYet("an adjoint of unknown kind")
        if isinstance(value.kind, kinds.Array) and not is_numeric(g.kind):
            return scope.builder.call("np.array", np.array, g, kind=value.kind)
        if isinstance(value.kind, kinds.Scalar) and not isinstance(g.kind, kinds.Scalar):
            return self.fitted(scope, value, g)
        if not is_numeric(value.kind):
            return g
        return self.precision.projected(scope.builder, value, g)

    def fitted(self, scope: Scope, value: Value, g: Value) -> Value:
        """An adjoint of what was broadcast into a window, summed to the shape of the value."""
        if isinstance(value.kind, kinds.Scalar) and isinstance(g.kind, kinds.Scalar):
            return g
        if isinstance(value.kind, kinds.Scalar):
            g = self.precision.projected(scope.builder, value, g)
            dtype = g.kind.dtype if isinstance(g.kind, kinds.Array) else None
            made = kinds.number(
                "complex" if kinds.is_complex(g.kind) else value.kind.type, dtype or "?"
            )
            return scope.builder.call("np.sum", np.sum, g, kind=made)
        if (
            isinstance(value.kind, kinds.Array)
            and isinstance(g.kind, kinds.Array)
            and value.kind.shape == g.kind.shape
        ):
            if None not in g.kind.shape:
                return g
        if has_items_of(g.kind, value.kind):
            return g
        own = as_adjoint(value.kind)
        return scope.builder.call("unbroadcast", unbroadcast, g, value, kind=own)


def as_adjoint(kind: kinds.Kind) -> kinds.Kind:
    """The kind of the adjoint of a value; beside numbers in a list may stand whole ones, constants,
    whose adjoints are neither.
    """
    return kinds.adjoint_kind(kind) if isinstance(kind, kinds.Record) else kind


def is_same(one: Value, other: Value) -> bool:
    """Whether both are one value, or equal constants."""
    return one is other or one.is_constant and other.is_constant and one.constant == other.constant


def negated(g: Value) -> Value | None:
    """What a value is the negative of, if the reverse sweep made it so."""
    op = g.op
    if (
        isinstance(op, Apply)
        and op.reverse
        and isinstance(op.form, gast.UnaryOp)
        and isinstance(op.form.op, gast.USub)
    ):
        if op.primitive.function in (operator.neg, np.negative):
            return op.operands[0]
    return None


_ALL = Span(None, None, None)


def without_axes(builder: Builder, value: Value, window: Window, g: Value) -> Value | None:
    """An adjoint of `value[window]` as one of the value; None where that is more than a view.

    before: `x_bar = np.zeros_like(x)`, `x_bar[:, None] = d_bar.sum(axis=1, keepdims=True)`
    after: `x_bar = d_bar.sum(axis=1)`
    """
    if not all(part is None or part == _ALL for part in window.parts) or None not in window.parts:
        return None
    part, kind = builder.part(value, window, []), g.kind
    if (
        not isinstance(kind, kinds.Array)
        or not isinstance(part, kinds.Array)
        or part.shape != kind.shape
    ):
        return None
    if None in kind.shape or not isinstance(value.kind, kinds.Array):
        return None
    added = [k for k, each in enumerate(window.parts) if each is None]
    summed = unkept(builder, g, added, kinds.Array(kind.dtype, value.kind.shape))
    if summed is not None:
        return summed
    places = tuple(0 if each is None else each for each in window.parts)
    return builder.load(g, Window(places, len(places) > 1))


def unkept(builder: Builder, g: Value, axes: list[int], kind: kinds.Array) -> Value | None:
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
