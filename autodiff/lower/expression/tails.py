"""What a function returns goes through `given_out`, on each path by itself.

if len(a) < 2:                      if len(a) < 2:
    result = a                          result = given_out(a)
else:                               else:
    result = lower + upper              result = given_out(lower + upper)
return result                       return result
"""

from __future__ import annotations

import copy
from dataclasses import replace

import gast

from autodiff.lower.flow.form import Form
from autodiff.normalize.build import assign
from autodiff.syntax.names import name

GIVEN_OUT = "given out"
"""The variable that holds `given_out`, of a name that nobody else has."""


def with_packed(form: Form) -> Form:
    """The form of a function that gives a list of numbers as an array."""
    tree = copy.copy(form.tree)
    *body, last = tree.body
    own = last.value
    if isinstance(own, gast.Name):
        tree.body = [*packed(body, own.id, last), last]
    elif own is not None:
        last = copy.copy(last)
        last.value = given(own)
        tree.body = [*body, last]
    return replace(form, tree=tree)


def packed(body: list[gast.stmt], own: str, last: gast.stmt) -> list[gast.stmt]:
    """Statements at whose ends a variable is what is given out."""
    if body and isinstance(body[-1], gast.If):
        branch = copy.copy(body[-1])
        branch.body = packed(branch.body, own, last)
        branch.orelse = packed(branch.orelse, own, last)
        return [*body[:-1], branch]
    if body and isinstance(body[-1], gast.Raise):
        return body
    return [*body, assign(own, given(name(own)), getattr(last, "origin", None))]


def given(value: gast.expr) -> gast.expr:
    """`given_out(value)`."""
    return gast.Call(name(GIVEN_OUT), [value], [])
