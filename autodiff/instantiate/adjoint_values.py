"""Adjoints as values: of what kind and shape, zero, with all of their primal's shape."""

from __future__ import annotations

from typing import Any, NamedTuple

import gast

from autodiff.kinds.kind import UNKNOWN, Array, Kind, Record, Scalar, Sequence
from autodiff.kinds.known import Kinds
from autodiff.kinds.size import is_plural
from autodiff.syntax.make import LOAD, make
from autodiff.syntax.names import name
from autodiff.syntax.quote import quote

Place = tuple[str, tuple[object, ...]]
"""A name, and a path of keys into its fixed parts."""


class Bar(NamedTuple):
    """An adjoint: the expression that holds it, and its kind.

    `kind` may be smaller than that of the primal: an adjoint that is the same along an axis is
    kept unexpanded until someone needs all of it.
    """

    node: gast.expr
    kind: Kind


class Values(Kinds):
    """What adjoints are made of, for the primal values at all places."""

    complex: bool
    """Whether a value of unknown kind may be."""

    def use(self, hint: str, value: Any) -> gast.expr:
        """A name for an object."""
        raise NotImplementedError

    def helper(self, identifier: str) -> gast.expr:
        """A helper of ours, or NumPy."""
        raise NotImplementedError

    def temporary(self, hint: str) -> str:
        """A name for a value that is still to come."""
        raise NotImplementedError

    def assign(self, own: str, node: gast.expr, kind: Kind) -> None:
        """A name is the value of an expression."""
        raise NotImplementedError

    def kind(self, place: Place) -> Kind:
        """The kind of the primal value at a place."""
        kind = self.names.get(place[0], UNKNOWN)
        for key in place[1]:
            kind = (kind.get(key) if isinstance(kind, Record) else None) or UNKNOWN
        return kind

    def primal(self, place: Place) -> gast.expr:
        """The expression of the primal value at a place: `params["w"][0]`."""
        node: gast.expr = name(place[0])
        kind = self.names.get(place[0], UNKNOWN)
        for key in place[1]:
            if isinstance(kind, Record) and not kind.indexed:
                node = gast.Attribute(value=node, attr=str(key), ctx=gast.Load())
            else:
                index = gast.Constant(value=key, kind=None)
                node = gast.Subscript(value=node, slice=index, ctx=gast.Load())
            kind = (kind.get(key) if isinstance(kind, Record) else None) or UNKNOWN
        return node

    def zeros(self, place: Place) -> gast.expr:
        """The zero adjoint of a place, as a full value."""
        kind, primal = self.kind(place), self.primal(place)
        if isinstance(kind, Scalar):
            return make(gast.Constant, value=0j if kind.type == "complex" else 0.0, kind=None)
        if isinstance(kind, Array) and kind.dtype is not None and kind.dtype[0] in "fcl":
            return quote("np.zeros_like(x)", np=self.helper("np"), x=primal)
        if _holds_floats(kind):
            return quote("[0.0] * len(x)", x=primal)
        if isinstance(kind, Record) and kind.cls is tuple:
            return quote("list(f(x))", f=self.helper("zeros_like"), x=primal)
        return quote("f(x)", f=self.helper("zeros_like"), x=primal)

    def is_full(self, place: Place, bar: Bar) -> bool:
        """Whether the adjoint has all of its primal's shape."""
        full = self.kind(place)
        if isinstance(full, Scalar):
            return isinstance(bar.kind, Scalar)
        if isinstance(full, Array):
            return (
                isinstance(bar.kind, Array)
                and len(bar.kind.shape) == len(full.shape)
                and all(
                    own == size or is_plural(own)  # what does not broadcast has to be as long
                    for own, size in zip(bar.kind.shape, full.shape)
                )
            )
        return not isinstance(bar.kind, Scalar) or not isinstance(full, (Sequence, Record))

    def expanded(self, place: Place, bar: Bar) -> gast.expr:
        """The full adjoint as an expression (a read-only view where it repeats)."""
        full = self.kind(place)
        if self.is_full(place, bar) or not isinstance(full, Array):
            return bar.node
        np = self.helper("np")
        if not full.shape:
            return quote("np.asarray(g)", np=np, g=bar.node)
        shape = make(gast.Attribute, value=self.primal(place), attr="shape", ctx=LOAD)
        return quote("np.broadcast_to(g, s)", np=np, g=bar.node, s=shape)


def _holds_floats(kind: Kind) -> bool:
    """Whether it is a list of Python's floats."""
    if not isinstance(kind, (Record, Sequence)) or kind.cls is not list:
        return False
    items = {kind.item} if isinstance(kind, Sequence) else set(kind.items)
    return bool(items) and all(
        isinstance(item, Scalar) and item.type == "float" and item.dtype is None for item in items
    )
