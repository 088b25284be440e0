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
    """
    pairs = zip(_parts(left), _parts(right))
    for one, other in pairs:
        if _counts_apart(one, other, least):
            return True
        if _takes_no_single_axis(one) or _takes_no_single_axis(other):
            return False
        if _apart(one, other) or _apart(other, one):
            return True
    return False


def _parts(index: gast.expr) -> list[gast.expr]:
    return list(index.elts) if isinstance(index, gast.Tuple) else [index]


def _takes_no_single_axis(part: gast.expr) -> bool:
    """Whether the parts behind this one may belong to other axes: `...`, `None`, arrays, names."""
    return not isinstance(part, gast.Slice) and _number(part) is None


def _counts_apart(one: gast.expr, other: gast.expr, least: Mapping[str, int]) -> bool:
    """Whether two indices count from the same integer, neither from the end, differently far."""
    first, second = _shifted(one), _shifted(other)
    if first is None or second is None or first[0] != second[0] or first[0] not in least:
        return False
    return first[1] != second[1] and least[first[0]] + min(first[1], second[1]) >= 0


def _shifted(part: gast.expr) -> tuple[str, int] | None:
    """The name and the k of `name + k`."""
    if isinstance(part, gast.Name):
        return part.id, 0
    if not isinstance(part, gast.BinOp) or not isinstance(part.left, gast.Name):
        return None
    more = _number(part.right)
    if more is None or not isinstance(part.op, (gast.Add, gast.Sub)):
        return None
    return part.left.id, more if isinstance(part.op, gast.Add) else -more


def _number(part: gast.expr | None) -> int | None:
    if isinstance(part, gast.UnaryOp) and isinstance(part.op, gast.USub):
        number = _number(part.operand)
        return None if number is None else -number
    if isinstance(part, gast.Constant) and type(part.value) is int:
        return part.value
    return None


def _apart(one: gast.expr, other: gast.expr) -> bool:
    if isinstance(one, gast.Slice):
        if not isinstance(other, gast.Slice) or one.step or other.step:
            return False
        return _meet_in_none(_number(one.upper), _number(other.lower))
    number = _number(one)
    assert number is not None
    if not isinstance(other, gast.Slice):
        own = _number(other)
        return own is not None and own != number and (own < 0) == (number < 0)
    if other.step is not None:
        return False
    lower, upper = _number(other.lower), _number(other.upper)
    if number >= 0:
        return lower is not None and lower > number
    return upper is not None and upper <= number


def _meet_in_none(upper: int | None, lower: int | None) -> bool:
    """`[:upper]` and `[lower:]`."""
    if upper is None or lower is None:
        return False
    return (upper < 0) == (lower < 0) and upper <= lower
