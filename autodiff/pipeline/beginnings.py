"""What a derivative begins with: the arguments that the function changes are checked and copied."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import gast

from autodiff.analysis.alias import Aliases, changed_at
from autodiff.analysis.kind import Array, Scalar
from autodiff.analysis.known import Kinds
from autodiff.analysis.references import has_memory, is_entry, outer_arrays
from autodiff.pipeline.unit import Unit
from autodiff.syntax.names import name, parameters, substitute
from autodiff.syntax.quote import quote
from autodiff.syntax.walk import of_class, shallow

Helper = Callable[[str], gast.expr]


@dataclass(frozen=True, slots=True)
class Beginnings:
    """The statements before the forward sweep, and the forward sweep."""

    statements: list[gast.stmt]
    forward: list[gast.stmt]


def beginnings(
    unit: Unit, known: Kinds, aliases: Aliases, helper: Helper, forward: list[gast.stmt]
) -> Beginnings:
    """Checks that arrays which are changed share no memory with other arguments, and copies.

    Nor with arrays from outside, which both sweeps read: the copy would not change with them.
    Arrays that are parts of objects are copied where the forward sweep reads them.
    """
    statements: list[gast.stmt] = []
    given = parameters(unit.tree.args)
    parts = _parts(forward, known)
    opened = known.scope.opened
    whole = [p for p in given if has_memory(p, known) and p not in opened]
    values = {**{p: name(p) for p in whole}, **parts}
    arrays = [p for p in values if isinstance(known.names.get(p), Array)]
    changing = [p for p in arrays if aliases.is_changed(p)]
    updated = [p for p in arrays if p in unit.updated and p not in changing]
    outer = outer_arrays(unit.tree, known) if changing or updated else []
    for index, parameter in enumerate([*changing, *updated]):
        is_kept = parameter not in changing
        among = [p for p in values if not is_kept or p in parts or p not in arrays]
        others = [*(p for p in among if p not in changing[: index + 1]), *outer]
        if others:
            given_as = {**{n: name(n) for n in outer}, **values}
            pairs = [gast.keyword(arg=p, value=given_as[p]) for p in (parameter, *others)]
            check = gast.Expr(value=gast.Call(func=helper("apart"), args=[], keywords=pairs))
            check.origin = changed_at(parameter, unit.tree.body, known, aliases)
            statements.append(check)
    for parameter in given:
        kind = known.names.get(parameter)
        if aliases.is_changed(parameter) and not isinstance(kind, Scalar):
            copied = quote("f(x)", f=helper("copied"), x=parameter)
            if isinstance(kind, Array):
                copied = _copied(name(parameter), unit, helper)
            statements.append(gast.Assign(targets=[name(parameter, gast.Store())], value=copied))
    copying = set(changing) & set(parts)
    return Beginnings(statements, [_entered(s, copying, unit, known, helper) for s in forward])


def _parts(forward: list[gast.stmt], known: Kinds) -> dict[str, gast.expr]:
    """The variables that hold parts of the caller's objects on entry, and where those are.

    Arrays, and whatever may hold arrays in its turn.
    """
    objects: dict[str, gast.expr] = {}
    found: dict[str, gast.expr] = {}
    for statement in forward:
        target = statement.targets[0] if isinstance(statement, gast.Assign) else None
        if isinstance(target, gast.Name):
            if target.id in known.scope.opened:
                objects[target.id] = substitute(statement.value, objects)
            elif is_entry(statement, known) and has_memory(target.id, known):
                found[target.id] = substitute(statement.value, objects)
    return found


def _entered(
    statement: gast.stmt, copying: set[str], unit: Unit, known: Kinds, helper: Helper
) -> gast.stmt:
    """`u = state.u` with a copy, if that is changed."""
    if not is_entry(statement, known) or statement.targets[0].id not in copying:
        return statement
    new: gast.stmt = shallow(statement)
    new.value = _copied(statement.value, unit, helper)
    return new


def _copied(array: gast.expr, unit: Unit, helper: Helper) -> gast.expr:
    if depends_on_layout(unit.tree):
        return quote("f(x)", f=helper("replica"), x=array)
    return quote("x.copy()", x=array)


_LAYOUT = frozenset("reshape ravel view flat ascontiguousarray asfortranarray require".split())


def depends_on_layout(tree: gast.FunctionDef) -> bool:
    """Whether something may be a view or a copy, as the array lies in memory."""
    attributes = [node.attr for node in of_class(tree, gast.Attribute)]
    return not _LAYOUT.isdisjoint(attributes + [node.id for node in of_class(tree, gast.Name)])
