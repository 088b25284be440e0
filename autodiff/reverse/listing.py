"""The items of a block, listed: their primal statements, their names, their definitions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import gast

from autodiff.reverse.clauses import tried
from autodiff.reverse.items import Attempt, Block, Branch, Loop, Step
from autodiff.syntax.names import caught, writes
from autodiff.syntax.walk import map_children, walk


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



def occurrences(items: Block) -> Counter[str]:
    """How often each name occurs in a block, adjoint code included."""
    counts: Counter[str] = Counter()
    for item in items:
        if isinstance(item, Step):
            nodes: Iterable[gast.AST] = [*item.primal, *item.adjoint]
        elif isinstance(item, Branch):
            counts += occurrences(item.then) + occurrences(item.orelse)
            nodes = [item.primal.test, item.flag]
        elif isinstance(item, Loop):
            counts += occurrences(item.body)
            nodes = [item.header.iter, item.header.target]
            if isinstance(item.primal, gast.For):
                nodes = [*nodes, item.primal.iter, item.primal.target]
            else:
                nodes = [*nodes, item.primal.test]
        elif isinstance(item, Attempt):
            for block in (item.body, item.orelse, item.final, *item.handlers):
                counts += occurrences(block or [])
            handlers = item.primal.handlers
            nodes = [handler.type for handler in handlers if handler.type is not None]
            for handler, block in zip(handlers, item.handlers):
                counts.update(caught(handler))
                nodes += [] if block is not None else handler.body
        else:
            counts += occurrences(item.body)
            nodes = item.primal.items
        for node in nodes:
            counts.update(n.id for n in walk(node) if isinstance(n, gast.Name))
    return counts



def defined_in_order(items: Block) -> list[str]:
    """Names in the order of their first definition."""
    found: dict[str, None] = {}
    for statement in primal_of(items):
        found.update(dict.fromkeys(sorted(writes(statement))))
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
