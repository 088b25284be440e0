"""Functions of values: conversions, texts, questions."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np

from autodiff.tracing.array_classes import by_class
from autodiff.tracing.bound_late import call
from autodiff.tracing.handlers.handled import HANDLED, handles
from autodiff.tracing.items import getitem
from autodiff.tracing.number import Number, add, carries, plain_copy, printed, value_of
from autodiff.tracing.operations import operated
from autodiff.tracing.operator_hooks import binary
from autodiff.tracing.reach import holds_derivative
from autodiff.tracing.special_methods import in_python, special
from autodiff.tracing.texts_read import check_read, says_whole
from autodiff.tracing.trace import Trace


def _plainly(function: Any) -> Any:
    """What is asked of values: the answer carries no derivative."""
    plain = value_of if function in (id, isinstance, callable) else plain_copy

    def ask(trace: Trace, *args: Any, **keywords: Any) -> Any:
        if isinstance(function, np.ufunc):
            found = by_class(trace, function, "__call__", args, keywords)
            if found is not NotImplemented:
                return found
        if trace.watch is not None and holds_derivative(trace, args):
            trace.watch.seen(function, tuple(map(plain, args)), keywords, None, ())
        return function(*map(plain, args), **keywords)

    HANDLED[function] = ask


_QUESTIONS: tuple[Any, ...] = (
    *(isinstance, issubclass, id, hash, callable, range, slice, ord, chr, bin, open, input),
    *(math.floor, math.ceil, math.trunc, math.isfinite, math.isnan, math.isinf, math.isclose),
    *(np.isscalar, np.shape, np.ndim, np.size, np.iscomplexobj, np.isrealobj, np.shares_memory),
    *(np.may_share_memory, np.can_cast, np.isfinite, np.isnan, np.isinf, np.signbit, warnings.warn),
)
for _own in _QUESTIONS:
    _plainly(_own)


@handles(type)
def _type(trace: Trace, *args: Any, **keywords: Any) -> Any:
    if len(args) == 1:
        return type(value_of(args[0]))
    return type(*args, **keywords)


@handles(len)
def _len(trace: Trace, x: Any) -> Any:
    found = in_python(type(x), "__len__")
    return len(value_of(x)) if found is None else call(found, x)


@handles(float)
def _float(trace: Trace, *args: Any) -> Any:
    return _number(trace, float, args)


@handles(np.float64)
def _float64(trace: Trace, *args: Any) -> Any:
    if args and isinstance(args[0], np.ndarray) and args[0].ndim:
        return call(np.array, args[0], np.float64)
    return _number(trace, np.float64, args)


@handles(np.complex128)
def _complex128(trace: Trace, *args: Any) -> Any:
    if holds_derivative(trace, args):
        return _complex(trace, *args)
    return check_read(trace, args, np.complex128(*args))


@handles(complex)
def _complex(trace: Trace, *args: Any) -> Any:
    found = in_python(type(args[0]), "__complex__") if args else None
    if found is not None:
        return call(found, args[0])
    if not holds_derivative(trace, args):
        return check_read(trace, args, complex(*args))
    real, *imaginary = args
    return binary("add", real, binary("mul", 1j, imaginary[0]) if imaginary else 0j)


@handles(np.float32)
def _float32(trace: Trace, *args: Any) -> Any:
    if holds_derivative(trace, args):
        return operated(trace, np.float32, args)
    return check_read(trace, args, np.float32(*args))


def _number(trace: Trace, cls: type, args: Any) -> Any:
    """`float(x)`."""
    x = args[0] if len(args) == 1 else None
    if x is None:
        return cls(*args)
    found = in_python(type(x), "__float__")
    if found is not None:
        return call(found, x)
    if not carries(trace, x):
        if holds_derivative(trace, x):
            raise trace.fail(f"a number of an object of {type(x).__name__}")
        return check_read(trace, x, cls(x))
    if isinstance(x, np.ndarray):
        cls(x)  # its own error
        return _number(trace, cls, (getitem(x.reshape(1), 0),))
    value = cls(x.value)
    if type(x.value) is cls:
        return x
    if isinstance(x.value, (complex, np.complexfloating)):
        raise trace.fail("a real number of a complex one")
    made = Number(trace, value, x.dot)
    _passed_on(trace, x, made)
    return made


def _passed_on(trace: Trace, x: Number, made: Number) -> None:
    """Writes on the tape that a number is another one."""

    def back() -> None:
        for name in trace.sweeps:
            bar = getattr(made, name)
            if bar is not None:
                add(trace, name, x, bar)

    if trace.adjoints:
        trace.tape.append(back)


def _whole(cls: type, name: str) -> None:
    def whole(trace: Trace, *args: Any, **keywords: Any) -> Any:
        if args and isinstance(args[0], str) and trace.printed and cls is int:
            if says_whole(args[0]):
                raise trace.fail("a number that is read from text")
        found = in_python(type(args[0]), name) if args else None
        if found is not None:
            return call(found, args[0])
        return cls(*map(value_of, args), **keywords)

    HANDLED[cls] = whole


_whole(int, "__int__")
_whole(bool, "__bool__")
_whole(np.int64, "__int__")
_whole(np.intp, "__int__")


def _texts(function: Any, name: str) -> None:
    def text(trace: Trace, *args: Any, **keywords: Any) -> Any:
        if not args:
            return function(*args, **keywords)
        found = in_python(type(args[0]), name)
        if found is None and name == "__str__":
            found = in_python(type(args[0]), "__repr__")
        if found is not None:
            return call(found, *args)
        if holds_derivative(trace, args):
            trace.printed = True
        return function(*map(printed, args), **keywords)

    HANDLED[function] = text


_texts(str, "__str__")
_texts(repr, "__repr__")
_texts(format, "__format__")


@handles(print)
def _print(trace: Trace, *args: Any, **keywords: Any) -> None:
    print(*(call(str, own) for own in args), **keywords)


@handles(abs)
def _abs(trace: Trace, x: Any) -> Any:
    trace.check_blind(x)
    if not carries(trace, x):
        if isinstance(x, np.ndarray) and x.dtype.kind == "O":
            return call(np.abs, x)
        found = in_python(type(x), "__abs__")
        return abs(x) if found is None else call(found, x)
    return call(np.abs, x) if isinstance(x, np.ndarray) else operated(trace, abs, (x,))


@handles(round)
def _round(trace: Trace, x: Any, *digits: Any) -> Any:
    found = in_python(type(x), "__round__")
    if found is not None:
        return call(found, x, *digits)
    trace.check_blind(x)
    return round(value_of(x), *digits)  # piecewise constant


@handles(pow)
def _pow(trace: Trace, x: Any, y: Any, *modulus: Any) -> Any:
    return pow(x, y, *modulus) if modulus else binary("pow", x, y)


@handles(divmod)
def _divmod(trace: Trace, x: Any, y: Any) -> Any:
    found = special(x, y, "__divmod__", "__rdivmod__")
    if found is not NotImplemented:
        return found
    trace.check_blind(x, y)
    if not carries(trace, x) and not carries(trace, y):
        return divmod(x, y)
    return binary("floordiv", x, y), binary("mod", x, y)
