"""Tangents of values that are moved, not computed: what is done to containers, done to tangents.

t = (a, b)          t_dot = (a_dot, b_dot)
y = xs.pop()        y_dot = xs_dot.pop()
w = model.w         w_dot = model_dot.w
"""

from __future__ import annotations

import copy
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import gast

from autodiff.analysis.flow import GOING_OVER
from autodiff.analysis.kind import (
    Array,
    Kind,
    Mapping,
    Record,
    Scalar,
    Sequence,
    Unknown,
    differentiable,
)
from autodiff.analysis.special import told_operands
from autodiff.errors import UnsupportedSyntaxError
from autodiff.forward.zeros import atom, zero_of
from autodiff.reverse.containers import check_index
from autodiff.runtime import (
    Slot,
    alone,
    assembled,
    collected,
    copied,
    deeply_copied,
    restructured,
    sequence,
    shadow,
    snapshot,
)
from autodiff.syntax.names import reads
from autodiff.syntax.origin import origin_of, place
from autodiff.syntax.quote import quote
from autodiff.syntax.walk import clone, shallow

if TYPE_CHECKING:
    from autodiff.forward.forward import Forward

COPYING = (
    *(list, tuple, dict, sequence, copy.copy, copy.deepcopy),
    *(snapshot, copied, deeply_copied, alone, collected),
)
TAKING = {"pop": (), "popleft": (), "copy": (), "get": (1,), "setdefault": (1,), "values": ()}
"""Methods that take something out, and which of their arguments are put in or handed out."""


def mirrored(forward: Forward, statement: gast.Assign) -> gast.expr | None:
    """The tangent of a value that is only moved; None for one that is computed."""
    value = statement.value
    if isinstance(value, (gast.Tuple, gast.List)):
        new = shallow(value)
        new.elts = [atom(forward, element, statement) for element in value.elts]
        return new
    if isinstance(value, gast.Dict):
        check_keys(forward, statement, value.keys)
        new = shallow(value)
        new.values = [atom(forward, element, statement) for element in value.values]
        return new
    if isinstance(value, gast.Subscript):
        check_index(value, statement, forward.kinds, forward.active)
        return _item(forward, statement, value)
    if isinstance(value, gast.Attribute):
        return _attribute(forward, statement, value)
    if isinstance(value, gast.Call):
        return _call(forward, statement, value)
    if isinstance(value, gast.BinOp) and isinstance(value.op, (gast.Add, gast.Mult)):
        return _joined(forward, statement, value)
    return None


def check_keys(forward: Forward, statement: gast.stmt, keys: list[gast.expr | None]) -> None:
    """Refuse keys that carry a derivative: the tangent of a dict has the same keys."""
    for key in keys:
        for own in sorted(set() if key is None else reads(key) & forward.active):
            if differentiable(forward.kinds.known(key)):
                raise UnsupportedSyntaxError(
                    f"a key computed from `{own}`, which carries a derivative",
                    origin_of(statement),
                    why="keys have no tangents",
                    cure="wrap the key in stop_gradient",
                )


def is_container(kind: Kind | None) -> bool:
    """Whether a value is a tuple, list, dict or object."""
    return isinstance(kind, (Record, Sequence, Mapping))


def _dot(forward: Forward, node: gast.expr, statement: gast.stmt) -> gast.expr | None:
    """The tangent of a name that holds a container, or what may be one."""
    if not isinstance(node, gast.Name) or not forward.carries(node.id):
        return None
    return atom(forward, node, statement)


def _item(forward: Forward, statement: gast.stmt, value: gast.Subscript) -> gast.expr | None:
    kind = forward.kinds.known(value.value)
    dot = _dot(forward, value.value, statement)
    if dot is None or isinstance(kind, (Array, Scalar)):
        return None
    if is_container(kind):
        return gast.Subscript(value=dot, slice=clone(value.slice), ctx=gast.Load())
    if type(kind) is not Unknown or isinstance(value.slice, (gast.Slice, gast.Tuple)):
        return None
    return quote("f(x, i)", f=forward.helper("item"), x=dot, i=value.slice)


def _attribute(forward: Forward, statement: gast.stmt, value: gast.Attribute) -> gast.expr | None:
    kind = forward.kinds.known(value.value)
    dot = _dot(forward, value.value, statement)
    if dot is None or not isinstance(kind, Record):
        return None
    fields = getattr(kind.cls, "_fields", ())
    key: Any = fields.index(value.attr) if value.attr in fields else value.attr
    part = kind.get(key)
    if part is None:  # an attribute of the class
        if told_operands(value, forward.kinds):
            raise UnsupportedSyntaxError(
                f"`.{value.attr}` of an object that carries a derivative changes something",
                place(value, origin_of(statement)),
                why="its tangent would have to change, too",
                cure="make it a method, and call it",
            )
        return zero_of(forward, value)
    return gast.Attribute(value=dot, attr=value.attr, ctx=gast.Load())


