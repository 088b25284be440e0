"""Whether two indices of one array can mean the same element."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import gast

_NONE: Mapping[str, int] = MappingProxyType({})


def disjoint(left: gast.expr, right: gast.expr, least: Mapping[str, int] = _NONE) -> bool:
    """Whether two indices share no element, whatever the sizes; False where that is not sure.

    `least` has integers that are constant meanwhile, with the smallest value each may have.

    >>> index = lambda text: gast.parse(f"x[{text}]").body[0].value.slice
    >>> disjoint(index("0, :"), index("1:-1, :")), disjoint(index("0"), index("-1"))
    (True, False)
    >>> [disjoint(index("t"), index(other), {"t": 0}) for other in ("t + 1", "t - 1")]
    [True, False]
    >>> disjoint(index("t, t + 1 :"), index("t + 1 :, t"), {"t": 0})
    True
    >>> disjoint(index(":, :n"), index(":, 2 * n :"), {"n": 0})
    True
    """
    pairs = zip(_parts(left), _parts(right))
    for one, other in pairs:
        if _takes_no_single_axis(one, least) or _takes_no_single_axis(other, least):
            return False
        if _apart(one, other, least) or _apart(other, one, least):
            return True
    return False


def _parts(index: gast.expr) -> list[gast.expr]:
    return list(index.elts) if isinstance(index, gast.Tuple) else [index]


def _takes_no_single_axis(part: gast.expr, least: Mapping[str, int]) -> bool:
    """Whether the parts behind this one may belong to other axes: `...`, `None`, arrays, names."""
    return not isinstance(part, gast.Slice) and _place(part, least) is None


_Place = tuple[str, int, int]
"""What an index counts from, and how far it is from there: the start "", the end "-", or so many
times an integer by its name, together not below the start."""


def _place(part: gast.expr | None, least: Mapping[str, int]) -> _Place | None:
    number = _number(part)
    if number is not None:
        return "-" if number < 0 else "", 0, number
    found = _linear(part)
    if found is None or found[0] not in least or found[1] < 0:
        return None
    name, factor, more = found
    return found if factor * least[name] + more >= 0 else None


def _linear(part: gast.expr | None) -> _Place | None:
    """The name, the k and the m of `k * name + m`; no name for a number."""
    number = _number(part)
    if number is not None:
        return "", 0, number
    if isinstance(part, gast.Name):
        return part.id, 1, 0
    if not isinstance(part, gast.BinOp):
        return None
    left, right = _linear(part.left), _linear(part.right)
    if left is None or right is None:
        return None
    if isinstance(part.op, gast.Mult):
        (name, factor, more), (other, _, times) = (left, right) if not right[0] else (right, left)
        return None if other else (name, factor * times, more * times)
    if not isinstance(part.op, (gast.Add, gast.Sub)) or len({left[0], right[0]} - {""}) > 1:
        return None
    sign = 1 if isinstance(part.op, gast.Add) else -1
    return left[0] or right[0], left[1] + sign * right[1], left[2] + sign * right[2]


def _number(part: gast.expr | None) -> int | None:
    if isinstance(part, gast.UnaryOp) and isinstance(part.op, gast.USub):
        number = _number(part.operand)
        return None if number is None else -number
    if isinstance(part, gast.Constant) and type(part.value) is int:
        return part.value
    return None


def _apart(one: gast.expr, other: gast.expr, least: Mapping[str, int]) -> bool:
    if isinstance(one, gast.Slice):
        if not isinstance(other, gast.Slice) or one.step or other.step:
            return False
        return _is_below(_place(one.upper, least), _place(other.lower, least), least, 0)
    own = _place(one, least)
    if not isinstance(other, gast.Slice):
        return _is_below(own, _place(other, least), least)
    if other.step is not None:
        return False
    lower, upper = _place(other.lower, least), _place(other.upper, least)
    return _is_below(own, lower, least) or _is_below(upper, own, least, 0)


def _is_below(
    left: _Place | None, right: _Place | None, least: Mapping[str, int], by: int = 1
) -> bool:
    """Whether a place is before another, by so many elements at least."""
    if left is None or right is None:
        return False
    if left[0] not in ("", right[0]):
        return False
    factor, distance = right[1] - left[1], right[2] - left[2]
    if left[0] != right[0] and right[0] not in least:
        return False
    return factor >= 0 and factor * least.get(right[0], 0) + distance >= by
