"""The kinds of cross products, whose rank depends on the size of an axis."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from autodiff.kinds.exemplar import broadcast, result_kind
from autodiff.kinds.kind import Array, Kind
from autodiff.kinds.operation import Operation
from autodiff.kinds.results import library_kind
from autodiff.kinds.size import at_least
from autodiff.rules.installed import newer

if TYPE_CHECKING:
    from autodiff.kinds.known import Kinds

PRODUCTS = (np.cross, newer.linalg.cross)


def cross(kinds: Kinds, operation: Operation) -> Kind:
    """`np.cross`, `np.linalg.cross` along the last axes: a vector that may have three components
    has three. Two of two components, which exemplars stand for as well, have a number as product.
    """
    own = [kinds.of(argument) for argument in operation.arguments]
    named = [(key, kinds.of(value)) for key, value in operation.keywords]
    shapes = [kind.shape for kind in own if isinstance(kind, Array) and kind.shape]
    dtypes = [getattr(kind, "dtype", None) for kind in own]
    sure = operation.function is not np.cross or all(at_least(each[-1]) > 2 for each in shapes)
    if sure and not named and len(shapes) == len(own) == 2 and None not in dtypes:
        product = result_kind(np.multiply, tuple(Array(dtype, (1,)) for dtype in dtypes))
        if isinstance(product, Array):
            shape = broadcast([each[:-1] for each in shapes])
            return Array(product.dtype, (*shape, shapes[0][-1]))
    return library_kind(operation.function, False, own, named)
