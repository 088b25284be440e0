"""The tangent of `y = primitive(x, ...)`, by its rule."""

from __future__ import annotations

import types
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import gast

from autodiff.analysis.flow import binding
from autodiff.analysis.kind import Array, Record, Scalar, Sequence, Static, Text, is_real
from autodiff.analysis.operation import BINARY, UNARY, Operation
from autodiff.analysis.references import is_mutable
from autodiff.errors import NonDifferentiableError
from autodiff.forward.calls import called
from autodiff.forward.containers import over
from autodiff.forward.fitting import Tangent
from autodiff.forward.given import given
from autodiff.forward.transposed import transposed
from autodiff.forward.zeros import atom, zeros_for
from autodiff.reverse.apply import Applier
from autodiff.reverse.primitives import _as_reciprocal, is_repetition
from autodiff.reverse.refusals import check_operands, misfit, missing, missing_rule
from autodiff.reverse.values import Bar
from autodiff.rules import registry
from autodiff.rules.home import hashable
from autodiff.rules.linearity import is_zero
from autodiff.rules.template import Rule
from autodiff.runtime import zeros_like
from autodiff.syntax.names import name, reads
from autodiff.syntax.origin import origin_of
from autodiff.syntax.quote import quote
from autodiff.syntax.walk import map_children, same

if TYPE_CHECKING:
    from autodiff.forward.forward import Forward


_OPERATORS = frozenset((*BINARY.values(), *UNARY.values()))
"""Of numbers and arrays they make new values."""


def applied(forward: Forward, statement: gast.Assign, target: str) -> Tangent:
    """The tangent of one operation on tangents of its operands."""
    value = statement.value
    reverse: Any = forward  # what is refused, and why, is the same in both modes
    operation = forward.kinds.operation(value)
    if operation is None or is_repetition(reverse, value):
        raise missing(reverse, statement, value)
    if registry.is_nondifferentiable(operation.function):
        new = operation.function is zeros_like
        return Tangent(zeros_for(forward, target, value), covering=True, new=new)
    if operation.rule is None and isinstance(operation.function, types.FunctionType):
        if any(key is None for key, _ in operation.keywords):  # `f(**options)`
            raise missing(reverse, statement, value)
        return called(forward, statement, target, operation)
    operation = _as_reciprocal(reverse, operation)
    rule = operation.rule
    if rule is None:
        raise missing_rule(reverse, statement, operation)
    bound = binding(operation)
    if bound is None:
        raise misfit(statement, operation)
    if rule.custom:
        return given(forward, statement, rule, operation, bound, target)
    check_operands(reverse, statement, operation, rule, bound)
    check_result(forward, statement, operation, bound)
    if rule.linear or _active(forward, bound) <= set(rule.linear_in):
        return Tangent(itself(forward, statement, rule, bound), True)
    if rule.multilinear:
        product = product_rule(forward, statement, rule, bound)
        if product is not None:
            return Tangent(product, covering=True)
    if rule.elementwise and is_pointwise(forward, rule, bound, target):
        return elementwise(forward, rule, operation, bound, target)
    found = transposed(forward, statement, rule, operation, bound, target)
    return replace(found, new=True) if is_sorted(forward, operation, target) else found


def is_sorted(forward: Forward, operation: Operation, target: str) -> bool:
    """Whether the result is a new list of numbers."""
    item = getattr(forward.kinds.names.get(target), "item", None)
    return operation.function is sorted and item is not None and not is_mutable(item)


def check_result(
    forward: Forward, statement: gast.Assign, operation: Operation, bound: dict[str, Any]
) -> None:
    """Refuse operands that no template is written for: text, functions."""
    for operand in bound.values():
        if isinstance(operand, gast.Name) and operand.id in forward.active:
            if isinstance(forward.kinds.names.get(operand.id), (Text, Static)):
                raise NonDifferentiableError(
                    f"a derivative flows through `{operand.id}`, which is no number",
                    origin_of(statement),
                    why="it has no tangent",
                    cure="pass the number itself, or wrap it in stop_gradient",
                )


def itself(
    forward: Forward, statement: gast.Assign, rule: Rule, bound: dict[str, Any]
) -> gast.expr:
    """A linear primitive is its own tangent: applied to the tangents of what it is linear in."""
    tangents = {id(n): atom(forward, n, statement) for n in _operands(rule, bound)}
    operation = forward.kinds.operation(statement.value)
    if operation is not None and hashable(operation.function):
        for node in _operands(rule, bound):
            tangents[id(node)] = over(forward, operation.function, node, tangents[id(node)])
    if reads_layout(bound):
        for node in _operands(rule, bound):
            helper = forward.helper("tangent_of")
            tangents[id(node)] = quote("f(g, x)", f=helper, g=tangents[id(node)], x=node)
    return _with(statement.value, tangents)


