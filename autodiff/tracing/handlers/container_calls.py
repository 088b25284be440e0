"""Methods of containers, and functions that move what these hold."""

from __future__ import annotations

import bisect
import copy
import copyreg
import functools
import heapq
import operator
import sys
import types
from collections import defaultdict, deque
from typing import Any

import numpy as np

from autodiff.tracing import attribute_hooks, keyed
from autodiff.tracing.array_classes import says_itself
from autodiff.tracing.attribute_hooks import Method
from autodiff.tracing.bound_late import call, followed
from autodiff.tracing.class_calls import new_object
from autodiff.tracing.going_over import MADE_OF, entries, made_from
from autodiff.tracing.handlers.array_calls import array_of, numeric
from autodiff.tracing.handlers.array_methods import of_array, viewed
from autodiff.tracing.handlers.array_stores import added_at
from autodiff.tracing.handlers.handled import HANDLED, handles
from autodiff.tracing.handlers.item_calls import in_order
from autodiff.tracing.held_in_c import check_begun, entry, made_by_factory
from autodiff.tracing.items import getitem, iterate
from autodiff.tracing.number import FLOATS, carries, check_objects, printed
from autodiff.tracing.one_operation import Missing
from autodiff.tracing.operations import operate
from autodiff.tracing.plain_calls import universal
from autodiff.tracing.reach import holds_derivative
from autodiff.tracing.special_methods import in_python, method
from autodiff.tracing.trace import Trace


def _moving(function: Any) -> None:
    """What moves the items of a list, and compares them, but computes nothing."""

    def move(trace: Trace, *args: Any, **keywords: Any) -> Any:
        trace.touched[id(args[0])] = args[0]
        return function(*args, **keywords)

    HANDLED[function] = move


for _module in (heapq, bisect):
    for _own in vars(_module).values():
        if isinstance(_own, types.BuiltinFunctionType):
            _moving(_own)


@handles(copy.copy)
def _copy(trace: Trace, x: Any) -> Any:
    if isinstance(x, np.ndarray) and carries(trace, x):
        return array_of(trace, x, order="K", subok=True)
    found = in_python(type(x), "__copy__")
    if found is None and any(in_python(type(x), own) for own in _REDUCING):
        return followed(trace, copy.copy, (x,), {})
    return copy.copy(x) if found is None else call(found, x)


_REDUCING = ("__getstate__", "__setstate__", "__reduce__", "__reduce_ex__", "__getnewargs__")


def _reduced(x: Any, f: Any, args: Any) -> Any:
    """What an object is made of for a copy, as `object.__reduce_ex__` gives it."""
    state, own = in_python(type(x), "__getstate__"), in_python(type(x), "__reduce__")
    if own is not None:
        return call(own, x)
    if state is None or isinstance(x, MADE_OF) or method(type(x), "__getnewargs_ex__"):
        return f(*args)
    parts = in_python(type(x), "__getnewargs__")
    given = () if parts is None else call(parts, x)
    return copyreg.__newobj__, (type(x), *given), call(state, x), None, None  # type: ignore[attr-defined]


_OWNERS = (list, dict, tuple, set, frozenset, deque, str, bytes, types.GeneratorType, range)
_MOVING_OBJECTS = frozenset(
    ("tolist", "copy", "reshape", "ravel", "flatten", "item", "view", "transpose", "squeeze",
     "swapaxes", "fill", "put", "take", "repeat", "nonzero", "diagonal")
)  # fmt: skip
_BY_KEY = ("get", "__contains__", "pop", "setdefault", "__setitem__", "__getitem__")
_FILLING = ("update", "__init__", "__ior__", "__or__", "__ror__")
_WHOLE = frozenset(
    ("append", "appendleft", "insert", "add", "discard", "remove", "setdefault", "get", "pop",
     "index", "count", "send", "throw", "__contains__", "__setattr__", "__getattribute__",
     "__delattr__", "__getitem__", "__delitem__", "__eq__", "__ne__", "__reduce_ex__", "__get__",
     "__setstate__", "__enter__", "__exit__", "__init_subclass__", "__class_getitem__",
     "__reduce__")
)  # fmt: skip
"""Methods that keep what they are given, or ask it; others of a container go over it."""
_KEEPING = ("__new__", "__init__", "__setattr__", "__delattr__", "__getattribute__", "__setitem__",
            "__getitem__", "__delitem__", "__contains__", "__len__", "__iter__",
            "__init_subclass__",
            "__reduce_ex__", "__reduce__", "__class_getitem__", "__enter__", "__exit__", "__next__",
            "__eq__", "__ne__", "__hash__", "__dir__", "__setstate__", "__getstate__",
            "__get__")  # fmt: skip


def _of_base(trace: Trace, name: str, array: Any, *args: Any, **keywords: Any) -> Any:
    """What a method of `np.ndarray` gives of an array whose class has another one of this name: an
    array of this class again.
    """
    cls = type(array)
    if name == "view":
        return viewed(trace, np.ndarray.view, array, *args, **keywords)
    told = cls is not np.matrix and isinstance(
        in_python(cls, "__array_finalize__"), types.FunctionType
    )
    if told or says_itself(array):  # which may keep what the array has beside its elements
        raise trace.fail(f"`{name}` of an array whose class has another one")
    found = call(Method(call(Method(array, "view"), np.ndarray), name), *args, **keywords)
    return call(Method(found, "view"), cls) if isinstance(found, np.ndarray) else found


