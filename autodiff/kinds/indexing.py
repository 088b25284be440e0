"""The kind of `x[index]` for an array, sizes of slices included."""

from __future__ import annotations

from collections.abc import Callable

import gast

from autodiff.kinds.exemplar import broadcast
from autodiff.kinds.kind import (
    UNKNOWN,
    Array,
    Kind,
    Numeric,
    Record,
    Scalar,
    Sequence,
    Span,
    Static,
)
from autodiff.kinds.size import Dim, Size, at_least, composed, lowest

_Of = Callable[[gast.expr], "Kind | None"]
_Limit = int | Dim | None


def indexing(array: Array, index: gast.expr, of: _Of) -> Kind:
    """The kind of `array[index]`; `of` gives the kinds of the parts of the index."""
    parts = list(index.elts) if isinstance(index, gast.Tuple) else [index]
    kinds = [None if isinstance(part, gast.Slice) else as_mask(of(part)) for part in parts]
    found: Kind = UNKNOWN
    given = kinds[0] if len(parts) == 1 and not isinstance(index, gast.Tuple) else None
    if isinstance(given, Record) and issubclass(given.cls, tuple):
        found = _indexed(array, [index] * len(given.items), list(given.items), of)
    elif isinstance(given, Sequence) and issubclass(given.cls, tuple):
        found = UNKNOWN  # of as many axes as it has items
    elif not any(isinstance(part, gast.Starred) for part in parts):
        found = _indexed(array, parts, kinds, of)
    return Numeric() if found == UNKNOWN and array.dtype != "object" else found


def as_mask(kind: Kind | None) -> Kind | None:
    """A truth value in brackets is a mask without axes."""
    return Array("bool", ()) if isinstance(kind, Scalar) and kind.type == "bool" else kind


def is_basic(index: gast.expr, of: _Of) -> bool | None:
    """Whether the index makes a view or an element (no integer or boolean arrays).

    None where the kinds do not tell. A tuple is an index for several axes, but for one axis, as in
    `x[:, (0, 0)]`, it is taken for an array.
    """
    several = isinstance(index, gast.Tuple)
    parts = list(index.elts) if several else [index]
    for part in parts:
        if isinstance(part, gast.Slice):
            continue
        kind = of(part)
        if isinstance(kind, (Record, Sequence)) and issubclass(kind.cls, tuple) and not several:
            items = kind.items if isinstance(kind, Record) else (kind.item,)
            if all(map(_is_basic_kind, items)):
                continue
            advanced = any(isinstance(item, (Array, Sequence, Record)) for item in items)
            return False if advanced and isinstance(kind, Record) else None
        if isinstance(kind, (Array, Sequence, Record)):
            return False
        if kind is None or not _is_basic_kind(kind):
            return None
    return True


def _is_basic_kind(kind: Kind) -> bool:
    if isinstance(kind, Scalar):
        return kind.type == "int"
    fixed = kind.value if isinstance(kind, Static) else kind
    return fixed is None or fixed is Ellipsis or isinstance(fixed, (Span, slice))


def _element(array: Array, shape: tuple[Size, ...]) -> Kind:
    if shape:
        return Array(array.dtype, shape)
    if array.dtype is None:
        return Numeric()
    letters = {"b": "bool", "i": "int", "u": "int", "f": "float", "c": "complex"}
    letter = "b" if array.dtype == "bool" else array.dtype[0]
    return Scalar("float" if array.dtype == "longdouble" else letters[letter], array.dtype)


def _indexed(array: Array, parts: list[gast.expr], kinds: list[Kind | None], of: _Of) -> Kind:
    consumed = 0
    for kind in kinds:
        if isinstance(kind, Static) and (kind.value is None or kind.value is Ellipsis):
            continue
        if isinstance(kind, Array) and kind.dtype == "bool":
            consumed += len(kind.shape)
        else:
            consumed += 1
    rest = len(array.shape) - consumed
    if rest < 0:
        return UNKNOWN
    shape: list[Size] = []
    advanced: list[tuple[Size, ...]] = []
    place: int | None = None
    scattered = False
    last_advanced = -2
    axis = 0
    seen_ellipsis = False
    for number, (part, kind) in enumerate(zip(parts, kinds)):
        if isinstance(part, gast.Slice):
            shape.append(slice_size(array.shape[axis], part, of))
            axis += 1
        elif isinstance(kind, Static) and kind.value is None:
            shape.append(1)
        elif isinstance(kind, Static) and kind.value is Ellipsis:
            shape.extend(array.shape[axis : axis + rest])
            axis += rest
            seen_ellipsis = True
        elif isinstance(kind, Static) and isinstance(kind.value, slice):
            shape.append(array.shape[axis] if kind.value == slice(None) else None)
            axis += 1
        elif isinstance(kind, Span):
            shape.append(None)
            axis += 1
        elif isinstance(kind, Scalar) and kind.type == "int":
            axis += 1
            if advanced:
                scattered = scattered or last_advanced != number - 1
                last_advanced = number
        elif isinstance(kind, (Array, Record, Sequence)):
            sizes = _advanced(kind)
            if sizes is None:
                return UNKNOWN
            axis += len(kind.shape) if isinstance(kind, Array) and kind.dtype == "bool" else 1
            if place is None:
                place = len(shape)
            else:
                scattered = scattered or last_advanced != number - 1
            last_advanced = number
            advanced.append(sizes)
        else:
            return UNKNOWN
    if not seen_ellipsis:
        shape.extend(array.shape[axis:])
    if advanced:
        if scattered or _separated(parts, kinds):
            place = 0
        shape[place or 0 : place or 0] = list(broadcast(advanced))
    if seen_ellipsis and not shape and not advanced:
        return Array(array.dtype, ())  # a view of one element
    return _element(array, tuple(shape))


