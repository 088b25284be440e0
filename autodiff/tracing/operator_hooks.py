"""Operators in a run: of numbers, of arrays, and of classes that define them.

Special methods that are written in Python are followed; others are run as they are.
"""

from __future__ import annotations

import operator
from collections import deque
from typing import Any

import numpy as np

from autodiff.tracing.array_classes import says_itself
from autodiff.tracing.bound_late import as_array, call, entries, iterate, setitem
from autodiff.tracing.keyed import is_hidden
from autodiff.tracing.number import (
    PLAIN,
    Number,
    carries,
    plain_copy,
    printed,
    value_of,
)
from autodiff.tracing.one_operation import Missing
from autodiff.tracing.operations import operate
from autodiff.tracing.reach import holds_derivative
from autodiff.tracing.special_methods import (
    BUILT_IN,
    COMPARISONS,
    UFUNCS,
    in_python,
    method,
    special,
)
from autodiff.tracing.trace import Trace, current

SIGNS = {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "truediv": "/",
    "floordiv": "//",
    "mod": "%",
    "pow": "**",
    "matmul": "@",
    "lshift": "<<",
    "rshift": ">>",
    "or_": "|",
    "xor": "^",
    "and_": "&",
}
_RUN = {name: getattr(operator, name) for name in SIGNS}
TESTS = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le", "eq": "eq", "ne": "ne"}
_OF_NUMPY = (np.ndarray, np.generic)
_NUMBERS = (int, float, complex, bool, np.ndarray, np.generic, Number)


def binary(name: str, a: Any, b: Any) -> Any:
    """`a + b` and others."""
    left, right = a.__class__, b.__class__
    trace = current()
    if trace is not None:
        if left is Number or right is Number:
            found = _of_numbers(trace, name, a, b)
            if found is not None:
                return found
        if isinstance(a, _NUMBERS) and isinstance(b, _NUMBERS) and not _is_own(a, b):
            if _of_objects(a) or _of_objects(b):
                return _by_objects(trace, name, a, b)
            if carries(trace, a) or carries(trace, b):
                return _operated(trace, name, a, b)
            return _RUN[name](a, b)
        for own, other in ((a, b), (b, a)):
            # NumPy's numbers, as its arrays, make arrays of lists
            if isinstance(value_of(own), _OF_NUMPY) and isinstance(other, (list, tuple)):
                if holds_derivative(trace, (own, other)):
                    return binary(name, *map(_of_list, (a, b)))
    if left not in BUILT_IN or right not in BUILT_IN:
        short = name.rstrip("_")
        found = special(a, b, f"__{short}__", f"__r{short}__")
        if found is not NotImplemented:
            return found
    if trace is not None and isinstance(a, (str, bytes)) and name == "mod":
        return a % _plain(b)
    if trace is not None and (carries(trace, a) or carries(trace, b)):
        if isinstance(a, _NUMBERS) and isinstance(b, _NUMBERS):
            return _operated(trace, name, a, b)
        other = b if carries(trace, a) else a
        if isinstance(other, (list, tuple)) or other is None or isinstance(other, (str, bytes)):
            _RUN[name](value_of(a), value_of(b))  # its own error
        raise trace.fail(f"an operator on an object of {type(other).__name__}")
    if trace is not None and (trace.blind or trace.held):
        trace.check_blind(a, b)
    if trace is not None and any(says_itself(own) or _of_objects(own) for own in (a, b)):
        if name in UFUNCS and holds_derivative(trace, (a, b)):
            return call(UFUNCS[name], a, b)
    return _RUN[name](a, b)


def _of_list(x: Any) -> Any:
    return np.asarray(as_array(x)) if isinstance(x, (list, tuple)) else x


def _operated(trace: Trace, name: str, a: Any, b: Any) -> Any:
    ufunc = UFUNCS.get(name)
    if ufunc is not None and (says_itself(a) or says_itself(b)):
        return call(ufunc, a, b)
    sign = SIGNS[name]
    try:
        return operate(trace, sign, f"{{0}} {sign} {{1}}", (a, b), {}, _RUN[name])
    except Missing as why:
        raise trace.fail(str(why)) from None


def _of_objects(x: Any) -> bool:
    return isinstance(x, np.ndarray) and x.dtype.kind == "O"


def _by_objects(trace: Trace, name: str, a: Any, b: Any) -> Any:
    """Arithmetic of arrays of objects, which NumPy leaves to their elements."""
    ufunc = UFUNCS.get(name)
    if ufunc is None or not holds_derivative(trace, (a, b)):
        return getattr(operator, name)(a, b)
    return call(ufunc, a, b)


def _is_own(a: Any, b: Any) -> bool:
    """Whether one of two arrays is of a class of its own."""
    return any(type(own) is not np.ndarray for own in (a, b) if isinstance(own, np.ndarray))


def _plain(x: Any) -> Any:
    """What is formatted."""
    if isinstance(x, tuple):
        return tuple(printed(own) for own in x)
    return printed(x)


