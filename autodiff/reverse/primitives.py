"""The adjoint of `y = primitive(x, ...)`: its rule, applied."""

from __future__ import annotations

import operator
import types
from typing import TYPE_CHECKING

import gast
import numpy as np

from autodiff.analysis.changes import operand_classes
from autodiff.analysis.flow import IDENTITIES, binding, unites
from autodiff.analysis.kind import (
    Array,
    Bound,
    Kind,
    Local,
    Numeric,
    Record,
    Scalar,
    Sequence,
    Static,
    Text,
)
from autodiff.analysis.operation import Operation
from autodiff.errors import NonDifferentiableError, UnsupportedSyntaxError
from autodiff.reverse import checkpoints, containers, copies, recursion, snapshots
from autodiff.reverse.apply import Applier
from autodiff.reverse.contribution import Contribution, add_at
from autodiff.reverse.instances import instance
from autodiff.reverse.parts import assembled, element_of, part_of
from autodiff.reverse.places import Place
from autodiff.reverse.refusals import active_names, check_operands, misfit, missing, missing_rule
from autodiff.reverse.values import Bar
from autodiff.rules import registry
from autodiff.runtime import checkpointed_steps
from autodiff.syntax.make import make
from autodiff.syntax.names import name, reads
from autodiff.syntax.origin import origin_of, place
from autodiff.syntax.walk import same

if TYPE_CHECKING:
    from autodiff.reverse.reverse import Reverse


def primitive(
    reverse: Reverse, statement: gast.Assign, target: str, taken: dict[Place, Bar]
) -> None:
    """Contributions of one operation to its operands."""
    node = statement.value
    if isinstance(node, gast.Call) and copies.listing(reverse, statement, node, taken):
        return
    if copies.concatenation(reverse, statement, target, taken):
        return
    if isinstance(node, gast.Call) and containers.built(reverse, statement, taken):
        return
    if is_repetition(reverse, node) and reads(node) & reverse.active:
        raise UnsupportedSyntaxError(
            "a container that carries a derivative is repeated or combined by an operator",
            place(node, origin_of(statement)),
            why="of the operators on lists, tuples, dicts and sets, only `+` of lists and `|` of "
            "dicts are differentiated",
            cure="use np.array(...) for arithmetic, or build the container in a loop",
        )
    operation = reverse.kinds.operation(node)
    if operation is not None and operation.function in IDENTITIES:
        if not operation.arguments:  # an empty list
            return
        if copies.identity(reverse, statement, operation.arguments[0], taken):
            return
    rule = None if operation is None else operation.rule
    if rule is None and not reads(node) & reverse.active:
        return  # what nothing flows into is constant here, whatever computes it
    if operation is None:
        raise missing(reverse, statement, node)
    if registry.is_nondifferentiable(operation.function):
        return
    if operation.function is checkpointed_steps:
        run = checkpoints.run if reverse.stepped is None else snapshots.run
        run(reverse, statement, target, operation, taken)
        return
    if rule is None and isinstance(operation.function, types.FunctionType):
        recursion.call(reverse, statement, target, operation, taken)
        return
    apply(reverse, statement, target, _as_reciprocal(reverse, operation), taken)


def _as_reciprocal(reverse: Reverse, operation: Operation) -> Operation:
    """`1 / x` has an adjoint without a division, as `np.reciprocal(x)` has."""
    quotient = operation.function is operator.truediv or operation.function is np.divide
    if not quotient or len(operation.arguments) != 2 or operation.keywords:
        return operation
    numerator, denominator = operation.arguments
    kind = reverse.kinds.known(numerator)
    if isinstance(kind, Scalar) and kind.dtype is None and kind.value == 1:
        return Operation(np.reciprocal, (denominator,))
    return operation


def is_repetition(reverse: Reverse, node: gast.expr) -> bool:
    """Whether an operator works on containers as such, no array taking part."""
    if not isinstance(node, gast.BinOp):
        return False
    if unites(node, reverse.kinds):
        return True
    kinds = [reverse.kinds.known(side) for side in (node.left, node.right)]
    has_list = any(isinstance(kind, Sequence | Record) for kind in kinds)
    return has_list and any(isinstance(kind, Scalar) and kind.type == "int" for kind in kinds)


def apply(
    reverse: Reverse,
    statement: gast.Assign,
    target: str,
    operation: Operation,
    taken: dict[Place, Bar],
) -> None:
    """Apply the rule of an operation."""
    rule = operation.rule
    if rule is None:
        raise missing_rule(reverse, statement, operation)
    bound = binding(operation)
    if bound is None:
        raise misfit(statement, operation)
    check_operands(reverse, statement, operation, rule, bound)
    if rule.narrowed is not None:
        active = frozenset(p for p, v in bound.items() if active_names(reverse, v))
        rule = rule.narrowed(active, operand_classes(bound, reverse.kinds))
    if rule.custom and (target, ()) not in taken:  # it gets the adjoint as a whole
        taken = {(target, ()): assembled(reverse, target, taken)}
    bars = reverse.bars
    seeds = {path: bar for (_, path), bar in taken.items()}
    state = seed_state(reverse, seeds)
    known = reverse.contributions.get(id(statement))
    if known is not None and known[0] is statement and known[1] == state:
        found = known[2]
    else:
        before = len(bars.out), len(bars.names.taken)

        def contributions() -> list[Contribution]:
            applier = Applier(rule, operation, target, bars, reverse.helpers)
            if not isinstance(statement.targets[0], gast.Tuple):  # `a, b = x` is no `x`
                applier.value = statement.value
            return combined(reverse, applier.contributions(bound, seeds, reverse.active))

        found = instance(
            *(rule, operation, target, bound, seeds, bars, reverse.helpers, reverse.active),
            contributions,
        )
        if state and before == (len(bars.out), len(bars.names.taken)):
            reverse.contributions[id(statement)] = statement, state, found
    emit(reverse, found)


