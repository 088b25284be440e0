"""Functions that come to call themselves, and what they are called with."""

from __future__ import annotations

from typing import Any

import gast

from autodiff.analysis.kind import Bound, Kind, Local, Static
from autodiff.analysis.known import Kinds
from autodiff.errors import UnsupportedSyntaxError
from autodiff.rules import registry
from autodiff.syntax.names import reads
from autodiff.syntax.origin import Origin


def is_cyclic(node: Any, kinds: Kinds) -> bool:
    """Whether a nested function may come to call itself."""
    return comes_to(node, node, kinds)


def comes_to(start: Any, end: Any, kinds: Kinds) -> bool:
    """Whether a nested function may come to call another."""
    seen: set[str] = set()
    todo = [start]
    while todo:
        for identifier in reads(todo.pop()) - seen:
            seen.add(identifier)
            kind = kinds.names.get(identifier)
            if isinstance(kind, Local):
                if kind.node is end:
                    return True
                todo.append(kind.node)
    return False


def takes_functions(
    function: Any,
    arguments: list[gast.expr],
    keywords: list[tuple[str, gast.expr]],
    kinds: Kinds,
) -> bool:
    """Whether one of the arguments of a call is a function that is made here."""
    given = [*arguments, *(value for _, value in keywords)]
    return any(is_made_here(kinds.of(value)) for value in given)


def is_made_here(kind: Kind | None) -> bool:
    """Whether a kind is that of a nested function, a lambda, a bound method or a partial."""
    while isinstance(kind, Bound):
        kind = kind.function
        if isinstance(kind, Static) and registry.rule_for(kind.value) is None:
            return True
    return isinstance(kind, Local)


def check_recursive(arguments: gast.arguments, where: Origin | None) -> None:
    """Refuse a function that calls itself with any number of arguments."""
    starred = arguments.vararg or arguments.kwarg
    if starred is not None:
        raise UnsupportedSyntaxError(
            f"a function that calls itself and takes any number of arguments as `{starred.id}`",
            where,
            why="it is compiled once for all its calls, which pass different numbers of them",
            cure=f"pass `{starred.id}` as one tuple, list or dict",
        )
