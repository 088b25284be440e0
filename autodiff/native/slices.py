"""Elements of windows: what `u[1:-1]` is at a place of the loop that runs over it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import gast

from autodiff.kinds.kind import Array, Scalar
from autodiff.kinds.size import Dim, Size
from autodiff.native.native_kinds import NativeKinds, literal
from autodiff.syntax.names import name
from autodiff.syntax.quote import quote
from autodiff.syntax.walk import walk


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis of an array: an index, or how a loop runs along it.

    index: the expression that picks one place of it; None where it is run over.
    place: which axis of the window it is.
    start: where it begins, a number or the name of one.
    count: how many places there are: the name of a number, or how many fewer than in the array.
    """

    index: gast.expr | None = None
    place: int = 0
    start: int | str = 0
    step: int = 1
    count: int | str = 0

    @property
    def is_whole(self) -> bool:
        return self.index is None and (self.start, self.step, self.count) == (0, 1, 0)


@dataclass(frozen=True, slots=True)
class Window:
    """An array, or a part of one by integers, slices and new axes, with its axes in any order."""

    base: str
    axes: tuple[Axis, ...]
    shape: tuple[Size, ...]

    def count(self, place: int) -> gast.expr:
        """How many places the axis at this place of the window has."""
        for position, axis in enumerate(self.axes):
            if axis.index is not None or axis.place != place:
                continue
            if isinstance(axis.count, str):
                return name(axis.count)
            size = quote("x.shape[k]", x=self.base, k=_constant(position))
            if len(self.axes) == 1:
                size = quote("len(x)", x=self.base)
            return quote("n - k", n=size, k=_constant(axis.count)) if axis.count else size
        return _constant(1)

    def element(self, counters: list[str], steps: Mapping[int, str] | None = None) -> gast.expr:
        """The element where the loops over a larger or equal shape stand.

        steps: by place, the names of numbers that are 0 where one element is taken for all.
        """
        own = counters[len(counters) - len(self.shape) :]
        index = [self._index(axis, own, steps or {}) for axis in self.axes]
        place = index[0] if len(index) == 1 else gast.Tuple(elts=index, ctx=gast.Load())
        return gast.Subscript(value=quote("x", x=self.base), slice=place, ctx=gast.Load())

    def _index(self, axis: Axis, counters: list[str], steps: Mapping[int, str]) -> gast.expr:
        if axis.index is not None:
            return axis.index
        start = name(axis.start) if isinstance(axis.start, str) else _constant(axis.start)
        if self.shape[axis.place] == 1:
            return start
        counter: gast.expr = name(counters[axis.place])
        if axis.place in steps:
            counter = quote("i * s", i=counter, s=steps[axis.place])
        if axis.step == -1:
            return quote("s - i", s=start, i=counter)
        if axis.step != 1:
            counter = quote("i * k", i=counter, k=_constant(axis.step))
        return counter if axis.start == 0 else quote("i + s", i=counter, s=start)


def _constant(value: int) -> gast.expr:
    return gast.Constant(value=value, kind=None)


def whole(base: str, shape: tuple[Size, ...]) -> Window:
    """All of an array of this shape."""
    return Window(base, tuple(Axis(place=k) for k in range(len(shape))), shape)


Span = Callable[[gast.expr, gast.Slice, int], "tuple[str, str]"]
"""The names of where a slice of an axis of some size begins, and of how many places it has."""


def window(node: gast.expr, known: NativeKinds, span: Span | None = None) -> Window | None:
    """The window that an expression is; None for any other expression.

    span: asked for slices whose ends are no literals; without it such a window counts, too, but
    has no elements.
    """
    kind = known.of(node)
    if not isinstance(kind, Array):
        return None
    if isinstance(node, gast.Name):
        return whole(node.id, kind.shape)
    if isinstance(node, gast.Attribute) and node.attr == "T":
        own = window(node.value, known, span)
        if own is None:
            return None
        last = len(own.shape) - 1
        turned = tuple(replace(a, place=last - a.place) for a in own.axes)
        return Window(own.base, turned, own.shape[::-1])
    if not isinstance(node, gast.Subscript):
        return None
    own = window(node.value, known, span)
    return None if own is None else _part(own, node.slice, kind, known, span)


