"""The tangent of an assignment to names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import gast

from autodiff.analysis.flow import keys_read
from autodiff.analysis.kind import Array, Mapping, Record, Scalar, Sequence
from autodiff.forward import containers, operations
from autodiff.forward.fitting import Tangent, fitted
from autodiff.forward.zeros import atom, zeros_for
from autodiff.reverse.refusals import missing
from autodiff.syntax.names import name, reads, store

if TYPE_CHECKING:
    from autodiff.forward.forward import Forward


def defined(forward: Forward, statement: gast.Assign) -> list[gast.stmt]:
    """The assignment and that of its tangent, which comes first unless it reads the result."""
    target = statement.targets[0]
    if isinstance(target, gast.Tuple):
        return unpacked(forward, statement)
    value = statement.value
    forward.bars.out = []
    tangent = tangent_of(forward, statement, target.id)
    if tangent.primal is not None:
        return [tangent.primal]
    if not tangent.moved:
        forward.check_unchanged(statement, value)
    node = fitted(forward, statement, tangent)
    dot = forward.follow(target.id)
    code = [*forward.bars.out, gast.Assign(targets=[store(dot)], value=node)]
    forward.bars.out = []
    after = forward.attempts or target.id in reads(code) or target.id in tangent.after
    return [statement, *code] if after else [*code, statement]


def tangent_of(forward: Forward, statement: gast.Assign, target: str) -> Tangent:
    """The tangent of the value of an assignment."""
    value = statement.value
    if isinstance(value, gast.Name) and forward.active & {value.id}:
        return Tangent(atom(forward, value, statement), mirrored=True)
    carrying = (reads(value) - keys_read(value, forward.kinds)) & forward.active
    if not carrying and not _is_display(value):
        return Tangent(zeros_for(forward, target, value), mirrored=True)
    found = containers.mirrored(forward, statement)
    if found is not None:
        return Tangent(found, mirrored=True, moved=True)
    if isinstance(value, (gast.BinOp, gast.UnaryOp, gast.Call, gast.Subscript, gast.Attribute)):
        return operations.applied(forward, statement, target)
    raise missing(forward, statement, value)  # type: ignore[arg-type]


def _is_display(value: gast.expr) -> bool:
    return isinstance(value, (gast.Tuple, gast.List, gast.Dict))


def unpacked(forward: Forward, statement: gast.Assign) -> list[gast.stmt]:
    """`a, b = t` with `a_dot, b_dot = t_dot`."""
    source, parts = statement.value, [part.id for part in statement.targets[0].elts]
    forward.check_unchanged(statement, source)
    followed = [part for part in parts if forward.carries(part)]
    if not isinstance(source, gast.Name) or not forward.carries(source.id):
        zeros = [
            gast.Assign(targets=[store(forward.follow(n))], value=zeros_for(forward, n, name(n)))
            for n in followed
        ]
        return [statement, *zeros]
    dot = name(forward.follow(source.id))
    if followed == parts:
        targets = gast.Tuple(elts=[store(forward.follow(n)) for n in parts], ctx=gast.Store())
        return [gast.Assign(targets=[targets], value=dot), statement]
    kind = forward.kinds.known(source)
    if not isinstance(kind, (Record, Sequence, Array)) or isinstance(kind, Mapping):
        raise missing(forward, statement, source)  # type: ignore[arg-type]
    out: list[gast.stmt] = []
    for number, part in enumerate(parts):
        if part in followed:
            index = gast.Constant(value=number, kind=None)
            item = gast.Subscript(value=dot, slice=index, ctx=gast.Load())
            out.append(gast.Assign(targets=[store(forward.follow(part))], value=item))
    return [*out, statement]


def returned(forward: Forward, value: gast.expr) -> gast.expr:
    """The tangent of the result; not the memory of another tangent if the result is none."""
    statement = gast.Return(value=value)
    if not isinstance(value, gast.Name):
        return atom(forward, value, statement)
    node = atom(forward, value, statement)
    kind = forward.kinds.names.get(value.id)
    if isinstance(kind, Scalar) or not set(forward.aliases.sharing(value.id)) & forward.lent:
        return node
    copied = gast.Attribute(value=node, attr="copy", ctx=gast.Load())
    if isinstance(kind, Array):
        return gast.Call(func=copied, args=[], keywords=[])
    return gast.Call(func=forward.helper("copied"), args=[node], keywords=[])
