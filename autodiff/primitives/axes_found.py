"""An axis that is found at run time, of an array that has one.

np.moveaxis(x, axis, -1), np.sum(x, axis)       of all whole numbers only 0 and -1 are taken, so
                                                the result is what it is for these
"""

from __future__ import annotations

from typing import Any

from autodiff.kinds.exemplar import result_kind
from autodiff.kinds.kind import UNKNOWN, Array, Kind, Scalar, Static
from autodiff.kinds.size import Dim, lowest

_AXES, _OTHERS = (0, -1), (1, -2, 2, -3, 3)


def along_the_axis(
    function: Any, arguments: tuple[Kind, ...], keywords: tuple[tuple[str, Kind], ...]
) -> Kind:
    """The kind of a result where one whole number is not known, and may be nothing but the axis."""
    given = (*arguments, *(kind for _, kind in keywords))
    arrays = [kind for kind in given if isinstance(kind, Array)]
    rest = [kind for kind in given if not isinstance(kind, Array)]
    whole = [kind for kind in rest if _is_found(kind)]
    plain = all(isinstance(kind, (Scalar, Static)) for kind in rest)
    if len(arrays) != 1 or len(arrays[0].shape) != 1 or len(whole) != 1 or not plain:
        return UNKNOWN

    def result(value: int) -> Kind:
        number = Scalar("int", None, value)
        own = tuple(number if _is_found(kind) else kind for kind in arguments)
        named = tuple((name, number if _is_found(kind) else kind) for name, kind in keywords)
        return result_kind(function, own, named)

    found, other = map(result, _AXES)
    taken = found != other or any(result(value) != UNKNOWN for value in _OTHERS)
    return UNKNOWN if taken else found


def _is_found(kind: Kind) -> bool:
    """Whether a kind is that of a whole number of Python's that is found at run time."""
    if not isinstance(kind, Scalar) or (kind.type, kind.dtype) != ("int", None):
        return False
    return kind.value is None or isinstance(kind.value, Dim) and lowest(kind.value) is None
