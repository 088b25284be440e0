"""The kinds of new arrays whose dtype is only known at run time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from autodiff.kinds.kind import Array, Kind, Record, Scalar, Unknown
from autodiff.kinds.operation import Operation
from autodiff.kinds.results import library_kind

if TYPE_CHECKING:
    from autodiff.kinds.known import Kinds

_PLACES = {np.zeros: 1, np.ones: 1, np.empty: 1, np.full: 2}
"""Which argument is the dtype."""


def _created(kinds: Kinds, operation: Operation) -> Kind:
    """`np.zeros(n, np.result_type(x))` is an array, whatever `x` is."""
    own = [kinds.of(argument) for argument in operation.arguments]
    keywords = {key: kinds.of(value) for key, value in operation.keywords}
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


CREATED: dict[Any, Callable[[Kinds, Operation], Kind]] = dict.fromkeys(_PLACES, _created)
