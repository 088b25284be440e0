"""In a gradient that is differentiated again, opaque functions work on memory of their own.

    u[1:] = smoothed(v)                 v_given = v.copy()
                                        u[1:] = smoothed(v_given)

Such a gradient keeps operands and result on its tape while `u` changes, so it matters whose memory
the result is, which nobody knows. To the user's function a copy is the same where it does not look
at both again. A result that changes itself is copied, too.
"""

from __future__ import annotations

from collections.abc import Callable

import gast

from autodiff.analysis.alias import alias
from autodiff.analysis.conflicts import is_apart
from autodiff.analysis.kind import Array
from autodiff.analysis.kinds import kinds
from autodiff.analysis.known import Kinds
from autodiff.analysis.references import borrowed
from autodiff.normalize.build import assign
from autodiff.normalize.rebind import within
from autodiff.pipeline.beginnings import depends_on_layout
from autodiff.pipeline.unit import Unit
from autodiff.syntax.names import name, substitute
from autodiff.syntax.origin import origin_of
from autodiff.syntax.quote import quote
from autodiff.syntax.walk import of_class, shallow

Copying = Callable[[gast.Assign], list[gast.stmt]]


def apart(unit: Unit, known: Kinds) -> Kinds:
    """Copy operands and results of functions with given derivatives that may change."""
    if not _of_memory(unit, known) or depends_on_layout(unit.tree):
        return known
    known = _rewritten(unit, known, lambda s: _on_copies(unit, s, borrowed(s.value, known)))
    return _rewritten(unit, known, lambda s: _copied(unit, s))


def _rewritten(unit: Unit, known: Kinds, copying: Copying) -> Kinds:
    """Rewrite the assignments whose result may be memory that changes, where it is the same."""
    aliases = alias(unit.tree, known)
    found = [s for s in _of_memory(unit, known) if aliases.is_changed(s.targets[0].id)]
    chosen = {id(s) for s in found if is_apart(unit.tree, known, s)}
    if not chosen:
        return known

    def block(statements: list[gast.stmt]) -> list[gast.stmt]:
        return [part for s in statements for part in one(s)]

    def one(statement: gast.stmt) -> list[gast.stmt]:
        return copying(statement) if id(statement) in chosen else [within(statement, block)]

    unit.tree = within(unit.tree, block)
    return kinds(unit.tree, unit.given, unit.scope, unit.recursion.result)


def _of_memory(unit: Unit, known: Kinds) -> list[gast.Assign]:
    """Assignments of arrays that functions with given derivatives make, perhaps of others."""
    return [s for s in of_class(unit.tree, gast.Assign) if _is_of_memory(s, known)]


def _is_of_memory(statement: gast.Assign, known: Kinds) -> bool:
    target, value = statement.targets[0], statement.value
    if not isinstance(target, gast.Name) or not isinstance(value, gast.Call):
        return False
    operation = known.operation(value)
    rule = None if operation is None else operation.rule
    if rule is None or not rule.custom:
        return False
    sources = borrowed(value, known)
    return bool(sources) and all(
        isinstance(known.names.get(n), Array) for n in (target.id, *sources)
    )


def _on_copies(unit: Unit, statement: gast.Assign, sources: set[str]) -> list[gast.stmt]:
    """`v_given = v.copy()`, `y = smoothed(v_given)`."""
    given = {n: unit.names.fresh(f"{n}_given") for n in sorted(sources)}
    unit.temporaries |= {*given.values()}
    origin = origin_of(statement)
    copies = [assign(own, quote("x.copy()", x=n), origin) for n, own in given.items()]
    new = shallow(statement)
    new.value = substitute(statement.value, {n: name(own) for n, own in given.items()})
    return [*copies, new]


def _copied(unit: Unit, statement: gast.Assign) -> list[gast.stmt]:
    """`y_given = smoothed(v)`, `y = y_given.copy()`."""
    own = unit.names.fresh(f"{statement.targets[0].id}_given")
    unit.temporaries.add(own)
    new = shallow(statement)
    new.value = quote("x.copy()", x=own)
    return [assign(own, statement.value, origin_of(statement)), new]
