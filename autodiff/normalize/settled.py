"""Parameters that a function gives another value, where the call decides whether it does.

    def total(x, out=None):                 y = total(x)        out = np.zeros(3)
        if out is None:                                         out[0] = x[0] ** 2
            out = np.zeros(3)                                   y = np.sum(out)
        out[0] = x[0] ** 2
        return np.sum(out)

Else `out` would be None or an array, for all that is known of it.
"""

from __future__ import annotations

from collections.abc import Callable

import gast

from autodiff.normalize.build import skip
from autodiff.normalize.spelled import spelled
from autodiff.syntax.names import captured, name, reads, substitute, writes
from autodiff.syntax.origin import origin_of
from autodiff.syntax.walk import COMPOUND, of_class, shallow

_IN_PARTS = (gast.AugAssign, gast.Delete, *COMPOUND)
"""Statements that may read a parameter and assign it, or may not come to that."""
_BLOCKS_OF = {
    gast.If: ("body", "orelse"),
    gast.For: ("body", "orelse"),
    gast.While: ("body", "orelse"),
}
_DEFINING = (gast.NamedExpr, gast.Lambda, gast.ListComp, gast.GeneratorExp)


def settled(
    body: list[gast.stmt],
    bound: dict[str, gast.expr],
    decide: Callable[[gast.expr, dict[str, gast.expr]], bool | None],
    freely: bool = False,
) -> tuple[list[gast.stmt], dict[str, gast.expr]]:
    """The body without such tests, and the arguments that are still to be given to parameters.

    Nor is there a test left that constants decide (of what a call leaves out, as a rule), nor one
    for None of an argument that is something. `decide`
    tells the outcome of a test by the arguments of the parameters in it. If it tells none, all is
    left as it is. `freely`: any argument may decide any test.
    """
    given_body = body
    body, bound = spelled(body, bound)
    assigned, held = writes(body), captured(body)
    fixed = {p: v for p, v in bound.items() if p not in assigned and _is_simple(v)}
    if fixed or body is not given_body:
        body = _chosen(body, lambda test: _by_fixed(test, fixed, decide, freely))
        assigned = writes(body)
    known = {
        parameter: value
        for parameter, value in bound.items()
        if parameter in assigned and parameter not in held and _is_simple(value)
    }
    if not known or not any(isinstance(statement, gast.If) for statement in body):
        return body, bound
    taken = {n.id for n in of_class(body, gast.Name)} | bound.keys()
    given = {
        p: name(_free(f"{p}_given", taken)) if isinstance(v, gast.Name) else v
        for p, v in known.items()
    }
    """What each parameter is at this place; a name of the caller's under one that nobody writes."""
    named = {value.id: known[p] for p, value in given.items() if isinstance(value, gast.Name)}
    at_first: set[str] = set()
    """Those that must be variables from the start."""
    found = False
    out: list[gast.stmt] = []
    waiting = list(body)
    while waiting:
        statement = waiting.pop(0)
        changed = given.keys() & writes(statement)
        asked = isinstance(statement, gast.If) and reads(statement.test) & given.keys()
        if asked and (changed or freely):
            is_plain = not of_class(statement.test, *_DEFINING)
            here = {parameter: known[parameter] for parameter in given}
            outcome = decide(statement.test, here) if is_plain else None
            if outcome is not None:
                found = True
                waiting[:0] = statement.body if outcome else statement.orelse
                continue
        if isinstance(statement, _IN_PARTS):
            at_first |= changed
            for parameter in changed:
                del given[parameter]
        if given:
            statement = substitute(statement, given)
        out.append(statement)
        for parameter in given.keys() & changed:
            del given[parameter]
    if not found:
        return body, bound
    rest = {p: v for p, v in bound.items() if p not in known or p in at_first}
    return out, {**rest, **named}


def _free(own: str, taken: set[str]) -> str:
    while own in taken:
        own += "_"
    return own


def _by_fixed(
    test: gast.expr,
    fixed: dict[str, gast.expr],
    decide: Callable[[gast.expr, dict[str, gast.expr]], bool | None],
    freely: bool,
) -> bool | None:
    """The outcome of a test by arguments that are constants, or of `p is None` by any."""
    own = {p: fixed[p] for p in reads(test) & fixed.keys()}
    if not freely and not _asks_for_none(test):
        own = {p: value for p, value in own.items() if not isinstance(value, gast.Name)}
    told = own or not reads(test)
    return decide(test, own) if told and not of_class(test, *_DEFINING) else None


def _asks_for_none(test: gast.expr) -> bool:
    """Whether a test is `p is None` or `p is not None`."""
    return (
        isinstance(test, gast.Compare)
        and isinstance(test.left, gast.Name)
        and isinstance(test.ops[0], (gast.Is, gast.IsNot))
        and isinstance(test.comparators[0], gast.Constant)
    )


def _chosen(
    body: list[gast.stmt], outcome: Callable[[gast.expr], bool | None]
) -> list[gast.stmt]:
    """The block with the branch in place of each `if` whose outcome is known."""
    out: list[gast.stmt] = []
    for statement in body:
        if isinstance(statement, gast.If) and not of_class(statement.body, gast.Break):
            found = outcome(statement.test)
            if found is not None:
                out.extend(_chosen(statement.body if found else statement.orelse, outcome))
                continue
        out.append(_inside(statement, outcome))
    return out if out != body else body


def _inside(statement: gast.stmt, outcome: Callable[[gast.expr], bool | None]) -> gast.stmt:
    """A statement with the blocks in it chosen likewise; itself if nothing changes."""
    if statement.__class__ not in _BLOCKS_OF:
        return statement
    new = shallow(statement)
    changed = False
    for field in _BLOCKS_OF[statement.__class__]:
        block = getattr(statement, field)
        made = _chosen(block, outcome)
        if made is not block:
            changed = True
            idle = skip(origin_of(statement))
            empty = [gast.copy_location(idle, statement)] if field == "body" else []
            setattr(new, field, made or empty)
    return new if changed else statement


def _is_simple(value: gast.expr) -> bool:
    """Whether a value may be read wherever the parameter is."""
    is_empty = isinstance(value, gast.Tuple) and not value.elts
    return is_empty or isinstance(value, (gast.Name, gast.Constant))
