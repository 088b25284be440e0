"""Iterators of the user's classes as generators: `__iter__`, and `__next__` until StopIteration."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

import gast

from autodiff.core.notyet import NotYet
from autodiff.lower.entries.boxes import Method, called, special
from autodiff.lower.entries.entry import Entry
from autodiff.lower.flow import generators
from autodiff.lower.flow.expansion import Text
from autodiff.normalize.build import at, repeat
from autodiff.normalize.build import constant as written
from autodiff.syntax.definition import definition
from autodiff.syntax.walk import clone

if TYPE_CHECKING:
    from autodiff.lower.statement.statements import Statements

_trees: dict[Any, gast.FunctionDef] = {}


def stepwise(statements: Statements, entry: Entry) -> Text | None:
    """What an object of the user's gives, as a generator; None for what has no `__next__`."""
    following = special(statements, entry, "__next__")
    itself = special(statements, entry, "__iter__")
    if isinstance(following, Method) or isinstance(itself, Method):
        raise NotYet("an iterator of a class that is defined inside")
    if itself is not None and following is None:
        if inspect.isgeneratorfunction(itself):
            return generators.text(statements, itself, entry)
        return None
    if following is None:
        return None
    if itself is not None and called(statements, itself, [entry]) != entry:
        raise NotYet("an iterator that gives another")
    return generators.text(statements, following, entry, until_stop)


def until_stop(tree: gast.FunctionDef) -> gast.FunctionDef:
    """`__next__` as a generator.

    before: `def __next__(self): ...; return x`
    after: `def __next__(self): while True: ...; yield x`
    """
    if any(
        isinstance(part, (gast.For, gast.While, gast.Try, gast.With)) for part in gast.walk(tree)
    ):
        raise NotYet("a method __next__ with blocks")
    origin = getattr(tree.body[-1], "origin", None)
    body = _block([clone(statement) for statement in tree.body])
    made = definition(tree.name, tree.args, [repeat(written(True), body, [], origin)])
    made.origin = getattr(tree, "origin", None)
    return made


def _block(body: list[gast.stmt]) -> list[gast.stmt]:
    done: list[gast.stmt] = []
    for statement in body:
        origin = getattr(statement, "origin", None)
        if isinstance(statement, gast.Return):
            value = statement.value or written(None)
            done += [at(gast.Expr(value=gast.Yield(value=value)), origin)]
            done += [at(gast.Continue(), origin)]
        elif isinstance(statement, gast.Raise) and _stops(statement.exc):
            done.append(at(gast.Return(value=None), origin))
        else:
            if isinstance(statement, gast.If):
                statement.body = _block(statement.body)
                statement.orelse = _block(statement.orelse)
            done.append(statement)
    return done


def _stops(error: Any) -> bool:
    error = error.func if isinstance(error, gast.Call) else error
    return isinstance(error, gast.Name) and error.id == "StopIteration"