def _of_numbers(trace: Trace, name: str, a: Any, b: Any) -> Any:
    """Arithmetic of numbers of double precision; None for others."""
    x, y = value_of(a), value_of(b)
    if x.__class__ not in PLAIN and x.__class__ is not int:
        return None
    if y.__class__ not in PLAIN and y.__class__ is not int:
        return None
    if name == "add":
        value, p, q = x + y, 1.0, 1.0
    elif name == "sub":
        value, p, q = x - y, 1.0, -1.0
    elif trace.second:
        return None
    elif name == "mul":
        value, p, q = x * y, y, x
    elif name == "truediv":
        if not y:
            return None
        value = x / y
        p = 1.0 / y
        q = -value * p
    else:
        return None
    made = Number(trace, value)
    first = a if a.__class__ is Number else None
    second = b if b.__class__ is Number else None
    if trace.tangents:
        of_first = None if first is None else _times(first.dot, p)
        of_second = None if second is None else _times(second.dot, q)
        made.dot = _sum(of_first, of_second)
        if trace.forward:
            return made

    def back() -> None:
        for layer in trace.sweeps:
            bar = getattr(made, layer)
            if bar is None or not bar:
                continue
            if first is not None:
                own = getattr(first, layer)
                setattr(first, layer, bar * p if own is None else own + bar * p)
            if second is not None:
                own = getattr(second, layer)
                setattr(second, layer, bar * q if own is None else own + bar * q)

    trace.tape.append(back)
    return made


def _times(dot: Any, slope: Any) -> Any:
    return None if dot is None or not dot else dot * slope


def _sum(a: Any, b: Any) -> Any:
    if a is None or b is None:
        return b if a is None else a
    return a + b


def unary(name: str, a: Any) -> Any:
    """`-a` and others."""
    trace = current()
    run = getattr(operator, name)
    found = in_python(type(a), f"__{name}__")
    if found is not None:
        return call(found, a)
    if trace is not None and carries(trace, a):
        if name == "neg" and a.__class__ is Number and a.value.__class__ in PLAIN:
            return binary("mul", -1.0, a)
        if says_itself(a):
            return call(getattr(np, _UNARY[name]), a)
        sign = {"neg": "-", "pos": "+", "invert": "~"}[name]
        try:
            return operate(trace, sign, f"{sign}{{0}}", (a,), {}, run)
        except Missing as why:
            raise trace.fail(str(why)) from None
    if trace is not None:
        if (_of_objects(a) or says_itself(a)) and holds_derivative(trace, a):
            return call(getattr(np, _UNARY[name]), a)
        trace.check_blind(a)
    return run(a)


_UNARY = {"neg": "negative", "pos": "positive", "invert": "invert"}


def compare(name: str, a: Any, b: Any) -> Any:
    """`a < b` and others: of values, which carry no derivative."""
    if a.__class__ not in BUILT_IN or b.__class__ not in BUILT_IN:
        found = special(a, b, f"__{name}__", f"__{TESTS[name]}__")
        if found is not NotImplemented:
            return found
    if says_itself(a) or says_itself(b) or _of_objects(a) or _of_objects(b):
        return call(COMPARISONS[name], a, b)
    trace = current()
    if trace is not None and trace.watch is not None and holds_derivative(trace, (a, b)):
        trace.watch.seen(getattr(operator, name), (plain_copy(a), plain_copy(b)), {}, None, ())
    if a.__class__ is Number or b.__class__ is Number:
        return getattr(operator, name)(value_of(a), value_of(b))
    return getattr(operator, name)(a, b)


def contains(a: Any, b: Any) -> bool:
    """`a in b`."""
    found = in_python(type(b), "__contains__")
    if found is not None:
        return bool(call(found, b, a))
    if isinstance(b, np.ndarray):
        return value_of(a) in b
    return a in b and not is_hidden(current(), b, a)


def inplace(name: str, a: Any, b: Any) -> Any:
    """`a += b` and others: the new value of `a`."""
    trace = current()
    short = name.rstrip("_")
    found = in_python(type(a), f"__i{short}__")
    if found is not None:
        result = call(found, a, b)
        if result is not NotImplemented:
            return result
    elif isinstance(a, np.ndarray) and trace is not None:
        ufunc = UFUNCS.get(name)
        asked = says_itself(a) or isinstance(b, np.ndarray) and type(b) is not np.ndarray
        if ufunc is not None and asked and holds_derivative(trace, (a, b)):
            return call(ufunc, a, b, out=(a,))
        if carries(trace, a) or carries(trace, b) or isinstance(b, (list, tuple)):
            value = getattr(operator, f"i{short}")(a.copy(), plain_copy(b))
            setitem(a, Ellipsis, binary(name, a, b))
            a[...] = value  # to the last bit, as it is rounded in place
            return a
        if _of_objects(a) or _of_objects(b):
            if not holds_derivative(trace, (a, b)):
                return getattr(operator, f"i{short}")(a, b)
            setitem(a, Ellipsis, _by_objects(trace, name, a, b))
            return a
    if found is None and (a.__class__ not in BUILT_IN or a.__class__ in (list, dict, set)):
        own = method(type(a), f"__i{short}__")
        if own is not None and not isinstance(a, (np.ndarray, np.generic, Number)):
            if trace is not None:
                if isinstance(b, np.ndarray) and isinstance(a, (list, deque)):
                    return binary(name, a, b)  # an array comes before a list
                trace.touched[id(a)] = a
                if isinstance(a, (list, deque)):
                    b = iterate(b)
                elif isinstance(a, dict):
                    b = entries(b)
            return getattr(operator, f"i{short}")(a, b)
        if isinstance(a, np.ndarray):
            return getattr(operator, f"i{short}")(a, b)
    return binary(name, a, b)
