"""Lists of tangents, and arrays made of them: along several directions."""

from __future__ import annotations

import builtins
from typing import TYPE_CHECKING, Any

import gast
import numpy as np

from autodiff.core import Apply, Value, constant
from autodiff.kinds.kind import Array, Kind, Record
from autodiff.primitives import DISPLAY, Application, Builder, dotted, hole, number_of, primitive_of
from autodiff.primitives.containing import is_container
from autodiff.reversal.unneeded import tested
from autodiff.runtime import stacked
from autodiff.tangent.directions.forms import called, known, made
from autodiff.tangent.directions.spread import shape_of
from autodiff.tangent.rules import numbers as numbers_in

if TYPE_CHECKING:
    from autodiff.tangent.directions.widened import Widened


def numbers(work: Widened, builder: Builder, value: Value) -> Value | None:
    """A list of numbers, or of arrays of one shape, as one array; None where that is no such list.
    Of an array, itself.
    """
    op = value.op
    if work.rank(value) is not None:
        return value
    if isinstance(op, Apply) and op.primitive is DISPLAY and isinstance(value.kind, Record):
        parts = [numbers(work, builder, part) for part in op.operands]
        items = [part for part in parts if part is not None]
        if value.kind.cls not in (list, tuple) or not items or len(items) < len(parts):
            return None
        if len({work.rank(part) for part in items}) > 1:
            return None
        given = builder.display(list, tuple(range(len(items))), items)
        return made(work, builder, "np.stack(a, axis=1)", [given], axes(work, items[0].kind, 1))
    rank = item_rank(work.one(value))
    if rank is None:
        return None
    return called(work, builder, stacked, [value, work.number], axes(work, None, rank + 1))


def item_rank(kind: Kind) -> int | None:
    """The axes of what a list holds, if these are as many for all."""
    items = kind.items if isinstance(kind, Record) else (getattr(kind, "item", None),)
    shapes = [None if item is None else shape_of(item) for item in items]
    ranks = {None if shape is None else len(shape) for shape in shapes}
    return ranks.pop() if len(ranks) == 1 else None


def axes(work: Widened, kind: Kind | None, more: int) -> Kind:
    """An array along all directions, with more axes than one of a kind has."""
    own = kind.shape[1:] if isinstance(kind, Array) else ()
    return Array(None, (work.size, *(None for _ in range(len(own) + more))))


def as_array(work: Widened, op: Apply, builder: Builder) -> Value | None:
    """`np.array([a_dot, b_dot])`; of a number, new memory."""
    own = op.operands[0]
    rank = work.rank(own)
    if op.application.keywords or len(op.application.arguments) > 1:
        return None
    if rank is None:
        return numbers(work, builder, own)
    if rank == 0:
        return builder.call(".copy", np.copy, own, kind=op.result.kind)
    return work.stays(op, builder)


def total(work: Widened, op: Apply, builder: Builder) -> Value | None:
    """`sum([a_dot, b_dot])`, which begins with zero for each direction."""
    own = op.operands[0]
    if len(op.application.arguments) > 1 or op.application.keywords or work.rank(op.result) != 0:
        return None
    if work.rank(own) == 1:
        return made(work, builder, "a.sum(axis=1)", [own], op.result.kind)
    if item_rank(work.one(own)) != 0:
        return None
    operands = [own, work.held(builder, constant(0.0))]
    return made(work, builder, "f(a, b)", operands, op.result.kind, f=op.form.func)


def listed(work: Widened, op: Apply, builder: Builder) -> Value | None:
    """`[0.0] * n`, `xs + ys`: all lists hold tangents."""
    lists = [value for value in op.operands if is_container(value.kind)]
    return work.stays(op, builder) if all(map(work.has, lists)) else None


def chosen(work: Widened, op: Apply, builder: Builder) -> Value | None:
    """`x_dot if test else 0.0`; where the test is a tangent, `np.where(x_dot, 2 * x_dot, 0.0)`."""
    if not hasattr(op.form, "orelse") or work.rank(op.result) != 0:
        return None
    if op.gates and all(work.rank(value) == 0 for value in op.operands):
        numpy = work.references.use("np", np)
        body = op.form.body  # which is computed in any case
        tests = tested(body, lambda node: any(work.has(op.operands[k]) for k in numbers_in(node)))
        if tests:
            test = gast.BoolOp(gast.And(), tests) if tests[1:] else tests[0]
            body = gast.IfExp(test, body, dotted(f"{numpy}.nan"))
        arguments = (op.form.test, body, op.form.orelse)
        form = gast.Call(dotted(f"{numpy}.where"), [*arguments], [])
        application = Application(arguments)
        return builder.apply(primitive_of(np.where), application, form, op.operands, op.result.kind)
    ends, operands = [], list(op.operands)
    if any(work.has(op.operands[k]) for k in numbers_in(op.form.test)):
        return None
    for node in (op.form.body, op.form.orelse):
        number = number_of(node)
        if number is None and any(True for _ in numbers_in(node)):
            return None
        value = constant(known(node, [])) if number is None else op.operands[number]
        if work.rank(value) != 0:
            return None
        operands.append(work.held(builder, value))
        ends.append(hole(len(operands) - 1))
    form = gast.IfExp(op.form.test, *ends)
    return builder.apply(op.primitive, Application((form,)), form, operands, op.result.kind)


def rows(work: Widened, op: Apply, builder: Builder) -> Value | None:
    """`np.vstack` and such: of vectors, `np.stack`; of others, `np.concatenate`."""
    own = op.operands[0]
    rank = item_rank(work.one(own))
    text = None if rank is None else _JOINED[op.primitive.function].get(rank)
    if text is None or op.application.keywords or len(op.application.arguments) > 1:
        return None
    return made(work, builder, text, [own], op.result.kind)


_JOINED: dict[Any, dict[int, str]] = {
    np.hstack: {
        0: "np.stack(a, axis=1)",
        1: "np.concatenate(a, axis=1)",
        2: "np.concatenate(a, axis=2)",
    },
    np.vstack: {1: "np.stack(a, axis=1)", 2: "np.concatenate(a, axis=1)"},
    np.column_stack: {1: "np.stack(a, axis=2)", 2: "np.concatenate(a, axis=2)"},
}
JOINED: dict[Any, Any] = {
    **dict.fromkeys((np.array, np.asarray), as_array),
    **dict.fromkeys((np.hstack, np.vstack, np.column_stack), rows),
    builtins.sum: total,
}
