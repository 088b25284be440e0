"""A nested function that calls itself becomes a function of what it reads around it.

    def total(x, tree):
        def visit(node):
            return node * x if isinstance(node, float) else visit(node[0]) + visit(node[1])
        return visit(tree)

With `x` handed along at each call, `visit(x, node)` may stand anywhere, so it is compiled like any
other function that calls itself, and `x` is an argument like any other. A call hands over what the
variables hold then, which is what the nested function would read: only a function that assigns them
itself could tell the difference.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

import gast

from autodiff.analysis.cycles import comes_to
from autodiff.analysis.kind import Local
from autodiff.analysis.known import Kinds
from autodiff.errors import UnsupportedSyntaxError
from autodiff.normalize.build import assign
from autodiff.normalize.sites import Direct
from autodiff.pipeline.standing import (
    around,
    as_definition,
    check_values,
    definitions_in,
    inner_names,
    made_of,
    nested,
    renaming,
)
from autodiff.pipeline.unit import Unit
from autodiff.syntax.names import name, rename, scope_names
from autodiff.syntax.origin import Origin, origin_of
from autodiff.syntax.walk import clone, map_children


def unnested(
    unit: Unit,
    known: Kinds,
    node: Any,
    arguments: list[gast.expr],
    keywords: list[tuple[str, gast.expr]],
    statement: gast.stmt,
    where: Origin | None,
) -> Direct:
    """The call of a nested function that calls itself, as one of a function of its own."""
    lifted, defining, values = _lifted(unit, known, node, statement, where)
    missing = _defaults(defining, len(arguments), {key for key, _ in keywords})
    return Direct(lifted, (*map(name, values), *arguments), (*keywords, *missing))


def _lifted(
    unit: Unit, known: Kinds, node: Any, statement: gast.stmt, where: Origin | None
) -> tuple[FunctionType, gast.FunctionDef, tuple[str, ...]]:
    """A nested function that calls itself as one of its own, its definition, and what it reads."""
    made = definitions_in(unit, known)
    own = next(n for n in made if any(node in (s, getattr(s, "value", None)) for s in made[n]))
    found = nested(unit, known, {own}, where)
    check_values(unit, found.values, statement, where)
    kinds = {n: known.names.get(n) for n in found.definitions}
    local = {n: kind.node for n, kind in kinds.items() if isinstance(kind, Local)}
    back = [n for n in local if comes_to(local[n], node, known)]
    cyclic = [n for n in back if comes_to(node, local[n], known)]
    group: dict[str, Any] = {n: as_definition(found.definitions[n], n) for n in cyclic}
    beside = {n: s for n, s in found.definitions.items() if n not in group}
    trees = {n: _standing(group[n], found.values, beside, group, where) for n in group}
    return made_of(unit, trees, around(unit))[own], group[own], found.values


def alone(
    unit: Unit, known: Kinds, node: Any, given: int, statement: gast.stmt, where: Origin | None
) -> tuple[FunctionType, tuple[str, ...], tuple[gast.expr, ...]]:
    """A function that is defined inside, as one that takes what it reads around it first.

    And what that is, and the defaults that a call with so many arguments leaves to it.
    """
    if comes_to(node, node, known):
        function, tree, values = _lifted(unit, known, node, statement, where)
        return function, values, tuple(value for _, value in _defaults(tree, given, set()))
    made = [(n, s) for n, all_ in definitions_in(unit, known).items() for s in all_]
    own, defining = next(
        ((n, s) for n, s in made if node in (s, getattr(s, "value", None))), ("", None)
    )
    if defining is None:  # a lambda without a name
        own = unit.names.fresh("function")
        defining = assign(own, node, origin_of(statement))
    defined = as_definition(defining, own)
    found = nested(unit, known, set(), where, (defined,))
    check_values(unit, found.values, statement, where)
    beside = {n: s for n, s in found.definitions.items() if n != own}
    tree = _standing(defined, found.values, beside, {}, where)
    defaults = tuple(value for _, value in _defaults(defined, given, set()))
    return made_of(unit, {own: tree}, around(unit))[own], found.values, defaults


def _standing(
    tree: gast.FunctionDef,
    values: tuple[str, ...],
    beside: dict[str, gast.stmt],
    group: dict[str, gast.FunctionDef],
    where: Origin | None,
) -> gast.FunctionDef:
    """One function of a group, as it may stand anywhere."""
    inside = set().union(*(inner_names(part) for part in (tree, *beside.values())))
    for own in sorted(inside & group.keys()):
        raise UnsupportedSyntaxError(
            f"`{own}`, the name of a nested function that calls itself, is a variable inside, too",
            where,
            why="it is compiled as a function of its own, which is called by that name there",
            cure="use another name for the variable",
        )
    mapping = renaming((*values, *beside), inside, {*group})
    changed = {old: new for old, new in mapping.items() if old != new}
    mine = scope_names(tree)
    leading = [mapping[value] for value in values]
    outer = {old: new for old, new in changed.items() if old not in mine}
    renamed = [rename(statement, outer) for statement in tree.body]
    inner = [rename(statement, changed) for statement in beside.values()]
    body = [
        handed(statement, values, mapping, group, where, mine if k >= len(inner) else set())
        for k, statement in enumerate([*inner, *renamed])
    ]
    new: gast.FunctionDef = map_children(lambda child: child, tree)
    arguments = map_children(lambda child: child, tree.args)
    first = [name(value, gast.Param()) for value in leading]
    if arguments.posonlyargs:
        arguments.posonlyargs = [*first, *arguments.posonlyargs]
    else:
        arguments.args = [*first, *arguments.args]
    arguments.defaults = []
    arguments.kw_defaults = [None for _ in arguments.kw_defaults]
    new.args, new.body, new.decorator_list = arguments, body, []
    return new


def handed(
    node: Any,
    values: tuple[str, ...],
    mapping: dict[str, str],
    group: dict[str, gast.FunctionDef],
    where: Origin | None,
    hidden: set[str],
) -> Any:
    """The node with what the functions of a group read as the first arguments of their calls."""
    if isinstance(node, gast.Call) and isinstance(node.func, gast.Name):
        own = node.func.id
        if own in group and own not in hidden:
            new = map_children(
                lambda child: (
                    clone(child)
                    if child is node.func
                    else handed(child, values, mapping, group, where, hidden)
                ),
                node,
            )
            given = {keyword.arg for keyword in node.keywords}
            if None in given or any(isinstance(a, gast.Starred) for a in node.args):
                missing = []
                if group[own].args.defaults or any(group[own].args.kw_defaults):
                    raise _starred(own, where)
            else:
                missing = _defaults(group[own], len(node.args), given)
                missing = [(k, rename(v, mapping)) for k, v in missing]
            new.args = [*(name(mapping[value]) for value in values), *new.args]
            new.keywords = [*new.keywords, *(gast.keyword(arg=k, value=v) for k, v in missing)]
            return new
    if isinstance(node, gast.Name) and node.id in group and node.id not in hidden:
        raise UnsupportedSyntaxError(
            f"the nested function `{node.id}`, which calls itself, is used as a value",
            where,
            why="it is compiled as a function of its own, which takes what it reads around it as "
            "arguments",
            cure=f"call it in place, as in `lambda v: {node.id}(v)` or a comprehension",
        )
    deeper = hidden | scope_names(node)
    return map_children(lambda child: handed(child, values, mapping, group, where, deeper), node)


def _starred(own: str, where: Origin | None) -> UnsupportedSyntaxError:
    return UnsupportedSyntaxError(
        f"starred arguments of `{own}`, which calls itself and has parameters with defaults",
        where,
        why="how many of the defaults are used is only known at run time",
        cure="pass the arguments one by one",
    )


def _defaults(
    made: gast.stmt, given: int, keywords: set[str | None]
) -> list[tuple[str, gast.expr]]:
    """The parameters that a call leaves to their defaults, and those."""
    arguments = made.args if isinstance(made, gast.FunctionDef) else made.value.args
    positional = [a.id for a in (*arguments.posonlyargs, *arguments.args)]
    values = dict(zip(reversed(positional), reversed(arguments.defaults)))
    found = [(p, values[p]) for p in positional[given:] if p in values and p not in keywords]
    for parameter, value in zip(arguments.kwonlyargs, arguments.kw_defaults):
        if value is not None and parameter.id not in keywords:
            found.append((parameter.id, value))
    return found