def handled_method(trace: Trace, f: Any, args: Any, keywords: Any) -> Any:
    """Methods of containers, and what objects are made and kept with; NotImplemented for others."""
    owner = getattr(f, "__self__", None)
    name = getattr(f, "__name__", "")
    if isinstance(f, (operator.itemgetter, operator.attrgetter, operator.methodcaller)):
        return _got(f, args)
    if isinstance(f, types.MethodDescriptorType | types.WrapperDescriptorType):
        cls = f.__objclass__
        if args and (issubclass(cls, _OWNERS) or name in _KEEPING):
            if issubclass(cls, np.ndarray):
                if isinstance(args[0], np.ndarray) and holds_derivative(trace, args):
                    return call(Method(args[0], name), *args[1:], **keywords)
                return NotImplemented
            return _of_owner(trace, f, args[0], name, args, keywords)
        if args and carries(trace, args[0]):
            if isinstance(args[0], np.ndarray) and getattr(type(args[0]), name) is not f:
                return _of_base(trace, name, *args, **keywords)
            return call(Method(args[0], name), *args[1:], **keywords)
        if args and isinstance(args[0], _NUMBERS) and holds_derivative(trace, args):
            return _of_number(trace, args[0], name, args[1:])
        return NotImplemented
    if isinstance(owner, np.ndarray) and not isinstance(f, type):
        if owner.dtype.kind == "O" and name in _MOVING_OBJECTS:
            return f(*args, **keywords)
        if owner.dtype.kind == "O" and name.startswith("__") and holds_derivative(trace, owner):
            return of_array(trace, owner, name, args, keywords)
        if carries(trace, owner):  # it was asked for before
            return call(Method(owner, name), *args, **keywords)
        if name not in _MOVING_OBJECTS and not name.startswith("__"):
            found = _of_objects(trace, owner, name, args, keywords)
            if found is not NotImplemented:
                return found
            check_objects(trace, owner)
        if holds_derivative(trace, args):
            if name in ("fill", "put") or name.startswith("__"):
                return of_array(trace, owner, name, args, keywords)
            if owner.dtype.kind != "O" or keywords.get("out") is not None:
                return call(Method(owner, name), *args, **keywords)
        return NotImplemented
    if isinstance(owner, _NUMBERS) and holds_derivative(trace, args):
        return _of_number(trace, owner, name, args)
    if isinstance(owner, type) and name == "fromkeys":
        return f(iterate(args[0]), *args[1:])
    if isinstance(owner, _OWNERS) or name in _KEEPING and not isinstance(owner, np.ndarray):
        return _of_owner(trace, f, owner, name, args, keywords)
    if name == "__call__" and type(f) is types.MethodWrapperType:
        if isinstance(owner, type):
            return new_object(trace, owner, args, keywords)
        return call(owner, *args, **keywords)
    if isinstance(owner, np.ufunc) and holds_derivative(trace, args):
        return _of_ufunc(trace, f, owner, name, args, keywords)
    if isinstance(owner, functools._lru_cache_wrapper) and name.startswith("cache_"):
        if name == "cache_clear":
            trace.kept.pop(id(owner), None)
        elif id(owner) in trace.kept and name == "cache_info":
            raise trace.fail("what a function that keeps its results says of them")
        return f(*args, **keywords)
    if type(f).__module__ in ("functools", "itertools", "collections", "weakref"):
        return f(*args, **keywords)
    return NotImplemented


_NUMBERS = (int, *FLOATS, np.integer)


def _of_number(trace: Trace, x: Any, name: str, args: Any) -> Any:
    """A method of a plain number."""
    return of_array(trace, x, name, args, {})


def _of_objects(trace: Trace, x: Any, name: str, args: Any, keywords: Any) -> Any:
    """A method of an array of objects, as NumPy has it in Python; NotImplemented for others."""
    if x.dtype.kind != "O" or not holds_derivative(trace, (x, args)):
        return NotImplemented
    if name == "astype" and args:
        return array_of(trace, x, *args)
    if name == "dot":
        return call(np.dot, x, *args, **keywords)
    inside = getattr(_METHODS, f"_{name}", None) or getattr(_METHODS, f"_a{name}", None)
    if inside is None:
        return NotImplemented
    return followed(trace, inside, (x, *args), keywords)


_METHODS: Any = sys.modules.get("numpy._core._methods") or sys.modules["numpy.core._methods"]


