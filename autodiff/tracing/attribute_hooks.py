"""Attributes in a run: of objects, whose properties are followed, of numbers and arrays."""

from __future__ import annotations

import builtins
import functools
import types
from types import FunctionType
from typing import Any

import numpy as np

from autodiff.primitives.executing import LOCALS
from autodiff.tracing import kept_zeros
from autodiff.tracing.bound_late import call
from autodiff.tracing.calls_in_c import given_out
from autodiff.tracing.flat_elements import Flat
from autodiff.tracing.handlers.handled import Refused
from autodiff.tracing.items import setitem
from autodiff.tracing.number import Number, carries
from autodiff.tracing.one_operation import Missing
from autodiff.tracing.operations import operate
from autodiff.tracing.reach import is_discrete
from autodiff.tracing.special_methods import in_python, method
from autodiff.tracing.trace import current

_FIXED = ("shape", "ndim", "size", "dtype", "strides", "itemsize", "nbytes", "flags", "base",
          "__array_priority__")  # fmt: skip
_PARTS = ("real", "imag", "T")
_WAYS_OUT = ("ctypes", "__array_interface__", "__array_struct__")

_IN_C = (types.BuiltinMethodType, types.MethodWrapperType)


class Method:
    """A method of a number or array that carries a derivative, which was not called yet."""

    __slots__ = ("name", "owner")

    def __init__(self, owner: Any, name: str) -> None:
        self.owner, self.name = owner, name

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        return call(self, *args, **keywords)

    @property
    def __name__(self) -> str:
        return self.name


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
    if cls is types.FrameType and name == LOCALS and trace is not None:
        raise trace.fail(f"`{name}`, which reads the variables of a function")
    if trace is not None and id(x) in trace.blind:
        own = builtins.getattr(x, name)
        if callable(own) or is_discrete(own):
            return own
        raise trace.fail(f"`{name}` of an object of {cls.__name__}")
    if trace is not None:
        kept_zeros.check(trace, x, name)
    whole, otherwise = in_python(cls, "__getattribute__"), in_python(cls, "__getattr__")
    get = builtins.getattr if whole is None and otherwise is None else _in_c(cls)
    if trace is not None and id(x) in trace.held:
        get = functools.partial(_held, trace, get)
    if whole is None and otherwise is None:
        return read(get, x, name)
    try:
        if whole is not None:
            return _call(whole, x, name)
        return read(get, x, name)
    except AttributeError:
        if otherwise is None:
            raise
    try:
        return _call(otherwise, x, name)
    except Refused as why:
        raise (trace.fail(str(why)) if trace is not None else why) from None


def _held(trace: Any, get: Any, x: Any, name: str) -> Any:
    """What C has under a name of an object that holds what carries a derivative."""
    return given_out(trace, x, get, name)


def _in_c(cls: type) -> Any:
    """How attributes are read where no class says so in Python."""
    ways = (own.__dict__.get("__getattribute__") for own in cls.__mro__)
    return next(own for own in ways if own is not None and not isinstance(own, FunctionType))


def read(get: Any, x: Any, name: str) -> Any:
    """What `object.__getattribute__` does: a property or descriptor of that name is followed."""
    cls = x.__class__
    found = method(cls, name)
    if isinstance(found, property) and found.fget is not None and not _is_own_kind(found):
        return _call(found.fget, x)
    if isinstance(found, functools.cached_property):
        own = builtins.getattr(x, "__dict__", {})
        if name not in own:
            setattr(x, name, _call(found.func, x))
        return own[name]
    if isinstance(x, type) and found is None:
        own = method(x, name)
        reader = in_python(type(own), "__get__")
        if reader is not None:
            return _call(reader, own, None, x)
    if found is not None and not isinstance(found, FunctionType):
        reader = in_python(type(found), "__get__")
        if reader is not None and _comes_first(x, name, found):
            return _call(reader, found, x, cls)
    return get(x, name)


def _is_own_kind(found: property) -> bool:
    """Whether a property is of a class that says itself how it is read."""
    return in_python(type(found), "__get__") is not None


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
            if isinstance(found, property) and found.fget is not None:
                if not isinstance(owner, type) and not _is_own_kind(found):
                    return _call(found.fget, owner)
            reader = in_python(type(found), "__get__")
            if reader is not None:
                own = None if isinstance(owner, type) else owner
                return _call(reader, found, own, x.__self_class__)
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
    own = builtins.getattr(value, name)
    if not isinstance(own, _IN_C):
        trace = current()
        assert trace is not None
        raise trace.fail(f"`{name}` of a number that carries a derivative")
    return Method(x, name)


def _of_array(x: Any, name: str) -> Any:
    trace = current()
    if trace is None or name in _FIXED or not carries(trace, x):
        if trace is not None and x.dtype.kind in "fc":
            if name == "flat":
                return Flat(x)
            if name == "ctypes":
                trace.lend(x)
        return builtins.getattr(x, name)
    if name == "flat":
        return Flat(x)
    if name in _PARTS:
        return _part(x, name)
    if name in _WAYS_OUT:
        raise trace.fail(f"`{name}` of an array that carries a derivative")
    found = None if type(x) is np.ndarray else method(type(x), name)
    if isinstance(found, property) and found.fget is not None:
        return _call(found.fget, x)
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
    own = in_python(cls, "__setattr__")
    if own is not None:
        _call(own, x, name, value)
        return
    stored(builtins.setattr, x, name, value)


def stored(put: Any, x: Any, name: str, value: Any) -> None:
    """What `object.__setattr__` does: a property or descriptor of that name is followed."""
    found = method(x.__class__, name)
    if isinstance(found, property) and found.fset is not None:
        _call(found.fset, x, value)
        return
    writer = None if found is None else in_python(type(found), "__set__")
    if writer is not None:
        _call(writer, found, x, value)
        return
    put(x, name, value)


def delattr(x: Any, name: str) -> None:
    """`del x.name`."""
    own = in_python(x.__class__, "__delattr__")
    if own is not None:
        _call(own, x, name)
        return
    found = method(x.__class__, name)
    if isinstance(found, property) and found.fdel is not None:
        _call(found.fdel, x)
        return
    eraser = None if found is None else in_python(type(found), "__delete__")
    if eraser is not None:
        _call(eraser, found, x)
        return
    builtins.delattr(x, name)


def _call(function: Any, *args: Any) -> Any:
    return call(function, *args)