def reads_layout(bound: dict[str, Any]) -> bool:
    """Whether the order of the elements in memory may count: "A" or "K", in whatever case."""
    order = bound.get("order")
    known = isinstance(order, gast.Constant) and order.value in (None, "C", "F", "c", "f")
    return order is not None and not known


def product_rule(
    forward: Forward, statement: gast.Assign, rule: Rule, bound: dict[str, Any]
) -> gast.expr | None:
    """The sum, over the operands, of the product with one of them replaced by its tangent."""
    total: gast.expr | None = None
    for node in _operands(rule, bound):
        if not isinstance(node, gast.Name) or not forward.carries(node.id):
            continue
        if not isinstance(forward.kinds.names.get(node.id), (Array, Scalar)):
            return None
        term = _with(statement.value, {id(node): name(forward.follow(node.id))})
        total = term if total is None else gast.BinOp(left=total, op=gast.Add(), right=term)
    return total


def _active(forward: Forward, bound: dict[str, Any]) -> set[str]:
    """The parameters that get operands with a derivative."""
    found = set()
    for parameter, operand in bound.items():
        nodes = operand if isinstance(operand, (tuple, list)) else [operand]
        if any(isinstance(n, gast.Name) and n.id in forward.active for n in nodes):
            found.add(parameter)
    return found


def _operands(rule: Rule, bound: dict[str, Any]) -> list[gast.expr]:
    """The expressions of the operands that a rule differentiates."""
    found: list[gast.expr] = []
    for parameter, template in rule.adjoints.items():
        if rule.linear_in and parameter not in rule.linear_in:
            continue
        if parameter in bound and not is_zero(template):
            operand = bound[parameter]
            found.extend(operand if isinstance(operand, (tuple, list)) else [operand])
    return found


def _with(value: gast.expr, replaced: dict[int, gast.expr]) -> gast.expr:
    """An expression with other operands, told by their ids."""

    def visit(node: gast.AST) -> Any:
        return replaced[id(node)] if id(node) in replaced else map_children(visit, node)

    new: gast.expr = visit(value)
    return new


def is_pointwise(forward: Forward, rule: Rule, bound: dict[str, Any], target: str) -> bool:
    """Whether each element of the tangent is a number times the element of an operand's tangent."""
    kinds = forward.kinds
    if isinstance(kinds.names.get(target), (Record, Sequence)):
        return False
    operands = [kinds.known(node) for node in bound.values() if isinstance(node, gast.AST)]
    if rule.holomorphic:
        return True
    known = [*operands, kinds.known(name(target))]
    return all(is_real(k) or isinstance(k, Static) for k in known) or not forward.bars.complex


def elementwise(
    forward: Forward, rule: Rule, operation: Operation, bound: dict[str, Any], target: str
) -> Tangent:
    """The sum over the operands of the template with the operand's tangent for `d[y]`."""
    total: gast.expr | None = None
    for parameter, template in rule.adjoints.items():
        operand = bound.get(parameter)
        if not isinstance(operand, gast.Name) or not forward.carries(operand.id):
            continue
        applier = Applier(rule, operation, target, forward.bars, forward.helpers)
        dot: gast.expr = name(forward.follow(operand.id))
        if isinstance(forward.kinds.names.get(operand.id), (Record, Sequence)):
            dot = quote("np.asarray(x)", np=forward.helper("np"), x=dot)
        applier.bind(bound, {(): Bar(dot, forward.kinds.known(dot), False)})
        chosen = applier.chosen(template)
        if is_zero(chosen):
            continue
        total = _sum(total, applier.filled(chosen))
    if total is None:
        return Tangent(zeros_for(forward, target, name(target)), covering=True)
    seen = reads(total) | {n for s in forward.bars.out for n in reads(s)}
    needed = set()
    for operand in bound.values():
        if isinstance(operand, gast.Name) and not isinstance(
            forward.kinds.known(operand), (Scalar, Static)
        ):
            needed.add(operand.id)
        elif isinstance(operand, (tuple, list)):
            needed.add("")
    seen |= {primal for primal, dot in forward.dots.items() if dot in seen}
    new = operation.function in _OPERATORS
    return Tangent(total, covering=target in seen or needed <= seen, new=new)


def _sum(total: gast.expr | None, term: gast.expr) -> gast.expr:
    positive, sign = _signed(term)
    if total is None:
        return term
    if sign > 0 and same(total, term):
        return gast.BinOp(left=gast.Constant(value=2, kind=None), op=gast.Mult(), right=term)
    return gast.BinOp(left=total, op=gast.Add() if sign > 0 else gast.Sub(), right=positive)


def _signed(term: gast.expr) -> tuple[gast.expr, int]:
    """A term without the minus that it begins with."""
    if isinstance(term, gast.UnaryOp) and isinstance(term.op, gast.USub):
        return term.operand, -1
    if isinstance(term, gast.BinOp) and isinstance(term.op, (gast.Mult, gast.Div)):
        left, sign = _signed(term.left)
        if sign < 0:
            return gast.BinOp(left=left, op=term.op, right=term.right), sign
    return term, 1
