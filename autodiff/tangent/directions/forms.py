"""Operations that have a form of their own for tangents along several directions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import gast
import numpy as np

from autodiff.core import Apply, Value, constant
from autodiff.kinds.kind import Array, Kind, Record, Scalar
from autodiff.kinds.kind import Sequence as Sequence_
from autodiff.primitives import (
    Application,
    Builder,
    Primitive,
    bound,
    hole,
    number_of,
    primitive_of,
    written,
)
from autodiff.primitives.containing import is_container
from autodiff.runtime import (
    copied,
    repeated,
    tangent_of,
    tangents_of,
    unbroadcast,
    unbroadcast_each,
    zeros_alike,
    zeros_each,
    zeros_like,
)
from autodiff.syntax.quote import quote
from autodiff.tangent.directions.spread import Unbatched

if TYPE_CHECKING:
    from autodiff.tangent.directions.widened import Widened

MADE = Primitive(None, "batched", memory="new")
"""New memory along all directions."""
ZEROS = Primitive(None, "zeros", memory="new", cheap=True, total=True, formal=True)
"""Zeros along all directions, in the form of an array."""
_LIKE = frozenset((np.zeros_like, zeros_like, zeros_alike))


def made(
    work: Widened,
    builder: Builder,
    text: str,
    operands: Sequence[Value],
    kind: Kind,
    primitive: Primitive = MADE,
    **parts: Any,
) -> Value:
    """An expression over operands: `a`, `b` ... stand for them."""
    holes = {chr(97 + k): hole(k) for k in range(len(operands))}
    form = quote(text, np=work.references.use("np", np), **{**holes, **parts})
    return builder.apply(primitive, Application((form,)), form, operands, kind)


def called(
    work: Widened, builder: Builder, function: Any, operands: Sequence[Value], kind: Kind
) -> Value:
    """A function of the runtime's that gives new memory."""
    letters = ", ".join(chr(97 + k) for k in range(len(operands)))
    name = work.references.use(function.__name__, function)
    return made(work, builder, f"f({letters})", operands, kind, f=name)


def made_without(work: Widened, op: Apply, builder: Builder) -> Value:
    """What depends on the direction and is made of nothing that does: zeros, to begin with."""
    kind, like = op.result.kind, op.operands[0] if op.operands else None
    if like is not None and op.primitive.function in _LIKE:
        dtype = {"float64": "", "complex128": ", complex"}.get(getattr(kind, "dtype", None) or "")
        if dtype is None or not isinstance(like.kind, Array):
            return called(work, builder, zeros_each, [like, work.number], kind)
        text = f"np.zeros((a, *b.shape){dtype})"
        return made(work, builder, text, [work.number, like], kind, ZEROS)
    one = Value("", work.one(op.result))
    if work.rank(op.result) is None:
        raise Unbatched("a container that an operation gives")
    op.results, one.op, one.block = [one], op, builder.block
    builder.block.operations.append(op)
    return called(work, builder, repeated, [one, work.number], kind)


# Shapes -----------------------------------------------------------------------------------------


def known(node: gast.expr, operands: list[Value]) -> Any:
    """The axis, or the axes, that are written somewhere; None where these are found at run time."""
    number = number_of(node)
    if number is not None:
        value = operands[number]
        return value.constant if value.is_constant else getattr(value.kind, "value", None)
    try:
        return gast.literal_eval(bound(node, operands))
    except ValueError:
        return None


def behind(axis: Any) -> Any:
    """The axes with that of the directions in front.

    >>> behind(0), behind(-1), behind((0, 2))
    (1, -1, (1, 3))
    """
    if isinstance(axis, (tuple, list)):
        after = tuple(map(behind, axis))
        return None if None in after else after
    return None if type(axis) is not int else axis + 1 if axis >= 0 else axis


def same(work: Widened, op: Apply, builder: Builder) -> Value | None:
    """The same operation: how many axes there are in front does not matter."""
    return work.stays(op, builder)


