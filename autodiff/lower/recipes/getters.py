"""What `operator.itemgetter` and other callables of the standard library make, in Python."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

import functools
import operator
from typing import Any

import numpy as np


def new_array(shape, dtype=float, *, order="C"):
    """`np.ndarray(shape, dtype)`, of memory of its own."""
    return np.empty(shape, dtype, order)


def item_getter(*keys):
    """`operator.itemgetter`."""
    return functools.partial(items_at, *keys)


def items_at(key, *given):
    if len(given) == 1:
        return given[0][key]
    return tuple([given[-1][each] for each in (key, *given[:-1])])


def attribute_getter(*names):
    """`operator.attrgetter`."""
    return functools.partial(attributes_at, *names)


def attributes_at(name, *given):
    found = []
    for each in (name, *given[:-1]):
        part = given[-1]
        for own in each.split("."):
            part = getattr(part, own)
        found.append(part)
    return found[0] if len(given) == 1 else tuple(found)


def method_caller(name, *given, **named):
    """`operator.methodcaller`."""
    return functools.partial(method_called, name, given, named)


def method_called(name, given, named, owner):
    return getattr(owner, name)(*given, **named)


MADE_BY_CALLS: dict[Any, Any] = {
    np.ndarray: new_array,
    operator.itemgetter: item_getter,
    operator.attrgetter: attribute_getter,
    operator.methodcaller: method_caller,
}
