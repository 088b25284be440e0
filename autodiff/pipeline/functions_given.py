"""A recursive function that is given functions made here is compiled for these functions.

    def total(x):                                 def adaptive(k, a, b):
        k = x * x                                     def f(t):
        return adaptive(lambda t: k * t, 0, x)            return k * t
                                                      ... adaptive(f, a, m) ...

What the given function reads becomes the first arguments, and its definition the first statement.
Where the recursion hands the function on, the same is done again, which gives the same text, and
so the function that is being compiled.
"""

from __future__ import annotations

import inspect
from dataclasses import replace
from types import CellType, FunctionType, ModuleType

import gast

from autodiff.analysis.cycles import is_made_here
from autodiff.analysis.kind import Bound, Local, Static
from autodiff.analysis.known import Kinds
from autodiff.errors import UnsupportedSyntaxError
from autodiff.frontend.lifted import lifted
from autodiff.frontend.source import Namespace, source
from autodiff.normalize.build import assign
from autodiff.normalize.sites import Direct
from autodiff.pipeline.standing import (
    Nested,
    around,
    as_definition,
    check_values,
    made_of,
    nested,
    renaming,
)
from autodiff.pipeline.unit import Unit
from autodiff.syntax.definition import definition
from autodiff.syntax.names import all_names, name, parameters, reads, rename
from autodiff.syntax.origin import Origin, origin_of
from autodiff.syntax.walk import map_children

_MOST = 8
"""How many functions one recursion is compiled for: more means a new one at each depth."""


def functions_given(
    unit: Unit,
    known: Kinds,
    function: FunctionType,
    arguments: list[gast.expr],
    keywords: list[tuple[str, gast.expr]],
    statement: gast.stmt,
    where: Origin | None,
) -> Direct:
    """The call of a recursive function, as one of a function made for the functions it is given."""
    tree, namespace = unit.recursion.trees.get(function.__code__) or _read(function)
    given = dict(zip(parameters(tree.args), arguments)) | dict(keywords)
    functions = {p: v for p, v in given.items() if is_made_here(known.of(v))}
    found, own = _found(unit, known, functions, where)
    check_values(unit, found.values, statement, where)
    outside = {n for made in (*found.definitions.values(), *own.values()) for n in reads(made)}
    free, cells = _free(unit, outside - known.local, tree, namespace)
    definitions = {n: _plain(made, n, known, cells) for n, made in found.definitions.items()}
    named = {v.id: p for p, v in reversed(functions.items()) if isinstance(v, gast.Name)}
    others = [n for n in found.definitions if n not in named]
    values = [*found.values, *free]
    mapping = renaming([*values, *others, *cells], all_names(tree), {*functions}) | named
    body = [rename(made, mapping) for made in definitions.values()]
    for parameter, made in own.items():
        body.append(as_definition(rename(made, mapping), parameter))
    new: gast.FunctionDef = map_children(lambda child: child, tree)
    new.args = _arguments(tree.args, set(functions), [mapping[n] for n in values])
    new.body = [*body, *tree.body]
    new.name = "_".join([tree.name, "of", *functions])
    apart = replace(
        namespace,
        cells={**namespace.cells, **{mapping[n]: cell for n, cell in cells.items()}},
        defaults=_defaults(tree.args, namespace, set(functions)),
    )
    made = made_of(unit, {new.name: new}, apart)[new.name]
    _check_number(unit, function, made, where)
    positional = [v for p, v in zip(parameters(tree.args), arguments) if p not in functions]
    rest = tuple((k, v) for k, v in keywords if k not in functions)
    return Direct(made, (*map(name, values), *positional), rest)


def _read(function: FunctionType) -> tuple[gast.FunctionDef, Namespace]:
    read = lifted(source(function))
    return read.tree, read.namespace


