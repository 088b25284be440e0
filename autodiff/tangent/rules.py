"""The tangent of one operation, by the rule of its primitive.

y = x * w           y_dot = x_dot * w + w_dot * x      a product: each factor in its turn
y = np.tanh(x)      y_dot = x_dot * (1 - y**2)         element by element: what adjoints get
y = x.reshape(n)    y_dot = x_dot.reshape(n)           linear: the same of the tangent
y = np.max(x)                                          else the transpose of the adjoint
"""

from __future__ import annotations

from typing import Any, NamedTuple

import gast

from autodiff.core import Apply, NotYet, Value
from autodiff.instantiate.adjoint_values import Bar
from autodiff.instantiate.apply import Applier
from autodiff.kinds.binding import binding
from autodiff.kinds.kind import Array, Kind, Record, Scalar, Sequence, Static, is_real
from autodiff.kinds.operation import Operation
from autodiff.lower.flow.frame import Unit
from autodiff.primitives import Builder, bound, names_in, number_of
from autodiff.primitives.untraced import misfit, no_slope
from autodiff.reversal.choices import left_out
from autodiff.reversal.expansions import Expansions, key_of
from autodiff.reversal.template_rules import Bench
from autodiff.rules.linearity import is_zero
from autodiff.rules.template import Rule
from autodiff.syntax.walk import same

Dots = dict[Value, Value]
"""The tangents of some operands."""


class Use(NamedTuple):
    """An operation whose operands have tangents, and its rule."""

    unit: Unit
    builder: Builder
    op: Apply
    rule: Rule
    dots: Dots
    expansions: Expansions

    @property
    def complex(self) -> bool:
        """Whether some numbers may be complex."""
        return self.expansions.complex

    @property
    def given(self) -> dict[str, Any]:
        """What each parameter of the rule is given, with numbers for operands."""
        found = given_to(self.op)
        if found is None:
            raise misfit(self.op)
        return found

    @property
    def replaced(self) -> list[int]:
        """The operands that are differentiated."""
        return [k for node in differentiated(self).values() for k in numbers(node)]

    @property
    def is_whole(self) -> bool:
        """Whether all of these have tangents."""
        return all(self.op.operands[k] in self.dots for k in self.replaced)

    def active(self, node: Any) -> bool:
        """Whether a derivative flows into a parameter."""
        return any(self.op.operands[k] in self.dots for k in numbers(node))


def given_to(op: Apply) -> dict[str, Any] | None:
    """What each parameter of its rule is given; None for a call that does not fit."""
    form = op.application
    return binding(Operation(op.primitive.function, form.arguments, form.keywords))


def numbers(node: Any) -> list[int]:
    """The operands in what a parameter is given: an expression, or several."""
    nodes = node if isinstance(node, (tuple, list)) else [node]
    return [int(own) for each in nodes for own in names_in(each) if own.isdigit()]


def elementwise(use: Use) -> Value | None:
    """The sum over the operands of what the template says with their tangents for `d[y]`; None if
    that is zero. It is found once for all operands of the same kinds.
    """
    result, since = use.op.result, len(use.builder.block.operations)
    found = key_of(use.rule, use.op, result, {*use.dots})
    if found is None or any(dot.is_constant or dot.is_written for dot in use.dots.values()):
        return filled_in(use)
    dots = [use.dots[value] for value in found[1] if value in use.dots]
    given = [*dict.fromkeys([*found[1], *dots])]
    key = ("tangent", found[0], tuple(dot.kind for dot in dots), tuple(map(given.index, dots)))
    known = use.expansions.known(key)
    if known is not None:
        return known.again(use.builder, given)[0][1]
    made = filled_in(use)
    if made is not None:
        new = use.builder.block.operations[since:]
        use.expansions.keep(key, use.rule, given, new, [(result, made, False)])
    return made


