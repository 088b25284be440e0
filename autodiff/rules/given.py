"""The rule of a function of which the derivatives are functions, too."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Mapping
from types import CellType, FunctionType
from typing import Any

import gast

from autodiff.rules.template import Rule


def given_rule(
    function: FunctionType,
    result: str,
    parameters: tuple[inspect.Parameter, ...],
    helpers: Mapping[str, Any],
    adjoints: tuple[list[gast.stmt], dict[str, gast.expr]],
    tangent: gast.expr | None,
) -> Rule:
    """The rule that a template would say.

    helpers: what its expressions call, by the names that they use. adjoints: statements, and
    expressions by parameter.
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
    )