def _plain(
    made: gast.stmt, own: str, known: Kinds, cells: dict[str, CellType]
) -> gast.stmt:
    """A definition of a function; of a bound method or a partial, one that calls what is bound.

    So the compiler sees which function that is, and what that changes.
    """
    kind = known.names.get(own)
    if not isinstance(kind, Bound):
        return as_definition(made, own)
    if isinstance(kind.function, Local) and isinstance(made.value, gast.Call):
        node, callee = kind.function.node.args, made.value.args[0]
        positional = [a.id for a in (*node.posonlyargs, *node.args)]
        simple = not (node.vararg or node.kwarg or node.posonlyargs or node.defaults)
    elif isinstance(kind.function, Static) and isinstance(kind.function.value, FunctionType):
        function = kind.function.value
        code = function.__code__
        positional = list(code.co_varnames[: code.co_argcount])
        flags = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS
        simple = not (function.__defaults__ or code.co_flags & flags or code.co_kwonlyargcount)
        callee = name(function.__name__)
    else:
        return made
    bound = dict(kind.keywords)
    given = [p for p in positional[len(kind.arguments) :] if p not in bound]
    read = {n for part in (*kind.arguments, *bound.values()) for n in reads(part)}
    if not simple or read & {*given, callee.id}:
        return made
    if isinstance(kind.function, Static):
        cells[callee.id] = CellType(kind.function.value)
    call = gast.Call(
        func=callee,
        args=list(kind.arguments),
        keywords=[gast.keyword(arg=p, value=bound.get(p, name(p))) for p in (*given, *bound)],
    )
    result = gast.Return(value=call)
    gast.copy_location(call, made)
    result.origin = origin_of(made)
    new = definition(own, given, [result])
    new.origin = origin_of(made)
    return new


def _found(
    unit: Unit, known: Kinds, functions: dict[str, gast.expr], where: Origin | None
) -> tuple[Nested, dict[str, gast.stmt]]:
    """What is defined here of the functions given, and the statements that make the others."""
    named: set[str] = set()
    own: dict[str, gast.stmt] = {}
    for parameter, value in functions.items():
        if isinstance(value, gast.Name):
            if value.id in named:  # given twice
                own[parameter] = assign(parameter, value, None)
            named.add(value.id)
        else:
            made = gast.copy_location(assign(parameter, value, None), value)
            made.origin = where
            own[parameter] = made
    return nested(unit, known, named, where, tuple(own.values())), own


def _free(
    unit: Unit, names: set[str], tree: gast.FunctionDef, namespace: Namespace
) -> tuple[list[str], dict[str, CellType]]:
    """Names from outside: those that are handed over like values, and the cells of others.

    A name that means the same where the recursive function stands is neither.
    """
    here, taken = around(unit), all_names(tree)
    values: list[str] = []
    cells: dict[str, CellType] = {}
    for identifier in sorted(names):
        try:
            value = unit.scope.lookup(identifier)
        except (KeyError, ValueError):
            continue
        cell = here.cells.get(identifier)
        if identifier not in taken and cell is None and identifier not in namespace.cells:
            if here.globals is namespace.globals or identifier not in here.globals:
                continue
        if cell is not None:
            if namespace.cells.get(identifier) is not cell:
                cells[identifier] = cell
        elif callable(value) or isinstance(value, ModuleType):
            cells[identifier] = CellType(value)
        else:  # a number may be another one at the next call
            values.append(identifier)
    return values, cells


def _arguments(
    old: gast.arguments, gone: set[str], leading: list[str]
) -> gast.arguments:
    """The parameters without the functions, after those that the functions read."""
    new: gast.arguments = map_children(lambda child: child, old)
    first = [name(n, gast.Param()) for n in leading]
    new.posonlyargs = [a for a in old.posonlyargs if a.id not in gone]
    new.args = [a for a in old.args if a.id not in gone]
    if new.posonlyargs:
        new.posonlyargs = [*first, *new.posonlyargs]
    else:
        new.args = [*first, *new.args]
    pairs = list(zip(old.kwonlyargs, old.kw_defaults))
    new.kwonlyargs = [a for a, _ in pairs if a.id not in gone]
    new.kw_defaults = [d for a, d in pairs if a.id not in gone]
    count = len(old.defaults)
    positional = [a.id for a in (*old.posonlyargs, *old.args)]
    kept = [d for p, d in zip(positional[-count:] if count else [], old.defaults) if p not in gone]
    new.defaults = kept
    return new


def _defaults(old: gast.arguments, namespace: Namespace, gone: set[str]) -> tuple[object, ...]:
    """The values of the defaults that are left."""
    values = namespace.defaults
    positional = [a.id for a in (*old.posonlyargs, *old.args)]
    owners = positional[-len(values) :] if values else []
    return tuple(v for p, v in zip(owners, values) if p not in gone)


def _check_number(
    unit: Unit, function: FunctionType, made: FunctionType, where: Origin | None
) -> None:
    """Refuse a recursion that hands on another function at each depth."""
    versions = unit.recursion.versions.setdefault(function.__code__, set())
    versions.add(made.__code__)
    if len(versions) > _MOST:
        raise UnsupportedSyntaxError(
            f"`{function.__name__}` calls itself with another function each time",
            where,
            why="it is compiled for the functions that it is given, which does not come to an end",
            cure="hand the function on unchanged, and what differs as arguments beside it",
        )
