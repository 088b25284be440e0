"""The kind of a library function's result, found by calling it on tiny exemplars.

Only for registered pure functions. The function is evaluated twice, on exemplars with different
sizes and different values; a size of the result counts as known only where both evaluations say
so. What depends on the values (`np.unique`, `np.repeat`) thereby comes out as unknown. An array
of unknown dtype is one of doubles first, and then one of complex numbers of single precision.
"""

from __future__ import annotations

import math
import operator
import warnings
from collections.abc import Callable
from functools import lru_cache, reduce
from typing import Any

import numpy as np

from autodiff.kinds.arguments import LETTERS
from autodiff.kinds.fits import (
    Fit,
    fitting,
    lifted,
    lowered,
    numbered,
    sizeless,
    without_numbers,
    without_width,
)
from autodiff.kinds.joins import join
from autodiff.kinds.kind import (
    UNKNOWN,
    Array,
    Kind,
    Numeric,
    Record,
    Scalar,
    Sequence,
    Static,
    Text,
    forget_values,
    is_complex,
    is_number,
    number,
)
from autodiff.kinds.lengths import with_lengths
from autodiff.kinds.rounds import SMALL, NoExemplar, Round
from autodiff.kinds.size import Dim
from autodiff.rules import registry

_BY_VALUES = frozenset({np.unique, np.linalg.lstsq, np.polydiv})
"""Functions whose results are as long as the values say, and not those of exemplars."""

_COUNTED = {np.tile: 1, np.zeros: 0, np.ones: 0, np.empty: 0, np.full: 0, np.resize: 1}
"""Which operand of a function has values that multiply to the size of what it makes."""

_SPANNING = frozenset({np.outer, np.kron, np.multiply.outer})
"""Functions whose results have the sizes of all operands together."""

_MOST = 10**7
"""Numbers in the largest exemplar of a result."""

_NUMBERS = {bool: "bool", int: "int", float: "float", complex: "complex"}


_ASKING_FOR_SIZES = frozenset(
    {
        *(operator.matmul, np.matmul, np.dot, np.inner, np.vdot, np.tensordot, np.einsum),
        *(np.linalg.solve, np.linalg.inv, np.linalg.det, np.linalg.cholesky, np.linalg.pinv),
        *(np.concatenate, np.stack, np.vstack, np.hstack, np.column_stack, np.trace),
    }
)
"""Functions that fail for sizes that do not fit, and not for the values of exemplars."""


@lru_cache(maxsize=4096)
def result_kind(
    function: Callable[..., Any],
    arguments: tuple[Kind, ...],
    keywords: tuple[tuple[str, Kind], ...] = (),
) -> Kind:
    """The kind of `function(*arguments, **keywords)`; `UNKNOWN` where the exemplars fail."""
    if isinstance(_counts(function, arguments), Array):
        return UNKNOWN
    found = _evaluated(function, arguments, keywords)
    if found is None:
        found = _fitted(function, arguments, keywords)
    elif registry.is_wide_by_values(function):
        found = without_width(found)
    elif function in _BY_VALUES:
        found = without_numbers(found)
    else:
        found = _checked(found, function, arguments, keywords)
    found = with_lengths(function, arguments, keywords, found)
    return of_any_dtype(found) if registry.is_uncertain(function) else found


def _counts(function: Callable[..., Any], arguments: tuple[Kind, ...]) -> Kind:
    """The operand whose values multiply to the size of the result, `UNKNOWN` without one."""
    place = _COUNTED.get(function)
    return arguments[place] if place is not None and place < len(arguments) else UNKNOWN


def _checked(
    found: Kind,
    function: Callable[..., Any],
    arguments: tuple[Kind, ...],
    keywords: tuple[tuple[str, Kind], ...],
) -> Kind:
    """The kind without sizes that are others where those of the operands are small.

    `np.convolve(x, k, "same")` is as long as `x` unless `x` is shorter than `k`, and `x.squeeze()`
    has the axes of `x` unless some may be 1.
    """
    each = Round(0, sizes=SMALL)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for _ in range(2):  # then 1 where that may be
            try:
                given = list(map(each.value, arguments))
                named = {name: each.value(kind) for name, kind in keywords}
                found = _agreeing(found, function(*given, **named), each)
            except Exception:  # small sizes do not fit, which says nothing
                break
            if all(dim.plural for dim in each.sizes):
                break
            each = Round(0, {dim.name: 1 for dim in each.sizes if not dim.plural}, SMALL)
    return found


