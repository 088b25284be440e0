"""What patterns of `match` take apart; None where a value is not of their form."""

from __future__ import annotations

import collections.abc
from typing import Any

from autodiff.tracing import attribute_hooks
from autodiff.tracing.bound_late import call
from autodiff.tracing.items import getitem, iterate
from autodiff.tracing.number import value_of

_WHOLE = (bool, bytearray, bytes, dict, float, frozenset, int, list, set, str, tuple)
_MISSING = object()


def sequence(x: Any, count: int, star: int) -> list[Any] | None:
    """The items of a sequence, those of the starred pattern in a list."""
    if not isinstance(x, collections.abc.Sequence) or isinstance(x, (str, bytes, bytearray)):
        return None
    size = call(len, x)
    if size != count if star < 0 else size < count - 1:
        return None
    items = list(iterate(x))
    if star < 0:
        return items
    after = size - (count - star - 1)
    return [*items[:star], items[star:after], *items[after:]]


def mapped(x: Any, keys: tuple[Any, ...]) -> list[Any] | None:
    """The values of a mapping at some keys, and a dict of the others."""
    if not isinstance(x, collections.abc.Mapping):
        return None
    get = attribute_hooks.getattr(x, "get")
    found = [call(get, key, _MISSING) for key in keys]
    if any(own is _MISSING for own in found):
        return None
    rest = {key: getitem(x, key) for key in iterate(x) if key not in keys}
    return [*found, rest]


def parts(x: Any, cls: Any, count: int, names: tuple[str, ...]) -> list[Any] | None:
    """The attributes of an object of a class, some of which are asked by their place."""
    if not isinstance(value_of(x), cls):
        return None
    if count and cls in _WHOLE or count and issubclass(cls, _WHOLE) and not _places(cls):
        if count > 1:
            raise TypeError(f"{cls.__name__}() accepts 1 positional sub-pattern ({count} given)")
        first = [x]
    else:
        places = _places(cls)
        if count > len(places):
            raise TypeError(
                f"{cls.__name__}() accepts {len(places)} positional sub-patterns ({count} given)"
            )
        first, names = [], (*places[:count], *names)
    try:
        return first + [attribute_hooks.getattr(x, name) for name in names]
    except AttributeError:
        return None


def _places(cls: type) -> tuple[str, ...]:
    found: tuple[str, ...] = getattr(cls, "__match_args__", ())
    return found