def as_number(work: Widened, op: Apply, builder: Builder) -> Value | None:
    """`float(x_dot)`."""
    own = op.operands[0]
    if len(op.operands) > 1 or own.kind != op.result.kind:
        return None
    return builder.call(".copy", np.copy, own, kind=op.result.kind)


def copy(work: Widened, op: Apply, builder: Builder) -> Value | None:
    """A copy."""
    known = work.rank(op.operands[0]) is not None or op.primitive.function is copied
    return None if op.application.keywords or not known else work.stays(op, builder)


def matrices(work: Widened, op: Apply, builder: Builder) -> Value | None:
    """The same operation on the last two axes."""
    rank = work.rank(op.operands[0])
    return None if rank is None or rank < 2 else work.stays(op, builder)


def shape(work: Widened, op: Apply, builder: Builder) -> Value | None:
    """`x.shape`, without the directions."""
    return made(work, builder, "np.shape(a)[1:]", [op.operands[0]], op.result.kind)


def transpose(work: Widened, op: Apply, builder: Builder) -> Value | None:
    """`x.T`: the directions stay in front."""
    own = op.operands[0]
    rank, arguments = work.rank(own), op.application.arguments
    if rank is None or op.application.keywords or len(arguments) > 2:
        return None
    order = known(arguments[1], op.operands) if len(arguments) > 1 else None
    order = tuple(range(rank))[::-1] if order is None and len(arguments) < 2 else order
    if not isinstance(order, (tuple, list)) or len(order) != rank:
        return None
    after = behind([axis % rank for axis in order])
    return builder.call(".transpose", np.transpose, own, constant((0, *after)), kind=op.result.kind)


def with_count(work: Widened, op: Apply, place: int) -> tuple[gast.expr, list[Value]] | None:
    """A shape that is an argument, with the number of directions in front; and all operands."""
    arguments = op.application.arguments
    if len(arguments) != place + 1 or op.application.keywords:
        return None
    node, operands = arguments[place], [*op.operands, work.number]
    first, rest = hole(len(operands) - 1), [node]
    if hasattr(node, "elts"):
        rest = list(node.elts)
    else:
        number = number_of(node)
        kind = op.operands[number].kind if number is not None else Scalar("int")
        if number is not None and op.operands[number].is_constant:
            kind = (
                Scalar("int")
                if isinstance(op.operands[number].constant, int)
                else Record(tuple, (), ())
            )
        if isinstance(kind, (Record, Sequence_)):
            rest = [gast.Starred(value=node, ctx=gast.Load())]
        elif not isinstance(kind, Scalar):
            return None
    return gast.Tuple(elts=[first, *rest], ctx=gast.Load()), operands


def reshape(work: Widened, op: Apply, builder: Builder) -> Value | None:
    """`x.reshape(directions, ...)`."""
    found = with_count(work, op, 1)
    if found is None or work.rank(op.operands[0]) in (None, 0):
        return None
    return formed_again(work, op, builder, *found)


def ravel(work: Widened, op: Apply, builder: Builder) -> Value | None:
    """`x.reshape(directions, -1)`."""
    rank = work.rank(op.operands[0])
    if len(op.application.arguments) != 1 or op.application.keywords or not rank:
        return None
    node = gast.Tuple(elts=[hole(1), written(-1)], ctx=gast.Load())
    return formed_again(work, op, builder, node, [op.operands[0], work.number])


def formed_again(
    work: Widened, op: Apply, builder: Builder, node: gast.expr, operands: list[Value]
) -> Value:
    """Another shape: of what changes, where that is a view as it is along one direction."""
    own = operands[0]
    if op.result.is_written and not (isinstance(own.op, Apply) and own.op.primitive is ZEROS):
        raise Unbatched("a new shape of an array that changes")
    form = quote("x.reshape(s)", x=hole(0), s=node)
    given = Application((hole(0), node))
    return builder.apply(primitive_of(np.reshape), given, form, operands, op.result.kind)


