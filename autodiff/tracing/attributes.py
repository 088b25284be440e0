"""Attributes in a run: of objects, whose properties are followed, of numbers and arrays."""

from __future__ import annotations

import builtins
import functools
import types
from types import FunctionType
from typing import Any

import numpy as np

from autodiff.tracing.items import getitem, setitem
from autodiff.tracing.late import call
from autodiff.tracing.number import Number, carries
from autodiff.tracing.operation import Missing
from autodiff.tracing.operations import operate
from autodiff.tracing.reach import is_discrete
from autodiff.tracing.special_methods import in_python, method
from autodiff.tracing.trace import current

_FIXED = ("shape", "ndim", "size", "dtype", "strides", "itemsize", "nbytes", "flags", "base")
_PARTS = ("real", "imag", "T")
_WAYS_OUT = ("data", "ctypes", "__array_interface__", "__array_struct__")


_IN_C = (types.BuiltinMethodType, types.MethodWrapperType)


class Method:
    """A method of a number or array that carries a derivative, which was not called yet."""

    __slots__ = ("name", "owner")

    def __init__(self, owner: Any, name: str) -> None:
        self.owner, self.name = owner, name

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        return call(self, *args, **keywords)


class Flat:
    """The elements of an array, one after the other: an iterator that reads them as they are."""

    __slots__ = ("index", "own")

    def __init__(self, own: Any) -> None:
        self.own, self.index = own, 0

    @property
    def base(self) -> Any:
        return self.own

    @property
    def coords(self) -> tuple[int, ...]:
        return tuple(map(int, np.unravel_index(self.index, self.own.shape)))

    def copy(self) -> Any:
        return _call(np.array, self._row())

    def __len__(self) -> int:
        return int(self.own.size)

    def __getitem__(self, index: Any) -> Any:
        places = np.arange(self.own.size)[index]
        return getitem(self.own, np.unravel_index(places, self.own.shape))

    def __setitem__(self, index: Any, value: Any) -> None:
        places = np.arange(self.own.size)[index]
        value = _call(np.reshape, _call(np.asarray, value), -1)
        if value.size != 1 and value.size != np.size(places):  # it begins again, or ends early
            value = getitem(value, np.arange(np.size(places)) % value.size)
        at = np.unravel_index(np.ravel(places), self.own.shape)
        setitem(self.own, at, value)

    def __iter__(self) -> Flat:
        return self

    def __next__(self) -> Any:
        if self.index >= self.own.size:
            raise StopIteration
        at = self.coords
        self.index += 1
        return getitem(self.own, at)

    def __array__(self, *args: Any, **keywords: Any) -> Any:
        return self._row()

    def _row(self) -> Any:
        return _call(np.reshape, self.own, -1)


def getattr(x: Any, name: str) -> Any:
    """`x.name`."""
    cls = x.__class__
    if cls is Number:
        return _of_number(x, name)
    if isinstance(x, np.ndarray) and (cls is np.ndarray or _is_arrays(x, name)):
        return _of_array(x, name)
    if cls is types.ModuleType or cls is dict or cls is list:
        return builtins.getattr(x, name)
    if isinstance(x, builtins.super):
        return _of_super(x, name)
    trace = current()
    if trace is not None and id(x) in trace.blind:
        own = builtins.getattr(x, name)
        if callable(own) or is_discrete(own):
            return own
        raise trace.fail(f"`{name}` of an object of {cls.__name__}")
    found = method(cls, name)
    if isinstance(found, property) and isinstance(found.fget, FunctionType):
        return _call(found.fget, x)
    if isinstance(found, functools.cached_property):
        own = builtins.getattr(x, "__dict__", {})
        if name not in own:
            setattr(x, name, _call(found.func, x))
        return own[name]
    whole = in_python(cls, "__getattribute__")
    try:
        if whole is not None:
            return _call(whole, x, name)
        if found is not None and not isinstance(found, FunctionType):
            reader = in_python(type(found), "__get__")
            if reader is not None and _comes_first(x, name, found):
                return _call(reader, found, x, cls)
        otherwise = in_python(cls, "__getattr__")
        if otherwise is None:
            return builtins.getattr(x, name)
        return object.__getattribute__(x, name)
    except AttributeError:
        otherwise = in_python(cls, "__getattr__")
        if otherwise is None:
            raise
    return _call(otherwise, x, name)


