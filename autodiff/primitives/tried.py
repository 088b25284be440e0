"""Whether a call is refused for the form of what it is given, found by making it with ones.

    np.sum(x, axis=1)       # of a vector: raises
    range(0, 3, k)          # raises where k is zero: tried with several integers

Which axes, types and options a function takes, NumPy knows better than any table.
"""

from __future__ import annotations

import ast
import operator
import warnings
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import gast
import numpy as np

from autodiff.analysis.kind import Array, Kind, Record, Scalar, Text, is_complex, is_real
from autodiff.core.value import Value
from autodiff.primitives.primitive import Application, Primitive
from autodiff.rules.home import module_of

_COMPARING = (operator.lt, operator.le, operator.gt, operator.ge)
_INTEGERS = (0, 97, -97)
"""What integers that are found at run time are tried with."""
_LONGEST = 5
_CLASSES = {"bool": bool, "int": int, "float": float, "complex": complex}


class Untried(Exception):
    """A call that cannot be made while compiling."""


def is_refused(primitive: Primitive, application: Application, operands: Sequence[Value]) -> bool:
    """Whether a call raises an error, whatever numbers there are in what it is given."""
    if not is_tried(primitive, application, operands):
        return False
    known = all(own.is_constant or isinstance(own.kind, Array) for own in operands)
    integers = _INTEGERS[:1] if known else _INTEGERS
    try:
        return any(fails(primitive, application, operands, integer) for integer in integers)
    except Untried:
        return False


def is_unfit(primitive: Primitive, application: Application, operands: Sequence[Value]) -> bool:
    """Whether a call raises an error for lengths of arguments that are known to differ."""
    arrays = [own.kind for own in operands if isinstance(own.kind, Array)]
    sizes = {size for kind in arrays for size in kind.shape if not isinstance(size, int)}
    names = sorted({size.name for size in sizes if size is not None})
    if None in sizes or len(names) < 2 or not all(map(str.isalnum, names)):
        return False
    try:
        lengths = {name: _LONGEST + k for k, name in enumerate(names)}
        return fails(primitive, application, operands, _INTEGERS[0], lengths)
    except Untried:
        return False


def is_tried(primitive: Primitive, application: Application, operands: Sequence[Value]) -> bool:
    """Whether something in a call may be refused but shapes that do not fit."""
    function = primitive.function
    written = {type(getattr(node, "value", None)) for node in application.arguments}
    written.update(type(own.constant) for own in operands)
    texts = any(issubclass(own, str) for own in written)
    texts = texts or Text in {type(own.kind) for own in operands}
    if function in _COMPARING:
        return texts or any(is_complex(own.kind) for own in operands)
    texts = texts or any(issubclass(own, complex) for own in written)
    if function is float:
        real = all(isinstance(own.kind, Array) or is_real(own.kind) for own in operands)
        return texts or not real
    if primitive.elementwise:
        return bool(application.keywords) or texts
    if function is range:
        return True
    on_array = any(isinstance(own.kind, (Array, Record)) for own in operands)
    return module_of(function).startswith("numpy") and (primitive.total or on_array)


def fails(
    primitive: Primitive,
    application: Application,
    operands: Sequence[Value],
    integer: int,
    lengths: Mapping[str, int] = MappingProxyType({}),
) -> bool:
    """Whether a call raises an error with one integer for those that are not known."""
    known = {str(k): of_value(value, integer, lengths) for k, value in enumerate(operands)}
    call = gast.Tuple(elts=[*application.arguments], ctx=gast.Load())
    names = [key for key, _ in application.keywords]
    call.elts += [node for _, node in application.keywords]
    code = ast.fix_missing_locations(gast.gast_to_ast(gast.Expression(body=call)))
    given = eval(compile(code, "<call>", "eval"), {}, known)
    first = len(application.arguments)
    positional, named = given[:first], dict(zip(names, given[first:]))
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            primitive.function(*positional, **named)
        except Exception:
            return True
    return False


def of_value(value: Value, integer: int, lengths: Mapping[str, int]) -> Any:
    """What stands for an operand."""
    return value.constant if value.is_constant else of_kind(value.kind, integer, lengths)


def of_kind(kind: Kind, integer: int, lengths: Mapping[str, int]) -> Any:
    """Ones of a kind. lengths: of axes, by the names of their sizes, in place of 2.

    >>> of_kind(Array("float64", (2, 3)), 0, {}).shape
    (2, 3)
    """
    if isinstance(kind, Array):
        shape = [
            min(s, _LONGEST)
            if isinstance(s, int)
            else lengths[s.name] - s.offset
            if s is not None and s.name in lengths
            else 2
            for s in kind.shape
        ]
        return np.ones(shape, kind.dtype or "float64")
    if isinstance(kind, Scalar):
        if kind.type == "int":
            own = kind.value
            return integer if own is None else own if isinstance(own, int) else abs(integer)
        return _CLASSES[kind.type](1)
    if isinstance(kind, Text):
        return ""
    if isinstance(kind, Record) and kind.cls in (list, tuple):
        return kind.cls(of_kind(item, integer, lengths) for item in kind.items)
    raise Untried
