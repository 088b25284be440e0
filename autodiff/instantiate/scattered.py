"""Contributions to a part of an operand: `scatter(g, like=x, at=k)` in a template."""

from __future__ import annotations

from typing import TYPE_CHECKING

import gast

from autodiff import runtime
from autodiff.instantiate.broadcast import finished
from autodiff.instantiate.contribution import Contribution, as_index, index_value, undone
from autodiff.instantiate.simplify import simplify
from autodiff.kinds.kind import Array, Scalar, is_complex, is_real
from autodiff.syntax.quote import quote

if TYPE_CHECKING:
    from autodiff.instantiate.apply import Applier


def is_scatter(applier: Applier, template: gast.expr) -> bool:
    return (
        isinstance(template, gast.Call)
        and isinstance(template.func, gast.Name)
        and template.func.id == "scatter"
        and applier.rule.lookup("scatter") is runtime.scatter
    )


def terms(applier: Applier, template: gast.expr, operand: gast.Name) -> list[gast.expr]:
    """A template for an array without what it adds to elements, and that as contributions."""
    parts: list[gast.expr] = []
    if isinstance(applier.kinds.of(operand), Array):
        while isinstance(template, gast.BinOp) and isinstance(template.op, gast.Add):
            if not is_scatter(applier, template.right):
                break
            parts.insert(0, template.right)
            template = template.left
    return [template, *parts]


def scattered(applier: Applier, template: gast.Call, operand: gast.Name) -> Contribution:
    keywords = {keyword.arg: keyword.value for keyword in template.keywords}
    kind = applier.kinds.of(operand)
    at = as_index(simplify(applier.fill(keywords["at"]), applier.inexact))
    back = undone(at) if isinstance(kind, (Array, Scalar)) else None
    if back is not None:
        whole = applier.filled(template.args[0])
        value = gast.Subscript(value=whole, slice=back, ctx=gast.Load())
        return finished(applier, value, operand)
    if isinstance(kind, Array):
        value = simplify(applier.fill(template.args[0], raw=True), applier.inexact)
        if is_real(kind) and is_complex(applier.kinds.of(value)):
            value = quote("np.real(x)", np=applier.np, x=value)
        return Contribution(operand.id, value, applier.kinds.of(value), False, at)
    applier.mapping = {
        p: index_value(v) if isinstance(v, gast.AST) else v for p, v in applier.mapping.items()
    }
    value = applier.fill(template)
    return Contribution(operand.id, value, kind, True)
