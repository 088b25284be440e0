"""Items that are found at run time in a container of things of different forms.

    ACTS = {"sin": np.sin, "square": lambda v: v * v}

    y = ACTS[key](x)                  choice = {"sin": 0, "square": 1}[key]
                                      if choice == 0:
                                          y = np.sin(x)
                                      else:
                                          y = x * x

Which one it is, is asked once; what is read is `Mixed`, as behind a branch.
"""

from __future__ import annotations

from collections.abc import Hashable
from types import BuiltinFunctionType, FunctionType
from typing import Any

import gast
import numpy as np

from autodiff.core.value import Value
from autodiff.kinds.kind import Scalar, Static, Text, number
from autodiff.lower.entries import outer
from autodiff.lower.entries.above import Values
from autodiff.lower.entries.entry import Bound, Box, Closure, Entry, Mixed, Outer, Pack
from autodiff.lower.entries.lists import fits
from autodiff.primitives import CHOICE, Application, hole, written

_MOST = 12
"""Of so many things one may be selected: the statements that read it are written for each."""
_KEYS = (bool, int, float, str, type(None))
_CODE = (FunctionType, BuiltinFunctionType, np.ufunc, type)
_REASON = "an item that is one of different things"


def selected(expressions: Values, base: Pack | Box | Outer, key: Entry) -> Mixed | None:
    """The item under a key; None where items are not of different forms, or not known."""
    if expressions.trusts or not isinstance(key, Value) or key.is_constant:
        return None
    if not isinstance(key.kind, (Scalar, Text)):
        return None
    found = _items(expressions, base)
    if found is None or not 1 < len(found) <= _MOST:
        return None
    keys, items = list(found), list(found.values())
    classes = {item.cls for item in items if isinstance(item, Box)}
    if not isinstance(base, Outer) and fits(base) and len(classes) < 2:
        return None  # memory holds them
    if not any(map(is_run, items)) or not all(type(own) in _KEYS for own in keys):
        return None
    place = _apply(expressions, _places(base, keys), key, "int")
    place.op.raises, place.named = True, True  # type: ignore[union-attr]
    *others, chosen = items
    for k, item in reversed(list(enumerate(others))):
        equal = gast.Compare(left=hole(0), ops=[gast.Eq()], comparators=[written(k)])
        chosen = Mixed(_REASON, _apply(expressions, equal, place, "bool"), item, chosen)
    assert isinstance(chosen, Mixed)
    return chosen


def _apply(expressions: Values, form: gast.expr, operand: Value, word: str) -> Value:
    application, kind = Application((form,)), number(word)
    return expressions.builder.apply(CHOICE, application, form, [operand], kind, "choice")


def is_run(entry: Entry) -> bool:
    """Whether something is there to be called, or an object of a class of the user's, or read part
    by part outside.
    """
    if isinstance(entry, Value):
        return isinstance(entry.kind, Static) and isinstance(entry.constant, _CODE)
    if isinstance(entry, Box):
        return entry.cls not in (list, dict, tuple)
    return isinstance(entry, (Closure, Bound, Outer))


def _items(expressions: Values, base: Pack | Box | Outer) -> dict[Hashable, Entry] | None:
    """What a container holds, by key."""
    if isinstance(base, Pack):
        return dict(enumerate(base.items)) if base.cls is tuple else None
    if base.cls not in (list, tuple, dict):
        return None
    if isinstance(base, Box):
        return None if base.memory is not None else dict(base.slots)
    outer.check_lasting(expressions, base)
    outer.check_whole(expressions, base)
    keys = base.object if base.cls is dict else range(len(base.object))
    return {key: outer.item(expressions, base, key) for key in keys}


def _places(base: Pack | Box | Outer, keys: list[Any]) -> gast.expr:
    """Which item is under a key: `(0, 1, 2)[key]`, `{"a": 0}[key]`; raises what that raises."""
    numbers = [written(k) for k in range(len(keys))]
    own: gast.expr = gast.Tuple(elts=numbers, ctx=gast.Load())
    if base.cls is dict:
        own = gast.Dict(keys=[*map(written, keys)], values=numbers)
    return gast.Subscript(value=own, slice=hole(0), ctx=gast.Load())
