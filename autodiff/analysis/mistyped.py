"""What a statement does to values of the wrong type: whether it raises TypeError, or must.

A derivative is compiled for the kinds of its arguments. Where these are known a library function
was called with such values already (`analysis/exemplar.py`): what has a kind has the right types.
Shapes that do not fit, places outside of an array and the like raise other errors.
"""

from __future__ import annotations

import gast
import numpy as np

from autodiff.analysis.kind import (
    Array,
    Kind,
    Numeric,
    Record,
    Scalar,
    Sequence,
    Static,
    is_complex,
)
from autodiff.analysis.known import Kinds
from autodiff.analysis.transfers import SPECIAL
from autodiff.rules.home import hashable, module_of
from autodiff.runtime import sequence

_BINDING = (gast.Assign, gast.AugAssign)
_IDENTITY = (gast.Is, gast.IsNot, gast.Eq, gast.NotEq)


def is_typed(statement: gast.stmt, known: Kinds) -> bool:
    """Whether neither a statement nor one inside of it raises TypeError or AttributeError."""
    if isinstance(statement, _BINDING):
        return _binds(statement, known)
    if isinstance(statement, (gast.If, gast.While)):
        return is_right(statement.test, known) and _are_typed(statement, known)
    if isinstance(statement, gast.For):
        over = _kind(statement.iter, known)
        goes = isinstance(over, (Record, Sequence)) or _is_rows(over)
        counts = isinstance(statement.iter, gast.Call) and is_right(statement.iter, known)
        plain = isinstance(statement.target, gast.Name)
        return plain and (goes or counts) and _are_typed(statement, known)
    if isinstance(statement, gast.Expr):
        return isinstance(statement.value, gast.Constant) or _appends(statement.value, known)
    return isinstance(statement, (gast.Pass, gast.Break))


def error_of(statement: gast.stmt, known: Kinds) -> type[Exception] | None:
    """TypeError or AttributeError, where a simple statement certainly raises it.

    TypeError comes of what stores into a number, asks for its length, or reads an item of a number
    of Python's (NumPy's take some indices); AttributeError of what arrays and numbers do not have:
    `x.values`, `x.name = "x"`, which code asks for that takes the tables of pandas, too.
    """
    if not isinstance(statement, _BINDING):
        value = statement.value if isinstance(statement, gast.Expr) else None
        return AttributeError if value is not None and _is_lacking(value, known) else None
    if _is_item_of_number(statement.value, known) or _is_length_of_number(statement.value, known):
        return TypeError
    if _is_lacking(statement.value, known):
        return AttributeError
    for target in _targets(statement):
        if not is_right(statement.value, known):
            return None
        if isinstance(target, gast.Attribute):
            return AttributeError if _lacks(target, known) else None
        if isinstance(target, gast.Subscript) and _is_number(target.value, known):
            return TypeError if is_right(target.slice, known) else None
    return None


def lacks(kind: Kind | None, attribute: str) -> bool:
    """Whether neither arrays nor numbers have an attribute, and the kind is one of these."""
    if not isinstance(kind, (Array, Scalar, Numeric)):
        return False
    return not any(hasattr(cls, attribute) for cls in (np.ndarray, np.generic, int, float, complex))


def is_right(node: gast.expr, known: Kinds) -> bool:
    """Whether an expression has a kind, and so have all its parts."""
    if isinstance(node, (gast.Constant, gast.Name)):
        return isinstance(node, gast.Constant) or _kind(node, known) is not None
    if isinstance(node, (gast.Tuple, gast.List)):
        return all(is_right(part, known) for part in node.elts)
    if isinstance(node, gast.Slice):
        return all(_is_whole(part, known) for part in (node.lower, node.upper, node.step))
    if isinstance(node, gast.BoolOp):
        return all(is_right(part, known) for part in node.values)
    if isinstance(node, gast.Compare):
        parts = [node.left, *node.comparators]
        ordered = not all(isinstance(op, _IDENTITY) for op in node.ops)
        kinds = [_kind(part, known) for part in parts]
        if ordered and not all(_is_ordered(kind) for kind in kinds):
            return False
        return all(is_right(part, known) for part in parts)
    if isinstance(node, gast.Subscript):
        based = is_right(node.value, known) and is_right(node.slice, known)
        return based and isinstance(_kind(node.value, known), (Array, Record, Sequence))
    if isinstance(node, gast.Attribute):  # numbers of Python's have no shape
        return _kind(node, known) is not None and not _is_number(node.value, known)
    if not isinstance(_kind(node, known), (Array, Scalar, Record, Sequence)):
        return False
    if isinstance(node, gast.Call):
        return _is_right_call(node, known)
    if isinstance(node, gast.BinOp):
        return is_right(node.left, known) and is_right(node.right, known)
    return isinstance(node, gast.UnaryOp) and is_right(node.operand, known)