def _call(forward: Forward, statement: gast.stmt, value: gast.Call) -> gast.expr | None:
    taken = _method(forward, statement, value)
    if taken is not None:
        return taken
    operation = forward.kinds.call_operation(value)
    if operation is None:
        return None
    function = operation.function
    if function in (assembled, Slot, SimpleNamespace) or _is_tuple_class(function):
        rest = 1 if function is assembled else 0
        new = shallow(value)
        data = [atom(forward, argument, statement) for argument in value.args[rest:]]
        new.args = [*value.args[:rest], *data]
        new.keywords = [
            gast.keyword(arg=k.arg, value=atom(forward, k.value, statement)) for k in value.keywords
        ]
        return new
    if function is shadow:  # of any form of values, all slots are zero
        return clone(value)
    if function is restructured:  # the adjoint of an object, in a gradient that is differentiated
        new = shallow(value)
        new.args = [value.args[0], atom(forward, value.args[1], statement)]
        return new
    if function == dict.fromkeys and len(value.args) == 2 and not value.keywords:
        new = shallow(value)
        new.args = [value.args[0], atom(forward, value.args[1], statement)]
        return new
    keywords = value.keywords and function is not sequence  # `partly=True` is about iterators
    if any(function is own for own in COPYING) and len(value.args) == 1 and not keywords:
        if function is dict and not is_container(forward.kinds.of(value.args[0])):
            return None
        dot = _dot(forward, value.args[0], statement)
        if dot is None or isinstance(forward.kinds.of(value.args[0]), Scalar):
            return None
        new = shallow(value)
        new.args = [over(forward, function, value.args[0], dot)]
        return new
    return None


def over(forward: Forward, function: Any, operand: gast.expr, dot: gast.expr) -> gast.expr:
    """The tangent of what a function goes over: what is not known may be a dict."""
    if function not in GOING_OVER or type(forward.kinds.of(operand)) is not Unknown:
        return dot
    return quote("f(x)", f=forward.helper("gone_over"), x=dot)


def _is_tuple_class(function: Any) -> bool:
    return isinstance(function, type) and issubclass(function, tuple) and function is not tuple


def _method(forward: Forward, statement: gast.stmt, value: gast.Call) -> gast.expr | None:
    """`d.get(k, e)`: the key stays what it is, the default becomes its tangent."""
    if not isinstance(value.func, gast.Attribute):
        return None
    kind = forward.kinds.known(value.func.value)
    if not is_container(kind):
        return None
    dot = _dot(forward, value.func.value, statement)
    method = value.func.attr
    if isinstance(kind, Record) and kind.cls not in (list, tuple, dict):
        return None
    if dot is None:
        if reads(value) & forward.active and method in ("get", "setdefault"):
            raise _refused(value, statement)
        return None
    if method in ("index", "count"):
        return gast.Constant(value=None, kind=None)
    if method == "keys":
        return quote("[None] * len(x)", x=dot)
    if method == "items" and isinstance(kind, Mapping) and differentiable(kind.key):
        zeros = quote("f(list(d))", f=forward.helper("zeros_like"), d=value.func.value)
        return quote("list(zip(zeros, d.values()))", zeros=zeros, d=dot)
    if method == "items":
        return quote("d.items()", d=dot)
    if method not in TAKING or value.keywords:
        raise _refused(value, statement)
    data = (1,) if method == "pop" and len(value.args) == 2 else TAKING[method]
    arguments = [
        atom(forward, argument, statement) if number in data else clone(argument)
        for number, argument in enumerate(value.args)
    ]
    function = gast.Attribute(value=dot, attr=method, ctx=gast.Load())
    return gast.Call(func=function, args=arguments, keywords=[])


def _refused(value: gast.Call, statement: gast.stmt) -> UnsupportedSyntaxError:
    return UnsupportedSyntaxError(
        f"`.{value.func.attr}(...)` of a container that carries a derivative",
        place(value, origin_of(statement)),
        why="autodiff does not know how its tangent changes",
        cure="write it as a loop, or with indices",
    )


def _joined(forward: Forward, statement: gast.stmt, value: gast.BinOp) -> gast.expr | None:
    """`xs + ys` and `xs * n` of lists and tuples."""
    sides = [forward.kinds.known(side) for side in (value.left, value.right)]
    lists = [isinstance(kind, (Record, Sequence)) for kind in sides]
    if not any(lists) or any(isinstance(kind, Array) for kind in sides):
        return None
    new = shallow(value)
    if isinstance(value.op, gast.Add):
        if not all(lists):
            return None
        new.left, new.right = (atom(forward, side, statement) for side in (value.left, value.right))
        return new
    side = "left" if lists[0] else "right"
    setattr(new, side, atom(forward, getattr(value, side), statement))
    return new
