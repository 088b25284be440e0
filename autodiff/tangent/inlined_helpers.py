"""Helpers of rules that have no rule themselves, in the transpose: their bodies instead.

a_bar = eigh_adjoint(w_bar, v_bar, w, v)        left = v @ (v.T @ v_bar / gap) ...
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from types import FunctionType
from typing import Any, TypeGuard

import gast

from autodiff.core import (
    ABSENT,
    MARK,
    Apply,
    Block,
    Built,
    Call,
    Function,
    LoadOuter,
    NotYet,
    Operation,
    References,
    Region,
    Value,
    Verbatim,
    around_value,
    constant,
    constant_kind,
    outputs,
    placed,
    replaced,
)
from autodiff.dataflow.activity import Useful, Varied
from autodiff.dataflow.settle import rename, settle
from autodiff.instantiate.expand import fits
from autodiff.kinds.kind import Record
from autodiff.lower.entries.alternatives import known_number
from autodiff.lower.flow.form import form_of
from autodiff.lower.flow.frame import Unit
from autodiff.lower.functions.function import lowered
from autodiff.primitives import DISPLAY, ITEM, Builder, key_of, names_in, number_of
from autodiff.rules import registry
from autodiff.runtime import fitted
from autodiff.syntax.names import name, parameters
from autodiff.syntax.walk import map_children


def open_helpers(unit: Unit, function: Function, starts: list[Value]) -> None:
    """The bodies of helpers in place of their calls, deeper ones too, where what they give depends
    on some values and others depend on that.
    """
    kept: set[Operation] = set()
    while True:
        take_known_parts(function)
        varied, useful = Varied(function, starts), Useful(function, outputs(function))
        found = [
            op
            for op in function.body.walk()
            if is_helper(op) and op not in kept and op.result in varied and op.result in useful
        ]
        if not found:
            return
        for op in found:
            made = tried(unit, op, function.body)
            if made is None:
                kept.add(op)
                continue
            block, at = op.block, op.block.operations.index(op)
            placed(block, made.body.operations)
            block.operations[at : at + 1] = made.body.operations
            if block is function.body and function.boundary is not None and at < function.boundary:
                function.boundary += len(made.body.operations) - 1
            joined(made.result, op.result, function.body)
            rename(function, {op.result: made.result})


def take_known_parts(function: Function) -> None:
    """What is taken of a tuple that is written out, in place of that."""
    for op in list(function.body.walk()):
        known = known_part(op)
        if known is None:
            continue
        operations = op.block.operations
        if op.block is function.body and function.boundary is not None:
            function.boundary -= operations.index(op) < function.boundary
        operations.remove(op)
        joined(op.results[0], known, function.body)  # views of the one are views of the other now
        rename(function, {op.results[0]: known})


def known_part(op: Operation) -> Value | None:
    """The part of a tuple that is written out where it is taken apart; what is fitted to what it is
    known to fit.
    """
    if not isinstance(op, Apply) or not op.reverse:
        return None
    whole = op.operands[0].op if op.operands else None
    if op.primitive is ITEM and isinstance(whole, Apply) and whole.primitive is DISPLAY:
        kind = whole.result.kind
        if isinstance(kind, Record) and kind.cls is tuple and key_of(op) in kind.keys:
            return whole.operands[kind.keys.index(key_of(op))]
    if op.primitive.function is fitted and fits(*(value.kind for value in op.operands)):
        return op.operands[0]
    return None


def tried(unit: Unit, op: Apply, root: Block) -> Function | None:
    """The body of a helper; None if that is not taken."""
    with contextlib.suppress(NotYet):
        return opened(unit, op, root)
    return None


def is_helper(op: object) -> TypeGuard[Apply]:
    """Whether an operation calls what can be read and has no rule: one of the reverse sweep, or one
    that is read like the user's code.
    """
    if not isinstance(op, Apply):
        return False
    function = op.primitive.function
    if not (isinstance(function, FunctionType) or hasattr(type(function), "__inlined__")):
        return False
    if not (op.reverse or registry.is_transparent(function)):
        return False
    rule = registry.rule_for(function, operands=len(op.application.arguments))
    return rule is None and not registry.is_nondifferentiable(function)


def read(op: Apply) -> tuple[FunctionType, list[tuple[str, gast.expr]]]:
    """The function to read for a call, and the arguments that it is given by name."""
    function, keywords = op.primitive.function, [*op.application.keywords]
    if isinstance(function, FunctionType):
        return function, keywords
    nowhere = Builder(Block(), References())
    given = [argument(nowhere, node, op.operands) for node in op.application.arguments]
    kinds = [constant_kind(v.constant) if v.is_constant else v.kind for v in given]
    told = {key: gast.literal_eval(node) for key, node in keywords}
    made, _ = function.__inlined__(kinds, told)
    return made, []


def opened(unit: Unit, op: Apply, root: Block) -> Function:
    """The body of a helper, on the operands of a call in a block of `root`."""
    helper, by_name = read(op)
    form = form_of(helper)
    names = parameters(form.tree.args)
    found = {key: constant(value) for key, value in form.defaults.items()}
    entry = Builder(Block(), unit.references, op.origin, reverse=True)
    for key, node in (*zip(names, op.application.arguments), *by_name):
        found[key] = argument(entry, node, op.operands)
    if form.tree.args.vararg is not None:
        found.setdefault(form.tree.args.vararg.id, constant(()))
    if set(names) != set(found):
        raise NotYet(f"no rule for {op.primitive.name}")
    given = [found[own] for own in names]
    kinds = tuple(constant_kind(v.constant) if v.is_constant else v.kind for v in given)
    numbers = {key: known_number(value) for key, value in found.items()}
    known = partial(helper, **{k: v for k, v in numbers.items() if v is not ABSENT})
    inner = lowered(known, kinds, whole=True, differentiated=unit.doors.differentiated)
    made = inner.function
    applied = [each.primitive.function for each in made.body.walk() if isinstance(each, Apply)]
    if helper in applied:
        raise NotYet("a helper that calls itself")
    settle(made, inner.references)
    adopt(made, inner, unit.references)
    share_outside(unit, inner)
    builder = Builder(made.body, unit.references, op.origin, reverse=True)
    if isinstance(made.result, Value) and made.result.is_written:
        made.result = builder.load(made.result)
    made.result = written_out(builder, made.result)
    if not isinstance(made.result, Value):
        raise NotYet(f"no rule for {op.primitive.name}")
    for own, value in zip(list(made.body.parameters), given):
        replaced(made.body, own, value)
        made.result = value if made.result is own else made.result
        joined(own, value, root)
    for each in made.body.walk():
        if isinstance(each, Apply) and each.primitive is ITEM and each.operands[0] in given:
            whole = each.operands[0]
            made_of = whole.op if isinstance(whole.op, Apply) else each
            if made_of.primitive is DISPLAY and isinstance(whole.kind, Record):
                part = whole.kind.keys.index(key_of(each))
                joined(each.result, made_of.operands[part], root)
    made.body.operations[:0] = entry.block.operations
    for each in made.body.walk():
        each.reverse = True
    rename(made, dict(taken_before(unit, made)))
    unit.results.update(inner.results)
    return made


def written_out(builder: Builder, result: Any) -> Any:
    """A container or an object that a helper returns, as one value."""
    if not isinstance(result, Built) or result.like is not None:
        return result
    items = [written_out(builder, item) for item in result.items]
    make = builder.built if result.is_object else builder.display
    if not all(isinstance(item, Value) for item in items):
        return result
    return make(result.cls, result.keys, items)


def argument(builder: Builder, node: gast.expr, operands: list[Value]) -> Value:
    """What a helper is given: an operand, several that are written out, a constant."""
    number = number_of(node)
    if number is not None:
        return operands[number]
    if not any(own.isdigit() for own in names_in(node)):
        return constant(gast.literal_eval(node))
    items = [argument(builder, part, operands) for part in getattr(node, "elts", ())]
    cls = list if hasattr(node, "elts") and type(node).__name__ == "List" else tuple
    if not items:
        raise NotYet("a helper that is given an expression")
    return builder.display(cls, tuple(range(len(items))), items)


def taken_before(unit: Unit, made: Function) -> Iterator[tuple[Value, Value]]:
    """The items of several results that a helper takes, and those that are there: each has one
    adjoint.
    """
    for op in made.body.walk():
        if isinstance(op, Apply) and op.primitive is ITEM and op.operands[0] in unit.results:
            kind = op.operands[0].kind
            assert isinstance(kind, Record)
            part = unit.results[op.operands[0]].items[kind.keys.index(key_of(op))]
            if isinstance(part, Value) and part.op in part.block.operations:
                yield op.result, part


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

    def path(own: str) -> str:
        root = re.split(r"[.\[]", own)[0]  # `table.name`, `table["key"]`
        return outer.use(root.removeprefix(MARK), held(root)) + own.removeprefix(root)

    for op in made.body.walk():
        if isinstance(op, Call):
            raise NotYet("a helper that asks for more")
        op.contexts = tuple(replace(each, form=spelled(each.form)) for each in op.contexts)
        for value in op.operands:
            if value.is_constant and value.hint.startswith(MARK):  # a type
                value.hint = path(value.hint)
        if isinstance(op, LoadOuter):
            op.path = path(op.path)
        if isinstance(op, Apply):
            keywords = tuple((key, spelled(node)) for key, node in op.application.keywords)
            arguments = tuple(map(spelled, op.application.arguments))
            op.application = replace(op.application, arguments=arguments, keywords=keywords)
        if isinstance(op, (Apply, Verbatim)):
            op.form = spelled(op.form)


def joined(own: Value, value: Value, root: Block) -> None:
    """A value of a helper is memory that it is given. Memory of outside of the function is settled:
    what the helper holds or changes has to be held and changed there.
    """
    if own.memory is None or value.memory is None:
        return
    inner, outer = own.memory.find(), value.memory.find()
    inside = root in around_value(value)
    if not inside or outer in reached_outside(root):
        if inner.written > outer.written or inner.held > outer.held:
            raise NotYet("memory of outside that a helper holds or changes")
    if inside:
        outer.unite(inner)


def share_outside(unit: Unit, inner: Unit) -> None:
    """An array of outside is one region, whoever reads it."""
    for own, region in inner.outer.items():
        there, here = unit.outer.setdefault(own, region).find(), region.find()
        if here.written > there.written or here.held > there.held:
            raise NotYet("memory of outside that a helper holds or changes")
        there.unite(here)


def reached_outside(root: Block) -> set[Region | None]:
    """The memory of what a block reads that is defined outside of it."""
    read = {value for op in root.walk() for value in op.operands}
    return {value.region for value in read if root not in around_value(value)}
