"""The tangent of a function with a derivative of its own: `@custom(jvp=...)`.

    y = solve(x, k)
    y_dot = fitted(solve_jvp((x_dot, 0.0), y, x, k), y)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gast

from autodiff.analysis.changes import operand_classes
from autodiff.analysis.operation import Operation
from autodiff.errors import AutodiffError
from autodiff.forward.fitting import Tangent
from autodiff.forward.transposed import transposed
from autodiff.forward.zeros import atom, zeros_for
from autodiff.reverse.apply import Applier
from autodiff.reverse.refusals import no_side
from autodiff.rules.linearity import is_d, is_zero
from autodiff.rules.template import Rule
from autodiff.syntax.names import name
from autodiff.syntax.walk import map_children

if TYPE_CHECKING:
    from autodiff.forward.forward import Forward


def given(
    forward: Forward,
    statement: gast.Assign,
    rule: Rule,
    operation: Operation,
    bound: dict[str, Any],
    target: str,
) -> Tangent:
    """The tangent by `jvp`, or, if only `vjp` was given, by what that is the transpose of."""
    if rule.tangent is None:
        try:
            return transposed(forward, statement, rule, operation, bound, target)
        except AutodiffError as error:
            raise no_side(statement, operation, "jvp", error) from error
    if rule.narrowed is not None:
        names = {p: v.id for p, v in bound.items() if isinstance(v, gast.Name)}
        active = frozenset(p for p, own in names.items() if forward.carries(own))
        rule = rule.narrowed(active, operand_classes(bound, forward.kinds))
        if is_zero(rule.tangent):
            return Tangent(zeros_for(forward, target, name(target)), covering=True)
    applier = Applier(rule, operation, target, forward.bars, forward.helpers)
    applier.bind(bound, {})
    dots: dict[str, gast.expr] = {}

    def visit(node: gast.AST) -> Any:
        if isinstance(node, gast.Subscript) and is_d(node.value):
            parameter = node.slice.id
            own = f"{parameter}_dot"
            while own in applier.mapping and own not in dots:
                own += "_given"
            operand = bound.get(parameter, gast.Constant(value=None, kind=None))
            dots[own] = atom(forward, operand, statement)
            return name(own)
        return map_children(visit, node)

    template = visit(rule.tangent)
    applier.mapping.update(dots)
    node = applier.filled(template)
    return Tangent(node, covering=True, after=frozenset({target}))