def seed_state(reverse: Reverse, seeds: dict[tuple[object, ...], Bar]) -> list[object]:
    """What the contributions of a statement depend on; empty where that is not easily told.

    A loop is reversed until it is known which adjoints cross its iterations: the last time, most
    statements see the adjoints that they saw before.
    """
    state: list[object] = []
    for path, bar in seeds.items():
        if not isinstance(bar.node, gast.Name):
            return []
        state.append((path, bar.node.id, bar.kind, bar.owned, reverse.kinds.names.get(bar.node.id)))
    return state


def combined(reverse: Reverse, found: list[Contribution]) -> list[Contribution]:
    """Contributions to the same operand, added up (`y = x * x`); lists do not add up."""
    result: list[Contribution] = []
    for contribution in found:
        for index, other in enumerate(result):
            if other.operand == contribution.operand and other.at is contribution.at is None:
                if not (_adds(other.kind) and _adds(contribution.kind)):
                    continue
                if same(other.value, contribution.value):
                    total = doubled(other.value)
                else:
                    sides = {"left": other.value, "right": contribution.value}
                    total = make(gast.BinOp, **sides, op=gast.Add())
                kind = reverse.kinds.known(total)
                result[index] = Contribution(other.operand, total, kind, True)
                break
        else:
            result.append(contribution)
    return result


def _adds(kind: Kind) -> bool:
    return isinstance(kind, (Array, Numeric, Scalar))


def doubled(value: gast.expr) -> gast.expr:
    """`2.0 * a * b` for `a * b + a * b`: scaling by two is exact."""
    if isinstance(value, gast.BinOp) and isinstance(value.op, (gast.Mult, gast.Div)):
        return make(gast.BinOp, left=doubled(value.left), op=value.op, right=value.right)
    two = make(gast.Constant, value=2.0, kind=None)
    return make(gast.BinOp, left=two, op=gast.Mult(), right=value)


def emit(reverse: Reverse, pending: list[Contribution]) -> None:
    """Write the contributions; one that overwrites what another reads comes after it."""
    bars = reverse.bars
    pending = list(pending)
    while len(pending) > 1:
        bars.awaited = {n for contribution in pending for n in reads(contribution.value)}
        for index, contribution in enumerate(pending):
            own = written(reverse, contribution)
            others = pending[:index] + pending[index + 1 :] if own else []
            if not any(own & reads(other.value) for other in others):
                pending.pop(index)
                write(reverse, contribution)
                break
        else:
            first = pending.pop(0)
            kept = bars.temporary(f"{first.operand}_bar_part")
            bars.assign(kept, first.value, first.kind)
            value = Contribution(first.operand, name(kept), first.kind, first.fresh, first.at)
            pending.append(value)
    for last in pending:
        bars.awaited = reads(last.value)
        write(reverse, last)
    bars.awaited = set()


def written(reverse: Reverse, contribution: Contribution) -> set[str]:
    """The variables that writing a contribution may overwrite."""
    bars = reverse.bars
    return {bars.variable(p) for p in bars.places(contribution.operand) if p in bars.variables}


def write(reverse: Reverse, contribution: Contribution) -> None:
    bars = reverse.bars
    operand = contribution.operand
    if isinstance(bars.kinds.names.get(operand), (Text, Static, Local, Bound)):
        raise NonDifferentiableError(
            f"a derivative would have to flow through `{operand}`, which is no number",
            why="text, functions and the like have no derivative",
            cure="keep the number itself, or wrap it in stop_gradient",
        )
    if contribution.at is not None:
        value = bars.apart((operand, ()), contribution.value, contribution.kind)
        variable = bars.own((operand, ()))
        given = contribution.at, value, bars.kinds, reverse.helper, reverse.distinct
        bars.out.extend(add_at(variable, *given))
        return
    kind = bars.kinds.names.get(operand)
    if isinstance(kind, Record) and operand not in bars.whole:
        value = contribution.value
        if not isinstance(value, gast.Name):
            variable = bars.temporary(f"{operand}_bar")
            bars.assign(variable, value, contribution.kind)
            value = name(variable)
        elements = isinstance(contribution.kind, Array)
        for part in bars.places(operand):
            item = element_of(value, part[1]) if elements else part_of(value, part[1], kind)
            bars.contribute(part, item, bars.kind(part), False)
        return
    bars.contribute((operand, ()), contribution.value, contribution.kind, contribution.fresh)