def _of_ufunc(trace: Trace, f: Any, owner: Any, name: str, args: Any, keywords: Any) -> Any:
    found = universal(trace, owner, name, args, keywords)
    if found is not NotImplemented:
        return found
    if name == "at" and owner in (np.add, np.subtract) and len(args) == 3:
        return added_at(trace, owner, *args)
    if name == "outer" and len(args) == 2:  # element by element
        a, b = (call(np.asarray, own) for own in args)
        return call(owner, call(np.reshape, a, (*a.shape, *(1,) * b.ndim)), b, **keywords)
    if name == "at" or keywords.get("out") is not None:
        raise trace.fail(f"`{name}` of a universal function, in place")
    given, named = numeric(trace, args, keywords)
    try:
        return operate(trace, owner, f"f.{name}({{args}})", given, named, f)
    except Missing as why:
        raise trace.fail(str(why)) from None


def _of_owner(trace: Trace, f: Any, owner: Any, name: str, args: Any, keywords: Any) -> Any:
    """A method of a container: it moves what it holds, and computes nothing."""
    if isinstance(owner, (str, bytes)):
        if holds_derivative(trace, (args, keywords)):
            trace.printed = True
        shown = _Shown if name == "format" else printed
        keywords = {key: shown(own) for key, own in keywords.items()}
        return f(*map(shown, args), **keywords)
    if isinstance(owner, type):
        if name == "__new__" and args:
            return _new(trace, owner, f, args, keywords)
        return f(*args, **keywords)
    trace.touched[id(owner)] = owner
    given = args[1:] if args and args[0] is owner else args  # asked of the class
    if name == "__setattr__" and len(given) == 2:
        return attribute_hooks.stored(lambda *_: f(*args), owner, *given)
    if name == "__getattribute__" and len(given) == 1:
        return attribute_hooks.read(lambda *_: f(*args), owner, *given)
    if name == "__reduce_ex__" and len(given) == 1 and given[0] >= 2:
        return _reduced(owner, f, args)
    if isinstance(owner, types.GeneratorType):
        check_begun(trace, owner)
    elif isinstance(owner, dict) and name in ("__getitem__", "__missing__"):
        made = entry if name == "__getitem__" else made_by_factory
        return made(trace, owner, *given)
    elif isinstance(owner, MADE_OF) and name not in _WHOLE:
        if name == "__setitem__":
            sliced = isinstance(given[0], slice) and len(given) == 2
            given = (given[0], iterate(given[1])) if sliced else given
        elif isinstance(owner, dict):
            first = 1 if name == "__init__" and isinstance(owner, defaultdict) else 0
            if name in _FILLING:
                given = (*given[:first], *map(entries, given[first:]))
        else:
            given = tuple(own if isinstance(own, MADE_OF) else iterate(own) for own in given)
        args = (owner, *given) if len(given) < len(args) else given
    if isinstance(owner, dict) and given and name in _BY_KEY:
        if name in ("get", "__contains__") and keyed.is_hidden(trace, owner, given[0]):
            return False if name == "__contains__" else (*given, None)[1]
        keyed.found(trace, owner, given[0])
        if name in ("setdefault", "__setitem__"):
            keyed.noted(trace, owner, given[0])
    if name == "sort":
        key, reverse = keywords.get("key"), keywords.get("reverse", False)
        owner[:] = in_order(trace, owner, key=key, reverse=reverse)
        return None
    if name in ("__getitem__",) and isinstance(owner, np.ndarray):
        return NotImplemented
    return f(*args, **keywords)


def _new(trace: Trace, owner: Any, f: Any, args: Any, keywords: Any) -> Any:
    """`list.__new__` and others."""
    cls, *rest = args
    if isinstance(cls, type) and not issubclass(cls, (BaseException, np.ndarray, *MADE_OF)):
        if owner is not object and holds_derivative(trace, (rest, keywords)):
            raise trace.fail(f"an object of {cls.__name__}")
        return f(*args, **keywords)
    return f(cls, *made_from(owner, tuple(rest)), **keywords)


class _Shown:
    """What `format` puts into a text, by methods of its class or its parts, which are followed."""

    def __init__(self, own: Any) -> None:
        self._own = own

    def __getattr__(self, name: str) -> Any:
        return _Shown(attribute_hooks.getattr(self._own, name))

    def __getitem__(self, index: Any) -> Any:
        return _Shown(getitem(self._own, index))

    def __str__(self) -> Any:
        return call(str, self._own)

    def __repr__(self) -> Any:
        return call(repr, self._own)

    def __format__(self, way: str) -> Any:
        return call(format, self._own, way)


def _got(f: Any, args: Any) -> Any:
    """What `itemgetter` and its kin give."""
    _, given = f.__reduce__()[:2]
    if isinstance(f, operator.itemgetter):
        found = tuple(getitem(args[0], own) for own in given)
    elif isinstance(f, operator.attrgetter):
        found = tuple(
            functools.reduce(attribute_hooks.getattr, own.split("."), args[0]) for own in given
        )
    else:
        made = f.__reduce__()
        name, *rest = made[1] if made[0] is operator.methodcaller else made[0].args
        named = {} if made[0] is operator.methodcaller else made[0].keywords
        rest = [*rest, *(made[1] if made[0] is not operator.methodcaller else ())]
        return call(attribute_hooks.getattr(args[0], name), *rest, **named)
    return found[0] if len(found) == 1 else found