def _separated(parts: list[gast.expr], kinds: list[Kind | None]) -> bool:
    """Whether advanced indices (integers count) stand apart: then their axes come first."""
    places = [
        n
        for n, (part, kind) in enumerate(zip(parts, kinds))
        if isinstance(kind, (Array, Record, Sequence, Scalar))
    ]
    return bool(places) and places[-1] - places[0] + 1 != len(places)


def _advanced(kind: Kind) -> tuple[Size, ...] | None:
    if isinstance(kind, Array):
        if kind.dtype == "bool":
            return (None,)
        return kind.shape
    if isinstance(kind, Record):
        if all(isinstance(item, Scalar) and item.type == "int" for item in kind.items):
            return (len(kind.items),)
        return None
    if isinstance(kind, Sequence) and isinstance(kind.item, Scalar) and kind.item.type == "int":
        return (None,)
    return None


def slice_size(size: Size, part: gast.Slice, of: _Of) -> Size:
    """The size of an axis after a slice, where constants and symbolic sizes tell."""
    bounds = [_bound(bound, of) for bound in (part.lower, part.upper, part.step)]
    known = _known_size(size, part, *bounds)
    if known is not None or size is None:
        return known
    given = (part.lower, part.upper, part.step)
    if any(bound is None and node is not None for bound, node in zip(bounds, given)):
        return None
    return Dim(composed(size, bounds), _least(at_least(size), *bounds))


def _least(size: int, lower: _Limit, upper: _Limit, step: _Limit) -> int:
    """The least length of a slice of so many elements or more, if longer axes give longer ones."""
    if isinstance(lower, Dim) or isinstance(upper, Dim) or isinstance(step, Dim):
        return 0
    whole = lower is None and upper is None
    growing = lower is None or lower >= 0 or upper is None or upper < 0
    if not (whole if step is not None and step < 0 else growing):
        return 0  # `x[-3:2]`, say
    return len(range(size)[lower:upper:step])


def _known_size(
    size: Size, part: gast.Slice, lower: int | Dim | None, upper: int | Dim | None, step: object
) -> Size:
    """The size as a number, or as another size less a number."""
    if part.step is not None and step != 1:
        whole = part.lower is None and part.upper is None
        return size if step == -1 and whole else None
    if part.lower is not None and lower is None or part.upper is not None and upper is None:
        return None
    start = 0 if part.lower is None else lower
    if isinstance(start, Dim) and isinstance(size, Dim):
        return _between(size, start, size if part.upper is None else upper)
    if not isinstance(start, int) or start < 0:
        return None
    if isinstance(size, int):
        stop = size if part.upper is None else upper
        if not isinstance(stop, int):
            return None
        return len(range(*slice(start, stop).indices(size)))
    if not isinstance(size, Dim):
        return None
    if isinstance(upper, int) and 0 <= upper <= at_least(size):
        return max(0, upper - start)
    if part.upper is None:
        return size.minus(start)
    if isinstance(upper, int) and upper < 0:
        return size.minus(start - upper)
    if isinstance(upper, Dim) and upper.name == size.name:
        cut = upper.offset - size.offset
        if 0 <= cut <= 2 and size.plural or cut == 0:
            return size.minus(start + cut)
    return _between(size, start, size if part.upper is None else upper)


def _between(size: Dim, start: int | Dim | None, stop: int | Dim | None) -> Size:
    """The size of `x[n:3 * n]`, where the bounds certainly lie within an axis of `4 * n`."""
    if start is None or stop is None:
        return None
    if _less(start, 0) is None or _less(size, stop) is None:
        return None
    return _less(stop, start)


def _less(integer: int | Dim, other: int | Dim) -> Size:
    """The difference of two integers, if that is certainly not negative."""
    if isinstance(other, Dim):
        difference = integer.plus(other, -1) if isinstance(integer, Dim) else None
    else:
        difference = integer.minus(other) if isinstance(integer, Dim) else integer - other
    if difference is None:
        return None
    least = lowest(difference)
    return None if least is None or least < 0 else difference


def _bound(node: gast.expr | None, of: _Of) -> int | Dim | None:
    if node is None:
        return None
    kind = of(node)
    if isinstance(kind, Scalar) and kind.type == "int" and isinstance(kind.value, (int, Dim)):
        return kind.value
    return None
