"""What is compiled for calls with the same options has these as constants.

    def newton(f, x0, fprime=None): ...            newton(residual, 1.0, fprime=True)

The half of `newton` for such calls reads `True` for `fprime`, as it would if it were inlined: the
branches for other options are no part of it. The parameter stays; nobody reads it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import gast

from autodiff.analysis.kind import Kind, Scalar, Static
from autodiff.normalize.sites import Callee
from autodiff.syntax.names import parameters, substitute, writes
from autodiff.syntax.walk import map_children, of_class


def options_told(form: Callee, kinds: tuple[Kind, ...]) -> Callee:
    """The function with the values of the parameters whose kinds tell them, if it keeps these."""
    if of_class(form.tree.body, gast.Global, gast.Nonlocal):
        return form
    changed = writes(form.tree.body)
    found: dict[str, gast.expr] = {
        parameter: gast.Constant(value=value, kind=None)
        for parameter, kind in zip(parameters(form.tree.args), kinds)
        if (value := _value(kind)) is not ... and parameter not in changed
    }
    if not found:
        return form
    tree: gast.FunctionDef = map_children(lambda child: child, form.tree)
    tree.body = [substitute(statement, found) for statement in form.tree.body]
    return replace(form, tree=tree)


def _value(kind: Kind) -> Any:
    """None, a flag or a string; `...` for what is none of these."""
    if isinstance(kind, Scalar):
        return kind.value if type(kind.value) is bool and kind.dtype is None else ...
    if isinstance(kind, Static) and (kind.value is None or type(kind.value) is str):
        return kind.value
    return ...