def flattened(work: Widened, op: Apply, builder: Builder) -> Value | None:
    """`x.flatten()`."""
    if len(op.operands) != 1 or op.application.keywords or work.rank(op.operands[0]) is None:
        return None
    return made(
        work, builder, "a.reshape(b, -1).copy()", [op.operands[0], work.number], op.result.kind
    )


def broadcast(work: Widened, op: Apply, builder: Builder) -> Value | None:
    """`np.broadcast_to(x_dot, shape)`."""
    found, rank = with_count(work, op, 1), work.rank(op.result)
    if found is None or rank is None or work.rank(op.operands[0]) is None:
        return None
    node, operands = found
    operands[0] = work.aligned(builder, operands[0], rank)
    form = quote("f(x, s)", f=op.form.func, x=hole(0), s=node)
    return builder.apply(op.primitive, Application((hole(0), node)), form, operands, op.result.kind)


def diagonal(work: Widened, op: Apply, builder: Builder) -> Value | None:
    """`np.diag` of a matrix."""
    own = op.operands[0]
    if work.rank(own) != 2 or len(op.application.arguments) != 1 or op.application.keywords:
        return None
    text, primitive = "np.diagonal(a, axis1=1, axis2=2)", primitive_of(np.diagonal)
    return made(work, builder, text, [own], op.result.kind, primitive)


def fitted_to(work: Widened, op: Apply, builder: Builder) -> Value | None:
    """`tangent_of(g, like)`."""
    given, like = op.operands[:2]
    if isinstance(like.kind, Scalar) and given.kind == op.result.kind:
        return builder.call(".copy", np.copy, given, kind=given.kind)
    if is_container(given.kind) and getattr(given.kind, "cls", dict) is not tuple:
        return called(work, builder, copied, [given], op.result.kind)
    if not isinstance(like.kind, Array) or work.has(like) or work.rank(given) is None:
        return None
    own = work.aligned(builder, given, len(like.kind.shape))
    return called(work, builder, tangents_of, [own, like], op.result.kind)


def filled_like(work: Widened, op: Apply, builder: Builder) -> Value | None:
    """`np.full_like(like, g)`."""
    if len(op.operands) != 2 or op.application.keywords or not work.has(op.operands[1]):
        return None
    like, given = op.operands
    kind = like.kind
    if (
        not isinstance(kind, Array)
        or work.has(like)
        or kind.dtype != getattr(op.result.kind, "dtype", None)
    ):
        return None
    own = work.aligned(builder, given, len(kind.shape))
    return called(work, builder, tangents_of, [own, like], op.result.kind)


def summed_to(work: Widened, op: Apply, builder: Builder) -> Value | None:
    """`unbroadcast(g, like)`."""
    given, like = op.operands[:2]
    if work.rank(given) is None or work.rank(like) is None or work.has(like):
        return None
    own = work.references.use("unbroadcast_each", unbroadcast_each)
    form = quote("f(a, b)", f=own, a=hole(0), b=hole(1))
    return builder.apply(op.primitive, op.application, form, [given, like], op.result.kind)


TOLD = frozenset((np.shape, np.may_share_memory))
"""What gives the same along all directions, of tangents."""
FORMS: dict[Any, Any] = {
    **dict.fromkeys((np.copy, copied), copy),
    **dict.fromkeys((np.tril, np.triu), matrices),
    **dict.fromkeys((np.may_share_memory, np.nan_to_num, np.ndarray.astype), same),
    **dict.fromkeys((float, complex, np.float64, np.complex128), as_number),
    np.shape: shape,
    np.transpose: transpose,
    np.reshape: reshape,
    np.ravel: ravel,
    np.ndarray.flatten: flattened,
    np.broadcast_to: broadcast,
    np.diag: diagonal,
    tangent_of: fitted_to,
    np.full_like: filled_like,
    unbroadcast: summed_to,
}
