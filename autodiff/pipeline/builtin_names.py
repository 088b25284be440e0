"""The builtins that generated code calls have to be the builtins."""

from __future__ import annotations

import builtins
from collections.abc import Iterable

import gast

from autodiff.errors import UnsupportedSyntaxError
from autodiff.pipeline.unit import Unit
from autodiff.syntax.origin import Origin, origin_of
from autodiff.syntax.walk import of_class, statements

_CALLED = frozenset(
    "dict enumerate isinstance len list range reversed slice tuple type zip".split()
)


def check_builtins(unit: Unit, read: Iterable[str]) -> None:
    """Refuse a derivative in which the name of a builtin that it calls stands for something else.

    `read`: the names that it reads. Raises UnsupportedSyntaxError.
    """
    for name in sorted(_CALLED.intersection(read)):
        is_other = _is_other(name, unit)
        if (is_other or name in unit.local()) and _is_called(name, unit):
            raise UnsupportedSyntaxError(
                f"cannot differentiate where `{name}` is not the builtin of that name",
                _place(name, unit),
                why=f"the derivative calls `{name}` as Python defines it",
                cure=f"give the function's or the module's own `{name}` another name",
            )


def _is_called(name: str, unit: Unit) -> bool:
    functions = [call.func for call in of_class(unit.tree, gast.Call)]
    return any(node.__class__ is gast.Name and node.id == name for node in functions)


def _is_other(name: str, unit: Unit) -> bool:
    try:
        return unit.scope.lookup(name) is not getattr(builtins, name)
    except (KeyError, ValueError):
        return False


def _place(name: str, unit: Unit) -> Origin | None:
    """The statement of the user's from which a call comes."""
    for statement in statements(unit.tree.body):
        origin = origin_of(statement)
        if origin is not None and name in _names(statement):
            return origin
    return None


def _names(statement: gast.stmt) -> set[str]:
    return {node.id for node in of_class(statement, gast.Name)}
