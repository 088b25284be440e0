"""The tangents of applied primitives."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from autodiff.core import WHOLE, Apply, If, NotYet, Value, constant, of_a_key
from autodiff.dataflow.carrying import carries
from autodiff.errors import AutodiffError
from autodiff.kinds.kind import Static, number
from autodiff.primitives import (
    BOUND,
    DISPLAY,
    ITEM,
    KEYING,
    LISTING,
    Builder,
    is_by_form,
    key_of,
    lent,
)
from autodiff.primitives.untraced import no_rule, not_followed
from autodiff.reversal import custom_rules, solved
from autodiff.rules import registry
from autodiff.runtime import add_items, replica, shadow_of, tangent_of
from autodiff.tangent.rules import (
    Dots,
    Use,
    again,
    covers,
    elementwise,
    given_to,
    is_linear,
    is_pointwise,
    product,
)
from autodiff.tangent.tangent_values import Values
from autodiff.tangent.transposed import transposed


class Applications(Values):
    """Writes what stands beside an application. finding: gives the tangent of what may be a view,
    by where that lies. adding: adds tangents to those of a list.
    """

    finding: Callable[..., Any] = staticmethod(shadow_of)
    adding: Callable[..., Any] = staticmethod(add_items)

    def on_Apply(self, op: Apply, builder: Builder) -> None:
        result = op.result
        if any(op.operands[k] in self.active for k in op.changes):
            if op.primitive.function is add_items:
                return self.add_items(builder, *op.operands)
            raise NotYet(f"{op.primitive.name} changes what carries a derivative")
        if result not in self.active and not self.is_whole(op):
            return
        dots = {value: self.of[value] for value in op.operands if value in self.of}
        place = lent(op) if self.shadowed(result) else None
        if op.primitive is LISTING:
            self.know(result, self.listing(op, builder))
        elif op.primitive is KEYING:
            raise of_a_key()
        elif op.primitive is ITEM and not dots and op.operands[0] in self.unit.results:
            self.one_of(op, builder)
        elif place is not None:
            self.lend(result, self.lent(op, place, builder))
        elif not dots or registry.is_nondifferentiable(op.primitive.function):
            self.become(builder, result, None)
        elif op.primitive is ITEM:
            self.lend(result, builder.item(dots[op.operands[0]], key_of(op), result.kind))
        elif op.primitive is DISPLAY:
            dotted = [self.dot(builder, value) for value in op.operands]
            own = op.primitive, op.application, op.form
            self.of[result] = builder.apply(*own, dotted, result.kind)
        elif op.primitive.memory == "view" and self.repeats(op):
            if op.operands[0] in dots:
                operands = [dots[op.operands[0]], *op.operands[1:]]
                own = op.primitive, op.application, op.form
                self.lend(result, builder.apply(*own, operands, result.kind))
        elif op.primitive.memory != "new" and result.is_written:
            raise not_followed(op)
        elif op.primitive.function is replica:
            self.become(builder, result, dots[op.operands[0]])
        elif self.is_custom(op) or result not in self.unit.results:
            # else its parts are asked for by themselves
            self.become(builder, result, *self.by_rule(op, builder, dots))

    def is_custom(self, op: Apply) -> bool:
        """Whether the derivative of what an operation calls was given as a function."""
        rule = registry.rule_for(op.primitive.function, operands=len(op.application.arguments))
        return rule is not None and rule.custom

    def add_items(self, builder: Builder, bars: Value, items: Value) -> None:
        """What stands beside the addition of items to those of a list of adjoints."""
        if bars in self.of and items in self.of:
            given = self.of[bars], self.of[items]
            builder.call(self.adding.__name__, self.adding, *given, kind=Static(None))

    def is_whole(self, op: Apply) -> bool:
        """Whether an operation hands on an argument that has parts with tangents, or puts such
        together.
        """
        return (
            op.primitive in (ITEM, BOUND) and op.operands[0] in self.of and carries(op.result.kind)
        )

    def lent(self, op: Apply, place: int, builder: Builder) -> Value:
        """The tangent of what may be a view: one where the value is, else what the rule says.

        before: `y = np.real_if_close(m)`, which changes afterwards
        after: `y_dot = shadow_of(y, m, m_dot)`, `if not np.may_share_memory(m_dot, y_dot): ...`
        """
        given, operands, kind = op.operands[place], list(op.operands), op.result.kind
        if is_by_form(op) and self.repeats(op):
            operands[place] = self.of[given]
            return builder.apply(op.primitive, op.application, op.form, operands, kind)
        operands = [op.result, given, self.of[given]]
        made = builder.call(self.finding.__name__, self.finding, *operands, kind=kind)
        if registry.is_nondifferentiable(op.primitive.function):
            return made
        shared = np.may_share_memory
        test = builder.call("np.may_share_memory", shared, operands[2], made, kind=number("bool"))
        branch = If(test, op.origin)
        inner = builder.inside(branch.blocks[1])
        dot, _ = self.by_rule(op, inner, {given: inner.load(self.of[given])})
        inner.store(made, constant(0.0) if dot is None else dot, WHOLE)
        builder.add(branch)
        return made

    def one_of(self, op: Apply, builder: Builder) -> None:
        """The tangent of one of several results is asked for by itself."""
        part, source = op.result, op.operands[0].op
        assert isinstance(source, Apply)
        dots = {value: self.of[value] for value in source.operands if value in self.of}
        found = None
        if dots and not registry.is_nondifferentiable(source.primitive.function):
            found = self.part_of(source, part, key_of(op), builder, dots)
        self.become(builder, part, found)

    def part_of(
        self, op: Apply, part: Value, key: Any, builder: Builder, dots: Dots
    ) -> Value | None:
        """The tangent of a part of what an operation gives."""
        return transposed(self.use(op, builder, dots), self.unit.results[op.result], part, (key,))

    def repeats(self, op: Apply) -> bool:
        """Whether what an operation does to memory it does to tangents."""
        return True

    def use(self, op: Apply, builder: Builder, dots: Dots) -> Use:
        """An operation and its rule."""
        rule = registry.rule_for(op.primitive.function, operands=len(op.application.arguments))
        if rule is None:
            raise no_rule(op.primitive.function, op.primitive.name)
        return Use(self.unit, builder, op, rule, dots, self.expansions)

    def by_rule(self, op: Apply, builder: Builder, dots: Dots) -> tuple[Value | None, bool]:
        """The tangent as the rule of the primitive says, None for zero; and whether it is known to
        have the shape of the value.
        """
        use, since = self.use(op, builder, dots), len(builder.block.operations)
        if use.rule.custom:
            return self.given(use), True
        linear = is_linear(use)
        if is_pointwise(use) and not (linear and use.is_whole):
            dot = self.vanishing.of(use, elementwise)
            return dot, dot is None or covers(use, dot, since)
        if linear:
            swapped = {k: self.laid(use, k) for k in use.replaced}
            return again(use, swapped, op.result.kind), True
        found = product(use) if use.rule.multilinear else None
        return found or transposed(use, op.result, op.result), True

    def given(self, use: Use) -> Value | None:
        """The tangent by the function that was given for it, or, where only the adjoint was, by
        what that is the transpose of.
        """
        calls = custom_rules.Calls(use.builder, use.op, use.rule)
        if use.rule.equation is not None:
            return solved.tangent(calls, use.op.result, use.dots)
        if use.rule.jvp is not None:
            return custom_rules.tangent(calls, use.op.result, partial(self.dot, use.builder))
        try:
            return transposed(use, use.op.result, use.op.result)
        except (AutodiffError, NotYet) as error:
            if isinstance(error, NotYet) and type(error) is not NotYet:
                raise
            raise custom_rules.missing(calls, "jvp", error) from error

    def laid(self, use: Use, k: int) -> Value:
        """The tangent of an operand; as that lies in memory, where the operation asks for it."""
        value = use.op.operands[k]
        dot = self.dot(use.builder, value)
        if asks_order(use.op) and not dot.is_constant:
            return use.builder.call("tangent_of", tangent_of, dot, value, kind=value.kind)
        return dot


def asks_order(op: Apply) -> bool:
    """Whether what an operation gives depends on how its operand lies in memory."""
    if op.primitive.function is np.lib.stride_tricks.as_strided:
        return True
    node = (given_to(op) or {}).get("order")
    known = getattr(node, "value", "K") in (None, "C", "F", "c", "f")
    return node is not None and not known
