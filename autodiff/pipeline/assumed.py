"""Tests of arguments that are None, decided; where the function is refused with both branches.

    if acc is None:                 assert acc is None
        acc = []                    acc_2 = []

As a rule a user's tests stay: who saves a derivative and calls it with another argument expects
them. A list in one branch and None in the other is a kind that cannot be followed, though. The
assertion keeps the derivative from being used for other arguments.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import gast

from autodiff.analysis.kind import Kind, Static
from autodiff.normalize.sites import Callee
from autodiff.normalize.versions import versions
from autodiff.syntax.make import make
from autodiff.syntax.names import Names, all_names, writes
from autodiff.syntax.origin import origin_of
from autodiff.syntax.walk import shallow

_NONE = Static(None)


def assumed(form: Callee, given: Mapping[str, Kind]) -> Callee | None:
    """The normal form for arguments of these kinds; None if it has no such test."""
    absent = {parameter for parameter, kind in given.items() if kind == _NONE}
    body = _block(form.tree.body, absent)
    if body == form.tree.body:
        return None
    tree = shallow(form.tree)
    tree.body = body
    tree, versioned = versions(tree, Names(all_names(tree)))
    made = {new for new, old in versioned.items() if old in form.temporaries}
    return replace(form, tree=tree, temporaries=form.temporaries | made)


def _block(statements: list[gast.stmt], absent: set[str]) -> list[gast.stmt]:
    """A block that is run once from its beginning to its end, or left."""
    out: list[gast.stmt] = []
    for statement in statements:
        holds = _says_none(statement.test, absent) if isinstance(statement, gast.If) else None
        if holds is None:
            out.append(statement)
            absent -= writes(statement)
            continue
        out.append(_asserted(statement))
        out += _block(statement.body if holds else statement.orelse, absent)
    return out


def _says_none(test: gast.expr, absent: set[str]) -> bool | None:
    """Whether `x is None` or `x is not None` holds, of an argument that is None."""
    if not isinstance(test, gast.Compare) or not isinstance(test.left, gast.Name):
        return None
    (other,) = test.comparators[:1]
    is_none = isinstance(other, gast.Constant) and other.value is None
    if not is_none or len(test.ops) > 1 or test.left.id not in absent:
        return None
    if isinstance(test.ops[0], gast.Is):
        return True
    return False if isinstance(test.ops[0], gast.IsNot) else None


def _asserted(statement: Any) -> gast.stmt:
    test = shallow(statement.test)
    test.ops = [gast.Is()]
    new: gast.stmt = make(gast.Assert, test=test, msg=None)
    gast.copy_location(new, statement)
    new.origin = origin_of(statement)
    return new
