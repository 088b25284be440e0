"""Lists of numbers that stand for arrays: `np.dot(x, [1.0, 2.0])`.

    y = np.dot(x, items)           items_array = np.asarray(items)
                                   y = np.dot(x, items_array)

NumPy makes an array of such an operand; rules that compute with it read an array.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from itertools import repeat
from typing import TYPE_CHECKING

import gast
import numpy as np

from autodiff.analysis.kind import Array, Kind, Record, Scalar, Sequence
from autodiff.analysis.known import Kinds
from autodiff.analysis.objects import Parts, whole
from autodiff.analysis.operation import Operation
from autodiff.normalize.sites import Converted
from autodiff.rules import registry
from autodiff.rules.template import Rule
from autodiff.syntax.names import reads
from autodiff.syntax.walk import children, of_class

if TYPE_CHECKING:
    from autodiff.analysis.callees import Resolver

_OF_LISTS = ("builtins", "math")
"""Modules whose functions go over the items of a list."""
_SEVERAL = frozenset(("arrays", "tup", "seq", "condlist", "choicelist", "choices", "keys"))
"""What NumPy calls parameters that are several arrays, which need not make one (`np.block`)."""
_SHAPES = frozenset(("shape", "ndim", "size"))


def listed_operands(resolver: Resolver, value: gast.expr) -> Converted | None:
    """The operands of an operation that have to become arrays; None if there are none."""
    if not isinstance(value, gast.Call) and not (
        isinstance(value, gast.BinOp) and isinstance(value.op, gast.MatMult)
    ):
        return None
    kinds = resolver.kinds
    candidates = [n for n in reads(value) if is_list(_whole(kinds, kinds.names.get(n)))]
    if not candidates or not reads(value) & resolver.varied:
        return None
    operation = kinds.operation(value)
    rule = None if operation is None else operation.rule

    def is_of_numbers(operand: str) -> bool:
        return is_list(_whole(kinds, kinds.names[operand]), False)

    module = getattr(getattr(operation, "function", None), "__module__", "") or ""
    if module in _OF_LISTS:
        return None
    if not _is_numpys(operation):  # LU factors are a pair, and helpers are given arrays to join
        candidates = [n for n in candidates if is_of_numbers(n)]
    if operation is None or rule is None or not registry.is_of_library(rule):
        return None
    if rule.elementwise and not isinstance(operation.function, np.ufunc):
        return None  # an operator of Python's joins or repeats lists
    given = list(zip(_parameters(rule), operation.arguments))
    tangents = kinds.scope.forward and not rule.linear  # found by a rule for arrays
    given += [(key, part) for key, part in operation.keywords if key is not None]
    found = {
        part.id
        for parameter, part in given
        if isinstance(part, gast.Name) and part.id in candidates
        if parameter in rule.adjoints
        and rule.adjoints[parameter].__class__ is not gast.Constant
        and (parameter not in _SEVERAL or is_of_numbers(part.id))
        if rule.elementwise or computes_with(rule, parameter)
        or tangents and not is_spread(rule, parameter)
    }
    return Converted(tuple(sorted(found))) if found else None


def _parameters(rule: Rule) -> Iterator[str]:
    """The names of what operands are given for one by one, without end if the rule takes any."""
    for parameter in rule.parameters:
        if parameter.kind is parameter.VAR_POSITIONAL:
            yield from repeat(parameter.name)
        yield parameter.name


def _is_numpys(operation: Operation | None) -> bool:
    """Whether NumPy is called, or by `@`: it makes one array of what it is given."""
    function = None if operation is None else operation.function
    if function is operator.matmul:
        return True
    module = getattr(function, "__module__", "") or ""
    return isinstance(function, np.ufunc) or module.split(".")[0] == "numpy"


def _whole(kinds: Kinds, kind: Kind | None) -> Kind | None:
    return whole(kinds, kind) if isinstance(kind, Parts) else kind


def is_list(kind: Kind | None, arrays: bool = True) -> bool:
    """Whether a value is a list or tuple of numbers, perhaps arrays, or of such lists."""
    if isinstance(kind, Record):
        plain = kind.cls in (list, tuple) and bool(kind.items)
        return plain and all(_is_item(k, arrays) for k in kind.items)
    return isinstance(kind, Sequence) and _is_item(kind.item, arrays)


def _is_item(kind: Kind | None, arrays: bool) -> bool:
    if isinstance(kind, Array):
        return arrays or kind.shape == ()
    return isinstance(kind, Scalar) or is_list(kind, arrays)


_KNOWN: dict[tuple[str, int, str, str], bool] = {}
"""What was found, by the place of the template and the parameter."""


def computes_with(rule: Rule, parameter: str) -> bool:
    """Whether a rule computes with an operand; its form alone may be that of a list."""
    key = (rule.file, rule.line, rule.name, parameter)
    if key not in _KNOWN:
        _KNOWN[key] = parameter in rule.adjoints and _is_computed_with(rule, parameter)
    return _KNOWN[key]


def is_spread(rule: Rule, parameter: str) -> bool:
    """Whether a rule hands on an operand as several (`*spacing`): it is a tuple of operands."""
    texts = (*rule.adjoints.values(), *rule.locals)
    return any(parameter in reads(part) for text in texts for part in of_class(text, gast.Starred))


def _is_computed_with(rule: Rule, parameter: str) -> bool:
    texts = (*rule.adjoints.values(), *rule.locals)
    if is_spread(rule, parameter):
        return False

    def visit(node: gast.AST) -> bool:
        if isinstance(node, gast.Name):
            return node.id == parameter and isinstance(node.ctx, gast.Load)
        if isinstance(node, gast.Call):
            own = getattr(node.func, "attr", None) or getattr(node.func, "id", None)
            parts = [*node.args, *(k.value for k in node.keywords if k.arg != "like")]
            return any(visit(part) for part in (parts[1:] if own in _SHAPES else parts))
        if isinstance(node, gast.Subscript) and getattr(node.value, "id", None) == "d":
            return False
        return any(map(visit, children(node)))

    return any(map(visit, texts))
