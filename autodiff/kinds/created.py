"""The kinds of new arrays whose dtype is only known at run time, and of tables with defaults."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from autodiff.kinds.kind import (
    NO_KEY,
    UNKNOWN,
    Array,
    Kind,
    Mapping,
    Record,
    Scalar,
    Static,
    Unknown,
)
from autodiff.kinds.operation import Operation
from autodiff.kinds.results import library_kind
from autodiff.runtime import Slot

if TYPE_CHECKING:
    from autodiff.kinds.known import Kinds

_PLACES = {np.zeros: 1, np.ones: 1, np.empty: 1, np.full: 2}
"""Which argument is the dtype."""


def _created(kinds: Kinds, operation: Operation) -> Kind | None:
    """`np.zeros(n, np.result_type(x))` is an array, whatever `x` is."""
    given = [kinds.of(argument) for argument in operation.arguments]
    named = {key: kinds.of(value) for key, value in operation.keywords}
    if None in given or None in named.values():
        return None
    own = [kinds.known(argument) for argument in operation.arguments]
    keywords = {key: kinds.known(value) for key, value in operation.keywords}
    own[:1] = map(_counted, own[:1])
    if "shape" in keywords:
        keywords["shape"] = _counted(keywords["shape"])
    place = _PLACES[operation.function]
    dtype = own[place] if len(own) > place else keywords.get("dtype")
    if not isinstance(dtype, Unknown):
        return library_kind(operation.function, False, own, list(keywords.items()))
    rest = [(key, value) for key, value in keywords.items() if key != "dtype"]
    found = library_kind(operation.function, False, own[:place], rest)
    return replace(found, dtype=None) if isinstance(found, Array) else found


def _counted(shape: Kind) -> Kind:
    """The kind of a shape: what stands in a tuple, `np.zeros((n, 3))`, can only be integers."""
    if not isinstance(shape, Record) or shape.cls not in (tuple, list):
        return shape
    items = [Scalar("int") if isinstance(kind, Unknown) else kind for kind in shape.items]
    return replace(shape, items=tuple(items))


_MADE: dict[Any, Kind] = {
    list: Record(list, (), ()),
    dict: Record(dict, (), ()),
    float: Scalar("float"),
    int: Scalar("int"),
    Slot: Record(Slot, ("value",), (Scalar("float", "?"),)),
}


def _with_default(kinds: Kinds, operation: Operation) -> Kind | None:
    """`defaultdict(list)`: the kinds of its keys are not known yet."""
    if len(operation.arguments) != 1 or operation.keywords:
        return UNKNOWN
    made = kinds.of(operation.arguments[0])
    if made is None or not isinstance(made, Static) or made.value not in _MADE:
        return None if made is None else UNKNOWN
    return Mapping(_MADE[made.value], NO_KEY, defaultdict)


CREATED: dict[Any, Callable[[Kinds, Operation], Kind | None]] = {
    **dict.fromkeys(_PLACES, _created),
    defaultdict: _with_default,
}