def _agreeing(kind: Kind, value: Any, each: Round) -> Kind:
    if isinstance(kind, Array) and isinstance(value, np.ndarray):
        if len(kind.shape) != value.ndim:
            return UNKNOWN
        own = {dim.name: size for dim, size in each.sizes.items()}
        sizes = [
            own[size.name] - size.offset if isinstance(size, Dim) and size.name in own else size
            for size in kind.shape
        ]
        alike = (size if n == m else None for size, n, m in zip(kind.shape, sizes, value.shape))
        return Array(kind.dtype, tuple(alike))
    if isinstance(kind, Record) and isinstance(value, (list, tuple)):
        if len(kind.items) != len(value):
            return UNKNOWN
        parts = (_agreeing(part, own, each) for part, own in zip(kind.items, value))
        return Record(kind.cls, kind.keys, tuple(parts))
    return kind


def _evaluated(
    function: Callable[..., Any],
    arguments: tuple[Kind, ...],
    keywords: tuple[tuple[str, Kind], ...],
    fit: Fit | None = None,
    other: Fit | None = None,
) -> Kind | None:
    """What two evaluations have in common, None if they fail.

    With two fits only sizes, numbers that are not known and unknown dtypes differ.
    """
    rounds = Round(0, fit), Round(1, fit)
    if other is not None:
        rounds = Round(0, fit), Round(0, other)
        last = Round(1)
        rounds[1].unknown, rounds[1].length, rounds[1].given = last.unknown, last.length, last.given
    results = []
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for each in rounds:
            try:
                given = list(map(each.value, arguments))
                if function in _SPANNING and math.prod(map(np.size, given)) > _MOST:
                    return None
                named = {name: each.value(kind) for name, kind in keywords}
                results.append(function(*given, **named))
            except Exception:  # whatever a library function may raise
                return None
    return forget_values(_common(*results, *(each.known() for each in rounds)))


def _fitted(
    function: Callable[..., Any],
    arguments: tuple[Kind, ...],
    keywords: tuple[tuple[str, Kind], ...],
) -> Kind:
    """Second try, where symbolic sizes must fit others or each other: all ways in which they do."""
    given = (*arguments, *(kind for _, kind in keywords))
    raised = tuple(map(lifted, arguments)), tuple((own, lifted(kind)) for own, kind in keywords)

    def kind_for(fit: Fit) -> Kind | None:
        return _evaluated(function, *raised, fit)

    found: list[Kind] = []
    if function in _ASKING_FOR_SIZES:
        found = fitting(_offsets((*raised[0], *(kind for _, kind in raised[1]))), kind_for)
    if found:
        return lowered(reduce(join, found))
    offsets, literals = _offsets(given), _literals(given)
    counts = {k.value for k in given if isinstance(k, Scalar) and type(k.value) is int}
    multiples = [1, *sorted(count for count in counts if 1 < count < 100)]  # parts of equal size
    pairs = [(dict.fromkeys(offsets, 2 * n), dict.fromkeys(offsets, 3 * n)) for n in multiples]
    fits = list(numbered(offsets, literals))
    for one, other in [*pairs, *zip(fits, fits)]:
        kind = _evaluated(function, arguments, keywords, one, other)
        if kind is not None and not isinstance(kind, Unknown_):
            return sizeless(kind)
    guessed = set()  # at a size of its own a function may give something else: `np.cross` at 2
    for sizes in ({*literals, 2, 3}, {*literals, *counts, 2, 3, 4}):
        for fit in numbered(offsets, sizes):
            kind = _evaluated(function, arguments, keywords, fit, fit)
            if kind is not None and not isinstance(kind, Unknown_):
                guessed.add(sizeless(kind))
    return guessed.pop() if len(guessed) == 1 else UNKNOWN


def _offsets(given: tuple[Kind, ...]) -> dict[str, set[int]]:
    """For each symbolic size `n` the numbers `k` for which an axis is `n - k` long."""
    each = Round(0)
    try:
        for kind in given:
            each.value(kind)
    except NoExemplar:
        return {}
    return each.offsets


def of_any_dtype(kind: Kind) -> Kind:
    """The kind of an array, or of a tuple of arrays, that may be complex or real."""
    if isinstance(kind, Array) and not is_complex(kind):
        return Array(None, kind.shape)
    if isinstance(kind, Record):
        return Record(kind.cls, kind.keys, tuple(map(of_any_dtype, kind.items)))
    return kind


def _literals(kinds: tuple[Kind, ...]) -> set[int]:
    """The known sizes of arrays and lists, which symbolic ones may have to equal."""
    found: set[int] = set()
    for kind in kinds:
        if isinstance(kind, Array):
            found |= {size for size in kind.shape if isinstance(size, int) and size > 1}
        elif isinstance(kind, Record):
            found |= _literals(kind.items) | {len(kind.items)} - {0, 1}
    return found


