"""Adjoints of any structure: numbers, arrays, tuples, lists, dicts, dataclasses, plain objects.

The adjoint of a structure is a structure of the same form. Its leaves are the adjoints of the
leaves: `0.0` for Python numbers (integers and booleans included: they are never differentiated, but
their slot exists), NumPy scalars and arrays of the primal's dtype (float64 for integer dtypes), and
None for what has no derivative (None, strings, functions, modules ...).
"""

from __future__ import annotations

import functools
import itertools
import operator
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable, KeysView
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType, SimpleNamespace
from typing import Any

import numpy as np

TABLES = (dict, OrderedDict, defaultdict)
ENDLESS = (itertools.cycle, itertools.count)

_ATOMS = (type, FunctionType, MethodType, BuiltinFunctionType, ModuleType, np.ufunc, np.dtype)


def zeros_like(x: Any) -> Any:
    """The zero adjoint of `x`; what `x` shares between two places, its zeros share too."""
    if isinstance(x, np.ndarray):
        return _zero_array(x)
    if isinstance(x, (float, int)) and not isinstance(x, np.generic):
        return 0.0
    return _zeros(x, {})


def _zero_array(x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    if x.dtype.kind in "fc":
        return np.zeros_like(x)
    if x.dtype.kind == "O":
        result = np.empty_like(x)
        for index in np.ndindex(x.shape):
            result[index] = zeros_like(x[index])
        return result
    return np.zeros(x.shape)


def _zeros(x: Any, made: dict[int, Any]) -> Any:
    if isinstance(x, np.generic):
        return x.dtype.type(0) if x.dtype.kind in "fc" else 0.0
    if isinstance(x, complex):
        return 0j
    if isinstance(x, (int, float)):
        return 0.0
    if isinstance(x, np.ndarray):
        if id(x) not in made:
            made[id(x)] = _zero_array(x)
        return made[id(x)]
    return in_form(x, made, lambda item: _zeros(item, made))


def in_form(x: Any, made: dict[int, Any], part: Callable[[Any], Any], other: Any = None) -> Any:
    """A list, tuple, dict or object with `part` of each item, one for what is there twice; `other`
    for what is none.
    """
    if isinstance(x, tuple):
        return as_tuple(x, [part(item) for item in x])
    if id(x) in made:
        return made[id(x)]
    result = other
    if isinstance(x, list) or other is None and isinstance(x, KeysView):
        result = made[id(x)] = type(other)() if isinstance(other, list) else []
        result.extend(map(part, x))
    elif isinstance(x, dict):
        result = made[id(x)] = table_like(x)
        result.update((key, part(item)) for key, item in x.items())
    elif is_record(x):
        result = made[id(x)] = blank(type(x))
        for field, item in fields(x).items():
            object.__setattr__(result, field, part(item))
    return result


def table_like(x: dict[Any, Any]) -> dict[Any, Any]:
    """An empty dict of the class of `x`, as far as that is one of Python's."""
    if type(x) is defaultdict:
        return defaultdict(x.default_factory)
    return OrderedDict() if type(x) is OrderedDict else {}


def accumulate(a: Any, b: Any) -> Any:
    """`a + b` for adjoints of one structure, as a new value; None stands for zero."""
    if a is None:
        return b
    if b is None:
        return a
    if isinstance(a, tuple):
        return as_tuple(a, [accumulate(p, q) for p, q in _pairs(a, b)])
    if isinstance(a, list):
        return [accumulate(p, q) for p, q in _pairs(a, b)]
    if isinstance(a, dict):
        both = {key: accumulate(value, b.get(key)) for key, value in a.items()}
        return both | {key: value for key, value in b.items() if key not in a}
    if is_record(a):
        if type(a) is not type(b):
            raise TypeError(f"adjoints of {type(a).__name__} and {type(b).__name__} do not add up")
        result = blank(type(a))
        others = fields(b)
        for field, value in fields(a).items():
            object.__setattr__(result, field, accumulate(value, others.get(field)))
        return result
    return a + b


def gated(g: Any, contribution: Any) -> Any:
    """A contribution where the adjoint that it comes from is not zero, if both have one shape or
    that is a number.

    >>> gated(np.array([0.0, 1.0]), np.array([np.inf, 2.0]))
    array([0., 2.])
    """
    if np.ndim(g) and np.shape(g) != np.shape(contribution):
        return np.array(contribution)[()]
    return np.where(g, contribution, 0.0)[()]


def part(adjoint: Any, key: Any) -> Any:
    """The adjoint of a part; the adjoint of the whole may be zero, whatever its structure.

    >>> part([1.0, 2.0], 1), part(0.0, 1)
    (2.0, 0.0)
    """
    return 0.0 if isinstance(adjoint, float) else adjoint[key]


def sequence(iterable: Iterable[Any], partly: bool = False) -> Any:
    """`iterable` itself if it can be indexed by position, else the list of its items.

    partly: a loop may leave the items before their end, and others may ask for the rest.
    """
    if isinstance(iterable, (dict, set, frozenset)):
        return list(iterable)
    if hasattr(iterable, "__len__") and hasattr(iterable, "__getitem__"):
        return iterable
    if isinstance(iterable, ENDLESS) or (
        isinstance(iterable, itertools.repeat) and operator.length_hint(iterable, -1) < 0
    ):
        raise ValueError(
            f"a derivative makes a list of what it goes over, and {type(iterable).__name__} of "
            "itertools has no end: use islice, or index with the number of the iteration"
        )
    if partly and hasattr(iterable, "__next__"):
        raise ValueError(
            "a derivative makes a list of what it goes over, and this loop may leave an iterator "
            "before its end, of which others may take the rest: make a list of it before"
        )
    return list(iterable)


def as_tuple(like: Any, items: list[Any]) -> Any:
    """A tuple of the class of `like`, with the attributes that this one has beside its items."""
    kind = type(like)
    if kind is tuple:
        return tuple(items)
    made = tuple.__new__(kind, items)
    if hasattr(like, "__dict__"):
        vars(made).update(vars(like))
    return made


def blank(cls: type) -> Any:
    """An object of a class without any attributes yet."""
    return SimpleNamespace() if cls is SimpleNamespace else object.__new__(cls)


@functools.lru_cache(maxsize=1024)
def has_blank(cls: type) -> bool:
    """Whether there is such an object: a class in C may allow its own constructor alone."""
    try:
        blank(cls)
    except TypeError:
        return False
    return True


def instance(cls: type, **parts: Any) -> Any:
    """An object of a class with these attributes, made without its `__init__`.

    >>> instance(SimpleNamespace, a=1.0)
    namespace(a=1.0)
    """
    made = blank(cls)
    for name, value in parts.items():
        object.__setattr__(made, name, value)
    return made


def is_record(x: Any) -> bool:
    """Whether `x` is an object whose attributes hold its state (a dataclass, a plain object)."""
    if isinstance(x, (*_ATOMS, np.ndarray, np.generic, str, bytes, set, frozenset)):
        return False
    return hasattr(x, "__dict__") or any("__slots__" in vars(base) for base in type(x).__mro__[:-1])


def fields(x: Any) -> dict[str, Any]:
    """The attributes of an object, those in slots included."""
    found = dict(vars(x)) if hasattr(x, "__dict__") else {}
    for base in type(x).__mro__:
        slots = vars(base).get("__slots__", ())
        for slot in (slots,) if isinstance(slots, str) else slots:
            if slot not in ("__dict__", "__weakref__") and hasattr(x, slot):
                found[slot] = getattr(x, slot)
    return found


def _pairs(a: Any, b: Any) -> list[tuple[Any, Any]]:
    if len(a) != len(b):
        raise ValueError(f"adjoints of {len(a)} and of {len(b)} items cannot be added")
    return list(zip(a, b))


class Cell:
    """The variables of a function that functions defined inside assign."""


def is_sequence(x: Any) -> bool:
    """Whether a sequence pattern accepts `x`: a sequence, but no string."""
    match x:
        case [*_]:
            return True
    return False


def is_mapping(x: Any) -> bool:
    """Whether a mapping pattern accepts `x`."""
    match x:
        case {}:
            return True
    return False
