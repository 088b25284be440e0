"""Each operation with the index sets of its value beside it, for sparsity patterns.

    y = x * w           y = x * w
                        y_from = depends(y, x_from, w_from)

The sets of a value say, element by element, which inputs it may depend on: numbers of sets
(`runtime/indexsets.py`) in the form of the value, which are moved, stored and shared as tangents
are. What does more than move elements has a helper that unites the right ones; what stands in no
table (`dependence_rules.py`) depends on all that it is given. So a run finds the pattern at a
point, on the path that the function takes there. The kinds of sets are said to be those of their
values.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gast

from autodiff import runtime
from autodiff.core import NOTHING, WHOLE, Accumulate, Apply, NotYet, Value, constant, nothing
from autodiff.kinds.binding import binding
from autodiff.kinds.kind import Scalar
from autodiff.kinds.operation import Operation
from autodiff.primitives import (
    SYNTAX,
    Application,
    Builder,
    argument,
    dotted,
    filled,
    hole,
    names_in,
    number_of,
    primitive_of,
    written,
)
from autodiff.primitives.containing import is_container
from autodiff.rules import registry
from autodiff.rules.home import hashable
from autodiff.rules.linearity import is_zero
from autodiff.syntax.walk import map_children
from autodiff.tangent.applications import asks_order
from autodiff.tangent.dependence_rules import MOVES, Transfer, transfer_of
from autodiff.tangent.propagation import Tangents
from autodiff.tangent.rules import Dots, Use, again, given_to, is_replaceable, numbers


class Dependence(Tangents):
    """Writes the index sets of a function."""

    suffix, has_rules = "from", False
    finding = staticmethod(runtime.shadow_from)
    adding = staticmethod(runtime.unite_items)

    # Operations ----------------------------------------------------------------------------------

    def repeats(self, op: Apply) -> bool:
        """Whether an operation only moves elements: it does to sets what it does to numbers."""
        function, given = op.primitive.function, given_to(op)
        if function is None:
            return True
        moves = hashable(function) and function in MOVES
        return moves and given is not None and "dtype" not in given and not asks_order(op)

    def by_rule(self, op: Apply, builder: Builder, dots: Dots) -> tuple[Value | None, bool]:
        return self.followed(op, op.result, builder, dots), True

    def part_of(
        self, op: Apply, part: Value, key: Any, builder: Builder, dots: Dots
    ) -> Value | None:
        if not self.repeats(op):
            return self.followed(op, part, builder, dots)
        whole = self.followed(op, op.result, builder, dots)
        return None if whole is None else builder.item(whole, key, part.kind)

    def followed(self, op: Apply, result: Value, builder: Builder, dots: Dots) -> Value | None:
        """The sets of what an operation gives, or of a part of that; None if they are empty."""
        function, given, found = op.primitive.function, given_to(op), None
        followed = list(dots.values())
        if op.primitive is SYNTAX:
            operands = [*op.operands, result]
            form = self.chosen(op, op.form, operands)
            return self.called(builder, None, [form], operands, result)
        rule = registry.rule_for(function, operands=len(op.application.arguments))
        if rule is not None and given is not None:
            use = Use(self.unit, builder, op, rule, dots, self.expansions)
            active = {key for key, node in given.items() if use.active(node)}
            if active <= {*rule.adjoints}:
                active = {key for key in active if not is_zero(rule.adjoints[key])}
                if not active:
                    return None
                if self.repeats(op):
                    return self.repeated(use)
                found = transfer_of(function, rule, given, active)
                own = {op.operands[k] for key in active for k in numbers(given[key])}
                followed = [dots[value] for value in dots if value in own]
            if found is not None:
                return self.united(use, result, given, found)
        return builder.call(
            "depends_on_all", runtime.depends_on_all, result, *followed, kind=result.kind
        )

    def repeated(self, use: Use) -> Value:
        """The same operation on sets: on empty ones in place of what is constant."""
        op = use.op
        if is_replaceable(use):
            swapped = {k: self.dot(use.builder, op.operands[k]) for k in use.replaced}
            return again(use, swapped, op.result.kind)
        operands, rule = list(op.operands), use.rule
        moved = {key for key in rule.linear_in or rule.adjoints if not is_zero(rule.adjoints[key])}
        names = [parameter.name for parameter in rule.parameters]

        def sets(key: str, node: gast.expr) -> gast.expr:
            return self.sets(use, node, operands) if key in moved else node

        form = op.application
        last = len(names) - 1
        arguments = [sets(names[min(k, last)], node) for k, node in enumerate(form.arguments)]
        keywords = [(key, sets(key, node)) for key, node in form.keywords]
        function = op.primitive.function
        return self.called(use.builder, function, arguments, operands, op.result, keywords)

    def united(self, use: Use, result: Value, given: dict[str, Any], transfer: Transfer) -> Value:
        """The call of the helper that unites sets as the operation unites operands."""
        operands = [*use.op.operands, result]
        nodes: list[gast.expr] = [hole(len(use.op.operands))]
        for each in transfer.arguments:
            how, _, key = each.rpartition(":") if isinstance(each, str) else ("", "", "")
            own = given.get(key)
            several = own if isinstance(own, (tuple, list)) else [own]
            if own is None:
                nodes.append(written(each))
            elif how == "value":
                nodes += several
            elif how == "each":
                none = written(None)
                nodes += [self.sets(use, n, operands) if use.active(n) else none for n in several]
            elif how == "all":
                found = [self.sets(use, node, operands) for node in several]
                whole = self.called(use.builder, runtime.everything, found, operands, result)
                nodes.append(argument(whole, operands))
            else:
                nodes += [self.sets(use, node, operands) for node in several]
        helper = getattr(runtime, transfer.helper)
        return self.called(use.builder, helper, nodes, operands, result)

    def chosen(self, op: Apply, form: gast.expr, operands: list[Value]) -> gast.expr:
        """What an expression depends on: `depends_on_all(y, a_from) if x > 0 else ...`."""
        if hasattr(form, "orelse"):
            arms = (self.chosen(op, arm, operands) for arm in (form.body, form.orelse))
            return gast.IfExp(form.test, *arms)
        read = read_by(form, self.references.objects)
        used = [v for k, v in enumerate(op.operands) if str(k) in read and v in self.of]
        own = [argument(self.of[value], operands) for value in dict.fromkeys(used)]
        helper = dotted(self.references.use("depends_on_all", runtime.depends_on_all))
        return gast.Call(helper, [hole(len(op.operands)), *own], [])

    def sets(self, use: Use, node: gast.expr, operands: list[Value]) -> gast.expr:
        """The sets of an argument, as one; they join the operands."""
        k = number_of(node)
        if k is not None:
            return argument(self.dot(use.builder, use.op.operands[k]), operands)
        if not any(word[0].isdigit() for word in names_in(node)):
            made = self.called(use.builder, runtime.independent, [node], operands, use.op.result)
            return argument(made, operands)
        found: gast.expr = map_children(lambda child: self.sets(use, child, operands), node)
        return found

    def called(
        self,
        builder: Builder,
        function: Any,
        nodes: Sequence[gast.expr],
        operands: list[Value],
        result: Value,
        keywords: Sequence[tuple[str, gast.expr]] = (),
    ) -> Value:
        """A call with arguments in terms of some of the operands, which gives sets of a result; of
        no function, an expression.
        """
        own = [*nodes, *(node for _, node in keywords)]
        used = sorted({int(word) for node in own for word in names_in(node) if word[0].isdigit()})
        place = {k: hole(j) for j, k in enumerate(used)}
        arguments = tuple(filled(node, place.__getitem__) for node in nodes)
        named = tuple((key, filled(node, place.__getitem__)) for key, node in keywords)
        values, applied = [operands[k] for k in used], Application(arguments, named)
        if function is None:
            return builder.apply(SYNTAX, applied, arguments[0], values, result.kind)
        spelled = dotted(self.references.use(function.__name__, function))
        form = gast.Call(spelled, [*arguments], [gast.keyword(*each) for each in named])
        return builder.apply(primitive_of(function), applied, form, values, result.kind)

    # Memory --------------------------------------------------------------------------------------

    def on_Accumulate(self, op: Accumulate, builder: Builder) -> None:
        base, sets = self.of.get(op.base), self.of.get(op.value)
        if op.base not in self.active or base is None or sets is None:
            return
        index = op.index
        if op.scattered:
            places = builder.call("places", runtime.places, base, kind=base.kind)
            at = builder.load(places, op.window, index)
            made = builder.call("united_at", runtime.united_at, base, at, sets, kind=base.kind)
            builder.store(base, made, WHOLE)
            return
        held = builder.load(base, op.window, index)
        made = builder.call("depends", runtime.depends, held, held, sets, kind=held.kind)
        if is_container(op.base.kind):
            assert op.window is not None
            builder.put(base, made, op.window, index)
        else:
            builder.store(base, made, op.window or WHOLE, index)

    def typed(self, builder: Builder, value: Value, dot: Value) -> Value:
        return builder.call("laid_out", runtime.laid_out, dot, value, kind=value.kind)

    def owned(self, builder: Builder, value: Value, dot: Value, covering: bool) -> Value:
        made = dot.op
        new = isinstance(made, Apply) and made.primitive.memory == "new" and not self.laid_out
        if new and made not in builder.block.operations[: self.since]:
            return dot
        return self.typed(builder, value, dot)

    def zero(self, builder: Builder, value: Value) -> Value:
        if value.constant is NOTHING:
            return nothing(f"{value.hint}_from")
        if value.is_constant:
            return constant(runtime.independent(value.constant))
        if isinstance(value.kind, Scalar):
            return constant(0)
        if value.partial:
            raise NotYet("index sets in the form of what may hold nothing")
        return builder.call("independent", runtime.independent, value, kind=value.kind)


def read_by(form: gast.AST, objects: dict[str, Any]) -> set[str]:
    """The names in an expression on whose values a derivative of it depends.

    [unbroadcast(g, like=item) for item in items]       g alone: of the others it asks the form
    """
    parts = [*gast.iter_child_nodes(form)]
    generators = getattr(form, "generators", ())
    if generators:
        parts = [form.elt]
    function = objects.get(getattr(getattr(form, "func", None), "id", ""))
    if function is not None:
        keywords = tuple((each.arg, each.value) for each in form.keywords)
        operation = Operation(function, tuple(form.args), keywords)
        given = binding(operation) if hashable(function) else None
        if given is not None:
            slopes = operation.rule.adjoints
            nodes = [v for key, v in given.items() if key not in slopes or not is_zero(slopes[key])]
            parts = [n for v in nodes for n in (v if isinstance(v, (tuple, list)) else [v])]
    found = {form.id} if hasattr(form, "id") else set()
    found.update(*(read_by(part, objects) for part in parts))
    for each in reversed(generators):
        if found & {*names_in(each.target)}:
            found |= read_by(each.iter, objects)
    return found
