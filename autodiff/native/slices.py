"""Elements of windows: what `u[1:-1]` is at a place of the loop that runs over it."""

from __future__ import annotations

from dataclasses import dataclass

import gast

from autodiff.kinds.kind import Array, Scalar
from autodiff.kinds.size import Dim, Size
from autodiff.native.native_kinds import NativeKinds, literal
from autodiff.syntax.quote import quote


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis of an array: an index, or where a loop over it starts and how much it leaves out.

    position: the axis of the array; None for a new axis.
    index: the expression that picks one place of it; None where it is run over.
    """

    position: int | None
    index: gast.expr | None = None
    start: int = 0
    less: int = 0


@dataclass(frozen=True, slots=True)
class Window:
    """An array, or a part of one by integers and slices with literal ends."""

    base: str
    axes: tuple[Axis, ...]
    shape: tuple[Size, ...]

    def run(self) -> list[Axis]:
        """The axes that a loop runs over, new ones included."""
        return [axis for axis in self.axes if axis.index is None]

    def count(self, place: int) -> gast.expr:
        """How many places the axis at this place of the window has."""
        axis = self.run()[place]
        size = quote("x.shape[k]", x=self.base, k=gast.Constant(value=axis.position, kind=None))
        if len([a for a in self.axes if a.position is not None]) == 1:
            size = quote("len(x)", x=self.base)
        if axis.less:
            size = quote("n - k", n=size, k=gast.Constant(value=axis.less, kind=None))
        return size

    def element(self, counters: list[str]) -> gast.expr:
        """The element where the loops over a larger or equal shape stand."""
        own = self.run()
        used = iter(zip(own, self.shape, counters[len(counters) - len(own) :]))
        index: list[gast.expr] = []
        for axis in self.axes:
            if axis.index is not None:
                index.append(axis.index)
                continue
            run, size, counter = next(used)
            if run.position is None:
                continue
            start = gast.Constant(value=run.start, kind=None)
            if size == 1:
                index.append(start)
            else:
                index.append(quote("i + s" if run.start else "i", i=counter, s=start))
        place = index[0] if len(index) == 1 else gast.Tuple(elts=index, ctx=gast.Load())
        return gast.Subscript(value=quote("x", x=self.base), slice=place, ctx=gast.Load())


def whole(base: str, shape: tuple[Size, ...]) -> Window:
    """All of an array of this shape."""
    return Window(base, tuple(Axis(k) for k in range(len(shape))), shape)


def window(node: gast.expr, known: NativeKinds) -> Window | None:
    """The window that an expression is; None for any other expression."""
    kind = known.of(node)
    if not isinstance(kind, Array):
        return None
    if isinstance(node, gast.Name):
        return whole(node.id, kind.shape)
    if not isinstance(node, gast.Subscript) or not isinstance(node.value, gast.Name):
        return None
    base = known.of(node.value)
    if not isinstance(base, Array):
        return None
    parts = list(node.slice.elts) if isinstance(node.slice, gast.Tuple) else [node.slice]
    found: list[Axis] = []
    position = 0
    for part in parts:
        if isinstance(part, gast.Constant) and part.value is None:
            found.append(Axis(None))
            continue
        if isinstance(part, gast.Constant) and part.value is ...:
            rest = sum(1 for p in parts if not (isinstance(p, gast.Constant) and p.value is None))
            for _ in range(len(base.shape) - rest + 1):
                found.append(Axis(position))
                position += 1
            continue
        axis = _axis(part, position, known)
        if axis is None:
            return None
        found.append(axis)
        position += 1
    found.extend(Axis(k) for k in range(position, len(base.shape)))
    made = Window(node.value.id, tuple(found), kind.shape)
    return made if len(made.run()) == len(kind.shape) else None


def _axis(part: gast.expr, position: int, known: NativeKinds) -> Axis | None:
    if not isinstance(part, gast.Slice):
        kind = known.of(part)
        if not isinstance(kind, Scalar) or kind.type != "int":
            return None
        return Axis(position, part) if isinstance(part, (gast.Name, gast.Constant)) else None
    start, stop = literal(part.lower, 0), literal(part.upper, None)
    if literal(part.step, 1) != 1 or type(start) is not int or start < 0:
        return None
    if stop is not None and (type(stop) is not int or stop >= 0):
        return None
    return Axis(position, None, start, start - (stop or 0))


def same_size(one: Size, other: Size) -> bool:
    """Whether two sizes are known to be equal."""
    if isinstance(one, Dim) and isinstance(other, Dim):
        return (one.name, one.offset) == (other.name, other.offset)
    return one is not None and type(one) is type(other) and one == other


def goes_on(target: Window, source: Window) -> bool:
    """Whether ascending loops read each element of the source before they store to it."""
    if target.base != source.base or len(target.axes) != len(source.axes):
        return False
    if not all(same_size(a, b) for a, b in zip(target.shape, source.shape)):
        return False
    for one, other in zip(target.axes, source.axes):
        if one.position is None or other.position is None or one.position != other.position:
            return False
        if (one.index is None) != (other.index is None):
            return False
        if one.index is not None and not _is_same_index(one.index, other.index):
            return False
    run = zip(target.run(), source.run())
    ahead = [other.start - one.start for one, other in run]
    first = next((k for k in ahead if k), 0)
    return first >= 0


def _is_same_index(one: gast.expr, other: gast.expr | None) -> bool:
    """Whether two indices are one name or number."""
    if isinstance(one, gast.Name) and isinstance(other, gast.Name):
        return bool(one.id == other.id)
    return (
        isinstance(one, gast.Constant)
        and isinstance(other, gast.Constant)
        and (one.value == other.value)
    )
