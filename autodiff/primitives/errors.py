"""Which primitives raise an error for some values of operands whose kinds and shapes fit.

Whether a call is refused for the form of what it is given, found by making it with ones.

    np.sum(x, axis=1)       # of a vector: raises
    range(0, 3, k)          # raises where k is zero: tried with several integers

Which axes, types and options a function takes, NumPy knows better than any table.
"""

from __future__ import annotations

import ast
import math
import operator
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal

import gast
import numpy as np

from autodiff.core import Apply, Value
from autodiff.kinds.kind import Array, Kind, Record, Scalar, Text, is_complex, is_real
from autodiff.kinds.size import Dim, Size
from autodiff.primitives.primitive import Application
from autodiff.rules.home import module_of

Errors = Literal["never", "numbers", "shapes", "values"]
"""never: if the kind of the result is known, and shapes fit.
shapes: only empty arrays are refused, or shapes that do not fit; of Python, arrays.
numbers: only Python's numbers are refused (division by zero), as NumPy's give nan or inf.
values: what is refused, or does not fit, depends on values.
"""

_BY_VALUES = (
    *(int, complex, operator.index, operator.getitem, np.average, np.quantile),
    *(np.percentile, np.nanquantile, np.nanpercentile, np.asarray_chkfinite, np.geomspace),
    *(np.arange, np.interp, np.roots, np.poly, np.polyfit, np.cov, np.histogram, np.histogram2d),
    *(np.histogramdd, np.histogram_bin_edges, np.gradient),
)
"""Functions that refuse some values of arrays or numbers, or convert what may not be converted."""
_DIVIDING = (operator.truediv, operator.floordiv, operator.mod, divmod, operator.pow, pow)
_TOTAL = (
    *(math.fabs, math.atan, math.atan2, math.tanh, math.asinh, math.erf, math.erfc, math.copysign),
    *(math.hypot, math.degrees, math.radians, math.isnan, math.isinf, math.isfinite),
    *(operator.add, operator.sub, operator.mul, operator.neg, operator.pos, abs, operator.not_),
    *(operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne),
    *(operator.is_, operator.is_not, len, range, isinstance, type, callable, slice),
    *(np.where, np.sum, np.mean, np.prod, np.var, np.std, np.cumsum, np.cumprod, np.all, np.any),
    *(np.nansum, np.nanmean, np.nanprod, np.nanvar, np.nanstd, np.count_nonzero, np.median),
    *(np.transpose, np.swapaxes, np.flip, np.fliplr, np.flipud, np.rot90, np.expand_dims),
    *(np.moveaxis, np.rollaxis, np.atleast_1d, np.atleast_2d, np.atleast_3d, np.ravel, np.copy),
    *(np.zeros_like, np.ones_like, np.empty_like, np.full_like, np.shape, np.ndim, np.size),
    *(np.asarray, np.asanyarray, np.ascontiguousarray, np.asfortranarray, np.real, np.imag),
    *(np.ndarray.flatten, np.clip, np.round, np.around, np.nan_to_num, np.angle, np.sort),
    *(np.argsort, np.diff, np.diagonal, np.trace, np.tril, np.triu, np.roll, np.outer, np.kron),
    *(np.iscomplexobj, np.isrealobj, np.sinc, np.result_type, np.isclose),
)
"""Functions that take all numbers and arrays of which the result's kind is known."""
_SHAPED = (
    *(np.array, np.concatenate, np.stack, np.vstack, np.hstack, np.dstack, np.column_stack),
    *(np.dot, np.matmul, operator.matmul, np.max, np.min, np.argmax, np.argmin, np.ptp, np.squeeze),
    *(np.zeros, np.ones, np.empty, np.full, np.eye, np.identity, np.linspace, np.diag),
    *(np.linalg.norm, sum, max, min, float, bool, round),
)
"""Functions that refuse shapes alone, empty ones or such that do not fit."""
_KNOWN: dict[Any, Errors] = {
    **dict.fromkeys(_SHAPED, "shapes"),
    **dict.fromkeys(_TOTAL, "never"),
    **dict.fromkeys(_DIVIDING, "numbers"),
    **dict.fromkeys(_BY_VALUES, "values"),
}
_REFUSING = ("scipy.linalg", "scipy.signal", "scipy.interpolate", "scipy.spatial", "numpy.linalg")
"""Modules whose functions check what they are given."""


def errors_of(function: Any, elementwise: bool) -> Errors | None:
    """Which values a function refuses; None where nobody looked.

    >>> errors_of(np.sin, True), errors_of(math.log, True), errors_of(np.linalg.inv, False)
    ('never', 'numbers', 'values')
    """
    found = _KNOWN.get(function)
    if found is not None:
        return found
    home = module_of(function)
    if home == "math":
        return "numbers"
    if ".linalg" in home or home.startswith(_REFUSING):
        return "values"
    if isinstance(function, np.ufunc) and home != "math":
        return "numbers" if function is np.power else "never"
    return "never" if elementwise and home.startswith("numpy") else None


def refuses(function: Any, operands: Sequence[Kind], divisor: object = None) -> bool:
    """Whether a primitive that refuses some of Python's numbers may be given one.

    divisor: the constant that is divided by, if it is one.

    >>> array, number = Array("float64", (3,)), Scalar("float")
    >>> refuses(operator.truediv, [array, number]), refuses(operator.truediv, [number, number])
    (False, True)
    >>> refuses(math.log, [Scalar("float", "float64")]), refuses(np.power, [number, number])
    (True, False)
    """
    if function is np.power and any(_type(kind) in ("float", "complex") for kind in operands):
        return False
    if function in (operator.pow, pow, np.power):
        return not any(map(_is_inexact_of_numpy, operands))
    if function not in _DIVIDING:
        return True
    if type(divisor) in (int, float) and divisor:
        return False
    return not any(map(_is_of_numpy, operands))


