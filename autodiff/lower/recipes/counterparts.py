"""`deque`, `OrderedDict`, `Counter`, `defaultdict`, `set`, `lru_cache`, `ExitStack`, in Python with
a list or a dict in them, lowered like the user's code. Nothing here runs when a derivative does.

Functions of a library whose own source says less than a plain one of ours, which is read in its
place like the user's code. One for functions that NumPy applies element by element has that first.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, attr-defined"
from __future__ import annotations

import collections
import contextlib
import functools
import inspect
from types import FunctionType
from typing import Any

import numpy as np

from autodiff.frontend.ufunc_methods import ufunc_of, written_ufunc_method
from autodiff.frontend.writers import written_function
from autodiff.lower.recipes.getters import MADE_BY_CALLS
from autodiff.lower.recipes.holding import Counterpart, Holding
from autodiff.lower.recipes.sets import Distinct
from autodiff.rules import registry


class Deque(Holding):
    """`collections.deque`."""

    def __init__(self, items=(), maxlen=None):
        self.held = []
        self.most = -1 if maxlen is None else maxlen
        self.extend(items)

    def __iter__(self):
        return iter(self.held)

    def __getitem__(self, key):
        return self.held[key]

    def __setitem__(self, key, value):
        self.held[key] = value

    def append(self, item):
        self.held.append(item)
        if self.most >= 0 and len(self.held) > self.most:
            self.held.pop(0)

    def appendleft(self, item):
        self.held.insert(0, item)
        if self.most >= 0 and len(self.held) > self.most:
            self.held.pop()

    def extend(self, items):
        for item in items:
            self.append(item)

    def extendleft(self, items):
        for item in items:
            self.appendleft(item)

    def pop(self):
        return self.held.pop()

    def popleft(self):
        return self.held.pop(0)

    def rotate(self, count=1):
        if len(self.held) > 0:
            for _ in range(count % len(self.held)):
                self.held.insert(0, self.held.pop())

    def reverse(self):
        self.held.reverse()


class Table(Holding):
    """`collections.OrderedDict`."""

    def __init__(self, items=(), **named):
        self.held = {}
        self.held.update(items)
        self.held.update(named)

    def __iter__(self):
        return iter(self.held)

    def __getitem__(self, key):
        return self.held[key]

    def __setitem__(self, key, value):
        self.held[key] = value

    def __delitem__(self, key):
        del self.held[key]

    def get(self, key, default=None):
        return self.held.get(key, default)

    def setdefault(self, key, default=None):
        return self.held.setdefault(key, default)

    def update(self, items=(), **named):
        self.held.update(items)
        self.held.update(named)

    def pop(self, *given):
        return self.held.pop(*given)

    def popitem(self, last=True):
        key = list(self.held)[-1 if last else 0]
        return key, self.held.pop(key)

    def move_to_end(self, key, last=True):
        moved = {key: self.held.pop(key)}
        self.held = {**self.held, **moved} if last else {**moved, **self.held}

    def keys(self):
        return self.held.keys()

    def values(self):
        return self.held.values()

    def items(self):
        return self.held.items()


class DefaultDict(Table):
    """`collections.defaultdict`."""

    def __init__(self, made, items=()):
        self.made, self.held = made, {}
        self.held.update(items)

    def __getitem__(self, key):
        if key not in self.held:
            self.held[key] = self.made()
        return self.held[key]


class Counted(Table):
    """`collections.Counter`."""

    def __init__(self, items=(), **named):
        self.held = {}
        self.update(items, **named)

    def __getitem__(self, key):
        return self.held.get(key, 0)

    def update(self, items=(), **named):
        for item in items:
            often = items[item] if hasattr(items, "keys") else 1
            self.held[item] = self.held.get(item, 0) + often
        for item in named:
            self.held[item] = self.held.get(item, 0) + named[item]


class Stack(Counterpart):
    """`contextlib.ExitStack`, of callbacks: a manager in it might suppress what is raised."""

    def __init__(self):
        self.callbacks = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def callback(self, function, *given, **named):
        self.callbacks.append(functools.partial(function, *given, **named))
        return function

    def close(self):
        callbacks, self.callbacks = self.callbacks, []
        for run in reversed(callbacks):
            run()


class Cached(Counterpart):
    """What `functools.lru_cache` makes of a function: what was asked last goes last."""

    def __init__(self, function, most=None):
        self.function, self.most, self.held = function, most, {}

    def __call__(self, *given):
        plain = len(given) == 1 and isinstance(given[0], (int, str))
        key = given[0] if plain and not isinstance(given[0], bool) else given
        if key in self.held:
            found = self.held.pop(key)
        else:
            found = self.function(*given)
            if self.most == 0:
                return found
            if len(self.held) == self.most:
                self.held.pop(next(iter(self.held)))
        self.held[key] = found
        return found


def cached(maxsize=128):
    """`functools.lru_cache(maxsize)`, or of a function."""
    if maxsize is None or isinstance(maxsize, int):
        return functools.partial(Cached, most=maxsize and max(maxsize, 0))
    return Cached(maxsize, 128)


COUNTERPARTS: dict[Any, Any] = {
    **MADE_BY_CALLS,
    collections.deque: Deque,
    collections.OrderedDict: Table,
    collections.defaultdict: DefaultDict,
    collections.Counter: Counted,
    set: Distinct,
    contextlib.ExitStack: Stack,
    functools.lru_cache: cached,
    functools.cache: Cached,
}


def known_as(cls: type) -> str:
    """What a user calls a class, which may be one of ours that stands for another."""
    found = next((own for own, made in COUNTERPARTS.items() if made is cls), cls)
    ours = found.__module__.startswith("autodiff.")
    return str(found.__name__.lower() if ours else found.__name__)


def stand_in(target: Any, count: int, names: list[str]) -> FunctionType | None:
    """The plain function for one of a library, if it has parameters for the arguments."""
    plain = registry.written_for(target)
    if plain is None and ufunc_of(target) is not None and registry.rule_for(target) is None:
        own: FunctionType | None = written_ufunc_method(target, count, names)
        return own
    if plain is None:
        return None if {*names} == {"out", "where"} else written_function(target, count, names)
    try:
        inspect.signature(plain).bind(*range(count), **dict.fromkeys(names))
    except TypeError:
        return None
    return plain


def applied_by(target: Any) -> list[np.ufunc]:
    """What the plain function for one of a library applies: a ufunc, for this and its methods."""
    own = target if isinstance(target, np.ufunc) else ufunc_of(target)
    return [] if own is None else [own]
