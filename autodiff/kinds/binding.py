"""The operands of a call by the parameters of its template.

Arguments that say nothing are left out, and others stand where the template has keywords:

np.sin(x, out=None, casting="same_kind")        np.sin(x)
np.sum(x, 0, None, None, True)                  np.sum(x, 0, None, keepdims=True)
linalg.inv(a, overwrite_a=False)                linalg.inv(a)
"""

from __future__ import annotations

import ast
import inspect
from functools import cache
from types import MethodType
from typing import Any

import gast
import numpy as np

from autodiff.kinds.operation import Operation
from autodiff.rules import registry
from autodiff.rules.template import Rule

_ABOUT_MEMORY = frozenset({"order", "subok", "casting"})
"""Options of ufuncs that change no number: how memory is laid out, and what is refused."""
_OF_UFUNCS: dict[str, Any] = {"out": None, "where": True, "dtype": None, "signature": None}
_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def binding(operation: Operation) -> dict[str, Any] | None:
    """The operands by the template's parameter names; None where the call does not fit it.

    A var-positional parameter holds a list of operands.
    """
    rule = operation.rule
    if rule is None or any(isinstance(a, gast.Starred) for a in operation.arguments):
        return None
    if not operation.keywords and len(rule.parameters) == len(operation.arguments):
        found = {}
        for parameter, argument in zip(rule.parameters, operation.arguments):
            if parameter.kind not in _POSITIONAL:
                break
            found[parameter.name] = argument
        else:  # most of the time
            return found
    signature = inspect.Signature(list(rule.parameters))
    try:
        return dict(signature.bind(*operation.arguments, **dict(operation.keywords)).arguments)
    except TypeError:
        operation = unsaid(operation, rule)
    try:
        return dict(signature.bind(*operation.arguments, **dict(operation.keywords)).arguments)
    except TypeError:
        return None


def unsaid(operation: Operation, rule: Rule) -> Operation:
    """The call without what its template does not know and need not know."""
    known = {parameter.name for parameter in rule.parameters}
    room = sum(parameter.kind in _POSITIONAL for parameter in rule.parameters)
    function = operation.function
    keywords = dict(operation.keywords)
    arguments = list(operation.arguments)
    if isinstance(function, MethodType) and registry.is_receiver(function.__self__):
        for key in names_of(function.__self__)[max(len(arguments) - 1, 0) : room - 1]:
            if key not in keywords or not arguments:
                break
            arguments.append(keywords.pop(key))  # templates may call it otherwise
    names, defaults = _parameters(function)
    if not any(p.kind is p.VAR_POSITIONAL for p in rule.parameters):
        while len(arguments) > room and len(arguments) <= len(names):
            key = names[len(arguments) - 1]
            if key in keywords:
                return operation
            keywords[key] = arguments.pop()
    said = [
        (key, value)
        for key, value in keywords.items()
        if key in known or not _says_nothing(function, key, value, defaults)
    ]
    return Operation(function, tuple(arguments), tuple(said))


def _says_nothing(function: Any, key: str, value: gast.expr, defaults: dict[str, Any]) -> bool:
    if isinstance(function, np.ufunc):
        if key in _ABOUT_MEMORY:
            return True
        defaults = _OF_UFUNCS
    if key not in defaults:
        return False
    try:
        given = ast.literal_eval(gast.gast_to_ast(gast.Expression(body=value)))
    except (ValueError, TypeError, AttributeError):  # known when it runs
        return False
    default = defaults[key]
    return type(given) is type(default) and bool(given == default)


@cache
def _parameters(function: Any) -> tuple[list[str], dict[str, Any]]:
    """The names that may be given by position, and the defaults that can be written down."""
    try:
        found = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return [], {}
    plain = (type(None), bool, int, float, str)
    names = [p.name for p in found if p.kind in _POSITIONAL]
    return names, {p.name: p.default for p in found if isinstance(p.default, plain)}


def names_of(distribution: Any) -> list[str]:
    """The parameters of a distribution, in order."""
    if not hasattr(distribution, "shapes"):
        return list(inspect.signature(distribution).parameters)
    shapes = [key.strip() for key in (distribution.shapes or "").split(",") if key.strip()]
    return [*shapes, "loc", "scale"]
