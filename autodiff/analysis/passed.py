"""The arguments of a call, one by one."""

from __future__ import annotations

import inspect
import types
from typing import TYPE_CHECKING

import gast

from autodiff.analysis.kind import Array, Record, Sequence
from autodiff.analysis.objects import Parts, whole
from autodiff.analysis.unwound import item_of
from autodiff.errors import UnsupportedSyntaxError
from autodiff.syntax.origin import origin_of, place

if TYPE_CHECKING:
    from autodiff.analysis.callees import Resolver


def positional(resolver: Resolver, call: gast.Call, statement: gast.stmt) -> list[gast.expr]:
    """The positional arguments of a call, starred ones one by one."""
    found: list[gast.expr] = []
    for argument in call.args:
        if not isinstance(argument, gast.Starred):
            found.append(argument)
            continue
        kind = resolver.kinds.of(argument.value)
        if isinstance(kind, (Array, Sequence)) and argument is call.args[-1]:
            count = _missing(resolver, call, len(found))
            if count == -1:
                found.append(argument)
                continue
            if count is not None:
                found.extend(item_of(argument.value, key) for key in range(count))
                continue
        kind = whole(resolver.kinds, kind) if isinstance(kind, Parts) else kind
        if not isinstance(kind, Record) or kind.cls is dict or not kind.indexed:
            raise _unknown(argument, statement)
        for key in kind.keys:
            found.append(item_of(argument.value, key))
    return found


def _missing(resolver: Resolver, call: gast.Call, given: int) -> int | None:
    """How many positional parameters a call has left to fill.

    -1: none but `*args`, which takes any number; None where the number is not fixed.
    """
    found = resolver.function(resolver.kinds.of(call.func), call.func)
    if found is None or not isinstance(found[0], types.FunctionType):
        return None
    code = found[0].__code__
    if code.co_flags & inspect.CO_VARARGS:
        return -1 if given + len(found[1]) == code.co_argcount else None
    if found[0].__defaults__:
        return None
    return max(0, code.co_argcount - given - len(found[1]))


def named(
    resolver: Resolver, call: gast.Call, statement: gast.stmt
) -> list[tuple[str, gast.expr]]:
    """The keyword arguments of a call, those of a starred dict one by one."""
    found: list[tuple[str, gast.expr]] = []
    for keyword in call.keywords:
        if keyword.arg is not None:
            found.append((keyword.arg, keyword.value))
            continue
        kind = resolver.kinds.of(keyword.value)
        kind = whole(resolver.kinds, kind) if isinstance(kind, Parts) else kind
        if not isinstance(kind, Record) or kind.cls is not dict:
            raise _unknown(keyword.value, statement)
        found.extend((str(key), item_of(keyword.value, key)) for key in kind.keys)
    return found


def _unknown(node: gast.expr, statement: gast.stmt) -> Exception:
    origin = origin_of(statement)
    installed = origin is not None and "site-packages" in origin.file
    return UnsupportedSyntaxError(
        "starred arguments whose number is not known while compiling",
        place(node, origin),
        why="they carry a derivative into a function that is to be inlined",
        cure="write a rule with @adjoint for the function of the library that the program calls"
        if installed
        else "pass the arguments one by one",
    )
