"""Functions made in a loop that are held while what they read changes.

Each call of `def scaled_by(k): return lambda v: k * v` has a `k` of its own; where `scaled_by` is
inlined in a loop, all iterations have one. So such a function may be called in its iteration only.
The defaults of a nested function are its own in any case, but kinds say them by name.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Set
from typing import Any

import gast

from autodiff.analysis.exposure import escaping
from autodiff.analysis.kind import Kind, Local, Static, parts_of
from autodiff.analysis.known import Kinds
from autodiff.rules.home import module_of
from autodiff.syntax.names import captured, reads, writes
from autodiff.syntax.walk import nodes, of_class, statements


def kept_functions(
    tree: gast.FunctionDef, names: Mapping[str, Kind], framed: Set[str]
) -> dict[str, bool]:
    """The names that may hold a function made in another iteration, with other values.

    framed: the variables of functions that were inlined which functions inside of these read.
    The answers: whether it reads one of them, and not only has defaults.
    """
    holders = {n: found for n, kind in names.items() if (found := list(functions_in(kind)))}
    made = _made_in_loops(tree, framed) if holders else {}
    if not made:
        return {}
    lasting = escaping(tree)
    kept: dict[str, bool] = {}
    for name, functions in holders.items():
        for function in functions:
            for written, arguments, own in made.get(id(function), ()):
                for argument in arguments:
                    lasts = argument in lasting.get(name, ()) or name in lasting.get(argument, ())
                    if lasts or name not in written:
                        kept[name] = kept.get(name, False) or argument in own
    return kept


def handed_functions(tree: gast.FunctionDef, kinds: Kinds, framed: Set[str]) -> list[gast.stmt]:
    """The statements that hand such a function to what may hold it, unknown to the kinds."""
    made = _made_in_loops(tree, framed) if framed else {}
    critical = {key for key, loops in made.items() if any(own for _, _, own in loops)}
    if not critical:
        return []
    lasting = escaping(tree)

    def holds(node: Any) -> bool:
        kind = kinds.names.get(node.id) if isinstance(node, gast.Name) else None
        return any(id(function) in critical for function in functions_in(kind))

    def safe(statement: gast.stmt) -> Iterator[gast.AST]:
        """The places of functions in which no one keeps them, or the kinds tell who does."""
        for node in nodes(statement):
            if isinstance(node, gast.Call):
                yield node.func
            elif isinstance(node, gast.Compare):
                yield from (node.left, *node.comparators)
        value = getattr(statement, "value", None)
        if isinstance(statement, gast.Assign):
            target = statement.targets[0]
            base = target.value if isinstance(target, (gast.Subscript, gast.Attribute)) else target
            if holds(base):
                yield from nodes(value)
            elif isinstance(value, gast.Call) and isinstance(target, gast.Name):
                callee = kinds.of(value.func)
                if isinstance(callee, Static) and _is_library(callee.value):
                    if target.id not in lasting or any(callee.value is f for f in _WITHOUT):
                        yield from (*value.args, *(k.value for k in value.keywords))
        elif isinstance(statement, gast.Expr) and isinstance(value, gast.Call):
            if isinstance(value.func, gast.Attribute) and holds(value.func.value):
                yield from value.args

    found = []
    for statement in statements(tree.body):
        seen = {
            id(node)
            for part in _own_parts(statement)
            for node in nodes(part)
            if id(node) in critical
            or holds(node) and isinstance(node.ctx, gast.Load)
        }
        if seen and not seen.issubset(map(id, safe(statement))):
            found.append(statement)
    return found


_Loop = tuple[set[str], set[str], set[str]]
"""What a loop assigns; what of that a function made in it was given, and reads as its own."""


def _made_in_loops(tree: gast.FunctionDef, framed: Set[str]) -> dict[int, list[_Loop]]:
    """The functions made in loops that are given something by these, by `id`."""
    made: dict[int, list[_Loop]] = {}
    for loop in of_class(tree, gast.For, gast.While):
        written: set[str] | None = None
        for function in of_class(loop, gast.FunctionDef, gast.Lambda):
            written = writes(loop) if written is None else written
            arguments = function.args
            given = [*arguments.defaults, *(d for d in arguments.kw_defaults if d is not None)]
            own = captured(function) & framed & written
            if own or reads(given) & written:
                found = written, own | reads(given) & written, own
                made.setdefault(id(function), []).append(found)
    return made


def functions_in(kind: Any) -> Iterator[Any]:
    """The nested functions that a value is or holds."""
    if isinstance(kind, Local):
        yield kind.node
    for part in parts_of(kind):
        yield from functions_in(part)


def _own_parts(statement: gast.stmt) -> list[gast.AST]:
    """A statement without the blocks in it, but those of nested functions."""
    if not isinstance(statement, (gast.If, gast.For, gast.While, gast.With, gast.Try)):
        return [statement]
    parts = [getattr(statement, field, None) for field in ("test", "iter")]
    return [*(part for part in parts if part is not None), *getattr(statement, "items", [])]


def _is_library(value: Any) -> bool:
    return module_of(value).partition(".")[0] in ("builtins", "functools", "numpy", "scipy")


_WITHOUT = (sorted, min, max, sum, any, all, functools.reduce)
"""What returns nothing of the functions that it is given."""
