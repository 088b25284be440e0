"""Calls that write into an array they are given: what they write, and where."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache
from typing import Any

import gast
import numpy as np

from autodiff.analysis.kind import Array, Record, Static
from autodiff.analysis.known import Kinds
from autodiff.analysis.operation import Operation
from autodiff.runtime import add_at, assembled
from autodiff.syntax.quote import quote
from autodiff.syntax.walk import map_children

Written = tuple[gast.expr, gast.expr, gast.expr]
"""The array, the values, the index."""


def written(call: gast.Call, kinds: Kinds) -> Written | None:
    """What a call writes into an array; None where it writes none, or in a way not known here."""
    if any(isinstance(argument, gast.Starred) for argument in call.args):
        return None
    found = _method(call, kinds) or _function(call, kinds) or _out(call, kinds)
    if found is None or not isinstance(kinds.of(found[0]), Array):
        return None
    return found


def _method(call: gast.Call, kinds: Kinds) -> Written | None:
    function = call.func
    if not isinstance(function, gast.Attribute) or not isinstance(kinds.of(function.value), Array):
        return None
    given = {keyword.arg: keyword.value for keyword in call.keywords}
    if function.attr == "fill" and len(call.args) + len(given) == 1:
        value = call.args[0] if call.args else given.get("value")
        return None if value is None else (function.value, value, _whole())
    return None


def _function(call: gast.Call, kinds: Kinds) -> Written | None:
    operation = kinds.operation(call)
    if operation is None:
        return None
    try:
        meaning = _WRITERS.get(operation.function)
    except TypeError:  # not hashable
        return None
    return meaning(call) if meaning is not None else None


def _copyto(call: gast.Call) -> Written | None:
    if len(call.args) != 2 or any(keyword.arg != "casting" for keyword in call.keywords):
        return None
    return call.args[0], call.args[1], _whole()


_WRITERS: dict[object, Callable[[gast.Call], Written | None]] = {np.copyto: _copyto}


def _out(call: gast.Call, kinds: Kinds) -> Written | None:
    """`f(a, b, out=x)`, or `f(a, b, x)`."""
    operation = kinds.operation(call)
    if operation is None or operation.rule is None:
        return None
    given = {keyword.arg: keyword.value for keyword in call.keywords}
    new = map_children(lambda child: child, call)
    target = output(operation)
    if target is None or "where" in given:
        return None
    if isinstance(operation.function, np.ufunc) and operation.function.nout > 1:
        return None  # one of several results
    if "out" in given:
        new.keywords = [keyword for keyword in call.keywords if keyword.arg != "out"]
    elif call.args and call.args[-1] is target:
        new.args = call.args[:-1]
    else:
        return None
    if isinstance(target, gast.Tuple) and len(target.elts) == 1:
        target = target.elts[0]
    return (target, new, _whole()) if isinstance(target, gast.Name) else None


def names_parts(function: Any) -> bool:
    """Whether keywords of a call name parts of the object made, and `out` is one like others."""
    return function is assembled or isinstance(function, type) and not issubclass(function, _NUMPY)


_NUMPY = (np.generic, np.ndarray, np.ufunc)


def output(operation: Operation) -> gast.expr | None:
    """The array that an operation is told to put its result into, None if there is none."""
    if names_parts(operation.function):
        return None
    for key, value in operation.keywords:
        if key == "out":
            return None if isinstance(value, gast.Constant) else value
    place = _place(operation.function)
    if place is None or len(operation.arguments) <= place:
        return None
    value = operation.arguments[place]
    return None if isinstance(value, gast.Constant) else value


def outputs(operation: Operation, kinds: Kinds) -> list[gast.expr]:
    """All arguments that an operation may write its result into, starred ones included."""
    if names_parts(operation.function):
        return []
    found = [value for key, value in operation.keywords if key == "out"]
    for key, value in operation.keywords:
        if key is None:  # `**options`
            kind = kinds.of(value)
            if not isinstance(kind, Record) or "out" in kind.keys:
                found.append(value)
    place = _place(operation.function)
    if place is not None:
        several = isinstance(operation.function, np.ufunc)
        found += _from_place(operation.arguments, place, several, kinds)
    return [value for value in found if not isinstance(value, gast.Constant)]


def _from_place(
    arguments: tuple[gast.expr, ...], place: int, several: bool, kinds: Kinds
) -> list[gast.expr]:
    """The arguments that stand at a position, and after it if there are several outputs."""
    found: list[gast.expr] = []
    position: int | None = 0
    for value in arguments:
        if isinstance(value, gast.Starred):
            kind = kinds.of(value.value)
            before = place if position is None else position
            if isinstance(kind, Record) and issubclass(kind.cls, (tuple, list)):
                position = None if position is None else position + len(kind.items)
            else:
                position = None
            reached = position is None or position > place
        else:
            before = place if position is None else position
            position = None if position is None else position + 1
            reached = before >= place
        if reached and (several or before <= place):
            found.append(value)
    return found


def _place(function: Any) -> int | None:
    """The position of the parameter `out`."""
    if isinstance(function, np.ufunc):
        return function.nin
    names = by_place(function)
    return names.index("out") if "out" in names else None


def by_place(function: Any) -> tuple[str, ...]:
    """The names of the parameters that may be given by place; none where they are not known."""
    try:
        return _by_place(function)
    except TypeError:  # not hashable
        return ()


@cache
def _by_place(function: Any) -> tuple[str, ...]:
    try:
        found = inspect.signature(function).parameters.values()
        return tuple(p.name for p in found if p.kind not in (p.KEYWORD_ONLY, p.VAR_POSITIONAL))
    except (TypeError, ValueError):  # in C: the signature stands in the documentation
        text = (getattr(function, "__doc__", None) or "").partition("(")[2].partition(")")[0]
        positional = text.partition("*")[0].split(",")
        return tuple(part.strip().partition("=")[0] for part in positional)


def _whole() -> gast.expr:
    return quote("...")


def is_adding(call: gast.Call, kinds: Kinds) -> bool:
    """Whether a call is `np.add.at(x, i, e)`, or the helper that a gradient calls for it."""
    if isinstance(call.func, gast.Name) and kinds.of(call.func) == Static(add_at):
        return len(call.args) == 3
    if not isinstance(call.func, gast.Attribute) or call.func.attr != "at":
        return False
    return kinds.of(call.func.value) == Static(np.add) and len(call.args) == 3
