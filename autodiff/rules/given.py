"""The rule of a function of which the derivatives are functions, too."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Mapping, Sequence
from types import CellType, FunctionType
from typing import Any

import gast

from autodiff.rules.template import Narrowing, Rule
from autodiff.syntax.names import name, store


def given_rule(
    function: FunctionType,
    result: str,
    parameters: tuple[inspect.Parameter, ...],
    helpers: Mapping[str, Any],
    adjoints: tuple[list[gast.stmt], dict[str, gast.expr]],
    tangent: gast.expr | None,
    narrowed: Narrowing | None = None,
) -> Rule:
    """The rule that a template would say.

    helpers: what its expressions call, by the names that they use. adjoints: statements, and
    expressions by parameter. narrowed: given where the adjoints are known to have the forms of the
    parameters, and may be asked of some parameters only, with the classes of operands.
    """
    code = function.__code__
    temporaries, by_parameter = adjoints
    return Rule(
        (function,),
        function.__name__,
        result,
        parameters,
        tuple(temporaries),
        by_parameter,
        elementwise=False,
        holomorphic=False,
        linear=False,
        multilinear=False,
        linear_in=(),
        module=sys.modules.get(function.__module__, sys),
        cells={own: CellType(value) for own, value in helpers.items()},
        file=code.co_filename,
        line=code.co_firstlineno,
        tangent=tangent,
        custom=True,
        narrowed=narrowed,
    )


def several(
    call: gast.expr, names: Sequence[str], wrt: Sequence[str]
) -> tuple[list[gast.stmt], dict[str, gast.expr]]:
    """The adjoints by a call that gives those of `wrt`: alone, or as a tuple; zero for the rest."""
    adjoints: dict[str, gast.expr] = {n: gast.Constant(0, None) for n in names}
    if len(wrt) == 1:
        adjoints[wrt[0]] = call
        return [], adjoints
    bars = {own: f"{own}_bar" for own in wrt}
    adjoints.update((own, name(bar)) for own, bar in bars.items())
    targets = gast.Tuple(elts=[store(bar) for bar in bars.values()], ctx=gast.Store())
    return [gast.Assign(targets=[targets], value=call)] if bars else [], adjoints
