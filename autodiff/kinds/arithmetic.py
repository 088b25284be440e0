"""Arithmetic of known integers and symbolic sizes; lists that are added, dicts that are merged."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

import gast

from autodiff.kinds.joins import join
from autodiff.kinds.kind import Kind, Record, Scalar
from autodiff.kinds.operation import BINARY, UNARY
from autodiff.kinds.size import Dim


def _add(a: Kind, b: Kind) -> Kind | None:
    listed = isinstance(a, Record) and a.cls in (list, tuple)
    if listed and isinstance(a, Record) and isinstance(b, Record) and a.cls is b.cls:
        items = a.items + b.items
        return Record(a.cls, tuple(range(len(items))), items)
    return (
        _shifted(a, b, -1)
        or _shifted(b, a, -1)
        or _multiples(a, b, 1)
        or _exact(a, b, lambda x, y: x + y)
    )


def _subtract(a: Kind, b: Kind) -> Kind | None:
    return _shifted(a, b, 1) or _multiples(a, b, -1) or _exact(a, b, lambda x, y: x - y)


def _multiply(a: Kind, b: Kind) -> Kind | None:
    return _scaled(a, b) or _scaled(b, a) or _exact(a, b, lambda x, y: x * y)


def _shifted(a: Kind, b: Kind, sign: int) -> Kind | None:
    if isinstance(a, Scalar) and isinstance(b, Scalar) and a.type == "int":
        if isinstance(a.value, Dim) and type(b.value) is int:
            return Scalar("int", a.dtype, a.value.minus(sign * b.value))
    return None


def _scaled(a: Kind, b: Kind) -> Kind | None:
    if isinstance(a, Scalar) and isinstance(b, Scalar) and a.type == "int" and b.dtype is None:
        if isinstance(a.value, Dim) and type(b.value) is int and b.value > 0:
            return Scalar("int", a.dtype, a.value.times(b.value))
    return None


def _multiples(a: Kind, b: Kind, sign: int) -> Kind | None:
    """`n + 2 * n`, where `n` is a size."""
    if isinstance(a, Scalar) and isinstance(b, Scalar) and (a.type, a.dtype) == ("int", b.dtype):
        if isinstance(a.value, Dim) and isinstance(b.value, Dim):
            value = a.value.plus(b.value, sign)
            return None if value is None else Scalar("int", a.dtype, value)
    return None


def _exact(a: Kind, b: Kind, function: Callable[[int, int], int]) -> Kind | None:
    if isinstance(a, Scalar) and isinstance(b, Scalar):
        if type(a.value) is int and type(b.value) is int and a.dtype is None and b.dtype is None:
            return Scalar("int", None, function(a.value, b.value))
    return None


def _divide(a: Kind, b: Kind) -> Kind | None:
    if isinstance(a, Scalar) and isinstance(b, Scalar) and a.type == "int" and b.dtype is None:
        if isinstance(a.value, Dim) and type(b.value) is int:
            value = a.value.over(b.value)
            return None if value is None else Scalar("int", a.dtype, value)
    return None


def _one_of(*given: Kind) -> Kind | None:
    given = given[0].items if len(given) == 1 and isinstance(given[0], Record) else given
    types = {kind.type if isinstance(kind, Scalar) else None for kind in given}
    joined = None if None in types or len(types) < 2 else reduce(join, given)  # `min(1, x)`
    return Scalar(joined.type, "?") if isinstance(joined, Scalar) else None


ARITHMETIC: dict[Any, Callable[..., Kind | None]] = {
    BINARY[gast.Add]: _add,
    BINARY[gast.Sub]: _subtract,
    BINARY[gast.Mult]: _multiply,
    BINARY[gast.FloorDiv]: _divide,
    UNARY[gast.USub]: lambda a: _subtract(Scalar("int", None, 0), a),
    **dict.fromkeys((min, max), _one_of),
}