def _common(a: Any, b: Any, sizes_a: dict[int, Dim], sizes_b: dict[int, Dim]) -> Kind:
    cls = type(a)
    if cls is not type(b):
        if isinstance(a, np.generic) and isinstance(b, np.generic):
            if np.iscomplexobj(a) != np.iscomplexobj(b):
                return Numeric()
            return join(*(number(LETTERS[v.dtype.kind], v.dtype.name) for v in (a, b)))
        return UNKNOWN
    if cls in _NUMBERS:
        return number(_NUMBERS[cls])
    if isinstance(a, np.generic):
        if a.dtype.kind not in LETTERS:
            return UNKNOWN
        return number(LETTERS[a.dtype.kind], a.dtype.name)
    if cls is np.ndarray:
        if a.ndim != b.ndim or not {a.dtype.kind, b.dtype.kind} <= set(LETTERS):
            return UNKNOWN
        return Array(
            a.dtype.name if a.dtype == b.dtype else None,
            tuple(_size(m, n, sizes_a, sizes_b) for m, n in zip(a.shape, b.shape)),
        )
    if isinstance(a, (tuple, list)):
        if len(a) == len(b):
            parts = tuple(_common(x, y, sizes_a, sizes_b) for x, y in zip(a, b))
            return Record(cls, tuple(range(len(parts))), parts)
        items = [_common(x, x, {}, {}) for x in (*a, *b)]
        item = items[0]
        for other in items[1:]:
            item = join(item, other)
        return Sequence(item, cls)
    if cls is str:
        return Text()
    if a is None or isinstance(a, np.dtype) and a is b:
        return Static(a)
    return UNKNOWN


def _size(m: int, n: int, sizes_a: dict[int, Dim], sizes_b: dict[int, Dim]) -> int | Dim | None:
    if m == n:
        return m
    dim = sizes_a.get(m)
    if dim is not None and sizes_b.get(n) == dim:
        return dim
    for size, dim in sizes_a.items():
        lost = size - m
        if -3 <= lost <= 3 and sizes_b.get(n + lost) == dim:
            return dim.minus(lost)
    return None


@lru_cache(maxsize=4096)
def elementwise_kind(function: Callable[..., Any], operands: tuple[Kind, ...]) -> Kind:
    """The kind of a broadcasting function's result: shapes by the broadcasting rule.

    Beside arrays, lists and tuples are arrays, too; what is neither (None) has no part in it.
    """
    if any(isinstance(kind, Array) for kind in operands):
        operands = tuple(map(_as_array, operands))
        if any(isinstance(kind, Unknown_) for kind in operands):
            return UNKNOWN
    if any(isinstance(kind, Array) and kind.dtype is None for kind in operands):
        dtype: Kind = UNKNOWN
    else:
        reduced = tuple(
            Array(kind.dtype, (1,) * min(1, len(kind.shape))) if isinstance(kind, Array) else kind
            for kind in operands
        )
        dtype = result_kind(function, reduced)
    shapes = [kind.shape for kind in operands if isinstance(kind, Array)]
    if not shapes:
        return dtype
    if not all(isinstance(kind, (Array, Scalar, Static)) for kind in operands):
        return UNKNOWN
    shape = broadcast(shapes)
    if isinstance(dtype, Record):  # several results, as of `np.modf`
        each = [Array(k.dtype, shape) if isinstance(k, Array) else k for k in dtype.items]
        return Record(dtype.cls, dtype.keys, tuple(each)) if shape else dtype
    if not shape:
        alone = isinstance(dtype, Array) and not dtype.shape  # what `np.where` gives for numbers
        return dtype if alone or is_number(dtype) else UNKNOWN
    if isinstance(dtype, Array):
        return Array(dtype.dtype, shape)
    return Array(None, shape) if isinstance(dtype, (Unknown_, Array)) else UNKNOWN


def _as_array(kind: Kind) -> Kind:
    """The array that a list or tuple of numbers and arrays is; any other kind itself."""
    listed = isinstance(kind, Sequence) or isinstance(kind, Record) and kind.cls in (list, tuple)
    return result_kind(np.asarray, (kind,)) if listed else kind


Unknown_ = type(UNKNOWN)


def broadcast(shapes: list[tuple[Any, ...]]) -> tuple[Any, ...]:
    """The symbolic shape that the shapes broadcast to."""
    rank = max(map(len, shapes))
    padded = [(1,) * (rank - len(shape)) + tuple(shape) for shape in shapes]
    return tuple(_broadcast_size(sizes) for sizes in zip(*padded))


def _broadcast_size(sizes: tuple[Any, ...]) -> int | Dim | None:
    result: int | Dim | None = 1
    for size in sizes:
        if size == 1 and size is not None:
            continue
        if result == 1 and result is not None:
            result = size
        elif size is None or result is None or size != result:
            sure = [s for s in (size, result) if isinstance(s, int) or (s and s.plural)]
            result = sure[0] if sure else None
    return result