def _is_item_of_number(node: gast.expr, known: Kinds) -> bool:
    kind = _kind(node.value, known) if isinstance(node, gast.Subscript) else None
    return isinstance(kind, Scalar) and kind.dtype is None and is_right(node.slice, known)


def _is_length_of_number(node: gast.expr, known: Kinds) -> bool:
    if not isinstance(node, gast.Call) or len(node.args) != 1 or node.keywords:
        return False
    operation = known.operation(node)
    asked = operation is not None and operation.function in (len, sequence)
    return asked and isinstance(node.args[0], gast.Name) and _is_number(node.args[0], known)


def _is_lacking(node: gast.expr, known: Kinds) -> bool:
    """Whether an expression is, or calls, an attribute that is not there."""
    part = node.func if isinstance(node, gast.Call) else node
    return isinstance(part, gast.Attribute) and _lacks(part, known)


def _lacks(node: gast.Attribute, known: Kinds) -> bool:
    """Whether the value of a name has no such attribute, nor takes it."""
    return isinstance(node.value, gast.Name) and lacks(known.of(node.value), node.attr)


def _are_typed(statement: gast.If | gast.For | gast.While, known: Kinds) -> bool:
    return all(is_typed(inner, known) for inner in (*statement.body, *statement.orelse))


def _targets(statement: gast.Assign | gast.AugAssign) -> list[gast.expr]:
    return statement.targets if isinstance(statement, gast.Assign) else [statement.target]


def _binds(statement: gast.Assign | gast.AugAssign, known: Kinds) -> bool:
    if not is_right(statement.value, known):
        return False
    if isinstance(statement, gast.AugAssign):
        total = gast.BinOp(left=statement.target, op=statement.op, right=statement.value)
        if not isinstance(_kind(total, known), (Array, Scalar)):
            return False
    return all(_can_take(target, statement.value, known) for target in _targets(statement))


def _can_take(target: gast.expr, value: gast.expr, known: Kinds) -> bool:
    if isinstance(target, gast.Name):
        return True
    own = _kind(value, known)
    if isinstance(target, gast.Tuple):
        fits = isinstance(own, Record) and len(own.items) == len(target.elts)
        return fits and all(isinstance(part, gast.Name) for part in target.elts)
    if not isinstance(target, gast.Subscript):
        return False
    base = _kind(target.value, known)
    if not is_right(target.slice, known):
        return False
    if isinstance(base, Array):
        return isinstance(own, (Array, Scalar)) and (is_complex(base) or not is_complex(own))
    is_list = isinstance(base, (Record, Sequence)) and base.cls is list
    return is_list and isinstance(_kind(target.slice, known), Scalar)


def _is_right_call(node: gast.Call, known: Kinds) -> bool:
    """Whether a call is one of NumPy's that has a kind, of `len` or `range`, or one of numbers."""
    operation = known.operation(node)
    method = isinstance(node.func, gast.Attribute) and _is_number(node.func.value, known)
    if operation is None or method or not hashable(operation.function):
        return False
    given = [*operation.arguments, *(value for _, value in operation.keywords)]
    if not all(is_right(part, known) for part in given):
        return False
    kinds = [_kind(part, known) for part in given]
    if operation.function in (len, sequence):
        return isinstance(kinds[0], (Record, Sequence)) or _is_rows(kinds[0])
    if operation.function is range:
        return all(isinstance(kind, Scalar) and kind.type == "int" for kind in kinds)
    if operation.function in SPECIAL or not operation.pure:
        return False
    library = module_of(operation.function).partition(".")[0]
    # an array of one element is taken for a number by `float` and `math.sin`, others are not
    numbers = all(isinstance(kind, Scalar) for kind in kinds)
    return numbers or operation.function is abs or library == "numpy"


def _kind(node: gast.expr, known: Kinds) -> Kind | None:
    """What is known of an expression, None for nothing."""
    found = known.of(node)
    return found if isinstance(found, (Array, Scalar, Record, Sequence, Static)) else None


def _is_number(node: gast.expr, known: Kinds) -> bool:
    return isinstance(_kind(node, known), Scalar)


def _is_whole(part: gast.expr | None, known: Kinds) -> bool:
    if part is None:
        return True
    kind = _kind(part, known)
    return isinstance(kind, Scalar) and kind.type == "int" and is_right(part, known)


def _is_rows(kind: Kind | None) -> bool:
    return isinstance(kind, Array) and bool(kind.shape)


def _is_ordered(kind: Kind | None) -> bool:
    """Whether `<` is defined for such values; complex numbers of Python's have no order."""
    return isinstance(kind, Array) or isinstance(kind, Scalar) and not is_complex(kind)


def _appends(node: gast.expr, known: Kinds) -> bool:
    if not (isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute)):
        return False
    base = _kind(node.func.value, known)
    is_list = isinstance(base, (Record, Sequence)) and base.cls is list
    given = len(node.args) == 1 and not node.keywords
    return is_list and given and node.func.attr == "append" and is_right(node.args[0], known)
