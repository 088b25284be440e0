"""Loops: what their bodies bind and read again is carried."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import gast

from autodiff.analysis.joins import join
from autodiff.analysis.kind import Array, Kind, Scalar, forget_values, number
from autodiff.analysis.size import Dim
from autodiff.core.notyet import NotYet
from autodiff.core.operation import For
from autodiff.core.value import Value
from autodiff.lower.branches import ordered
from autodiff.lower.entry import Entry, Pack, Unbound, alike, leaves, rebuilt
from autodiff.primitives.builder import born

if TYPE_CHECKING:
    from autodiff.lower.statements import Statements

_TOKEN = re.compile(r"v(\d+)")


def loop(statements: Statements, node: gast.For) -> None:
    """`for` over a range: what its body binds and reads again is carried."""
    iterable, backwards = node.iter, False
    if not isinstance(node.target, gast.Name) or node.orelse:
        raise NotYet("a loop of another form")
    if any(isinstance(part, gast.Break) for part in gast.walk(node)):
        raise NotYet("break")
    if is_call_of(statements, iterable, reversed):
        iterable, backwards = iterable.args[0], True
    if not is_call_of(statements, iterable, range):
        raise NotYet("a loop over what is no range")
    over = statements.value(iterable)
    if backwards:
        raise NotYet("a loop over a reversed range")
    before, outer = dict(statements.frame.names), statements.builder
    names = [n for n in ordered(node.body) if n != node.target.id]
    carried = [n for n in names if n in before and _may_be_carried(before[n])]
    flat = [value for n in carried for value in leaves(before[n])]
    hints = [
        n if isinstance(before[n], Value) else v.hint for n in carried for v in leaves(before[n])
    ]
    kinds = statements.unit.widened.get((id(node), len(statements.unit.calls)))
    if kinds is None or len(kinds) != len(flat):
        kinds = [forget_values(value.kind) for value in flat]
    kinds = [join(kind, forget_values(value.kind)) for kind, value in zip(kinds, flat)]
    while True:
        variable = born(node.target.id, number("int"), named=True)
        op = For(over, variable, getattr(node, "origin", None))
        parameters = [parameter(*each) for each in zip(flat, kinds, hints)]
        values = iter(parameters)
        statements.frame.names = dict(before)
        for n in names:
            statements.frame.names[n] = rebuilt(before[n], values) if n in carried else Unbound(n)
            if n not in carried and n in before:
                statements.frame.names[n] = before[n]
        statements.frame.names[node.target.id] = variable
        statements.frame.builder = outer.inside(op.body)
        start = int(variable.token[1:])
        statements.block(node.body)
        ends = statements.frame.names
        following: list[Value] = []
        for n in carried:
            if not alike(before[n], ends[n]):
                raise NotYet("a variable that changes its form in a loop")
            following += leaves(ends[n])
        for n in names:
            if (
                n not in carried
                and not isinstance(before.get(n, Unbound(n)), Unbound)
                and ends[n] is not before[n]
                and ends[n] != before[n]
            ):
                raise NotYet("a variable that changes its form in a loop")
        after = [join(kind, outlived(value.kind, start)) for kind, value in zip(kinds, following)]
        if after == kinds:
            break
        kinds = [forget_values(kind) for kind in after]
    statements.unit.widened[id(node), len(statements.unit.calls)] = kinds
    statements.frame.names, statements.frame.builder = before, outer
    outer.origin = getattr(node, "origin", None)
    outer.add(op)
    results = []
    for init, own, value, kind in zip(flat, parameters, following, kinds):
        result = Value(own.hint, kind, own.memory, named=True)
        op.carry(init, own, value, result)
        results.append(result)
    values = iter(results)
    for n in names:
        statements.frame.names[n] = (
            rebuilt(before[n], values) if n in carried else before.get(n, Unbound(n))
        )
    statements.frame.names[node.target.id] = Unbound(node.target.id)


def is_call_of(statements: Statements, node: gast.expr, function: Any) -> bool:
    """Whether an expression calls a builtin."""
    return (
        isinstance(node, gast.Call)
        and statements.static(node.func) is function
        and not node.keywords
    )


def parameter(value: Value, kind: Kind, hint: str) -> Value:
    """What a loop carries in the place of a value."""
    if not isinstance(kind, (Array, Scalar)):
        raise NotYet(f"a loop carries {type(kind).__name__.lower()}")
    return Value(hint if hint.isidentifier() else "value", kind, value.memory, named=True)


def outlived(kind: Kind, start: int) -> Kind:
    """The kind of a value that outlives an iteration: sizes named after values of the iteration are
    not known.
    """

    def lasts(size: Any) -> bool:
        return not isinstance(size, Dim) or all(int(k) < start for k in _TOKEN.findall(size.name))

    if isinstance(kind, Array):
        return Array(kind.dtype, tuple(size if lasts(size) else None for size in kind.shape))
    return forget_values(kind)


def _may_be_carried(entry: Entry) -> bool:
    return isinstance(entry, (Value, Pack)) and not (
        isinstance(entry, Value) and entry.is_constant and callable(entry.constant)
    )