def _is_arrays(x: Any, name: str) -> bool:
    """Whether an attribute is that of all arrays: a class of the user's has no other."""
    if name in builtins.getattr(x, "__dict__", {}):
        return False
    return method(type(x), name) is np.ndarray.__dict__.get(name, _NONE)


_NONE = object()


def _comes_first(x: Any, name: str, descriptor: Any) -> bool:
    """Whether a descriptor goes before what an object itself holds."""
    if method(type(descriptor), "__set__") is not None:
        return True
    return name not in builtins.getattr(x, "__dict__", {})


def _of_super(x: Any, name: str) -> Any:
    """What the next class has; a property of it is followed."""
    owner, start = x.__self__, x.__thisclass__
    mro = x.__self_class__.__mro__
    for cls in mro[mro.index(start) + 1 :]:
        found = cls.__dict__.get(name)
        if found is not None:
            if isinstance(found, property) and isinstance(found.fget, FunctionType):
                return _call(found.fget, owner)
            break
    return builtins.getattr(x, name)


def _of_number(x: Number, name: str) -> Any:
    value = x.value
    if name in _FIXED or name == "__class__":
        return builtins.getattr(value, name)
    if name in ("real", "T") and not isinstance(value, (complex, np.complexfloating)):
        builtins.getattr(value, name)
        return x
    if name in _PARTS:
        return _part(x, name)
    builtins.getattr(value, name)
    return Method(x, name)


def _of_array(x: Any, name: str) -> Any:
    trace = current()
    if trace is None or name in _FIXED or not carries(trace, x):
        if trace is not None and name == "flat" and x.dtype.kind in "fc":
            return Flat(x)
        return builtins.getattr(x, name)
    if name == "flat":
        return Flat(x)
    if name in _PARTS:
        return _part(x, name)
    if name in _WAYS_OUT:
        raise trace.fail(f"`{name}` of an array that carries a derivative")
    own = builtins.getattr(x, name)
    return Method(x, name) if isinstance(own, _IN_C) else own


def _part(x: Any, name: str) -> Any:
    trace = current()
    assert trace is not None
    try:
        return operate(
            trace, name, f"{{0}}.{name}", (x,), {}, lambda own: builtins.getattr(own, name)
        )
    except Missing as why:
        raise trace.fail(str(why)) from None


def setattr(x: Any, name: str, value: Any) -> None:
    """`x.name = value`."""
    trace, cls = current(), x.__class__
    if trace is not None:
        if isinstance(x, np.ndarray) and name in ("real", "imag", "flat"):
            if carries(trace, x) or carries(trace, value):
                part = Flat(x) if name == "flat" else builtins.getattr(x, name)
                setitem(part, Ellipsis, value)
                return
        trace.touched[id(x)] = x
    found = method(cls, name)
    if isinstance(found, property) and isinstance(found.fset, FunctionType):
        _call(found.fset, x, value)
        return
    own = in_python(cls, "__setattr__")
    if own is not None:
        _call(own, x, name, value)
        return
    writer = None if found is None else in_python(type(found), "__set__")
    if writer is not None:
        _call(writer, found, x, value)
        return
    builtins.setattr(x, name, value)


def delattr(x: Any, name: str) -> None:
    """`del x.name`."""
    own = in_python(x.__class__, "__delattr__")
    if own is not None:
        _call(own, x, name)
        return
    builtins.delattr(x, name)


def _call(function: Any, *args: Any) -> Any:
    return call(function, *args)
