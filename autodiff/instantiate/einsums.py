"""The adjoints of `np.einsum` as calls of `np.einsum`, where subscripts and shapes are known."""

from __future__ import annotations

from typing import Any

import gast

from autodiff.kinds.kind import Array, Scalar, is_real
from autodiff.kinds.known import Kinds
from autodiff.runtime.products import subscripts_of
from autodiff.syntax.quote import quote


def contraction(call: gast.Call, kinds: Kinds, np_name: gast.expr) -> gast.expr | None:
    """`einsum_adjoint(g, "ij,jk->ik", (a, b), 0)` as `np.einsum("ik,jk->ij", g, b)`.

    None where an operand has letters of its own, or may have been broadcast.
    """
    g, text, operands, index = call.args
    if not isinstance(text, gast.Constant) or not isinstance(index, gast.Constant):
        return None
    if not isinstance(text.value, str) or "." in text.value or not isinstance(operands, gast.Tuple):
        return None
    shapes = [_shape(kinds.of(operand)) for operand in operands.elts]
    if None in shapes:
        return None
    terms, output = subscripts_of(
        text.value, tuple(len(shape) for shape in shapes if shape is not None)
    )
    if not _agree(terms, shapes):
        return None
    k: int = index.value
    others = [j for j in range(len(terms)) if j != k]
    known = set(output).union(*(terms[j] for j in others))
    if len(set(terms[k])) < len(terms[k]) or not set(terms[k]) <= known:
        return None
    rest = [_conjugate(operands.elts[j], kinds, np_name) for j in others]
    if not output and len(others) == 1 and sorted(terms[others[0]]) == sorted(terms[k]):
        same = terms[others[0]] == terms[k]
        if same or terms[others[0]] == terms[k][::-1]:
            return quote("g * x" if same else "g * x.T", g=g, x=rest[0])
    if output:
        return _einsum([output, *(terms[j] for j in others)], terms[k], [g, *rest], np_name)
    if not others:
        return g
    inner = _einsum([terms[j] for j in others], terms[k], rest, np_name)
    return gast.BinOp(left=g, op=gast.Mult(), right=inner)


def _einsum(
    terms: list[str], output: str, operands: list[gast.expr], np_name: gast.expr
) -> gast.expr:
    written = gast.Constant(value=",".join(terms) + "->" + output, kind=None)
    template = "np.einsum(optimize=True)" if len(operands) > 2 else "np.einsum()"
    call = quote(template, np=np_name)
    return gast.Call(func=call.func, args=[written, *operands], keywords=call.keywords)


def _shape(kind: Any) -> tuple[Any, ...] | None:
    if isinstance(kind, Scalar):
        return ()
    return kind.shape if isinstance(kind, Array) else None


def _agree(terms: tuple[str, ...], shapes: list[Any]) -> bool:
    """Whether each letter stands for one size, which is known to be the same everywhere."""
    sizes: dict[str, Any] = {}
    for term, shape in zip(terms, shapes):
        if len(term) != len(shape) or None in shape:
            return False
        for letter, size in zip(term, shape):
            if sizes.setdefault(letter, size) != size:
                return False
    return True


def _conjugate(operand: gast.expr, kinds: Kinds, np_name: gast.expr) -> gast.expr:
    if is_real(kinds.of(operand)):
        return operand
    return quote("np.conj(x)", np=np_name, x=operand)
