"""The function with tangents along several directions, from that along one.

    y_dot = x_dot[i] * w            y_dot = x_dot[:, i] * w
    z_dot[i] = y_dot                z_dot[:, i] = y_dot
    s_dot = 0.0                     s_dot = np.zeros(directions)

Every tangent has one more axis, in front. What is not about tangents is left as it is: the path
through the function does not depend on them, so the primal is evaluated once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from autodiff.analysis.kind import Array, Scalar
from autodiff.forward.directions.batch import Batch, Unbatched, Unruled
from autodiff.forward.directions.indices import aligned, leading, slot_rank
from autodiff.forward.directions.joins import taken_apart
from autodiff.forward.directions.lifted import held, lifted, same_shape
from autodiff.forward.directions.spread import spread
from autodiff.syntax.names import reads, writes
from autodiff.syntax.origin import origin_of
from autodiff.syntax.quote import quote_statements
from autodiff.syntax.walk import clone, map_children, shallow
from autodiff.syntax.windows import root


def batched(batch: Batch, tree: gast.FunctionDef, first: gast.expr) -> gast.FunctionDef:
    """The tangent function along several directions; `first` is a number or array of them.

    Raises Unbatched if it cannot be proved right.
    """
    spread(batch, tree)
    body = _block(batch, tree.body)
    if batch.counted:
        count = quote_statements("k = len(x)", k=batch.count, x=first)
        body = [*count, *body]
    new: gast.FunctionDef = shallow(tree)
    new.body = body
    return new


def _block(batch: Batch, statements: list[gast.stmt]) -> list[gast.stmt]:
    out: list[gast.stmt] = []
    for statement in statements:
        handler = _STATEMENTS.get(type(statement), _verbatim)
        new = handler(batch, statement)
        if new is not statement and origin_of(new) is None:
            new.origin = origin_of(statement)
        out.append(new)
    return out


def _verbatim(batch: Batch, statement: gast.stmt) -> gast.stmt:
    if (reads(statement) | writes(statement)) & batch.names:
        raise Unbatched(f"{type(statement).__name__} of a tangent")
    return statement


def _assign(batch: Batch, statement: gast.Assign) -> gast.stmt:
    target = statement.targets[0]
    new: gast.Assign = shallow(statement)
    if isinstance(target, gast.Name):
        is_tangent = target.id in batch.names
        new.value = (held if is_tangent else lifted)(batch, statement.value)
        return new
    if isinstance(target, gast.Tuple):
        new.value = _taken_apart(batch, target, statement.value)
        return new
    return _store(batch, statement, target)


def _taken_apart(batch: Batch, target: gast.Tuple, value: gast.expr) -> gast.expr:
    own = [part.id in batch.names for part in target.elts]
    if not any(own):
        if batch.carries(value):
            raise Unbatched("a tangent that is taken apart")
        return same_shape(batch, value)
    if isinstance(value, gast.Tuple) and len(value.elts) == len(own):
        new = shallow(value)
        new.elts = [
            held(batch, part) if is_tangent else lifted(batch, part)
            for part, is_tangent in zip(value.elts, own)
        ]
        return new
    if not all(own) or not batch.carries(value):
        raise Unbatched("an array of tangents that is taken apart")
    if isinstance(batch.kinds.known(value), Array):
        return taken_apart(batch, value, lifted)
    if not batch.is_container(value):
        raise Unbatched("an array of tangents that is taken apart")
    return lifted(batch, value)


def _store(
    batch: Batch, statement: gast.Assign | gast.AugAssign, target: gast.expr
) -> gast.stmt:
    """`x_dot[i] = e_dot`, and `x_dot[i] += e_dot`."""
    adds = isinstance(statement, gast.AugAssign)
    base = root(target)
    new: Any = shallow(statement)
    if base not in batch.names:
        if batch.carries(statement.value) or batch.carries(target):
            raise Unbatched("a tangent stored where there is no tangent")
        new.value = same_shape(batch, statement.value)
        return new
    read = clone(target)
    read.ctx = gast.Load()
    place = lifted(batch, read)
    kind = batch.kinds.known(read)
    if isinstance(batch.kinds.known(target.value), Array):
        if not isinstance(target, gast.Subscript) or not isinstance(place, gast.Subscript):
            raise Unbatched("a store into a part of an array")
        value = _fitting(batch, statement.value, batch.rank(read))
    elif adds and isinstance(kind, Array):
        value = _fitting(batch, statement.value, batch.rank(read))
    elif adds and isinstance(kind, Scalar):  # numbers are not changed in place
        value = gast.BinOp(left=place, op=statement.op, right=_fitting(batch, statement.value, 0))
        new = gast.Assign(targets=[], value=None)
        adds = False
    else:
        _check_container(batch, target, statement.value)
        value = held(batch, statement.value)
    place = shallow(place)
    place.ctx = gast.Store()
    new.value = value
    if adds:
        new.target = place
    else:
        new.targets = [place]
    return new


def _fitting(batch: Batch, value: gast.expr, rank: int) -> gast.expr:
    """A value that is stored in a place of so many axes, or added to it."""
    if not batch.carries(value):
        return same_shape(batch, value)
    own = batch.rank(value)
    if own > rank:
        raise Unbatched("a store of more axes than there are")
    return aligned(lifted(batch, value), own, rank)


def _augmented(batch: Batch, statement: gast.AugAssign) -> gast.stmt:
    target = statement.target
    if not isinstance(target, gast.Name):
        return _store(batch, statement, target)
    if target.id not in batch.names:
        return _verbatim(batch, statement)
    new: Any = shallow(statement)
    read = clone(target)
    read.ctx = gast.Load()
    kind = batch.kinds.known(read)
    if isinstance(kind, Array):
        new.value = _fitting(batch, statement.value, len(kind.shape))
        return new
    if isinstance(kind, Scalar):
        value = _fitting(batch, statement.value, 0)
        total = gast.BinOp(left=read, op=statement.op, right=value)
        return gast.Assign(targets=[target], value=total)
    if not batch.is_container(statement.value):
        raise Unbatched("an array of tangents that is taken apart")
    new.value = held(batch, statement.value)
    return new


def _check_container(batch: Batch, target: gast.expr, value: gast.expr) -> None:
    """`xs_dot[a:b] = e` takes `e` apart."""
    is_slice = isinstance(target, gast.Subscript) and isinstance(target.slice, gast.Slice)
    if is_slice and not batch.is_container(value):
        raise Unbatched("an array of tangents that is taken apart")


def _expression(batch: Batch, statement: gast.Expr) -> gast.stmt:
    call = statement.value
    if not reads(call) & batch.names:
        return statement
    if isinstance(call, gast.Call) and isinstance(call.func, gast.Attribute):
        new: gast.Expr = shallow(statement)
        if batch.is_container(call.func.value):
            new.value = lifted(batch, call)
            return new
        operation = batch.kinds.call_operation(call)
        function = operation.function if operation is not None else None
        if function in (np.add.at, np.subtract.at) and len(call.args) == 3:
            new.value = _added(batch, call)
            return new
    raise Unbatched("a call for its effect on tangents")


def _added(batch: Batch, call: gast.Call) -> gast.expr:
    """`np.add.at(x_dot, i, e_dot)`."""
    window, index, value = call.args
    base = root(window)
    if base not in batch.names or not isinstance(batch.kinds.known(window), Array):
        raise Unbatched("a tangent added where there is no tangent")
    new: gast.Call = shallow(call)
    try:
        whole, rank = leading(batch, index), slot_rank(batch, window, index)
    except Unruled:
        raise Unbatched("an index of several arrays") from None
    whole = shallow(whole)
    whole.elts = [_slice(part) for part in whole.elts]
    new.args = [lifted(batch, window), whole, _fitting(batch, value, rank)]
    return new


def _slice(part: gast.expr) -> gast.expr:
    """A part of an index outside of brackets."""
    if not isinstance(part, gast.Slice):
        return part
    none = gast.Constant(value=None, kind=None)
    bounds = [none if bound is None else bound for bound in (part.lower, part.upper, part.step)]
    if part.lower is None and part.step is None:
        bounds = bounds[1:2]
    function = gast.Name(id="slice", ctx=gast.Load(), annotation=None, type_comment=None)
    return gast.Call(func=function, args=bounds, keywords=[])


def _compound(batch: Batch, statement: Any) -> Any:
    heads = [getattr(statement, part, None) for part in ("test", "iter", "items")]
    if any(head is not None and reads(head) & batch.names for head in heads):
        raise Unbatched("control flow by a tangent")
    new = shallow(statement)
    for block in ("body", "orelse", "finalbody"):
        if getattr(statement, block, None):
            setattr(new, block, _block(batch, getattr(statement, block)))
    if getattr(statement, "handlers", None):
        new.handlers = [_handler(batch, handler) for handler in statement.handlers]
    return new


def _handler(batch: Batch, handler: gast.ExceptHandler) -> gast.ExceptHandler:
    new: gast.ExceptHandler = map_children(lambda child: child, handler)
    new.body = _block(batch, handler.body)
    return new


def _delete(batch: Batch, statement: gast.Delete) -> gast.stmt:
    for target in statement.targets:
        if isinstance(target, gast.Name):
            continue
        if batch.carries(getattr(target, "slice", [])) or not batch.is_container(target.value):
            raise Unbatched("del of a tangent")
    return statement


def _returned(batch: Batch, statement: gast.Return) -> gast.stmt:
    pair = statement.value
    if not isinstance(pair, gast.Tuple) or len(pair.elts) != 2 or batch.carries(pair.elts[0]):
        raise Unbatched("a result that is no value with its tangent")
    new: gast.Return = shallow(statement)
    new.value = shallow(pair)
    new.value.elts = [pair.elts[0], held(batch, pair.elts[1])]
    return new


_STATEMENTS: dict[type, Callable[[Batch, Any], gast.stmt]] = {
    gast.Assign: _assign,
    gast.AugAssign: _augmented,
    gast.Expr: _expression,
    gast.If: _compound,
    gast.For: _compound,
    gast.While: _compound,
    gast.With: _compound,
    gast.Try: _compound,
    gast.Delete: _delete,
    gast.Return: _returned,
}
