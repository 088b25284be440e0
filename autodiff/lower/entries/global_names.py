"""Globals that a function assigns: places outside like any other, parts of their module.

global TOTAL
TOTAL = TOTAL + x                 module.TOTAL = TOTAL_2 = TOTAL + x
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import gast

from autodiff.core.notyet import NotYet
from autodiff.lower.entries import cells
from autodiff.lower.entries.entry import Entry, Outer
from autodiff.lower.entries.outer import reading, static_attribute
from autodiff.syntax.names import writes
from autodiff.syntax.walk import children

if TYPE_CHECKING:
    from autodiff.lower.expression.values import Values
    from autodiff.lower.flow.frame import Frame

SCOPES = (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda, gast.ClassDef)


def flat(nodes: list[gast.stmt]) -> Iterator[gast.AST]:
    """Statements and what is in them, but not in functions."""
    todo: list[gast.AST] = list(nodes)
    while todo:
        node = todo.pop()
        yield node
        if not isinstance(node, SCOPES):
            todo += children(node)


def declared(body: list[gast.stmt], how: type = gast.Global) -> set[str]:
    """The variables of others that a function says it assigns."""
    found: Iterator[Any] = (node for node in flat(body) if isinstance(node, how))
    return {each for node in found for each in node.names}


def check_declared(frame: Frame) -> None:
    """Globals are bound by assignments alone."""
    body = frame.tree.body
    assigned: list[gast.AST] = []
    for node in flat(body):
        if isinstance(node, (gast.Assign, gast.AugAssign)):
            targets = node.targets if isinstance(node, gast.Assign) else [node.target]
            assigned += [part for target in targets for part in gast.walk(target)]
    bound = [node for node in flat(body) if isinstance(node, gast.Name)]
    other = {n.id for n in bound if not isinstance(n.ctx, gast.Load) and n not in assigned}
    names = {node.id for node in assigned if isinstance(node, gast.Name)}
    if frame.declared & (other | (writes(body) - names)):
        raise NotYet("a global that is bound in another way")


def put(expressions: Values, identifier: str, entry: Entry) -> None:
    """A global holds something else."""
    space = expressions.frame.space()
    module = sys.modules.get(str(space.globals.get("__name__")))
    if identifier in space.cells or module is None or vars(module) is not space.globals:
        raise NotYet("a global of a module that is not there")
    own = expressions.unit.references.use(module.__name__.rpartition(".")[2], module)
    cells.put(expressions, space.globals, identifier, f"{own}.{identifier}", entry)


def imported(expressions: Values, node: gast.Import | gast.ImportFrom) -> dict[str, Entry]:
    """What an import in a block or in an inner function binds: of modules that are there."""
    found: dict[str, Entry] = {}
    for alias in node.names:
        word = getattr(node, "module", None) or alias.name
        module, use = sys.modules.get(word), expressions.unit.references.use
        whole = isinstance(node, gast.Import)
        if module is None or getattr(node, "level", None) or whole and "." in word:
            raise NotYet("an import of what is not there yet")
        own, path = alias.asname or alias.name, use(word.rpartition(".")[2], module)
        if whole:
            found[own] = reading(expressions, module, path)
        else:
            found[own] = static_attribute(expressions, Outer(module, path), alias.name)
    return found
