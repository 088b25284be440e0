"""Changes of arrays in place that read what they change."""

from __future__ import annotations

import gast

from autodiff.analysis.kind import Array, Scalar
from autodiff.analysis.known import Kinds
from autodiff.errors import NativeError
from autodiff.optimize.change import changed, map_blocks
from autodiff.syntax.origin import origin_of
from autodiff.syntax.quote import quote, quote_statements


def overlaps(tree: gast.FunctionDef, known: Kinds) -> gast.FunctionDef:
    """`x[1:] += e` as a store of a new array, whatever memory `e` shares with `x`.

        x[1:] += x[:-1]                        x[1:] = x[1:] + x[:-1]

    Numba adds element by element, and reads what it has just written; NumPy does not.
    """

    def block(body: list[gast.stmt]) -> list[gast.stmt]:
        return [_stored(map_blocks(block, node), known) for node in body]

    result: gast.FunctionDef = changed(tree, body=block(tree.body))
    return result


def _stored(node: gast.stmt, known: Kinds) -> gast.stmt:
    if not isinstance(node, gast.AugAssign):
        return node
    kind = known.of(node.target)
    if isinstance(kind, Scalar) or isinstance(known.of(node.value), Scalar):
        return node
    target = node.target
    if isinstance(target, gast.Name):
        if not isinstance(kind, Array):
            raise NativeError(
                f"whether `{target.id}` is a number or an array is not known while compiling",
                origin_of(node),
                why="`+=` makes a new number, and changes an array",
                cure='leave backend="numba" out for this function',
            )
        target = quote("x[:]", x=target.id)
    read = quote("x", x=target.value if _is_whole(target) else target)
    read.ctx = gast.Load()
    [store] = quote_statements("t = e", t=target, e=read)
    store.value = gast.BinOp(left=read, op=node.op, right=node.value)
    store.origin = origin_of(node)
    return store


def _is_whole(target: gast.expr) -> bool:
    """Whether it is `x[...]`, which Numba cannot read of a strided view, but can store to."""
    index = target.slice if isinstance(target, gast.Subscript) else None
    return isinstance(index, gast.Constant) and index.value is Ellipsis
