"""What a value may be where each path writes a constant.

kind = "up" if x > 0 else "down"
if kind == "left":                   nobody comes here, so nothing of it is lowered
    ...
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from itertools import product
from typing import Any

import gast

from autodiff.core import ABSENT, Apply, If, LoadOuter, Value, constant
from autodiff.core.value import NOTHING
from autodiff.kinds.kind import number
from autodiff.lower.entries.entry import Entry, Pack
from autodiff.lower.entries.members import known_of

PLAIN = (bool, int, float, complex, str, bytes, type(None), type(Ellipsis))
_MOST = 64
"""How many values, or pairs of constants, are looked at."""


def known_number(entry: Entry) -> Any:
    """What `known_of` says; of what a library says, the number: `-np.inf`."""
    op = entry.op if isinstance(entry, Value) else None
    if isinstance(op, LoadOuter) and op.always is not None:
        return op.always
    if isinstance(op, Apply) and op.primitive.function is operator.neg:
        known = known_number(op.operands[0])
        return known if known is ABSENT else -known
    return known_of(entry)


def known_key(entry: Entry) -> Any:
    """The object that is looked for, or a tuple of such; `ABSENT` if that is not known."""
    if not isinstance(entry, Pack) or entry.cls is not tuple:
        return known_number(entry)
    parts = tuple(map(known_key, entry.items))
    return ABSENT if any(each is ABSENT for each in parts) else parts


def alternatives(value: Value) -> list[Any] | None:
    """The constants that a value may be; None if it may be others."""
    todo, seen, found = [value], {value}, []
    while todo:
        each = todo.pop()
        if each.constant is NOTHING:  # a path on which it is read ends before
            continue
        known = known_number(each)
        if isinstance(known, PLAIN):
            found.append(known)
        elif isinstance(each.op, If) and len(seen) < _MOST:
            place = each.op.results.index(each)
            for block, truth in zip(each.op.blocks, (True, False)):
                inner = block.results[place]
                if inner in each.op.operands and inner.kind == number("bool"):
                    inner = constant(truth)  # `a and b`
                if inner not in seen:
                    seen.add(inner)
                    todo.append(inner)
        else:
            return None
    return found


def agreed(function: Callable[..., bool], *values: Value) -> bool | None:
    """What a test says of all constants that its operands may be; None if that is not known."""
    given: list[list[Any]] = []
    for value in values:
        found = alternatives(value)
        if not found or len(found) * len(given or (1,)) > _MOST:
            return None
        given.append(found)
    try:
        answers = {bool(function(*each)) for each in product(*given)}
    except TypeError:  # what the test raises is raised by it
        return None
    return answers.pop() if len(answers) == 1 else None


def chosen_by(builder: Any, function: Callable[..., bool], *values: Value) -> Value | None:
    """The answer to a test of what may be several constants: known, or the test by which they were
    chosen, or its contrary; None for others.

    kind = "up" if x > 0 else "down"
    if kind == "up":                     if x > 0:
    """
    known = agreed(function, *values)
    if known is not None:
        return constant(known)
    for k, value in enumerate(values):
        op = value.op
        if not isinstance(op, If) or [own.kind for own in op.operands] != [number("bool")]:
            continue  # not what a `try` gives
        place = op.results.index(value)
        sides = [(*values[:k], own.results[place], *values[k + 1 :]) for own in op.blocks]
        answers = [agreed(function, *side) for side in sides]
        if answers == [True, False]:
            return op.test
        if answers == [False, True]:
            found: Value = builder.unary(gast.Not(), op.test)
            return found
    return None
