"""A tangent has the shape, the dtype and the memory that its primal has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import gast

from autodiff.analysis.conflicts import is_apart
from autodiff.analysis.kind import Array, Kind, Scalar
from autodiff.analysis.references import borrowed, is_entry
from autodiff.errors import UnsupportedSyntaxError
from autodiff.syntax.origin import origin_of
from autodiff.syntax.quote import quote

if TYPE_CHECKING:
    from autodiff.forward.forward import Forward


@dataclass(frozen=True, slots=True)
class Tangent:
    """The tangent of a value.

    mirrored: what was done to the operands is done to their tangents, so shape, dtype and memory
    new: the value is memory of its own.
    after: names that have to be assigned before it is computed.
    primal: a statement that computes both.
    """

    node: gast.expr
    mirrored: bool = False
    moved: bool = False
    covering: bool = False
    new: bool = False
    after: frozenset[str] = frozenset()
    primal: gast.stmt | None = None


def fitted(forward: Forward, statement: gast.Assign, tangent: Tangent) -> gast.expr:
    """The expression of a tangent, brought into form, or copied, where that is necessary."""
    target, node = statement.targets[0].id, tangent.node
    if tangent.mirrored:
        entered = is_entry(statement, forward.kinds) and forward.aliases.is_changed(target)
        if entered and isinstance(forward.kinds.names.get(target), Array):  # so is the primal
            if forward.depends_on_layout:
                return quote("f(g, x)", f=forward.helper("tangent_of"), g=node, x=target)
            return quote("x.copy()", x=node)
        return node
    kind, own = forward.kinds.names.get(target), forward.kinds.known(node)
    if isinstance(kind, Scalar):
        return node
    changed = forward.aliases.is_changed(target)
    if not tangent.new:
        check_memory(forward, statement, target)
    if not (tangent.covering or _equal(own, kind)) or changed and forward.depends_on_layout:
        return quote("f(g, x)", f=forward.helper("tangent_of"), g=node, x=target)
    dots = {dot: primal for primal, dot in forward.dots.items()}
    others = {dots.get(n, n) for n in borrowed(node, forward.kinds)}
    others -= borrowed(statement.value, forward.kinds)
    if not others:
        return node
    if changed or any(map(forward.aliases.is_changed, others)):
        if isinstance(kind, Array):
            return quote("x.copy()", x=node)
        return quote("f(x)", f=forward.helper("copied"), x=node)
    forward.lent.add(target)
    return node


def check_memory(forward: Forward, statement: gast.Assign, target: str) -> None:
    """Refuse memory that two names may share, while their tangents do not, and that changes.

    It does not matter where one of the two is not in use any more: `u[1:] = smoothed(u[:-1])`.
    """
    for source in sorted(borrowed(statement.value, forward.kinds)):
        if not forward.carries(source):
            continue
        if not any(map(forward.aliases.is_changed, (source, target))):
            continue
        if not is_apart(forward.tree, forward.kinds, statement):
            raise UnsupportedSyntaxError(
                f"autodiff cannot tell whose memory `{target}` shares here",
                origin_of(statement),
                why=f"it may be that of `{source}`, which carries a derivative, and it is updated "
                "in place",
                cure="write `.copy()` if it is to be an array of its own",
            )


def _equal(own: Kind, kind: Kind | None) -> bool:
    return own == kind and isinstance(kind, Array) and None not in (kind.dtype, *kind.shape)
