"""Which names a value's derivative depends on, for one expression in normal form."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterable
from typing import Any

import gast

from autodiff.analysis.dict_keys import TABLES, are_keys
from autodiff.analysis.kind import (
    Array,
    Mapping,
    Numeric,
    Record,
    Scalar,
    Sequence,
    Text,
    differentiable,
    used,
)
from autodiff.analysis.known import Kinds
from autodiff.analysis.operation import Operation
from autodiff.analysis.unsaid import unsaid
from autodiff.rules import registry
from autodiff.rules.home import hashable
from autodiff.runtime import sequence
from autodiff.syntax.names import reads

_TEXTUAL: tuple[Any, ...] = (str, repr, format, ascii)
"""What writes numbers as text; a number read back from the text depends on them."""

_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)

IDENTITIES: frozenset[Any] = frozenset({sequence, list, tuple})

GOING_OVER = IDENTITIES | {sorted, max, min, sum, math.fsum, math.prod, any, all, set, enumerate}
"""Of a dict, these see the keys."""


def influences(node: gast.expr, kinds: Kinds) -> set[str]:
    """Names through which a derivative can flow into the value of the expression.

    Errs on the side of too many: a call that is not understood depends on all it reads.
    """
    handler = _HANDLERS.get(type(node))
    return handler(node, kinds) if handler else reads(node)


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


def _arithmetic(node: gast.BinOp, kinds: Kinds) -> set[str]:
    """Both operands of the operators that the library has rules for."""
    if node.op.__class__ in _DIFFERENTIATED:
        return reads(node)
    return reads(node) if unites(node, kinds) else _primitive(node, kinds)


def unites(node: gast.BinOp, kinds: Kinds) -> bool:
    """Whether `|`, `&` or `^` may be that of dicts or sets, which keep what they hold."""
    if node.op.__class__ not in (gast.BitOr, gast.BitAnd, gast.BitXor):
        return False
    sides = (used(kinds.known(side)) for side in (node.left, node.right))
    return not any(isinstance(side, (Array, Numeric, Scalar)) for side in sides)


_DIFFERENTIATED = frozenset((gast.Add, gast.Sub, gast.Mult, gast.Div, gast.Pow))


def _primitive(node: gast.expr, kinds: Kinds) -> set[str]:
    operation = kinds.operation(node)
    if operation is None:
        return _structural(node, kinds)
    function = operation.function
    if function in _TEXTUAL:
        return _names([*operation.arguments, *(value for _, value in operation.keywords)])
    if registry.is_nondifferentiable(function):
        return set()
    bound = binding(operation)
    if bound is None:
        if isinstance(function, type) and function in (int, bool, str):
            return set()
        found = _names([*operation.arguments, *(value for _, value in operation.keywords)])
    else:
        found = _names(bound.values())
    if hashable(function) and function in GOING_OVER:
        return {n for n in found if not are_keys(kinds.names.get(n))}
    return found


def keys_read(node: gast.expr, kinds: Kinds) -> set[str]:
    """The names of dicts that the value has nothing of but keys."""
    if not isinstance(node, gast.Call):
        return set()
    if isinstance(node.func, gast.Attribute) and node.func.attr == "keys" and not node.args:
        return reads(node) if are_keys(kinds.known(node.func.value)) else set()
    operation = kinds.operation(node)
    if operation is None or not hashable(operation.function):
        return set()
    if operation.function not in GOING_OVER:
        return set()
    return {n for n in _names(operation.arguments) if are_keys(kinds.names.get(n))}


def _names(values: Iterable[Any]) -> set[str]:
    found: set[str] = set()
    for value in values:
        if isinstance(value, (list, tuple)):
            found |= _names(value)
        elif isinstance(value, gast.AST):
            found |= reads(value)
    return found


def _structural(node: Any, kinds: Kinds) -> set[str]:
    if isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute):
        if node.func.attr == "keys" and not node.args:  # those of a dict, whatever it is
            return set()
    return reads(node)


def _attribute(node: gast.Attribute, kinds: Kinds) -> set[str]:
    operation = kinds.operation(node)
    if operation is not None:
        return _primitive(node, kinds)
    kind = kinds.known(node.value)
    told = isinstance(kind, (Array, Numeric)) and node.attr in TOLD
    return set() if told else reads(node.value)


TOLD = frozenset("shape ndim size dtype strides flags itemsize nbytes device".split())
"""Attributes of arrays that say nothing of what they hold, unlike `flat` and `base`."""


def _subscript(node: gast.Subscript, kinds: Kinds) -> set[str]:
    return reads(node.value) | index_influences(node, kinds)


def index_influences(node: gast.Subscript, kinds: Kinds) -> set[str]:
    """Names in an index of which the value may be more than a choice: `np.r_[x, 0.0]`, `table[x]`.

    What an array, list, tuple or dict holds does not depend on the index.
    """
    base = used(kinds.known(node.value))
    if isinstance(base, (Array, Numeric, Scalar, Text, Sequence)):
        return set()
    if isinstance(base, (Record, Mapping)) and (
        base.cls in (*TABLES, list, tuple) or hasattr(base.cls, "_fields")
    ):
        return set()
    parts = node.slice.elts if isinstance(node.slice, gast.Tuple) else [node.slice]
    given = [part for part in parts if not isinstance(part, gast.Slice)]
    return _names(part for part in given if differentiable(kinds.known(part)))


def _nothing(node: gast.expr, kinds: Kinds) -> set[str]:
    return set()


_HANDLERS: dict[type, Callable[[Any, Kinds], set[str]]] = {
    gast.Constant: _nothing,
    gast.Compare: _nothing,
    gast.BinOp: _arithmetic,
    gast.UnaryOp: _primitive,
    gast.Call: _primitive,
    gast.Attribute: _attribute,
    gast.Subscript: _subscript,
}
