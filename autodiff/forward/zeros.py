"""Tangents of values on which no derivative flows."""

from __future__ import annotations

import collections
from typing import TYPE_CHECKING, Any

import gast
import numpy as np

from autodiff.analysis.kind import Array, Kind, Local, Record, Scalar, Static, Text, is_inexact
from autodiff.errors import UnsupportedSyntaxError
from autodiff.runtime import Slot
from autodiff.syntax.names import name
from autodiff.syntax.origin import origin_of
from autodiff.syntax.quote import quote
from autodiff.syntax.walk import clone, shallow

if TYPE_CHECKING:
    from autodiff.forward.forward import Forward

_ZEROS = {
    np.zeros: "zeros",
    np.empty: "zeros",
    np.ones: "zeros",
    np.zeros_like: "zeros_like",
    np.empty_like: "zeros_like",
    np.ones_like: "zeros_like",
}


def atom(forward: Forward, value: gast.expr, statement: gast.stmt) -> gast.expr:
    """The tangent of an operand: a name of its own, or zero."""
    if isinstance(value, gast.Starred):
        return gast.Starred(value=atom(forward, value.value, statement), ctx=gast.Load())
    if isinstance(value, gast.Name) and value.id in forward.active:
        if forward.carries(value.id):
            return name(forward.follow(value.id))
        if isinstance(forward.kinds.names.get(value.id), Text):
            raise UnsupportedSyntaxError(
                f"a derivative flows through the text `{value.id}`",
                origin_of(statement),
                why="text has no tangent",
                cure="pass the number itself, or wrap it in stop_gradient",
            )
    return zero_of(forward, value)


def zero_of(forward: Forward, value: gast.expr) -> gast.expr:
    """The zero tangent, of the numbers that a value holds which may be evaluated again."""
    kind = forward.kinds.known(value)
    if isinstance(value, gast.Constant):
        number = isinstance(value.value, (bool, int, float, complex))
        return _number(kind) if number else _none()
    if isinstance(kind, Scalar):
        return _number(kind)
    if isinstance(kind, Array) and is_inexact(kind):
        return quote("np.zeros_like(x)", np=forward.helper("np"), x=value)
    if isinstance(kind, (Static, Text, Local)):
        return _none()
    if isinstance(kind, Record) and kind.cls is tuple:
        if kind.items and all(isinstance(item, (Scalar, Static)) for item in kind.items):
            zeros = [_number(i) if isinstance(i, Scalar) else _none() for i in kind.items]
            return gast.Tuple(elts=zeros, ctx=gast.Load())
    return quote("f(x)", f=forward.helper("zeros_like"), x=value)


def zeros_for(forward: Forward, target: str, value: gast.expr) -> gast.expr:
    """The zero tangent of a name that gets a value: `np.zeros(n)` where it gets `np.empty(n)`."""
    kind = forward.kinds.names.get(target)
    if isinstance(value, gast.Call) and isinstance(value.func, gast.Attribute):
        operation = forward.kinds.call_operation(value)
        own: Any = None
        if operation is not None and isinstance(kind, Array) and is_inexact(kind):
            own = _ZEROS.get(operation.function)
        if own is not None and not isinstance(forward.kinds.of(value.func.value), Array):
            new = shallow(value)
            new.func = gast.Attribute(value=clone(value.func.value), attr=own, ctx=gast.Load())
            return new
    if isinstance(value, gast.Call):
        made = _empty_slot(forward, value) or _empty_container(forward, value)
        if made is not None:
            return made
    if isinstance(value, gast.Constant) and not isinstance(kind, Scalar):
        return zero_of(forward, value)
    return zero_of(forward, name(target))


def _empty_container(forward: Forward, value: gast.Call) -> gast.expr | None:
    """`collections.defaultdict(list)`, as it is: its tangent makes the same empty items."""
    operation = forward.kinds.call_operation(value)
    if operation is None or operation.keywords:
        return None
    given = [getattr(forward.kinds.known(a), "value", None) for a in operation.arguments]
    if operation.function is collections.defaultdict and given in ([list], [dict], [float], [Slot]):
        return clone(value)
    is_new = operation.function in (list, dict, collections.deque, collections.OrderedDict)
    return clone(value) if is_new and not given else None


def _empty_slot(forward: Forward, value: gast.Call) -> gast.expr | None:
    """`Slot(z)`, as the gradient made it, with zeros of its own: its reverse is known, too."""
    operation = forward.kinds.call_operation(value)
    if operation is None or operation.function is not Slot:
        return None
    new = clone(value)
    new.args = [a if isinstance(a, gast.Constant) else zero_of(forward, a) for a in new.args]
    return new


def _none() -> gast.expr:
    return gast.Constant(value=None, kind=None)


def _number(kind: Kind) -> gast.expr:
    zero = 0j if isinstance(kind, Scalar) and kind.type == "complex" else 0.0
    return gast.Constant(value=zero, kind=None)
