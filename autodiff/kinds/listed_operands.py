"""Lists of numbers that stand for arrays: `np.dot(x, [1.0, 2.0])`.

    y = np.dot(x, items)           items_array = np.asarray(items)
                                   y = np.dot(x, items_array)

NumPy makes an array of such an operand; rules that compute with it read an array.
"""

from __future__ import annotations

import gast

from autodiff.kinds.kind import Array, Kind, Record, Scalar, Sequence
from autodiff.rules.template import Rule
from autodiff.syntax.names import reads
from autodiff.syntax.walk import children, of_class

_SHAPES = frozenset(("shape", "ndim", "size"))


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
