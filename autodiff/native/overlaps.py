"""Changes of arrays in place that read what they change."""

from __future__ import annotations

import gast

from autodiff.errors import NativeError
from autodiff.kinds.kind import Array, Scalar
from autodiff.native.native_kinds import NativeKinds
from autodiff.syntax.change import changed, map_blocks
from autodiff.syntax.names import name, store
from autodiff.syntax.origin import origin_of, with_origin
from autodiff.syntax.quote import quote, quote_statements


def overlaps(tree: gast.FunctionDef, known: NativeKinds) -> gast.FunctionDef:
    """`x[1:] += e` as a store of a new array, whatever memory `e` shares with `x`.

        x[1:] += x[:-1]                        x[1:] = x[1:] + x[:-1]

        x[order(y)] += e                       picked = order(y)
                                               x[picked] = x[picked] + e

    Numba adds element by element, and reads what it has just written; NumPy does not.
    """

    def block(body: list[gast.stmt]) -> list[gast.stmt]:
        new = [map_blocks(block, node) for node in body]
        return [statement for node in new for statement in _stored(node, known)]

    result: gast.FunctionDef = changed(tree, body=block(tree.body))
    return result


def _stored(node: gast.stmt, known: NativeKinds) -> list[gast.stmt]:
    if not isinstance(node, gast.AugAssign):
        return [node]
    kind = known.of(node.target)
    if isinstance(kind, Scalar) or isinstance(known.of(node.value), Scalar):
        return [node]
    target = node.target
    before: list[gast.stmt] = []
    if isinstance(target, gast.Subscript) and isinstance(target.slice, gast.Call):
        picked = known.fresh("picked", known.of(target.slice))
        before = [gast.Assign(targets=[store(picked)], value=target.slice)]
        target = changed(target, slice=name(picked))
    held = isinstance(target, gast.Name) or not isinstance(known.of(target.value), Array)
    if held:
        if not isinstance(kind, Array):
            own = getattr(target, "id", "an item")
            raise NativeError(
                f"whether `{own}` is a number or an array is not known while compiling",
                origin_of(node),
                why="`+=` makes a new number, and changes an array",
                cure='leave backend="numba" out for this function',
            )
        target = quote("x[:]", x=target)
    read = quote("x", x=target.value if _is_whole(target) else target)
    read.ctx = gast.Load()
    [stored] = quote_statements("t = e", t=target, e=read)
    stored.value = gast.BinOp(left=read, op=node.op, right=node.value)
    return with_origin([*before, stored], origin_of(node))


def _is_whole(target: gast.expr) -> bool:
    """Whether it is `x[...]`, which Numba cannot read of a strided view, but can store to."""
    index = target.slice if isinstance(target, gast.Subscript) else None
    return isinstance(index, gast.Constant) and index.value is Ellipsis
