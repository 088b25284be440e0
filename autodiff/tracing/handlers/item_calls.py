"""Functions that go over items."""

from __future__ import annotations

import functools
import itertools
import math
from collections import deque
from typing import Any

import numpy as np

from autodiff.tracing.bound_late import call
from autodiff.tracing.going_over import entries
from autodiff.tracing.handlers.handled import HANDLED, handles
from autodiff.tracing.held_in_c import GENERATOR, check_begun
from autodiff.tracing.items import getitem, iterate
from autodiff.tracing.number import Number, value_of
from autodiff.tracing.operator_hooks import binary, compare
from autodiff.tracing.special_methods import in_python
from autodiff.tracing.trace import Trace

_MISSING = object()


@handles(sum)
def _sum(trace: Trace, x: Any, start: Any = 0) -> Any:
    total, given = start, [start]
    for own in iterate(x):
        total = binary("add", total, own)
        given.append(own)
    if total.__class__ is Number and len(given) > 1 and all(map(_is_plain, given)):
        total.value = sum(map(value_of, given[1:]), value_of(start))  # rounded as Python does
    return total


def _is_plain(x: Any) -> bool:
    return isinstance(value_of(x), (int, float))


@handles(math.fsum)
def _fsum(trace: Trace, x: Any) -> Any:
    given = [own if own.__class__ is Number else call(float, own) for own in iterate(x)]
    total: Any = 0.0
    for own in given:
        total = binary("add", total, own)
    value = math.fsum(map(value_of, given))  # rounded once
    if total.__class__ is not Number:
        return value
    total.value = value
    return total


@handles(math.prod)
def _prod(trace: Trace, x: Any, *, start: Any = 1) -> Any:
    total = start
    for own in iterate(x):
        total = binary("mul", total, own)
    return total


def _extreme(function: Any, test: str) -> None:
    def extreme(trace: Trace, *args: Any, key: Any = None, default: Any = _MISSING) -> Any:
        given = list(iterate(args[0])) if len(args) == 1 else list(args)
        if not given:
            return function(*([given] if args else [])) if default is _MISSING else default
        best = given[0]
        of_best = best if key is None else call(key, best)
        for own in given[1:]:
            value = own if key is None else call(key, own)
            if compare(test, value, of_best):
                best, of_best = own, value
        return best

    HANDLED[function] = extreme


_extreme(max, "gt")
_extreme(min, "lt")


@functools.total_ordering
class _Key:
    """Where an item is sorted to."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __lt__(self, other: _Key) -> bool:
        return bool(compare("lt", self.value, other.value))

    def __eq__(self, other: object) -> bool:
        return bool(compare("eq", self.value, other.value))  # type: ignore[attr-defined]


@handles(sorted)
def in_order(trace: Trace, x: Any, *, key: Any = None, reverse: bool = False) -> list[Any]:
    given = list(iterate(x))
    keys = [_Key(own if key is None else call(key, own)) for own in given]
    order = sorted(range(len(given)), key=keys.__getitem__, reverse=reverse)
    return [given[k] for k in order]


def _over_items(function: Any) -> None:
    def over(trace: Trace, *args: Any, **keywords: Any) -> Any:
        return function(*(iterate(own) for own in args), **keywords)

    HANDLED[function] = over


_OVER: tuple[Any, ...] = (
    *(list, tuple, set, frozenset, zip, enumerate, any, all, deque),
    *(itertools.chain, itertools.islice, itertools.product, itertools.permutations),
    *(itertools.combinations, itertools.cycle, itertools.zip_longest, itertools.tee),
    *(itertools.combinations_with_replacement, itertools.compress, itertools.pairwise),
    *(own for own in (getattr(itertools, "batched", None),) if own is not None),
)
for _own in _OVER:
    _over_items(_own)


@handles(iter)
def _iter(trace: Trace, x: Any, *sentinel: Any) -> Any:
    if sentinel:
        return iter(lambda: call(x), *sentinel)
    return iter(iterate(x))


@handles(next)
def _next(trace: Trace, x: Any, *default: Any) -> Any:
    found = in_python(type(x), "__next__")
    if type(x) is GENERATOR:
        check_begun(trace, x)
    if found is None:
        return next(x, *default)
    if not default:
        return call(found, x)
    try:
        return call(found, x)
    except StopIteration:
        return default[0]


@handles(reversed)
def _reversed(trace: Trace, x: Any) -> Any:
    if isinstance(x, np.ndarray):
        return (getitem(x, k) for k in range(len(x) - 1, -1, -1))
    found = in_python(type(x), "__reversed__")
    if found is not None:
        return call(found, x)
    if in_python(type(x), "__getitem__"):
        return (getitem(x, k) for k in range(call(len, x) - 1, -1, -1))
    return reversed(x)


@handles(map)
def _map(trace: Trace, f: Any, *sources: Any) -> Any:
    return (call(f, *own) for own in zip(*map(iterate, sources)))


@handles(itertools.starmap)
def _starmap(trace: Trace, f: Any, source: Any) -> Any:
    return (call(f, *iterate(own)) for own in iterate(source))


@handles(filter)
def _filter(trace: Trace, f: Any, source: Any) -> Any:
    return (own for own in iterate(source) if (own if f is None else call(f, own)))


@handles(itertools.filterfalse)
def _filterfalse(trace: Trace, f: Any, source: Any) -> Any:
    return (own for own in iterate(source) if not (own if f is None else call(f, own)))


@handles(itertools.takewhile)
def _takewhile(trace: Trace, f: Any, source: Any) -> Any:
    return itertools.takewhile(lambda own: call(f, own), iterate(source))


@handles(itertools.dropwhile)
def _dropwhile(trace: Trace, f: Any, source: Any) -> Any:
    return itertools.dropwhile(lambda own: call(f, own), iterate(source))


@handles(itertools.groupby)
def _groupby(trace: Trace, source: Any, key: Any = None) -> Any:
    return itertools.groupby(iterate(source), None if key is None else lambda own: call(key, own))


@handles(itertools.accumulate)
def _accumulate(trace: Trace, source: Any, func: Any = None, *, initial: Any = None) -> Any:
    def step(a: Any, b: Any) -> Any:
        return binary("add", a, b) if func is None else call(func, a, b)

    return itertools.accumulate(iterate(source), step, initial=initial)


@handles(itertools.chain.from_iterable)
def _flattened(trace: Trace, source: Any) -> Any:
    return (own for part in iterate(source) for own in iterate(part))


@handles(functools.reduce)
def _reduce(trace: Trace, f: Any, source: Any, *initial: Any) -> Any:
    return functools.reduce(lambda a, b: call(f, a, b), iterate(source), *initial)


@handles(functools.partial)
def _partial(trace: Trace, f: Any, *args: Any, **keywords: Any) -> Any:
    return functools.partial(f, *args, **keywords)


@handles(dict)
def _dict(trace: Trace, *args: Any, **keywords: Any) -> Any:
    return dict(*map(entries, args), **keywords)
