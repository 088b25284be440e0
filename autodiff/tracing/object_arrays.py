"""Arrays of objects: NumPy leaves what is computed of them to their elements.

    np.array([Length(x), Length(y)]) * 2.0     # calls `Length.__mul__` of each

Here that is followed, element by element. What only moves the elements is run as it is: a number in
such an array goes where NumPy puts it, and its own operators are followed.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np

from autodiff.tracing.array_classes import PARTS
from autodiff.tracing.bound_late import call, getattr_of, getitem_of
from autodiff.tracing.number import Number, carries, value_of
from autodiff.tracing.special_methods import COMPARISONS, UFUNCS, method
from autodiff.tracing.trace import Trace

_Rules = dict[Any, Callable[..., Any]]
_ARITHMETIC: _Rules = {f: getattr(operator, name) for name, f in UFUNCS.items() if name != "matmul"}
_TESTS: _Rules = {f: getattr(operator, name) for name, f in COMPARISONS.items()}
_ONE: _Rules = {
    np.negative: operator.neg,
    np.positive: operator.pos,
    np.invert: operator.invert,
    np.absolute: abs,
    np.square: lambda x: call(operator.mul, x, x),
    np.reciprocal: lambda x: call(operator.truediv, 1, x),
    np.conjugate: lambda x: x if x.__class__ is Number else call(getattr_of(x, "conjugate")),
    np.maximum: lambda x, y: x if call(operator.ge, x, y) else y,
    np.minimum: lambda x, y: x if call(operator.le, x, y) else y,
}
_BY: _Rules = {**_ARITHMETIC, **_TESTS, **_ONE}
_LIKE_ARRAYS = ("__array__", "__array_interface__", "__array_struct__", "__array_ufunc__")


def is_of_objects(x: Any) -> bool:
    """Whether something is an array of objects."""
    return isinstance(x, np.ndarray) and x.dtype.kind == "O"


def _has_length(x: Any) -> bool:
    """Whether something has as many items as it says; a sparse array says that it does not."""
    try:
        return len(x) >= 0
    except Exception:
        return False


def is_element(x: Any) -> bool:
    """Whether NumPy takes an object for one element of an array of objects."""
    cls = type(x)
    if cls.__module__ == "builtins" or isinstance(x, (Number, np.ndarray, np.generic)):
        return isinstance(x, (dict, set, frozenset, FunctionType))
    if method(cls, "__len__") is not None and method(cls, "__getitem__") is not None:
        if _has_length(x):
            return False
    if any(method(cls, own) is not None for own in _LIKE_ARRAYS):
        return False
    try:
        memoryview(x)
    except TypeError:
        return True
    return False


def elementwise(trace: Trace, f: Any, args: Any, keywords: Any) -> Any:
    """A universal function of arrays of objects; NotImplemented where there are none."""
    if not any(is_of_objects(own) or is_element(own) for own in args):
        return NotImplemented
    if keywords or f.nout != 1 or not any("O" in own for own in f.types):
        return NotImplemented
    if f is np.matmul:
        return product(trace, *args)
    rule = _BY.get(f) or functools.partial(_by_method, f)
    arrays = [_as_array(own) for own in args]
    shape = np.broadcast_shapes(*(own.shape for own in arrays))
    wide = [call(np.broadcast_to, own, shape) if own.shape != shape else own for own in arrays]
    made = np.empty(shape, bool if f in _TESTS else object)
    for index in np.ndindex(shape):
        found = call(rule, *(element(own, index) for own in wide))
        if not shape:
            return value_of(found) if f in _TESTS else found
        made[index] = value_of(found) if f in _TESTS else found
    return made


def reduced(trace: Trace, f: Any, way: str, args: Any, keywords: Any) -> Any:
    """`reduce` or `accumulate` of an array of objects; NotImplemented for others."""
    named = {**dict(zip(("array", *PARTS["reduce"]), args)), **keywords}
    x, axis = named.pop("array"), named.pop("axis", 0)
    keep = named.pop("keepdims", False)
    if way not in ("reduce", "accumulate") or not is_of_objects(x) or f not in _BY:
        return NotImplemented
    if any(own not in (None, True, np._NoValue, object) for own in named.values()):
        return NotImplemented
    if axis is None or isinstance(axis, tuple):
        axes = tuple(range(x.ndim)) if axis is None else axis
        if way == "accumulate" or keep:
            return NotImplemented
        rest = [k for k in range(x.ndim) if k not in {own % x.ndim for own in axes}]
        x, axis = x.transpose(*rest, *axes).reshape(*(x.shape[k] for k in rest), -1), -1
    rows = np.moveaxis(x, axis, 0)
    if not len(rows):
        return f.reduce(x, axis)
    steps = [rows[0]]
    for own in rows[1:]:
        steps.append(call(f, steps[-1], own))
    if way == "reduce":
        return np.expand_dims(steps[-1], axis) if keep else steps[-1]
    made = np.empty(x.shape, object)
    for k, own in enumerate(steps):
        np.moveaxis(made, axis, 0)[k] = own
    return made


def product(trace: Trace, a: Any, b: Any) -> Any:
    """`a @ b`, at most one of which has no objects."""
    a, b = map(_as_array, (a, b))
    if not 0 < a.ndim < 3 or not 0 < b.ndim < 3 or a.shape[-1] != b.shape[0] or not len(b):
        return NotImplemented
    shape = a.shape[:-1] + b.shape[1:]
    made = np.empty(shape, object)
    for index in np.ndindex(shape):
        row, column = index[: a.ndim - 1], index[a.ndim - 1 :]
        terms = (
            call(operator.mul, element(a, (*row, k)), element(b, (k, *column)))
            for k in range(len(b))
        )
        found = functools.reduce(functools.partial(call, operator.add), terms)
        if not shape:
            return found
        made[index] = found
    return made


def moved(trace: Trace, f: Any, args: Any, keywords: Any) -> Any:
    """What a function of NumPy's that moves elements gives; NotImplemented where that is unknown.

    An array of floats that carries a derivative would become one of plain numbers.
    """
    parts = [*args, *keywords.values()]
    parts += [each for own in parts if isinstance(own, (list, tuple)) for each in own]
    if not any(map(is_of_objects, parts)) or any(carries(trace, own) for own in parts):
        return NotImplemented
    for own in filter(is_of_objects, parts):
        if any(isinstance(each, np.ndarray) and carries(trace, each) for each in own.flat):
            return NotImplemented
    return f(*args, **keywords)


def element(x: Any, index: Any) -> Any:
    """An element of an array as NumPy makes an object of it."""
    if is_of_objects(x):
        return np.ndarray.__getitem__(x, index)
    found = getitem_of(x, index)
    return call(float, found) if found.__class__ is Number else found.item()


def _as_array(x: Any) -> Any:
    """An operand as an array: an object, or a number, as one of one element."""
    if isinstance(x, np.ndarray):
        return x
    if isinstance(x, (list, tuple)):
        return call(np.asarray, x)
    made = np.empty((), object)
    made[()] = x
    return made


def _by_method(f: Any, x: Any, *others: Any) -> Any:
    """What NumPy asks an object by the name of the function."""
    try:
        found = getattr_of(x, f.__name__)
    except AttributeError:
        raise TypeError(
            f"loop of ufunc does not support argument 0 of type {type(value_of(x)).__name__} "
            f"which has no callable {f.__name__} method"
        ) from None
    return call(found, *others)