def filled_in(use: Use) -> Value | None:
    """The template, filled in."""
    op, rule, dots = use.op, use.rule, use.dots
    bench = Bench(use.unit, use.builder, [])
    for value in (*op.operands, *dots.values(), op.result):
        bench.known_as(value)
    given: dict[str, Any] = {}
    for key, node in use.given.items():
        several = isinstance(node, (tuple, list))
        given[key] = [bound(n, op.operands) for n in node] if several else bound(node, op.operands)
    arguments = tuple(bound(node, op.operands) for node in op.application.arguments)
    operation = Operation(op.primitive.function, arguments)
    total: gast.expr | None = None
    since = len(use.builder.block.operations)
    for parameter, node in use.given.items():
        if not use.active(node):
            continue
        template, number = rule.adjoints.get(parameter), number_of(node)
        if template is None or number is None:
            raise no_slope(op, rule, parameter)
        dot = dots[op.operands[number]]
        if isinstance(dot.kind, (Record, Sequence)):
            raise NotYet("a tangent of numbers in a list")
        applier = Applier(rule, operation, op.result.token, bench)
        applier.bind(given, {(): Bar(bench.known_as(dot), dot.kind)})
        chosen = applier.chosen(template)
        if not is_zero(chosen):
            total = added(total, applier.filled(chosen))
    if total is None:
        return None
    made = bench.lowering.content(total)
    return left_out(use.builder, since).get(made, made)


def added(total: gast.expr | None, term: gast.expr) -> gast.expr:
    """One more term of a sum."""
    if total is None:
        return term
    if same(total, term):
        return gast.BinOp(left=gast.Constant(value=2, kind=None), op=gast.Mult(), right=term)
    return gast.BinOp(left=total, op=gast.Add(), right=term)


def covers(use: Use, dot: Value, since: int) -> bool:
    """Whether a tangent has the shape of the result: it was made of that, or of all operands that
    are no numbers. since: where the operations begin that made it.
    """
    seen = {dot, *(v for op in use.builder.block.operations[since:] for v in op.operands)}
    seen |= {value for value, own in use.dots.items() if own in seen}
    plain = (Scalar, Static)
    needed = {v for v in use.op.operands if not (v.is_constant or isinstance(v.kind, plain))}
    return use.op.result in seen or needed <= seen


def is_pointwise(use: Use) -> bool:
    """Whether the tangent is, at each element, a number times those of the operands."""
    if not use.rule.elementwise or isinstance(use.op.result.kind, (Record, Sequence)):
        return False
    kinds = [value.kind for value in (*use.op.operands, use.op.result) if not value.is_constant]
    return use.rule.holomorphic or not use.complex or all(map(is_real, kinds))


def differentiated(use: Use) -> dict[str, Any]:
    """What is given for the parameters in which an operation may be linear."""
    rule = use.rule
    linear = rule.linear_in or rule.adjoints
    return {
        key: node
        for key, node in use.given.items()
        if key in linear
        and key in rule.adjoints
        and not is_zero(rule.adjoints[key])
        and not isinstance(getattr(node, "value", None), str)
    }


def is_linear(use: Use) -> bool:
    """Whether the operation is linear in all that carries a derivative, taken together."""
    if not (use.rule.linear or use.rule.linear_in) or not is_replaceable(use):
        return False
    within, slopes = differentiated(use), use.rule.adjoints
    active = [key for key, node in use.given.items() if use.active(node)]
    return all(key in within or key in slopes and is_zero(slopes[key]) for key in active)


def is_replaceable(use: Use) -> bool:
    """Whether operands can be replaced in what is differentiated and nowhere else; no constant is
    written there.
    """
    own = differentiated(use)
    inner = use.replaced
    outer = [k for key, node in use.given.items() if key not in own for k in numbers(node)]
    nodes = [n for v in own.values() for n in (v if isinstance(v, (tuple, list)) else [v])]
    plain = all(number_of(node) is not None for node in nodes)
    return plain and len({*inner}) == len(inner) and not {*inner} & {*outer}


def again(use: Use, swapped: dict[int, Value], kind: Kind | None) -> Value:
    """The operation with other operands at some places."""
    op = use.op
    operands = [swapped.get(k, value) for k, value in enumerate(op.operands)]
    made = use.builder.apply(op.primitive, op.application, op.form, operands, kind)
    if isinstance(made.op, Apply):
        made.op.reads = op.reads
    return made


def product(use: Use) -> Value | None:
    """The sum over the operands of a product with one of them replaced by its tangent; None if that
    cannot be.
    """
    if not is_replaceable(use):
        return None
    active = [k for k in use.replaced if use.op.operands[k] in use.dots]
    if not all(isinstance(use.op.operands[k].kind, (Array, Scalar)) for k in active):
        return None
    total: Value | None = None
    for k in active:
        term = again(use, {k: use.dots[use.op.operands[k]]}, None)
        total = term if total is None else use.builder.binary(gast.Add(), total, term)
    return total
