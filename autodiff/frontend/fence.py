"""Refusing functions of which no part can be differentiated, before any work is done on them."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from dataclasses import dataclass
from typing import NoReturn

import gast

from autodiff.errors import UnsupportedSyntaxError
from autodiff.frontend.source import Source
from autodiff.syntax.names import reads, writes
from autodiff.syntax.origin import Origin, origin_of, place
from autodiff.syntax.walk import children, of_class

_FUNCTIONS = (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda)
_COLLECTING = ("sum", "list", "tuple", "set", "sorted", "max", "min", "fsum", "prod", "reduce")
WHY = (
    "it works on the code or the variables of the function that runs, and those of a "
    "derivative are not those of your function"
)
CURE = "write out what it computes, or do it in a function of its own"
_FRAME_WHEN_BARE = ("vars", "dir")  # given an object, they look at that and not at the function


@dataclass(frozen=True, slots=True)
class _Where:
    """What surrounds a node: the function as a whole, the innermost one, and the statement."""

    source: Source
    function: gast.AST
    origin: Origin | None
    closed: bool = False


def fence(source: Source, closed: bool = False) -> None:
    """Refuse what makes a whole function impossible to differentiate.

    What is impossible only if active data flows through it is left to `activity`. Functions nested
    in the function may be generators or async, as long as they are not differentiated themselves.
    With `closed` they may assign its variables, and all of them globals.

    Raises:
        UnsupportedSyntaxError: names the construct, and what to write in its place.
    """
    if isinstance(source.tree, gast.AsyncFunctionDef):
        _refuse(
            source.tree,
            _Where(source, source.tree, origin_of(source.tree)),
            "an async function",
            why="calling it computes nothing yet",
            cure="move the computation to a plain function and differentiate that",
        )
    if not _is_plain(source.tree):
        for statement in source.tree.body:
            _visit(statement, _Where(source, source.tree, origin_of(statement), closed))


def _is_plain(tree: gast.FunctionDef) -> bool:
    """Whether nothing in a function needs a closer look, as a rule."""
    names = {node.id for node in of_class(tree.body, gast.Name)}
    suspects = _CHECKS.keys() - {gast.Call} | {gast.NamedExpr}
    if not names.isdisjoint(_FRAME_WHEN_BARE):
        return False
    return not of_class(tree.body, *suspects)


def _visit(node: gast.AST, where: _Where) -> None:
    check = _CHECKS.get(type(node))
    if check is not None:
        check(node, where)
    inner = where.function if not isinstance(node, _FUNCTIONS) else node
    for child in children(node):
        origin = getattr(child, "origin", None)
        if origin is not None or inner is not where.function:
            _visit(child, _Where(where.source, inner, origin or where.origin, where.closed))
        else:
            _visit(child, where)


def _refuse(node: gast.AST, where: _Where, what: str, *, why: str, cure: str) -> NoReturn:
    origin = where.origin if isinstance(node, gast.stmt) else place(node, where.origin)
    raise UnsupportedSyntaxError(f"cannot differentiate {what}", origin, why=why, cure=cure)


def _suspends(node: gast.AST, where: _Where) -> None:
    if where.function is where.source.tree:
        _refuse(
            node,
            where,
            "a generator",
            why="a derivative belongs to one result, and a generator hands out many",
            cure="collect the values and return what you make of them",
        )


def _declares(node: gast.Global | gast.Nonlocal, where: _Where) -> None:
    if where.closed and (isinstance(node, gast.Global) or where.function is not where.source.tree):
        return
    assigned = writes(where.function.body)
    for name in node.names:
        if name in assigned:
            _refuse(
                node,
                where,
                f"assignment to the outer variable {name}",
                why="a derivative may run parts of the function again, or leave parts out",
                cure=f"return the new {name} and assign it where the function is called",
            )


def _groups(node: gast.TryStar, where: _Where) -> None:
    _refuse(
        node,
        where,
        "except*",
        why="several of its clauses may run, in an order known only at run time",
        cure="use except",
    )


def _refuse_frame(node: gast.Name, where: _Where) -> None:
    """The local variables of a derivative are not those of the primal."""
    if node.id not in reads(where.source.tree):
        return
    try:
        meant = where.source.namespace.lookup(node.id)
    except KeyError:
        return
    if meant is getattr(builtins, node.id):
        _refuse(
            node,
            where,
            f"through {node.id}",
            why=WHY,
            cure=CURE,
        )


def _called(node: gast.Call, where: _Where) -> None:
    """`vars` and `dir` look at the function only when they are given nothing else; a generator that
    is not run to its end where it stands must not assign what is read outside of it.
    """
    name = node.func
    inner = [part for part in node.args if isinstance(part, gast.GeneratorExp)]
    word = getattr(name, "id", getattr(name, "attr", ""))
    if inner and word not in _COLLECTING:
        uses = [[n.id for n in of_class(t, gast.Name)] for t in (where.source.tree.body, inner)]
        for bound in of_class(inner, gast.NamedExpr):
            if uses[0].count(bound.target.id) > uses[1].count(bound.target.id):
                _refuse(
                    bound,
                    where,
                    f"a generator that assigns {bound.target.id}",
                    why="it is read outside, and how far the generator runs depends on who runs it",
                    cure="write it as a loop",
                )
    if isinstance(name, gast.Name) and name.id in _FRAME_WHEN_BARE and not node.args:
        _refuse_frame(name, where)


_CHECKS: dict[type[gast.AST], Callable[..., None]] = {
    gast.Yield: _suspends,
    gast.YieldFrom: _suspends,
    gast.Await: _suspends,
    gast.Global: _declares,
    gast.Nonlocal: _declares,
    gast.TryStar: _groups,
    gast.Call: _called,
}
