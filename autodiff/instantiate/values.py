"""Adjoints as values: of what kind and shape, zero, copied, with all of their primal's shape."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import gast

from autodiff.instantiate.places import Place, leaves, primal_at
from autodiff.kinds.kind import UNKNOWN, Array, Kind, Record, Scalar, Sequence, is_number
from autodiff.kinds.known import Kinds
from autodiff.kinds.size import Size, is_plural
from autodiff.syntax.make import LOAD, make
from autodiff.syntax.names import name
from autodiff.syntax.quote import quote


class Bar(NamedTuple):
    """An adjoint: the expression that holds it, its kind, and whether we own its memory.

    `kind` may be smaller than that of the primal: an adjoint that is the same along an axis is
    kept unexpanded until someone needs all of it.
    """

    node: gast.expr
    kind: Kind
    owned: bool


class Values:
    """What adjoints are made of, for the primal values at all places."""

    out: list[gast.stmt]
    """Statements that stand before what is filled in."""
    complex: bool
    """Whether a value of unknown kind may be."""

    def __init__(self, kinds: Kinds, whole: frozenset[str]) -> None:
        self.kinds = kinds
        self.whole = whole
        self.vague: set[str] = set()
        self.moulds: tuple[str, ...] = ()
        """Parameters that are never rebound: what has their shape is at hand everywhere."""
        self.fleeting: frozenset[str] = frozenset()
        """Names that are assigned more than once, or in a loop."""
        self.helper: Callable[[str], gast.expr] = name
        self.composed = False  # whether the derivative is to be differentiated again

    def use(self, hint: str, value: Any) -> gast.expr:
        """A name for an object."""
        raise NotImplementedError

    def temporary(self, hint: str) -> str:
        """A name for a value that is still to come."""
        raise NotImplementedError

    def define(self, own: str, kind: Kind) -> None:
        """A name has a kind."""
        raise NotImplementedError

    def assign(self, own: str, node: gast.expr, kind: Kind) -> None:
        """A name is the value of an expression."""
        raise NotImplementedError

    def places(self, identifier: str) -> list[Place]:
        """The places of a name: one for each leaf of its fixed structure."""
        kind = self.kinds.names.get(identifier, UNKNOWN)
        if identifier in self.whole:
            return [(identifier, ())]
        return [(identifier, path) for path in leaves(kind)]

    def kind(self, place: Place) -> Kind:
        """The kind of the primal value at a place."""
        kind = self.kinds.names.get(place[0], UNKNOWN)
        for key in place[1]:
            kind = (kind.get(key) if isinstance(kind, Record) else None) or UNKNOWN
        return kind

    def primal(self, place: Place) -> gast.expr:
        """The expression of the primal value at a place."""
        return primal_at(place, self.kinds)

    def copied(self, bar: Bar, full: Kind) -> gast.expr:
        if isinstance(full, (Sequence, Record)) and issubclass(full.cls, (list, tuple)):
            return quote("list(x)", x=bar.node)
        if isinstance(full, Record) and full.cls is dict:
            return quote("dict(x)", x=bar.node)
        if isinstance(bar.kind, Array):
            return quote("x.copy()", x=bar.node)
        if is_number(bar.kind):
            return bar.node
        return quote("f(x)", f=self.helper("copied"), x=bar.node)

    def is_sure(self, place: Place, certain: frozenset[str]) -> bool:
        """Whether there is a full adjoint of a place, whether or not its primal has a value."""
        kind = self.kind(place)
        if place[0] in certain or isinstance(kind, Scalar):
            return True
        return isinstance(kind, Array) and kind.dtype == "float64" and bool(self.moulded(kind))

    def zeros(self, place: Place, there: bool = True) -> gast.expr:
        """The zero adjoint of a place, as a full value; `there`: the primal has a value."""
        kind = self.kind(place)
        if isinstance(kind, Scalar):
            return make(gast.Constant, value=0j if kind.type == "complex" else 0.0, kind=None)
        if isinstance(kind, Array) and kind.dtype is not None and kind.dtype[0] in "fcl":
            zeros = self.moulded(kind) if place[0] in self.fleeting or not there else None
            return zeros or quote("np.zeros_like(x)", np=self.helper("np"), x=self.primal(place))
        if not self.composed and _holds_floats(kind):  # a list that is repeated has a shadow
            return quote("[0.0] * len(x)", x=self.primal(place))
        if isinstance(kind, Record) and kind.cls is tuple or isinstance(kind, Sequence):
            zeros = quote("list(f(x))", f=self.helper("zeros_like"), x=self.primal(place))
            return zeros if kind.cls is tuple else zeros.args[0]
        return quote("f(x)", f=self.helper("zeros_like"), x=self.primal(place))

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

    def is_vague(self, bar: Bar) -> bool:
        """Whether an adjoint may be the number 0.0, whatever its primal is."""
        return isinstance(bar.node, gast.Name) and bar.node.id in self.vague

    def expanded(self, place: Place, bar: Bar) -> gast.expr:
        """The full adjoint as an expression (a read-only view where it repeats)."""
        if self.is_vague(bar):
            return quote("f(g, x)", f=self.helper("expand"), g=bar.node, x=self.primal(place))
        if self.is_full(place, bar):
            return bar.node
        full = self.kind(place)
        np = self.helper("np")
        if isinstance(full, Array) and not full.shape:
            return quote("np.asarray(g)", np=np, g=bar.node)
        if isinstance(full, Array):
            shape = make(gast.Attribute, value=self.primal(place), attr="shape", ctx=LOAD)
            return quote("np.broadcast_to(g, s)", np=np, g=bar.node, s=shape)
        return bar.node

    def copied_whole(self, place: Place, bar: Bar, full: Kind) -> gast.expr:
        """A copy; one that is to be differentiated again says what it is an adjoint of.

        What helpers are made of is then in the text, and may not tell any more that it is an array.
        """
        if self.composed and isinstance(full, Array) and isinstance(bar.node, gast.Name):
            return quote("f(g, x)", f=self.helper("expand"), g=bar.node, x=self.primal(place))
        return self.copied(bar, full)

    def moulded(self, kind: Array) -> gast.expr | None:
        """Zeros of the shape and dtype of a kind, from parameters: no value has to last."""
        if None in kind.shape:
            return None
        for parameter in self.moulds:
            if self.kinds.names.get(parameter) == kind:
                return quote("np.zeros_like(x)", np=self.helper("np"), x=name(parameter))
        sizes = [self.size(size) for size in kind.shape]
        if kind.dtype != "float64" or not sizes or any(size is None for size in sizes):
            return None
        shape = gast.Tuple(elts=sizes, ctx=gast.Load())
        return quote("np.zeros(s)", np=self.helper("np"), s=shape)

    def size(self, size: Size) -> gast.expr | None:
        """A size as an axis of a parameter has it."""
        if isinstance(size, int):
            return gast.Constant(value=size, kind=None)
        for parameter in self.moulds:
            kind = self.kinds.names.get(parameter)
            if isinstance(kind, Array) and size in kind.shape:
                axis = kind.shape.index(size)
                return quote(f"x.shape[{axis}]" if axis else "len(x)", x=name(parameter))
        return None


def _holds_floats(kind: Kind) -> bool:
    """Whether it is a list of Python's floats."""
    if not isinstance(kind, (Record, Sequence)) or kind.cls is not list:
        return False
    items = {kind.item} if isinstance(kind, Sequence) else set(kind.items)
    return bool(items) and all(
        isinstance(item, Scalar) and item.type == "float" and item.dtype is None for item in items
    )
