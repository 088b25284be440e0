"""Methods of containers, and functions that move what these hold."""

from __future__ import annotations

import bisect
import copy
import functools
import heapq
import operator
import types
from collections import deque
from typing import Any

import numpy as np

from autodiff.tracing import attributes
from autodiff.tracing.array_calls import array_of, numeric
from autodiff.tracing.array_methods import of_array
from autodiff.tracing.array_stores import added_at
from autodiff.tracing.attributes import Method
from autodiff.tracing.item_calls import in_order
from autodiff.tracing.items import getitem, iterate
from autodiff.tracing.late import call
from autodiff.tracing.number import carries, printed
from autodiff.tracing.operation import Missing
from autodiff.tracing.operations import operate
from autodiff.tracing.reach import holds_derivative
from autodiff.tracing.special_methods import in_python
from autodiff.tracing.table import HANDLED, handles
from autodiff.tracing.trace import Trace


def _moving(function: Any) -> None:
    """What moves the items of a list, and compares them, but computes nothing."""

    def move(trace: Trace, *args: Any, **keywords: Any) -> Any:
        trace.touched[id(args[0])] = args[0]
        return function(*args, **keywords)

    HANDLED[function] = move


_MOVING: tuple[Any, ...] = (
    *(heapq.heappush, heapq.heappop, heapq.heapify, heapq.heappushpop, heapq.heapreplace),
    *(bisect.bisect_left, bisect.bisect_right, bisect.insort_left, bisect.insort_right),
)
for _own in _MOVING:
    _moving(_own)


@handles(copy.copy)
def _copy(trace: Trace, x: Any) -> Any:
    if isinstance(x, np.ndarray) and carries(trace, x):
        return array_of(trace, x, order="K")
    found = in_python(type(x), "__copy__")
    return copy.copy(x) if found is None else call(found, x)


_OWNERS = (list, dict, tuple, set, frozenset, deque, str, bytes, types.GeneratorType, range)
_OF_OBJECTS = ("item", "tolist", "copy", "reshape", "ravel", "flatten", "transpose", "squeeze")
_TAKING = ("extend", "extendleft", "update", "union", "intersection", "difference", "fromkeys")
_KEEPING = ("__new__", "__init__", "__setattr__", "__delattr__", "__getattribute__", "__setitem__",
            "__getitem__", "__delitem__", "__contains__", "__len__", "__iter__",
            "__init_subclass__",
            "__reduce_ex__", "__reduce__", "__class_getitem__", "__enter__", "__exit__", "__next__",
            "__eq__", "__ne__", "__hash__", "__dir__", "__setstate__", "__get__")  # fmt: skip


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
                return NotImplemented
            return _of_owner(trace, f, args[0], name, args, keywords)
        if args and carries(trace, args[0]):
            return call(Method(args[0], name), *args[1:], **keywords)
        return NotImplemented
    if isinstance(owner, np.ndarray) and not isinstance(f, type):
        if owner.dtype.kind == "O" and name in _OF_OBJECTS:
            return f(*args, **keywords)
        if carries(trace, owner):
            return call(Method(owner, name), *args, **keywords)
        if holds_derivative(trace, args):
            if name in ("fill", "put") or name.startswith("__"):
                return of_array(trace, owner, name, args, keywords)
            if name == "dot":
                return call(np.dot, owner, *args, **keywords)
        return NotImplemented
    if isinstance(owner, type) and name == "fromkeys":
        return f(iterate(args[0]), *args[1:])
    if isinstance(owner, _OWNERS) or name in _KEEPING and not isinstance(owner, np.ndarray):
        return _of_owner(trace, f, owner, name, args, keywords)
    if isinstance(owner, np.ufunc) and holds_derivative(trace, args):
        return _of_ufunc(trace, f, owner, name, args, keywords)
    if type(f).__module__ in ("functools", "itertools", "collections", "weakref"):
        return f(*args, **keywords)
    return NotImplemented


def _of_ufunc(trace: Trace, f: Any, owner: Any, name: str, args: Any, keywords: Any) -> Any:
    if name == "at" and owner in (np.add, np.subtract) and len(args) == 3:
        return added_at(trace, owner, *args)
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
        args = tuple(call(str, own) if _is_written(own) else printed(own) for own in args)
        keywords = {key: printed(own) for key, own in keywords.items()}
        return f(*args, **keywords)
    if not isinstance(owner, type):
        trace.touched[id(owner)] = owner
    if name in _TAKING or name == "__init__" and isinstance(owner, (list, set, deque)):
        args = tuple(own if isinstance(own, dict) else iterate(own) for own in args)
    if name == "sort":
        key, reverse = keywords.get("key"), keywords.get("reverse", False)
        owner[:] = in_order(trace, owner, key=key, reverse=reverse)
        return None
    if name in ("__getitem__",) and isinstance(owner, np.ndarray):
        return NotImplemented
    return f(*args, **keywords)


def _is_written(x: Any) -> bool:
    return in_python(type(x), "__str__") is not None or in_python(type(x), "__repr__") is not None


def _got(f: Any, args: Any) -> Any:
    """What `itemgetter` and its kin give."""
    _, given = f.__reduce__()[:2]
    if isinstance(f, operator.itemgetter):
        found = tuple(getitem(args[0], own) for own in given)
    elif isinstance(f, operator.attrgetter):
        found = tuple(
            functools.reduce(attributes.getattr, own.split("."), args[0]) for own in given
        )
    else:
        made = f.__reduce__()
        name, *rest = made[1] if made[0] is operator.methodcaller else made[0].args
        named = {} if made[0] is operator.methodcaller else made[0].keywords
        rest = [*rest, *(made[1] if made[0] is not operator.methodcaller else ())]
        return call(attributes.getattr(args[0], name), *rest, **named)
    return found[0] if len(found) == 1 else found
