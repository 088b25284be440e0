"""Items of containers of outside."""

from __future__ import annotations

from typing import Any

import gast
import numpy as np

from autodiff.core import Again, At, NotYet, Window
from autodiff.kinds.joined import JOINING
from autodiff.lower.entries import outer, windows
from autodiff.lower.entries.boxes import called, special
from autodiff.lower.entries.entry import Entry, Outer
from autodiff.lower.entries.lists import held
from autodiff.lower.entries.untouched import listed
from autodiff.lower.flow import opaque


def found_outside(expressions: Any, base: Outer, index: gast.expr) -> Entry:
    """An item, or what is found there when it runs. A loop over what is known is written out where
    neither is taken.
    """
    try:
        return opaque.tried(
            expressions,
            lambda: of_outside(expressions, base, index),
            lambda: opaque.item(expressions, base, expressions.entry(index)),
        )
    except NotYet as reason:
        if type(reason) is NotYet and reason.words is None and not isinstance(index, gast.Constant):
            raise Again(reason.reason) from reason
        raise


def of_outside(expressions: Any, base: Outer, index: gast.expr) -> Entry:
    """An item of a container of outside."""
    if base.cls is type(np.s_):
        return windows.indices(base.object, expressions.entry(index))
    if base.cls in JOINING:
        return windows.joined_by_index(expressions, base, expressions.entry(index))
    method = special(expressions, base, "__getitem__")
    if method is not None:
        return called(expressions, method, base, expressions.entry(index))
    if isinstance(index, gast.Slice) and base.cls in (list, tuple):
        whole: Entry = expressions.subscripted(outer.read_now(expressions, base), index)
        return whole
    key = expressions.value(index)
    if key.is_constant:
        return outer.item(expressions, base, key.constant)
    value = listed(expressions, base)
    return held(expressions, expressions.builder.load(value, Window((At(0),)), [key]))
