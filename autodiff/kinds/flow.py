"""Which names a value's derivative depends on, for one expression in normal form."""

from __future__ import annotations

import inspect
from typing import Any

import gast

from autodiff.kinds.operation import Operation
from autodiff.kinds.unsaid import unsaid

"""What writes numbers as text; a number read back from the text depends on them."""

_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


"""Of a dict, these see the keys."""


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


"""Attributes of arrays that say nothing of what they hold, unlike `flat` and `base`."""
