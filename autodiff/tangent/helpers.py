"""Helpers of rules that have no rule themselves, in the transpose: their bodies instead.

a_bar = eigh_adjoint(w_bar, v_bar, w, v)        left = v @ (v.T @ v_bar / gap) ...
"""

from __future__ import annotations

import contextlib
from dataclasses import replace
from types import FunctionType
from typing import Any

import gast

from autodiff.core import (
    MARK,
    Apply,
    Block,
    Call,
    Function,
    If,
    LoadOuter,
    NotYet,
    References,
    Value,
    Verbatim,
    around_value,
    constant,
    constant_kind,
    placed,
    replaced,
)
from autodiff.dataflow.settle import settle
from autodiff.lower.flow.form import form_of
from autodiff.lower.flow.frame import Unit
from autodiff.lower.functions.function import lowered
from autodiff.primitives import number_of
from autodiff.rules import registry
from autodiff.syntax.names import name, parameters
from autodiff.syntax.walk import map_children


def open_helpers(unit: Unit, block: Block, varied: set[Value], root: Block) -> None:
    """The bodies of helpers that are given what varies in place of their calls, deeper ones too."""
    todo, block.operations = block.operations, []
    while todo:
        op, *todo = todo
        for inner in op.blocks:
            varied.update(inner.parameters)
            open_helpers(unit, inner, varied, root)
        used = {*op.operands, *(value for inner in op.blocks for value in inner.results)}
        if varied.isdisjoint(used):
            block.operations.append(op)
        elif not is_helper(op):
            varied.update(op.results)
            block.operations.append(op)
        else:
            assert isinstance(op, Apply)
            try:
                made = opened(unit, op, root)
            except NotYet:
                block.operations.append(op)
                continue
            placed(block, made.body.operations)
            rest = Block()
            rest.operations, rest.results = todo, block.results
            replaced(rest, op.result, made.result)
            todo, block.results = [*made.body.operations, *todo], rest.results


def is_helper(op: object) -> bool:
    """Whether an operation calls a function of Python's that has no rule."""
    if not isinstance(op, Apply) or not isinstance(op.primitive.function, FunctionType):
        return False
    rule = registry.rule_for(op.primitive.function, operands=len(op.application.arguments))
    return rule is None and not registry.is_nondifferentiable(op.primitive.function)


def opened(unit: Unit, op: Apply, root: Block) -> Function:
    """The body of a helper, on the operands of a call in a block of `root`."""
    helper = op.primitive.function
    form = form_of(helper)
    names = parameters(form.tree.args)
    found = {key: constant(value) for key, value in form.defaults.items()}
    for key, node in (*zip(names, op.application.arguments), *op.application.keywords):
        number = number_of(node)
        found[key] = constant(gast.literal_eval(node)) if number is None else op.operands[number]
    if set(names) != set(found):
        raise NotYet(f"no rule for {op.primitive.name}")
    given = [found[own] for own in names]
    kinds = tuple(constant_kind(v.constant) if v.is_constant else v.kind for v in given)
    inner = lowered(helper, kinds)
    made = inner.function
    settle(made, inner.references)
    adopt(made, inner, unit.references)
    if not isinstance(made.result, Value):
        raise NotYet(f"no rule for {op.primitive.name}")
    for own, value in zip(list(made.body.parameters), given):
        replaced(made.body, own, value)
        inside = root in around_value(value)
        if inside and value.memory is not None and own.memory is not None:
            own.memory.unite(value.memory)  # values outside have regions that are settled
    decide(made)
    unit.results.update(inner.results)
    return made


def decide(function: Function) -> None:
    """Branches whose tests are constants of a call are the one block that runs."""
    body, todo = function.body, list(function.body.operations)
    body.operations = []
    while todo:
        op, *todo = todo
        if type(op) is not If or not op.test.is_constant:
            body.operations.append(op)
            continue
        chosen = op.blocks[0 if op.test.constant else 1]
        rest = Block()
        rest.operations = todo
        for result, value in zip(op.results, chosen.results):
            replaced(rest, result, value)
            function.result = value if function.result is result else function.result
        placed(body, chosen.operations)
        todo = [*chosen.operations, *todo]


def adopt(made: Function, inner: Unit, outer: References) -> None:
    """The text of a function refers to objects by the names that they have elsewhere."""

    def held(own: str) -> Any:
        return inner.references.objects[own] if own.startswith(MARK) else inner.main.lookup(own)

    def spelled(node: Any) -> Any:
        own = getattr(node, "id", None)
        if own is None or own.isdigit():
            return map_children(spelled, node)
        with contextlib.suppress(KeyError):  # a builtin, or a variable of a comprehension
            return name(outer.use(own.removeprefix(MARK), held(own)))
        return node

    for op in made.body.walk():
        if isinstance(op, (Call, LoadOuter)) or op.contexts:
            raise NotYet("a helper that asks for more")
        for value in op.operands:
            root, dot, rest = value.hint.partition(".")
            if value.is_constant and root.startswith(MARK):  # a type
                value.hint = outer.use(root[1:], held(root)) + dot + rest
        if isinstance(op, Apply):
            keywords = tuple((key, spelled(node)) for key, node in op.application.keywords)
            arguments = tuple(map(spelled, op.application.arguments))
            op.application = replace(op.application, arguments=arguments, keywords=keywords)
        if isinstance(op, (Apply, Verbatim)):
            op.form = spelled(op.form)
