"""What the function reads from outside: refused where a call gives it another value or content."""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import gast
import numpy as np

from autodiff.analysis.kind import (
    Array,
    Bound,
    Kind,
    Local,
    Numeric,
    OneOf,
    Scalar,
    Static,
    Text,
)
from autodiff.analysis.known import Kinds
from autodiff.analysis.memory_shared import memory_shared
from autodiff.analysis.outer_changes import changed_by
from autodiff.analysis.outer_reads import Read, outer_reads
from autodiff.analysis.outer_values import INSIDE
from autodiff.analysis.rebinding import ATTRIBUTE, rebinding
from autodiff.analysis.references import has_memory
from autodiff.analysis.run_by import called_by, run_by
from autodiff.errors import UnsupportedSyntaxError
from autodiff.rules.home import is_library
from autodiff.runtime import checkpointed_steps
from autodiff.syntax.names import name, reads, writes
from autodiff.syntax.origin import origin_of
from autodiff.syntax.walk import of_class, walk

if TYPE_CHECKING:
    from autodiff.reverse.reverse import Reverse


def check_outer(reverse: Reverse, statement: gast.stmt) -> None:
    """Refuse what rebinds or changes what this function read from outside: both sweeps read it."""
    for node in _run_first(statement):
        if not reverse.kinds.numbers.issuperset(reads(node)):  # else nobody's code is run
            check_bound(reverse, statement, node)
            _check_memory(reverse, statement, node)


def _run_first(statement: gast.stmt) -> list[gast.AST]:
    """What of a statement is run before the statements inside of it."""
    if isinstance(statement, (gast.FunctionDef, gast.ClassDef, gast.Try)):
        return []
    if isinstance(statement, gast.With):
        return list(statement.items)
    if isinstance(statement, (gast.If, gast.While)):
        return [statement.test]
    return [statement.iter if isinstance(statement, gast.For) else statement]


def _check_memory(reverse: Reverse, statement: gast.stmt, node: gast.AST) -> None:
    if not any(map(_stores, of_class(node, gast.Subscript, gast.AugAssign))) and all(
        _is_elementary(call, reverse.kinds) for call in of_class(node, gast.Call)
    ):
        if all(_is_plain(reverse.kinds.of(n)) for n in of_class(node, gast.Name, gast.Attribute)):
            return
    changed = changed_by(node, statement, *reverse.effects)
    if not changed:
        return
    body = reverse.definitions.body
    for read in _read_by_pullbacks(reverse, statement):
        if memory_shared([read.value], changed):
            raise _refused(statement, "changes", read.name)
    lent = lent_memory(reverse)
    for identifier in sorted(lent):
        if memory_shared(lent[identifier], changed):
            raise UnsupportedSyntaxError(
                f"this call changes an array outside of the function, which `{identifier}` may be",
                origin_of(statement),
                why="the reverse sweep would read its new content",
                cure=f"copy it when you get it: `{identifier} = {identifier}.copy()`",
            )
    for identifier, _, _, value in outer_names(reverse):
        if memory_shared([value], changed):
            if _read_before(body, statement, partial(_is_read_beside, identifier, statement)):
                raise _refused(statement, "changes", identifier)


def _stores(node: gast.AST) -> bool:
    return isinstance(node, gast.AugAssign) or not isinstance(node.ctx, gast.Load)


def _is_elementary(call: gast.Call, kinds: Kinds) -> bool:
    """Whether a call computes something of numbers and arrays, and that is all."""
    if kinds.numbers.issuperset(reads(call)):
        return True
    operation = None if call.keywords else kinds.operation(call)
    function = None if operation is None else operation.function
    return isinstance(function, np.ufunc) and len(call.args) <= function.nin


def check_bound(reverse: Reverse, statement: gast.stmt, node: gast.AST) -> None:
    """Calls after which a name from outside that was read before may be another value.

    Refused in a loop. Elsewhere that depends on whether the reverse sweep reads it in the end.
    """
    roots = run_by(node, reverse.kinds)
    if not roots:
        return
    rebinds = rebinding(roots)
    for read in _read_by_pullbacks(reverse, statement):
        if rebinds(read.owner, read.name):
            raise _refused(statement, "rebinds", read.name, _what(read.owner))
    for identifier, owner, own, _ in outer_names(reverse):
        if not rebinds(owner, own):
            continue
        asked = partial(is_read, identifier)
        before = _read_before(reverse.definitions.body, statement, asked)
        if before is not None:
            error = _refused(statement, "rebinds", identifier, _what(owner))
            if isinstance(before, (gast.For, gast.While)):
                raise error
            reverse.rebound.setdefault(identifier, error)


