"""Special methods of classes in a run: those that are written in Python are followed."""

from __future__ import annotations

import functools
import operator
from collections.abc import Sequence
from types import FunctionType, MethodWrapperType
from typing import Any

import numpy as np

from autodiff.rules.home import module_of
from autodiff.tracing.bound_late import call
from autodiff.tracing.number import Number, value_of
from autodiff.tracing.trace import current

UFUNCS: dict[str, Any] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "truediv": np.true_divide,
    "floordiv": np.floor_divide,
    "mod": np.remainder,
    "pow": np.power,
    "matmul": np.matmul,
}
"""What an array asks the other operand with, which says itself what universal functions give."""
COMPARISONS: dict[str, Any] = {
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
    "eq": np.equal,
    "ne": np.not_equal,
}
BUILT_IN = frozenset(
    (int, float, complex, bool, str, bytes, list, tuple, dict, set, frozenset, type(None))
)


def method(cls: type, name: str) -> Any:
    """A special method as its class defines it."""
    for own in cls.__mro__:
        if name in own.__dict__:
            return own.__dict__[name]
    return None


def in_python(cls: type, name: str) -> Any:
    """A special method, if its class defines it in Python."""
    found = None if cls in BUILT_IN or cls is Number else method(cls, name)
    if isinstance(found, property) and isinstance(found.fget, FunctionType):
        return _through(found.fget)
    return found if isinstance(found, FunctionType) else None


@functools.cache
def _through(getter: FunctionType) -> Any:
    """A special method that a property gives."""

    def method_of_property(own: Any, *args: Any, **keywords: Any) -> Any:
        return call(call(getter, own), *args, **keywords)

    return method_of_property


def declines(f: Any, args: Any) -> bool:
    """Whether a special method of a plain number does not take what it is given."""
    owner, name = getattr(f, "__self__", None), getattr(f, "__name__", "")
    if type(f) is not MethodWrapperType or not isinstance(owner, (int, float, complex)):
        return False
    if not any(own.__class__ is Number for own in args):
        return False
    return getattr(owner, name)(*map(value_of, args)) is NotImplemented


def special(a: Any, b: Any, name: str, reflected: str) -> Any:
    """What special methods give, if one of them is written in Python."""
    first, second = in_python(type(a), name), in_python(type(b), reflected)
    if first is None and second is None:
        return NotImplemented
    tries = [(a, b, name, first), (b, a, reflected, second)]
    if type(a) is not type(b) and issubclass(type(b), type(a)) and second is not None:
        if method(type(a), reflected) is not second:
            tries.reverse()
    elif first is None and isinstance(a, Sequence) and name in ("__add__", "__mul__"):
        tries.reverse()  # a sequence is joined or repeated where no number takes it
    elif type(a) is type(b):
        tries.pop()
    for own, other, title, found in tries:
        if found is not None:
            result = call(found, own, other)
        elif method(type(own), title) is None or own.__class__ is Number:
            continue
        elif isinstance(own, (np.ndarray, np.generic)):
            if _defers(other):
                continue
            ufunc = UFUNCS.get(title.strip("_").removeprefix("" if own is a else "r"))
            if ufunc is not None and in_python(type(other), "__array_ufunc__"):
                return call(ufunc, *((own, other) if own is a else (other, own)))
            if in_python(type(other), "__array__") is not None:
                whole = call(np.asarray, other)
                sides = (whole, own) if title == reflected else (own, whole)
                return call(getattr(operator, _OPERATORS.get(name, name.strip("_"))), *sides)
            raise _failed(f"an operator of arrays and objects of {type(other).__name__}")
        elif module_of(type(other)).startswith("autodiff.templates"):
            continue  # it stands for one of its class, as which C does not know it
        else:
            result = getattr(own, title)(other)
        if result is not NotImplemented:
            return result
    return NotImplemented


_OPERATORS = {"__or__": "or_", "__and__": "and_"}


def _defers(other: Any) -> bool:
    """Whether an array leaves an operator to the other operand."""
    ufunc = getattr(type(other), "__array_ufunc__", 0)
    if ufunc is None:
        return True
    return ufunc == 0 and getattr(other, "__array_priority__", None) is not None


def _failed(reason: str) -> BaseException:
    trace = current()
    return RuntimeError(reason) if trace is None else trace.fail(reason)
