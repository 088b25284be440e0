"""The slots of a gradient that is differentiated again: the shadow of a slot is another slot.

    s = Slot()              s_bar = Slot()
    s.value += e                                        e_bar += s_bar.value
    y = s.value             y_slot = s_bar              y_slot.value += y_bar

The same for whole shadows, whose form is known when the program runs:

    s = shadow(x)           s_bar = shadow(x)
    give(s, e)              e_slot = snapshot(s_bar)    e_bar += collected(e_slot)
    y = collected(s)        y_slot = snapshot(s_bar)    give(y_slot, y_bar)

A slot is only ever added to, so its shadow need not know what it held before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import gast

from autodiff.analysis.contents import is_slot
from autodiff.analysis.kind import UNKNOWN, Record, Scalar
from autodiff.reverse import stores
from autodiff.reverse.following import is_mirrored, refuse
from autodiff.reverse.items import Step
from autodiff.reverse.refusals import check_giving
from autodiff.reverse.slots import contents_given, rebuilt, received
from autodiff.runtime import Slot, collected, give, shadow
from autodiff.syntax.names import name, store
from autodiff.syntax.origin import origin_of
from autodiff.syntax.quote import quote
from autodiff.syntax.walk import clone

if TYPE_CHECKING:
    from autodiff.reverse.reverse import Reverse


def step(reverse: Reverse, statement: gast.stmt) -> Step | None:
    """The step of a statement that makes a slot, adds to it or reads it, or None."""
    if isinstance(statement, gast.AugAssign):
        return _added(reverse, statement) if _is_content(reverse, statement.target) else None
    if isinstance(statement, gast.Expr):
        return _given(reverse, statement, statement.value)
    if not isinstance(statement, gast.Assign) or not isinstance(statement.targets[0], gast.Name):
        return None
    target, value = statement.targets[0].id, statement.value
    operation = reverse.kinds.operation(value) if isinstance(value, gast.Call) else None
    function = None if operation is None else operation.function
    if function is collected and is_mirrored(reverse, value.args[0]):
        return _collected(reverse, statement, target)
    if target in reverse.bars.mirrors:
        if function is Slot:
            return _made(reverse, statement, target)
        if function is shadow:
            own = gast.Assign(targets=[store(reverse.bars.mirrors[target])], value=clone(value))
            return Step([statement, own], [], origin_of(statement))
    return _read(reverse, statement, target) if _is_content(reverse, value) else None


def _is_content(reverse: Reverse, node: gast.expr) -> bool:
    """Whether an expression is `s.value` of a slot that has a shadow."""
    is_slots = isinstance(node, gast.Attribute) and is_slot(reverse.kinds.of(node.value))
    return is_slots and is_mirrored(reverse, node.value)


def _made(reverse: Reverse, statement: gast.Assign, target: str) -> Step:
    """The zeros with which a slot begins are of the shape and type that its adjoint has, too.

    Both are added to in place, so each has its own.
    """
    made = clone(statement.value)
    if made.args and isinstance(made.args[0], gast.Name):
        made.args = [quote("f(z)", f=reverse.helper("zeros_like"), z=made.args[0])]
    own = gast.Assign(targets=[store(reverse.bars.mirrors[target])], value=made)
    return Step([statement, own], [], origin_of(statement))


def _added(reverse: Reverse, statement: gast.AugAssign) -> Step:
    if not isinstance(statement.op, (gast.Add, gast.Sub)):
        refuse(reverse, statement, "an augmented assignment")
    value = statement.value
    if not isinstance(value, gast.Name) or value.id not in reverse.active:
        return Step([statement], [], origin_of(statement))
    slot = reverse.slot(statement, None, f"{value.id}_slot")
    kept = gast.Assign(targets=[store(slot)], value=rebuilt(reverse, statement.target.value))
    seed = gast.Attribute(value=name(slot), attr="value", ctx=gast.Load())
    kind = reverse.kinds.known(statement.target.value)
    content = kind.items[0] if isinstance(kind, Record) else UNKNOWN
    is_number = isinstance(content, Scalar)
    stores.give(reverse, statement, seed, content if is_number else UNKNOWN, owned=is_number)
    return Step([statement, kept], reverse.bars.out, origin_of(statement))


def _read(reverse: Reverse, statement: gast.Assign, target: str) -> Step:
    slot, adjoint = received(reverse, statement, target)
    primal: list[gast.stmt] = [statement]
    if slot is not None:
        source = rebuilt(reverse, statement.value.value)
        primal.append(gast.Assign(targets=[store(slot)], value=source))
    return Step(primal, adjoint, origin_of(statement))


def _now(reverse: Reverse, node: gast.expr) -> gast.expr:
    """The shadow of a container of slots as it is now: the same slots, whatever becomes of it."""
    own = rebuilt(reverse, node)
    if is_slot(reverse.kinds.of(node)):
        return own
    return quote("f(s)", f=reverse.helper("snapshot"), s=own)


def _collected(reverse: Reverse, statement: gast.Assign, target: str) -> Step:
    if target in reverse.bars.mirrors:
        refuse(reverse, statement, "this use")
    slot, adjoint = received(reverse, statement, target)
    primal: list[gast.stmt] = [statement]
    if slot is not None:
        source = _now(reverse, statement.value.args[0])
        primal.append(gast.Assign(targets=[store(slot)], value=source))
    return Step(primal, adjoint, origin_of(statement))


def _given(reverse: Reverse, statement: gast.Expr, call: gast.expr) -> Step | None:
    operation = reverse.kinds.operation(call) if isinstance(call, gast.Call) else None
    if operation is None or operation.function is not give:
        return None
    into, value = operation.arguments
    check_giving(reverse.kinds, statement, into)
    if not isinstance(value, gast.Name) or value.id not in reverse.active:
        return Step([statement], [], origin_of(statement))
    if not is_mirrored(reverse, into):
        refuse(reverse, statement, "this use")
    slot = reverse.slot(statement, None, f"{value.id}_slot")
    kept = gast.Assign(targets=[store(slot)], value=_now(reverse, into))
    adjoint = contents_given(reverse, value.id, slot, reverse.kinds.known(into))
    return Step([statement, kept], adjoint, origin_of(statement))
