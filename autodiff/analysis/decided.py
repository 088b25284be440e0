"""Tests whose outcome the kinds tell: `axis is None`, `x.ndim == 2`, `isinstance(x, np.ndarray)`.

A derivative is compiled for the kinds of its arguments, so such a test has one outcome in all calls
of what is compiled. Only names of the function itself are asked about: a global may change.
"""

from __future__ import annotations

import operator
import types
from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from autodiff.analysis.kind import Array, Kind, Mapping, Record, Scalar, Sequence, Static, Text
from autodiff.analysis.known import Kinds
from autodiff.analysis.masked import asks_for_mask
from autodiff.analysis.mistyped import lacks
from autodiff.analysis.size import Dim

OPEN: Any = type("Open", (), {"__repr__": lambda self: "open"})()
"""What stands for a value that is known only when the program runs."""

_COMPARED: dict[type, Callable[[Any, Any], Any]] = {
    gast.Eq: operator.eq,
    gast.NotEq: operator.ne,
    gast.Lt: operator.lt,
    gast.LtE: operator.le,
    gast.Gt: operator.gt,
    gast.GtE: operator.ge,
    gast.In: lambda item, container: item in container,
    gast.NotIn: lambda item, container: item not in container,
}
_COMBINED: dict[type, Callable[[Any, Any], Any]] = {
    gast.Add: operator.add,
    gast.Sub: operator.sub,
    gast.Mult: operator.mul,
}
_NUMBERS = (bool, int, float, complex, np.generic)

_TOLD = (types.BuiltinFunctionType, types.FunctionType, type(np.ndim), type)


def decided(test: gast.expr, kinds: Kinds) -> bool | None:
    """The outcome of a test, None where it is not known."""
    found = _value(test, kinds)
    return None if found is OPEN else bool(found)


def _value(node: gast.expr, kinds: Kinds) -> Any:
    """The number, string, None, bool or tuple of these that an expression is."""
    handler = _VALUES.get(node.__class__)
    return OPEN if handler is None else handler(node, kinds)


def _constant(node: gast.Constant, kinds: Kinds) -> Any:
    return node.value


def _name(node: gast.Name, kinds: Kinds) -> Any:
    return _held(kinds.of(node)) if node.id in kinds.local else OPEN


def _held(kind: Kind | None) -> Any:
    """The value that a kind stands for."""
    if isinstance(kind, Scalar) and type(kind.value) in (bool, int, float):
        return kind.value if kind.dtype is None else OPEN
    plain = isinstance(kind, Static) and isinstance(kind.value, (str, type(None)))
    return kind.value if plain else OPEN  # type: ignore[union-attr]


def _tuple(node: gast.Tuple | gast.Set | gast.List, kinds: Kinds) -> Any:
    items = tuple(_value(item, kinds) for item in node.elts)
    return OPEN if OPEN in items else items


def _combined(node: gast.BinOp, kinds: Kinds) -> Any:
    function = _COMBINED.get(node.op.__class__)
    sides = _value(node.left, kinds), _value(node.right, kinds)
    if function is None or not all(type(side) is int for side in sides):
        return OPEN
    return function(*sides)


def _unary(node: gast.UnaryOp, kinds: Kinds) -> Any:
    value = _value(node.operand, kinds)
    if value is OPEN:
        return OPEN
    if isinstance(node.op, gast.Not):
        return not value
    return -value if isinstance(node.op, gast.USub) and type(value) in (int, float) else OPEN


def _either(node: gast.BoolOp, kinds: Kinds) -> Any:
    """The operand that ends the evaluation; those before it must be known."""
    found: Any = OPEN
    for operand in node.values:
        found = _value(operand, kinds)
        if found is OPEN or bool(found) is isinstance(node.op, gast.Or):
            return found
    return found


def _compared(node: gast.Compare, kinds: Kinds) -> Any:
    if len(node.ops) != 1:
        return OPEN
    op, left, right = node.ops[0], node.left, node.comparators[0]
    if isinstance(op, (gast.Is, gast.IsNot)):
        if not isinstance(right, gast.Constant) or right.value is not None:
            return OPEN
        found = _is_none(left, kinds)
        return found if found is OPEN else found is isinstance(op, gast.Is)
    if isinstance(op, (gast.Eq, gast.NotEq)) and _is_same_size(left, right, kinds):
        return isinstance(op, gast.Eq)
    among = isinstance(op, (gast.In, gast.NotIn)) and isinstance(right, (gast.Set, gast.List))
    sides = _value(left, kinds), (_tuple if among else _value)(right, kinds)
    function = _COMPARED.get(op.__class__)
    if OPEN in sides or function is None:
        return OPEN
    try:
        return function(*sides)
    except TypeError:  # `None < 1` fails when the program runs
        return OPEN


def _is_same_size(left: gast.expr, right: gast.expr, kinds: Kinds) -> bool:
    """Whether two sizes are one, whatever it is: `u.shape[-1] == k` after `k = s.shape[-1]`."""
    sizes = [_size(side, kinds) for side in (left, right)]
    return sizes[0] == sizes[1] and isinstance(sizes[0], Dim) and not sizes[0].offset


def _size(node: gast.expr, kinds: Kinds) -> Any:
    own = node
    if isinstance(node, gast.Subscript) and isinstance(node.value, gast.Attribute):
        own = node.value.value if node.value.attr == "shape" else node
    kind = kinds.of(node) if _is_own(own, kinds) else None
    return kind.value if isinstance(kind, Scalar) else OPEN


def _subscript(node: gast.Subscript, kinds: Kinds) -> Any:
    """`x.shape[0]` where that is a known number."""
    size = _size(node, kinds)
    return size if type(size) is int else OPEN


