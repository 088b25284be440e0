"""Products of arrays, one of which is a tangent along several directions."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

import gast
import numpy as np

from autodiff.core import Apply, Value
from autodiff.kinds.kind import is_real
from autodiff.primitives import Application, Builder, number_of
from autodiff.tangent.directions.forms import made

if TYPE_CHECKING:
    from autodiff.tangent.directions.widened import Widened


def operands_of(work: Widened, op: Apply) -> tuple[Value, Value, int, int] | None:
    """Both operands of a product and their ranks, if one of them is a tangent."""
    if len(op.operands) != 2 or len(op.application.arguments) != 2 or op.application.keywords:
        return None
    left, right = op.operands
    one, two = work.rank(left), work.rank(right)
    if one is None or two is None or work.has(left) and work.has(right):
        return None
    return left, right, one, two


def matmul(work: Widened, op: Apply, builder: Builder) -> Value | None:
    """`a @ x_dot`, with the directions as a stack of matrices, or as the rows of one."""
    found = operands_of(work, op)
    return None if found is None else multiplied(work, op, builder, *found)


def multiplied(
    work: Widened, op: Apply, builder: Builder, left: Value, right: Value, one: int, two: int
) -> Value | None:
    """One of both has the directions."""
    if min(one, two) < 1:
        return None
    kind = op.result.kind
    if work.has(left):
        if two > 2 and one < 2:
            return None
        left = work.aligned(builder, left, two) if two > 2 else left
        return made(work, builder, "a @ b", [left, right], kind)
    if two > 1:
        right = work.aligned(builder, right, max(one, two))
        return made(work, builder, "a @ b", [left, right], kind)
    if one > 2:
        return None
    return made(work, builder, "b @ a" if one == 1 else "b @ a.T", [left, right], kind)


def dot(work: Widened, op: Apply, builder: Builder) -> Value | None:
    """`np.dot`."""
    found = operands_of(work, op)
    if found is None or max(found[2:]) > 2:
        return None
    left, right, one, two = found
    if min(one, two) > 0:
        return multiplied(work, op, builder, *found)
    left, right = (work.aligned(builder, value, max(one, two)) for value in (left, right))
    return made(work, builder, "a * b", [left, right], op.result.kind)


def inner(work: Widened, op: Apply, builder: Builder) -> Value | None:
    """`np.inner` and `np.vdot`, of vectors of real numbers."""
    found = operands_of(work, op)
    if found is None or not all(is_real(work.one(value)) for value in op.operands):
        return None
    left, right, one, two = found
    if (one, two) == (1, 1):
        return multiplied(work, op, builder, *found)
    if op.primitive.function is not np.vdot or min(one, two) < 1:
        return None
    if work.has(right):
        left, right = right, left
    text = "a.reshape(c, -1) @ b.ravel()"
    return made(work, builder, text, [left, right, work.number], op.result.kind)


def outer(work: Widened, op: Apply, builder: Builder) -> Value | None:
    """`np.outer`."""
    found = operands_of(work, op)
    if found is None or found[2:] != (1, 1):
        return None
    left = work.has(found[0])
    text = "a[:, :, None] * b" if left else "a[:, None] * b[:, None]"
    return made(work, builder, text, found[:2], op.result.kind)


def einsum(work: Widened, op: Apply, builder: Builder) -> Value | None:
    """`np.einsum`, with one more letter."""
    text, *rest = op.application.arguments
    text = getattr(text, "value", None)
    if not isinstance(text, str) or "->" not in text or "." in text:
        return None
    places = [number_of(node) for node in rest]
    given, result = text.replace(" ", "").split("->")
    terms = given.split(",")
    if None in places or len(terms) != len(places):
        return None
    if any(word != "optimize" for word, _ in op.application.keywords):
        return None
    letter = next(c for c in "kKabcdefghijlmnopqrstuvwxyz" if c not in text)
    for k, place in enumerate(places):
        if work.has(op.operands[place or 0]):
            terms[k] = letter + terms[k]
    node = gast.Constant(f"{','.join(terms)}->{letter}{result}", None)
    words = [gast.keyword(word, own) for word, own in op.application.keywords]
    form = gast.Call(op.form.func, [node, *rest], words)
    application = Application((node, *rest), op.application.keywords)
    return builder.apply(op.primitive, application, form, op.operands, op.result.kind)


def solve(work: Widened, op: Apply, builder: Builder) -> Value | None:
    """`np.linalg.solve` with right-hand sides that are tangents."""
    found = operands_of(work, op)
    if found is None or found[2] != 2 or work.has(found[0]) or found[3] > 2:
        return None
    text = "f(a, b.T).T" if found[3] == 1 else "f(a, b)"
    return made(work, builder, text, found[:2], op.result.kind, f=op.form.func)


PRODUCTS: dict[Any, Any] = {
    **dict.fromkeys((np.matmul, operator.matmul), matmul),
    **dict.fromkeys((np.inner, np.vdot), inner),
    np.dot: dot,
    np.outer: outer,
    np.einsum: einsum,
    np.linalg.solve: solve,
}
