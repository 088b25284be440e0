"""Questions about the form of an expression."""

from __future__ import annotations

from typing import Any

import gast

from autodiff.normalize.sugar.context import IS_MAPPING, IS_SEQUENCE
from autodiff.syntax.names import parameters, reads, writes
from autodiff.syntax.walk import of_class, walk

COMPREHENSIONS = (gast.ListComp, gast.DictComp, gast.SetComp, gast.GeneratorExp)
_EFFECTS = (gast.Call, gast.NamedExpr, gast.Await, gast.Yield, gast.YieldFrom)
_TRUTHS = {"isinstance", "issubclass", "hasattr", "callable", "bool", "any", "all", "array_equal"}
_TRUTHS |= {"isnan", "isinf", "isfinite", "isclose", "allclose", IS_SEQUENCE, IS_MAPPING}


def is_pure(node: gast.AST) -> bool:
    """Whether evaluation has no effect that shows: nothing is called (operators are trusted)."""
    return not any(isinstance(child, _EFFECTS) for child in walk(node))


def has_walrus(node: gast.AST) -> bool:
    """Whether the expression assigns a name of the scope around it."""
    return any(isinstance(child, gast.NamedExpr) for child in walk(node))


def is_lowered_choice(node: gast.IfExp) -> bool:
    """Whether a conditional expression becomes an `if`: it may yield something else than text."""
    return not (_is_text(node.body) and _is_text(node.orelse)) or has_walrus(node)


def _is_text(node: gast.expr) -> bool:
    if isinstance(node, gast.IfExp):
        return _is_text(node.body) and _is_text(node.orelse)
    if isinstance(node, gast.Constant):
        return isinstance(node.value, (str, bytes))
    return isinstance(node, gast.JoinedStr)


def is_lowered_comprehension(node: Any) -> bool:
    """Whether a comprehension becomes a loop: its elements may carry a derivative."""
    if not isinstance(node, (gast.ListComp, gast.DictComp)):
        return False
    element = node.value if isinstance(node, gast.DictComp) else node.elt
    if isinstance(element, (gast.Constant, gast.JoinedStr)) or hides_itself(node):
        return False
    if of_class(node, gast.Await) or any(generator.is_async for generator in node.generators):
        return False
    bound = writes([generator.target for generator in node.generators])
    later = (reads(own.body) - {*parameters(own.args)} for own in of_class(node, gast.Lambda))
    return not any(own & bound for own in later)


def hides_itself(node: Any) -> bool:
    """Whether an inner comprehension runs over what it calls its variable: `[v for v in v]`."""
    return any(
        writes(child.generators[0].target) & reads(child.generators[0].iter)
        for child in walk(node)
        if isinstance(child, COMPREHENSIONS) and child is not node
    )


def is_condition(node: gast.expr) -> bool:
    """Whether the value is a truth value by its form."""
    if isinstance(node, gast.BoolOp):
        return all(is_condition(value) for value in node.values)
    if isinstance(node, gast.UnaryOp):
        return isinstance(node.op, gast.Not)
    if isinstance(node, gast.Call):
        function = node.func
        if isinstance(function, gast.Attribute):
            return function.attr in _TRUTHS
        return isinstance(function, gast.Name) and function.id in _TRUTHS
    return isinstance(node, gast.Compare) or (
        isinstance(node, gast.Constant) and isinstance(node.value, bool)
    )