def _refused(
    statement: gast.stmt, does: str, identifier: str, what: str = "global"
) -> UnsupportedSyntaxError:
    return UnsupportedSyntaxError(
        f"this call {does} the {what} `{identifier}`, which the function reads",
        origin_of(statement),
        why="the reverse sweep would read its new value",
        cure=f"pass `{identifier}` as an argument of the function",
    )


_UNASKED = frozenset((Array, Scalar, Numeric, Text, Local, type(None), Static, Bound, OneOf))
"""Kinds of values of which an operator, a test or an attribute runs no code of the user's."""


def _is_plain(kind: Kind | None) -> bool:
    return kind.__class__ in _UNASKED


def _what(owner: object) -> str:
    if owner is ATTRIBUTE:
        return "attribute"
    return "outer variable" if isinstance(owner, types.CellType) else "global"


def _read_by_pullbacks(reverse: Reverse, statement: gast.stmt) -> Iterator[Read]:
    """What functions read that are called again, or have a pullback, of calls before this is over.

    These are functions that call themselves, steps that are checkpointed, integrands.
    """
    body, kinds = reverse.definitions.body, reverse.kinds
    for call in of_class(body, gast.Call):
        roots = called_by(call, kinds) if reads(call) & reverse.active else []
        if roots and _read_before(body, statement, partial(_is_inside, call, statement)):
            operation = kinds.operation(call)
            again = operation is not None and operation.function is checkpointed_steps
            for read in outer_reads(roots):
                if again or read.owner is not ATTRIBUTE:  # which a pullback keeps
                    yield read


def _is_inside(call: gast.Call, but: gast.stmt, node: gast.AST) -> bool:
    return node is not but and any(call is part for part in of_class(node, gast.Call))


def _read_before(
    body: list[gast.stmt], statement: gast.stmt, read: Callable[[gast.AST], bool]
) -> gast.stmt | None:
    """A statement that may read something from outside before this one is over; a loop around both.

    The reverse sweep asks no test of an `if` that binds nothing: `if TABLE is None: load()`.
    """
    for node in body:
        if statement not in walk(node):
            if read(node):
                return node
        elif node is statement:
            runs = _run_first(node) if not isinstance(node, (gast.For, gast.While)) else [node]
            return node if any(map(read, runs)) else None
        elif isinstance(node, gast.If) and not (writes(node) and read(node.test)):
            inner = node.body if any(statement in walk(n) for n in node.body) else node.orelse
            return _read_before(inner, statement, read)
        else:
            return node if read(node) else None
    return statement  # it is in the body of a function that is defined inside


def _is_read_beside(identifier: str, but: gast.stmt, node: gast.AST) -> bool:
    """Whether a name is read in a tree beside one statement."""
    inside = set(map(id, walk(but)))
    name = identifier.partition(".")[0]
    names = (n for n in of_class(node, gast.Name) if n.id == name and id(n) not in inside)
    return is_read(identifier, node) and any(names)


def is_read(identifier: str, node: gast.AST) -> bool:
    """Whether a name, or an attribute of one (`config.step`), is read anywhere in a tree."""
    root, _, attribute = identifier.partition(".")
    if root not in reads(node):
        return False
    return not attribute or any(n.attr == attribute for n in of_class(node, gast.Attribute))


def lent_memory(reverse: Reverse) -> dict[str, list[Any]]:
    """For names that hold what a function returned: what from outside it may be, or hold."""
    whole, code = reverse.effects
    found: dict[str, list[Any]] = {}
    for node in walk(reverse.definitions.body):
        if isinstance(node, gast.Assign) and isinstance(node.value, gast.Call):
            for own in writes(node.targets):
                if has_memory(own, reverse.kinds):
                    held = whole.everything(whole.of(name(own), code))
                    found[own] = [v for v in held.values() if not isinstance(v, INSIDE)]
    return found


def outer_names(reverse: Reverse) -> Iterator[tuple[str, object, str, Any]]:
    """What the function reads and does not bind: its text, whose name it is, and what it holds."""
    scope = reverse.kinds.scope
    space = scope.namespace
    modules: dict[str, types.ModuleType] = {}
    for identifier in sorted({*scope.found, *scope.helpers, *reverse.kinds.globals}):
        cell = scope.helpers.get(identifier, space.cells.get(identifier))
        value = scope.meant(identifier)
        if isinstance(value, types.ModuleType):
            modules[identifier] = value
        owner = cell if isinstance(cell, types.CellType) else space.globals
        yield identifier, owner, identifier, value
    for node in of_class(reverse.definitions.body, gast.Attribute):  # what other modules hold
        module = modules.get(getattr(node.value, "id", ""))
        if module is not None and not is_library(module.__name__):
            text = f"{node.value.id}.{node.attr}"
            yield text, vars(module), node.attr, getattr(module, node.attr, None)
