"""The loop of the reverse sweep that undoes another: over the same range, or as often as it ran."""

from __future__ import annotations

import operator

import gast

from autodiff.core import Apply, For, Loop, NotYet, References
from autodiff.core.statements import Ask, Break, While
from autodiff.core.value import Value, constant
from autodiff.kinds.kind import number
from autodiff.normalize.build import item
from autodiff.primitives import Application, Builder, hole
from autodiff.primitives.applying import born
from autodiff.primitives.table import primitive_of


def mirrored(op: Loop, builder: Builder) -> For:
    """The loop that undoes another one.

    forward: `while y < 10.0: steps += 1; ...`          reverse: `for _ in reversed(range(steps)):`
    forward: `for i in range(n): steps += 1; ...`,
             left by a break                            reverse: `for i in reversed(range(steps)):`
    """
    if isinstance(op, While):
        over = builder.call("range", range, counted(op, builder.references))
        variable, backwards = born("_", number("int")), True
    else:
        assert isinstance(op, For)
        over, backwards = op.over, not op.backwards
        variable = Value(op.variable.hint, op.variable.kind, named=op.variable.named)
        if any(isinstance(inner, Break) for inner in op.body.operations):
            over, backwards = begun(builder, op, counted(op, builder.references)), True
    loop = For(over, variable, op.origin, backwards)
    loop.mirror = op
    return loop


def counted(op: Loop, references: References) -> Value:
    """How often a loop has run: it carries one more number, which counts."""
    body = op.body
    steps, result = born("steps", number("int"), named=True), born("steps", number("int"), True)
    operations, body.operations = body.operations, []
    following = Builder(body, references).binary(gast.Add(), steps, constant(1), "steps")
    made, body.operations = body.operations, operations
    for each in made:
        each.number = op.number
    body.operations[first(op) : first(op)] = made
    op.carry(constant(0), steps, following, result)
    return result


def first(op: Loop) -> int:
    """The place of the first operation of an iteration that is run to its end."""
    operations = op.body.operations
    return next((k + 1 for k, inner in enumerate(operations) if isinstance(inner, Ask)), 0)


def begun(builder: Builder, op: For, count: Value) -> Value:
    """The first items of what a loop runs over."""
    made = op.over.op
    if not isinstance(made, Apply) or made.primitive.function is not range:
        raise NotYet("a loop over what is no range that is left")
    if len(made.application.arguments) == 1 and not op.backwards:
        return builder.call("range", range, count)
    whole: gast.expr = hole(0)
    if op.backwards:
        whole = item(whole, gast.Slice(None, None, gast.Constant(-1, None)))
    form = item(whole, gast.Slice(None, hole(1), None))
    own, kind = Application((hole(0), hole(1))), op.over.kind
    return builder.apply(primitive_of(operator.getitem), own, form, [op.over, count], kind)
