"""New objects in a run: what of their making is written in Python is followed."""

from __future__ import annotations

import dataclasses
import dis
import enum
import itertools
import types
from types import FunctionType
from typing import Any

import numpy as np

from autodiff.tracing.attribute_hooks import setattr as store
from autodiff.tracing.bound_late import call
from autodiff.tracing.calls_in_c import held
from autodiff.tracing.going_over import MADE_OF, made_from
from autodiff.tracing.guard import unwatched
from autodiff.tracing.number import Number
from autodiff.tracing.plain_calls import is_ruled, operation, run
from autodiff.tracing.reach import holds_derivative
from autodiff.tracing.special_methods import method
from autodiff.tracing.trace import Trace


def without_source(trace: Trace, f: FunctionType, args: Any, keywords: Any) -> Any:
    """What `dataclass` and `namedtuple` write, in a tuple; NotImplemented for other functions.

    A function that only passes on what it is given is run as it is, too, and one of arithmetic of
    numbers, whose operators are followed whoever calls them.
    """
    owner = type(args[0]) if args else None
    if f.__name__ == "__init__" and dataclasses.is_dataclass(owner):
        _initialised(f, args[0], args[1:], keywords)
        return (None,)
    if args and hasattr(args[0], "_fields"):  # SciPy's results keep more beside their items
        stores = isinstance(args[0], tuple) and f.__name__ in ("__init__", "__setattr__")
        if stores or f.__name__ == "__new__":
            return (f(*args, **keywords),)
    if f.__qualname__.startswith("__create_fn__") or f.__code__.co_filename == "<string>":
        if f.__name__ in ("__eq__", "__repr__", "__hash__", "__lt__", "__le__", "__gt__", "__ge__"):
            return (f(*args, **keywords),)
    does = {own.opname for own in dis.get_instructions(f.__code__)}
    numbers = all(own.__class__ in _NUMBERS for own in (*args, *keywords.values()))
    if does <= _MOVES or numbers and does <= _MOVES | _ARITHMETIC:
        with unwatched():
            return (f(*args, **keywords),)
    return NotImplemented


_NUMBERS = (Number, int, float, complex, bool)
_MOVES = frozenset(
    ("RESUME", "LOAD_FAST", "LOAD_FAST_LOAD_FAST", "LOAD_FAST_BORROW", "LOAD_CONST", "NOP",
     "LOAD_SMALL_INT", "LOAD_FAST_BORROW_LOAD_FAST_BORROW", "BUILD_TUPLE", "BUILD_LIST",
     "RETURN_VALUE", "RETURN_CONST")
)  # fmt: skip
_ARITHMETIC = frozenset(own for own in dis.opmap if own.startswith(("BINARY_", "UNARY_"))) - {
    "BINARY_SUBSCR",
    "BINARY_SLICE",
}


def _initialised(f: FunctionType, x: Any, args: Any, keywords: Any) -> None:
    """What the `__init__` of a dataclass does."""
    cls = next(own for own in type(x).__mro__ if own.__dict__.get("__init__") is f)
    fields = cls.__dataclass_fields__  # type: ignore[attr-defined]
    plain = [own for own in fields.values() if own._field_type is not dataclasses._FIELD_CLASSVAR]  # type: ignore[attr-defined]
    names = f.__code__.co_varnames[1 : f.__code__.co_argcount]
    count = f.__code__.co_argcount - 1
    if len(args) > count or set(keywords) - {own.name for own in plain if own.init}:
        f(x, *args, **keywords)  # its own error
    given = dict(zip(names, args)) | keywords
    frozen = cls.__dataclass_params__.frozen  # type: ignore[attr-defined]
    later = []
    for own in plain:
        if own.name in given and own.init:
            value = given[own.name]
        elif own.default is not dataclasses.MISSING:
            value = own.default
        elif own.default_factory is not dataclasses.MISSING:
            value = call(own.default_factory)
        elif own.init:
            f(x, *args, **keywords)  # its own error
            return
        else:
            continue
        if own._field_type is dataclasses._FIELD_INITVAR:  # type: ignore[attr-defined]
            later.append(value)
        elif frozen:
            object.__setattr__(x, own.name, value)
        else:
            store(x, own.name, value)
    if hasattr(x, "__post_init__"):
        call(x.__post_init__, *later)


def made_of(trace: Trace, cls: type, args: Any, keywords: Any) -> Any:
    """A new object of a class: what of its making is written in Python is followed."""
    meta = method(type(cls), "__call__")
    if isinstance(meta, FunctionType) and not issubclass(type(cls), type(enum.Enum)):
        return call(meta, cls, *args, **keywords)
    return new_object(trace, cls, args, keywords)


def new_object(trace: Trace, cls: type, args: Any, keywords: Any) -> Any:
    """What `type` makes when a class is called."""
    new, init = method(cls, "__new__"), method(cls, "__init__")
    new = new.__func__ if isinstance(new, staticmethod) else new
    if not isinstance(new, FunctionType) and not isinstance(init, FunctionType):
        return _built_in(trace, cls, args, keywords)
    if issubclass(cls, enum.Enum) or issubclass(cls, type):
        return run(trace, cls, args, keywords)
    if isinstance(new, FunctionType):
        made = call(new, cls, *args, **keywords)
    elif new is object.__new__:
        made = object.__new__(cls)
    else:
        made = _built_in_new(trace, cls, new, args, keywords)
    init = method(type(made), "__init__")
    if isinstance(made, cls) and init is not None:
        if isinstance(init, FunctionType):
            call(init, made, *args, **keywords)
        elif init is not object.__init__:
            init(made, *made_from(cls, args), **keywords)
    return made


_KEEPING = (
    *(itertools.count, itertools.repeat, types.SimpleNamespace, types.MethodType),
    *(property, staticmethod, classmethod),
)
_MODULES = ("itertools", "collections", "weakref", "types", "functools")
_KEEPERS = (BaseException, *MADE_OF)
_MADE = (np.generic, float, complex, int, str, bytes)


def _built_in_new(trace: Trace, cls: type, new: Any, args: Any, keywords: Any) -> Any:
    if issubclass(cls, _KEEPERS) or not holds_derivative(trace, (args, keywords)):
        return new(cls, *made_from(cls, args), **keywords)
    made = held(trace, cls, new, args, keywords)
    if made is None:
        raise trace.fail(f"an object of {cls.__name__}")
    return made


def _built_in(trace: Trace, cls: type, args: Any, keywords: Any) -> Any:
    """A new object of a class whose making is not written in Python."""
    if not args and not keywords:
        return cls()
    if issubclass(cls, _KEEPERS):
        return cls(*made_from(cls, args), **keywords)
    if cls in _KEEPING or issubclass(cls, np.ndarray):  # over memory that is given
        return cls(*args, **keywords)
    if cls.__module__ in _MODULES and cls.__module__ != "itertools":
        return cls(*args, **keywords)
    if holds_derivative(trace, (args, keywords)):
        if is_ruled(cls):
            return operation(trace, cls, args, keywords)
        made = None if issubclass(cls, _MADE) else held(trace, cls, type.__call__, args, keywords)
        if made is not None:
            return made
    return run(trace, cls, args, keywords)
