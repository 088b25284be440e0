"""The items of a block, listed: their primal statements, their names, their definitions."""

from __future__ import annotations

from collections import Counter

import gast

from autodiff.reverse.clauses import tried
from autodiff.reverse.items import Attempt, Block, Branch, Loop, Step
from autodiff.syntax.names import USES, caught
from autodiff.syntax.walk import map_children, of_class


def primal_of(items: Block) -> list[gast.stmt]:
    """The primal statements of a block, without pushes."""
    found: list[gast.stmt] = []
    for item in items:
        if isinstance(item, Step):
            found.extend(item.primal)
        elif isinstance(item, Branch):
            new = map_children(lambda child: child, item.primal)
            new.body = primal_of(item.then) or [idle(None)]
            new.orelse = primal_of(item.orelse)
            found.append(new)
        elif isinstance(item, Attempt):
            handled = [primal_of(block) for block in item.handlers if block is not None]
            body, orelse = primal_of(item.body), primal_of(item.orelse)
            new = tried(item, body, orelse, handled, item.flag is not None)
            new.finalbody = primal_of(item.final)
            found.append(new)
        else:
            new = map_children(lambda child: child, item.primal)
            new.body = primal_of(item.body) or [idle(None)]
            found.append(new)
    return found


def steps(items: Block) -> list[Step]:
    """The steps of a block, those in loops and branches included."""
    found: list[Step] = []
    for item in items:
        if isinstance(item, Step):
            found.append(item)
        elif isinstance(item, Branch):
            found += [*steps(item.then), *steps(item.orelse)]
        elif isinstance(item, Attempt):
            for block in (item.body, item.orelse, item.final, *item.handlers):
                found += steps(block or [])
        else:
            found += steps(item.body)
    return found


def occurrences(items: Block) -> Counter[str]:
    """How often each name occurs in a block, adjoint code included."""
    code: list[gast.AST] = []
    counts: Counter[str] = Counter()
    _collect(items, code, counts)
    counts.update([node.id for node in of_class(code, gast.Name)])
    return counts


def _collect(items: Block, nodes: list[gast.AST], counts: Counter[str]) -> None:
    """Adds the code of a block to `nodes`; to `counts` the names that no node mentions."""
    for item in items:
        if isinstance(item, Step):
            nodes += [*item.primal, *item.adjoint]
        elif isinstance(item, Branch):
            _collect(item.then, nodes, counts)
            _collect(item.orelse, nodes, counts)
            nodes += [item.primal.test, item.flag]
        elif isinstance(item, Loop):
            _collect(item.body, nodes, counts)
            nodes += [item.header.iter, item.header.target]
            if isinstance(item.primal, gast.For):
                nodes += [item.primal.iter, item.primal.target]
            else:
                nodes.append(item.primal.test)
        elif isinstance(item, Attempt):
            for block in (item.body, item.orelse, item.final, *item.handlers):
                _collect(block or [], nodes, counts)
            for handler, block in zip(item.primal.handlers, item.handlers):
                counts.update(caught(handler))
                nodes += [] if handler.type is None else [handler.type]
                nodes += [] if block is not None else handler.body
        else:
            _collect(item.body, nodes, counts)
            nodes += item.primal.items


def defined_in_order(items: Block) -> list[str]:
    """Names in the order of their first definition."""
    found: dict[str, None] = {}
    for statement in primal_of(items):
        found.update(dict.fromkeys(sorted(USES[statement][1])))
    return list(found)


def with_origins(statements: list[gast.stmt], origin: object) -> list[gast.stmt]:
    """Give statements without origin this one."""
    for statement in statements:
        if getattr(statement, "origin", None) is None:
            statement.origin = origin
    return statements


def idle(origin: object) -> gast.stmt:
    statement = gast.Pass()
    statement.origin = origin
    return statement