def _type(kind: Kind) -> str | None:
    return kind.type if isinstance(kind, Scalar) else None


def _is_of_numpy(kind: Kind) -> bool:
    """Whether a value surely is an array, or a number of a class of NumPy's."""
    return isinstance(kind, Array) or isinstance(kind, Scalar) and kind.dtype not in (None, "?")


def _is_inexact_of_numpy(kind: Kind) -> bool:
    if isinstance(kind, Array):
        return kind.dtype is not None and kind.dtype[0] in "fc"
    return _is_of_numpy(kind) and _type(kind) in ("float", "complex")


_COMPARING = (operator.lt, operator.le, operator.gt, operator.ge)
_INTEGERS = (0, 97, -97)
"""What integers that are found at run time are tried with."""
_LONGEST = 5
_CLASSES = {"bool": bool, "int": int, "float": float, "complex": complex}


class Untried(Exception):
    """A call that cannot be made while compiling."""


def is_refused(op: Apply) -> bool:
    """Whether a call raises an error, whatever numbers there are in what it is given."""
    if not is_tried(op):
        return False
    known = all(own.is_constant or isinstance(own.kind, Array) for own in op.operands)
    integers = _INTEGERS[:1] if known else _INTEGERS
    try:
        return any(fails(op, integer) for integer in integers)
    except Untried:
        return False


def is_unfit(op: Apply) -> bool:
    """Whether a call raises an error for lengths of which nobody knows that they are alike."""
    sizes = {size for own in op.operands for size in sizes_in(own.kind) if size != 1}
    names: list[Any] = sorted({size.name for size in sizes if isinstance(size, Dim)})
    if None in sizes or len(sizes) < 2 or not all(map(str.isalnum, names)):
        return False
    names += sorted(size for size in sizes if isinstance(size, int) and size > _LONGEST)
    try:
        lengths = {name: 4 * _LONGEST + 7 * k for k, name in enumerate(names)}
        return fails(op, _INTEGERS[0], lengths)
    except Untried:
        return False


def sizes_in(kind: Kind) -> Iterator[Size]:
    """The lengths of axes in a value."""
    if isinstance(kind, Array):
        yield from kind.shape
    for item in kind.items if isinstance(kind, Record) else ():
        yield from sizes_in(item)


def is_tried(op: Apply) -> bool:
    """Whether something in a call may be refused but shapes that do not fit."""
    primitive, application, operands = op.primitive, op.application, op.operands
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
        return bool(application.keywords) or texts or any(is_truth(own.kind) for own in operands)
    if function is range:
        return True
    on_array = any(isinstance(own.kind, (Array, Record)) for own in operands)
    return module_of(function).startswith("numpy") and (primitive.total or on_array)


def is_truth(kind: Kind) -> bool:
    """Whether values are true or false, which NumPy does not subtract, say."""
    return getattr(kind, "dtype", None) == "bool" or getattr(kind, "type", None) == "bool"


def is_unconverted(store: Callable[..., Any], base: Kind, value: Value) -> bool:
    """Whether NumPy refuses to convert what is stored in an array, whatever numbers there are.

    >>> from autodiff.core import constant
    >>> whole, update = Array("int64", (3,)), operator.imul
    >>> is_unconverted(update, whole, constant(0.5)), is_unconverted(update, whole, constant(2))
    (True, False)
    """
    kind = value.kind
    dtype = getattr(kind, "dtype", None)
    if not isinstance(base, Array) or base.dtype is None or dtype == "?":
        return False
    if base.dtype == dtype != "bool":
        return False
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            own = np.ones(1, dtype) if dtype else of_value(value, 1, {})
            store(np.ones(1, base.dtype), own[0] if dtype and isinstance(kind, Scalar) else own)
        except (TypeError, OverflowError):
            return True
        except Exception:  # for other reasons, or untried
            return False
    return False


def fails(op: Apply, integer: int, lengths: Mapping[Any, int] = MappingProxyType({})) -> bool:
    """Whether a call raises an error with one integer for those that are not known."""
    operands = [of_value(value, integer, lengths) for value in op.operands]
    try:
        tried(op.primitive.function, op.application, operands)
    except Exception:
        return True
    return False


def tried(function: Any, application: Application, operands: Sequence[Any]) -> Any:
    """What a call gives for other operands; no warnings."""
    call = gast.Tuple(elts=[*application.arguments], ctx=gast.Load())
    names = [key for key, _ in application.keywords]
    call.elts += [node for _, node in application.keywords]
    code = ast.fix_missing_locations(gast.gast_to_ast(gast.Expression(body=call)))
    given = eval(compile(code, "<call>", "eval"), {}, {str(k): v for k, v in enumerate(operands)})
    first = len(application.arguments)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return function(*given[:first], **dict(zip(names, given[first:])))


def of_value(value: Value, integer: int, lengths: Mapping[Any, int]) -> Any:
    """What stands for an operand."""
    return value.constant if value.is_constant else of_kind(value.kind, integer, lengths)


def of_kind(kind: Kind, integer: int, lengths: Mapping[Any, int]) -> Any:
    """Ones of a kind. lengths: of axes, by their sizes or the names of these, in place of 2.

    >>> of_kind(Array("float64", (2, 3)), 0, {}).shape
    (2, 3)
    """
    if isinstance(kind, Array):
        known = {s: min(s, _LONGEST) for s in kind.shape if isinstance(s, int)} | {**lengths}
        sizes = [(getattr(s, "name", s), getattr(s, "offset", 0)) for s in kind.shape]
        shape = [known.get(own, 2 + offset) - offset for own, offset in sizes]
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