def _is_none(node: gast.expr, kinds: Kinds) -> Any:
    if isinstance(node, gast.Constant):
        return node.value is None
    if not _is_own(node, kinds):
        return OPEN
    kind = kinds.of(node)
    if isinstance(kind, Static):
        return kind.value is None
    return False if isinstance(kind, (Array, Scalar, Record, Sequence, Mapping, Text)) else OPEN


def _is_own(node: gast.expr, kinds: Kinds) -> bool:
    """Whether an expression is a name of the function, or a part of a container with a name."""
    if isinstance(node, gast.Subscript) and isinstance(node.slice, gast.Constant):
        return isinstance(kinds.of(node.value), Record) and _is_own(node.value, kinds)
    return isinstance(node, gast.Name) and node.id in kinds.local


def _attribute(node: gast.Attribute, kinds: Kinds) -> Any:
    """`x.ndim`, `x.dtype.kind`."""
    base = node.value
    if isinstance(base, gast.Attribute) and base.attr == "dtype" and node.attr == "kind":
        kind = kinds.of(base.value) if _is_own(base.value, kinds) else None
        known = isinstance(kind, Array) and kind.dtype is not None
        return np.dtype(kind.dtype).kind if known else OPEN  # type: ignore[union-attr]
    if node.attr == "ndim" and _is_own(base, kinds):
        return _rank(kinds.of(base))
    return OPEN


def _rank(kind: Kind | None) -> Any:
    if isinstance(kind, Array):
        return len(kind.shape)
    return 0 if isinstance(kind, Scalar) else OPEN


def _call(node: gast.Call, kinds: Kinds) -> Any:
    """`isinstance`, `hasattr`, `np.ndim`, `np.iscomplexobj`, `len` of what the function holds, and
    ranges of known numbers."""
    function = _told(node.func, kinds)
    if not callable(function) or not node.args or node.keywords:
        return OPEN
    if function is range:
        return _range([_value(argument, kinds) for argument in node.args])
    kind = kinds.of(node.args[0])
    if isinstance(node.args[0], gast.Constant):
        kind = Static(node.args[0].value)
    elif not isinstance(node.args[0], gast.Tuple) and not _is_own(node.args[0], kinds):
        return OPEN
    if function is isinstance and len(node.args) == 2:
        return _is_instance(kind, _classes(node.args[1], kinds))
    if function is hasattr and len(node.args) == 2:
        return _has(kind, _value(node.args[1], kinds))
    if len(node.args) != 1:
        return OPEN
    if function is np.ndim:
        return _rank(kind)
    if asks_for_mask(function):
        return _is_instance(kind, (np.ma.MaskedArray,))
    if function is np.iscomplexobj or function is np.isrealobj:
        found = _is_complex(kind)
        return found if found is OPEN else found is (function is np.iscomplexobj)
    if function is len:
        fixed = isinstance(kind, Record) and issubclass(kind.cls, tuple)
        return len(kind.keys) if fixed else OPEN  # type: ignore[union-attr]
    return OPEN


def _range(values: list[Any]) -> Any:
    whole = all(type(value) is int for value in values) and len(values) <= 3
    return range(*values) if whole and values[2:] != [0] else OPEN


def _told(node: gast.expr, kinds: Kinds) -> Any:
    """The function, class or module that a dotted name means."""
    found = kinds.of(node) if isinstance(node, (gast.Name, gast.Attribute)) else None
    value = found.value if isinstance(found, Static) else OPEN
    return value if isinstance(value, _TOLD) else OPEN


def _classes(node: gast.expr, kinds: Kinds) -> tuple[type, ...] | None:
    parts = node.elts if isinstance(node, gast.Tuple) else [node]
    found = tuple(_told(part, kinds) for part in parts)
    return found if all(isinstance(cls, type) for cls in found) else None


def _is_instance(kind: Kind | None, classes: tuple[type, ...] | None) -> Any:
    """A number may be of a narrower type than its kind says, an array or list is what it is."""
    if classes is None:
        return OPEN
    if isinstance(kind, Scalar):
        if kind.dtype is None and {"int": int, "float": float}.get(kind.type) in classes:
            return True
        if kind == Scalar("float", "float64") and float in classes:  # NumPy's is one of Python's
            return True
        return OPEN if any(issubclass(cls, _NUMBERS) for cls in classes) else object in classes
    if isinstance(kind, Array):
        return any(issubclass(np.ndarray, cls) for cls in classes)
    if isinstance(kind, (Record, Sequence, Mapping)):
        return any(issubclass(kind.cls, cls) for cls in classes)
    if isinstance(kind, Static):
        return isinstance(kind.value, classes)
    return OPEN


def _has(kind: Kind | None, attribute: Any) -> Any:
    """Whether arrays and numbers have an attribute; one that only NumPy's numbers have is open."""
    if not isinstance(attribute, str):
        return OPEN
    if isinstance(kind, Array):
        return hasattr(np.ndarray, attribute)
    if isinstance(kind, Scalar) and kind.dtype is None and kind.type in ("int", "float"):
        return hasattr(float if kind.type == "float" else int, attribute)
    return False if lacks(kind, attribute) else OPEN


def _is_complex(kind: Kind | None) -> Any:
    if isinstance(kind, Array) and kind.dtype is not None and kind.dtype != "object":
        return kind.dtype.startswith("c")
    return False if isinstance(kind, Scalar) and kind.type != "complex" else OPEN


_VALUES: dict[type, Callable[[Any, Kinds], Any]] = {
    gast.Constant: _constant,
    gast.Name: _name,
    gast.Tuple: _tuple,
    gast.BinOp: _combined,
    gast.UnaryOp: _unary,
    gast.BoolOp: _either,
    gast.Compare: _compared,
    gast.Attribute: _attribute,
    gast.Subscript: _subscript,
    gast.Call: _call,
}