def _part(
    own: Window, index: gast.expr, kind: Array, known: NativeKinds, span: Span | None
) -> Window | None:
    parts = list(index.elts) if isinstance(index, gast.Tuple) else [index]
    given = sum(not _is_new(part) and not _is_ellipsis(part) for part in parts)
    if not any(map(_is_ellipsis, parts)):
        parts.append(_constant(...))  # type: ignore[arg-type]
    by_place: dict[int, Axis] = {}
    place = at = 0
    axes = {axis.place: (k, axis) for k, axis in enumerate(own.axes) if axis.index is None}
    for part in parts:
        if _is_new(part):
            place += 1
            continue
        for _ in range(len(own.shape) - given if _is_ellipsis(part) else 1):
            if at >= len(own.shape):
                return None
            position, axis = axes.get(at, (None, None))
            at += 1
            if _is_ellipsis(part) or _is_all(part):
                if axis is not None:
                    by_place[axis.place] = replace(axis, place=place)
                place += 1
                continue
            if axis is None or not axis.is_whole or position is None:
                return None
            size = quote("x.shape[k]", x=own.base, k=_constant(position))
            new = _axis(part, place, size, known, span)
            if new is None:
                return None
            by_place[axis.place] = new
            place += new.index is None
    if place != len(kind.shape):
        return None
    found = tuple(a if a.index is not None else by_place[a.place] for a in own.axes)
    return Window(own.base, found, kind.shape)


def _is_new(part: gast.expr) -> bool:
    return isinstance(part, gast.Constant) and part.value is None


def _is_ellipsis(part: gast.expr) -> bool:
    return isinstance(part, gast.Constant) and part.value is ...


def _is_all(part: gast.expr) -> bool:
    return isinstance(part, gast.Slice) and not (part.lower or part.upper or part.step)


_PLAIN = (gast.Name, gast.Constant, gast.BinOp, gast.UnaryOp, gast.operator, gast.unaryop)


def _axis(
    part: gast.expr, place: int, size: gast.expr, known: NativeKinds, span: Span | None
) -> Axis | None:
    if not isinstance(part, gast.Slice):
        kind = known.of(part)
        if not isinstance(kind, Scalar) or kind.type != "int":
            return None
        plain = all(isinstance(p, (*_PLAIN, gast.expr_context)) for p in walk(part))
        return Axis(index=part) if plain else None
    start, stop, step = literal(part.lower, 0), literal(part.upper, None), literal(part.step, 1)
    if type(step) is not int or step == 0:
        return None
    if step == 1 and type(start) is int and start >= 0:
        if stop is None or type(stop) is int and stop < 0:
            return Axis(None, place, start, 1, start - (stop or 0))
    first, count = ("", "") if span is None else span(size, part, step)
    return Axis(None, place, first, step, count)


def same_size(one: Size, other: Size) -> bool:
    """Whether two sizes are known to be equal."""
    if isinstance(one, Dim) and isinstance(other, Dim):
        return (one.name, one.offset) == (other.name, other.offset)
    return one is not None and type(one) is type(other) and one == other


def goes_on(target: Window, source: Window) -> bool:
    """Whether ascending loops read each element of the source before they store to it."""
    if target.base != source.base or len(target.shape) != len(source.shape):
        return False
    ahead: dict[int, int] = {}
    for one, other in zip(target.axes, source.axes):
        if one.index is not None or other.index is not None:
            if one.index is None or other.index is None:
                return False
            continue  # of two places either both are one, or nothing is stored that is read
        if one.place != other.place or one.step != other.step or one.step < 0:
            return False
        if one.start == other.start and one.count == other.count:
            ahead[one.place] = 0
        elif isinstance(one.start, int) and isinstance(other.start, int) and one.step == 1:
            if not same_size(target.shape[one.place], source.shape[one.place]):
                return False
            ahead[one.place] = other.start - one.start
        else:
            return False
    first = next((ahead[k] for k in sorted(ahead) if ahead[k]), 0)
    return first >= 0
