"""Nested functions that nobody calls any more, since their calls were inlined, are left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial

import gast

from autodiff.optimize.change import blocks, map_blocks, unchanged
from autodiff.syntax.names import caught, reads, writes
from autodiff.syntax.walk import children, statements

_BLOCKED = (gast.If, gast.For, gast.While, gast.With, gast.Try)


def unread_functions(
    tree: gast.FunctionDef, makes: Callable[[gast.expr], bool] | None = None
) -> gast.FunctionDef:
    """The tree without definitions that only each other read.

    `makes` says which calls do nothing but make a function: `partial(f, x)`.

    >>> import ast, gast
    >>> tree = gast.parse('''
    ... def f(x):
    ...     def g(t):
    ...         return g(t - 1) if t else h(t)
    ...     h = lambda t: t * x
    ...     return x * x
    ... ''').body[0]
    >>> print(ast.unparse(gast.gast_to_ast(unread_functions(tree))))
    def f(x):
        return x * x
    """
    every = statements(tree.body)
    if makes is None:  # as a rule there are none
        every = [
            s
            for s in every
            if s.__class__ is gast.FunctionDef
            or s.__class__ is gast.Assign and s.value.__class__ is gast.Lambda
        ]
    defined = partial(_defined, makes or _makes_none)
    if not any(map(defined, every)):
        return tree
    every_made: list[tuple[str, gast.stmt]] = []
    times: Counter[str] = Counter()
    read: set[str] = set()

    def look(block: list[gast.stmt]) -> None:
        for statement in block:
            own = defined(statement)
            if isinstance(statement, _BLOCKED):
                inside = blocks(statement)
                whole = {id(part) for inner in inside for part in inner}
                for head in children(statement):
                    if isinstance(head, gast.ExceptHandler):
                        times.update(caught(head))
                        read.update(() if head.type is None else reads(head.type))
                    elif id(head) not in whole:
                        times.update(writes(head))
                        read.update(reads(head))
                for inner in inside:
                    look(inner)
                continue
            times.update(writes(statement))
            if own is None:
                read.update(reads(statement))
            else:
                every_made.append((own, statement))

    look(tree.body)
    if not every_made:
        return tree
    made = {own: statement for own, statement in every_made if times[own] == 1}
    todo = list(read)
    for own, statement in every_made:
        todo.extend(() if own in made else reads(statement))  # which of them is read is not known
    for statement in made.values():
        if isinstance(statement, gast.FunctionDef):  # what is evaluated where it is defined
            todo.extend(n for d in _defaults(statement) for n in reads(d))
    live: set[str] = set()
    while todo:
        own = todo.pop()
        if own not in live:
            live.add(own)
            todo.extend(reads(made[own]) if own in made else ())
    gone = {id(statement) for own, statement in made.items() if own not in live}
    if not gone:
        return tree

    def block(body: list[gast.stmt]) -> list[gast.stmt]:
        kept = [map_blocks(block, s) if isinstance(s, _BLOCKED) else s for s in body]
        kept = [s for s in kept if id(s) not in gone]
        return body if unchanged(kept, body) else kept

    new: gast.FunctionDef = map_blocks(block, tree)
    return new


def _makes_none(value: gast.expr) -> bool:
    return False


def _defined(makes: Callable[[gast.expr], bool], statement: gast.stmt) -> str | None:
    """The name of the nested function that a statement makes; None if it may do more."""
    cls = statement.__class__
    if cls is gast.FunctionDef:
        simple = all(isinstance(d, (gast.Constant, gast.Name)) for d in _defaults(statement))
        return statement.name if simple and not statement.decorator_list else None
    if _is_lambda(statement):
        target = statement.targets[0]
        simple = all(isinstance(d, (gast.Constant, gast.Name)) for d in _defaults(statement.value))
        return target.id if simple and isinstance(target, gast.Name) else None
    if cls is gast.Assign and statement.value.__class__ is gast.Call:
        target = statement.targets[0]
        return target.id if isinstance(target, gast.Name) and makes(statement.value) else None
    return None


def _is_lambda(statement: gast.stmt) -> bool:
    return statement.__class__ is gast.Assign and statement.value.__class__ is gast.Lambda


def _defaults(node: gast.FunctionDef | gast.Lambda) -> list[gast.expr]:
    return [d for d in (*node.args.defaults, *node.args.kw_defaults) if d is not None]
