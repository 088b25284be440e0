"""Whether a function of one adjoint is linear in it, so that its gradient is its transpose."""

from __future__ import annotations

from typing import Any

import gast

from autodiff.analysis.known import Kinds
from autodiff.errors import NonDifferentiableError
from autodiff.rules import registry
from autodiff.syntax.content import content_reads
from autodiff.syntax.names import writes
from autodiff.syntax.origin import origin_of
from autodiff.syntax.walk import map_children, of_class, walk


def check_linear(
    tree: gast.FunctionDef, gradient: gast.FunctionDef, kinds: Kinds, seed: str
) -> None:
    """Refuse a function whose gradient depends on the seed, or that looks at it otherwise.

    A function that is differentiable, and whose gradient is constant, is linear up to a constant.
    What is not differentiable (`np.sign`, a comparison) has a gradient of zero, so it must not be
    applied to what depends on the seed.
    """
    if seed in content_reads(_without_likes(gradient.body)):
        raise _refusal(None)
    varied = {seed}
    statements = [n for n in walk(tree) if isinstance(n, gast.stmt)]
    grown = True
    while grown:
        grown = False
        for statement in statements:
            if isinstance(statement, (gast.Assign, gast.AugAssign)):
                if content_reads(statement.value) & varied and not writes(statement) <= varied:
                    varied |= writes(statement)
                    grown = True
    for statement in statements:
        if isinstance(statement, (gast.If, gast.While)) and content_reads(statement.test) & varied:
            raise _refusal(statement)
        if isinstance(statement, (gast.Assign, gast.AugAssign)):
            for compared in of_class(statement.value, gast.Compare):
                if content_reads(compared) & varied:
                    raise _refusal(statement)
            operation = kinds.operation(statement.value)
            if operation is None or not registry.is_nondifferentiable(operation.function):
                continue
            if content_reads(statement.value) & varied:
                raise _refusal(statement)


_LIKE = frozenset(("adjoint_of", "fitted", "tangent_of", "unbroadcast", "unreduce"))
"""Helpers that take from their second argument, `like`, no more than its form."""


def _without_likes(node: Any) -> Any:
    """Code without the arguments of which only the form counts."""
    if isinstance(node, list):
        return [_without_likes(part) for part in node]
    new = map_children(_without_likes, node)
    if isinstance(new, gast.Call) and isinstance(new.func, gast.Name) and new.func.id in _LIKE:
        keywords = [keyword for keyword in new.keywords if keyword.arg != "like"]
        return gast.Call(func=new.func, args=new.args[:1], keywords=keywords)
    return new


def _refusal(statement: gast.stmt | None) -> NonDifferentiableError:
    origin = origin_of(statement) if statement is not None else None
    return NonDifferentiableError(
        "the vjp is not known to be linear in the adjoint that it is given",
        origin,
        why="only of a linear function is the transpose the tangent",
        cure="pass a jvp beside it",
    )
