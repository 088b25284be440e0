"""Stores, deletions, calls for their effect: allowed where no derivative flows through memory."""

from __future__ import annotations

import dis
import types
from typing import TYPE_CHECKING, Any

import gast

from autodiff.analysis.alias import changed_in
from autodiff.analysis.kind import UNKNOWN, Record, Sequence
from autodiff.errors import UnsupportedSyntaxError
from autodiff.reverse.bars import Bar
from autodiff.reverse.items import Item, Step
from autodiff.reverse.parts import joined
from autodiff.reverse.places import Place
from autodiff.syntax.names import name, reads, writes
from autodiff.syntax.origin import origin_of
from autodiff.syntax.quote import quote, quote_statements

if TYPE_CHECKING:
    from autodiff.reverse.reverse import Reverse


def effect(reverse: Reverse, statement: gast.Expr) -> Step:
    """`xs.append(x)` and other calls for their effect."""
    call = statement.value
    origin = origin_of(statement)
    step = Step([statement], [], origin)
    if isinstance(call, gast.Call):
        step.mutates = check_unchanged(reverse, statement, call)
    if not (isinstance(call, gast.Call) and isinstance(call.func, gast.Attribute)):
        return step
    base = call.func.value
    if not isinstance(base, gast.Name) or base.id not in reverse.kinds.local:
        return step
    method = call.func.attr
    kind = reverse.kinds.names.get(base.id, UNKNOWN)
    is_list = isinstance(kind, (Sequence, Record)) and kind.cls is list
    if is_list and base.id in reverse.active and not reverse.aliases.grows_alone(base.id):
        raise UnsupportedSyntaxError(
            f"`{base.id}` carries a derivative and is changed by `.{method}(...)` while another "
            "name may refer to the same list",
            origin,
            why="autodiff does not follow lists that are changed through several names yet",
            cure="grow the list under one name, or build a new list with `+`",
        )
    if is_list and method == "append" and len(call.args) == 1:
        step.mutates = (base.id,)
        text = "xs = xs[:-1]" if reverse.reentrant else "xs.pop()"
        step.restore = quote_statements(text, xs=base.id)
        if (base.id, ()) in reverse.bars.present and base.id in reverse.active:
            append(reverse, base.id, call.args[0])
            step.adjoint = reverse.bars.out
        return step
    if base.id in reverse.active:
        raise UnsupportedSyntaxError(
            f"`{base.id}` carries a derivative and is changed by `.{method}(...)`",
            origin,
            why="of the calls that change an object in place, only list.append is differentiated",
            cure="build a new value instead of changing the old one",
        )
    return step


def check_globals(reverse: Reverse, statement: gast.stmt, call: gast.expr) -> None:
    """Refuse a helper that rebinds a global which this function reads: both sweeps read it."""
    operation = reverse.kinds.operation(call) if isinstance(call, gast.Call) else None
    function = operation.function if operation is not None else None
    if not isinstance(function, types.FunctionType):
        return
    stored = {i.argval for i in dis.get_instructions(function) if i.opname == "STORE_GLOBAL"}
    for identifier in sorted(stored & set(reverse.kinds.scope.found)):
        raise UnsupportedSyntaxError(
            f"this call rebinds the global `{identifier}`, which the function reads",
            origin_of(statement),
            why="the reverse sweep would read its new value",
            cure=f"pass `{identifier}` as an argument, or read it once into a local variable",
        )


def check_unchanged(
    reverse: Reverse, statement: gast.stmt, call: gast.expr
) -> tuple[str, ...]:
    """The names whose memory a call may change; refused where a derivative flows through it."""
    check_globals(reverse, statement, call)
    found = changed_in(call, reverse.kinds)
    for identifier in found:
        sharing = set(reverse.aliases.sharing(identifier)) & reverse.active
        if sharing:
            raise UnsupportedSyntaxError(
                f"this call may change `{min(sharing)}`, which carries a derivative",
                origin_of(statement),
                why="autodiff does not know what the function does to its arguments",
                cure="pass a copy, or write a rule for the function with @adjoint",
            )
    return found


def append(reverse: Reverse, base: str, item: gast.expr) -> None:
    """The reverse of `xs.append(x)`: `x_bar` is the last item of `xs_bar`."""
    variable = reverse.bars.own((base, ()))
    popped = quote("xs.pop()", xs=variable)
    if not isinstance(item, gast.Name) or item.id not in reverse.active:
        reverse.bars.out.append(gast.Expr(value=popped))
        return
    kind = reverse.kinds.names.get(item.id, UNKNOWN)
    places = reverse.bars.places(item.id)
    if places == [(item.id, ())] and places[0] not in reverse.bars.present:
        reverse.bars.assign(reverse.bars.variable(places[0]), popped, kind)
        variable_name = name(reverse.bars.variable(places[0]))
        reverse.bars.present[places[0]] = Bar(variable_name, kind, False)
        return
    temporary = reverse.bars.temporary("item_bar")
    reverse.bars.assign(temporary, popped, kind)
    whole: dict[Place, Bar] = {(temporary, ()): Bar(name(temporary), kind, False)}
    for place, bar in joined(reverse, whole, item.id):
        reverse.bars.contribute(place, bar.node, bar.kind, False)


def store(reverse: Reverse, statement: Any, target: gast.expr) -> Item:
    """A store into memory: fine where it is inactive, refused where a derivative flows."""
    base = target
    while isinstance(base, (gast.Subscript, gast.Attribute)):
        base = base.value
    memory = reads(base) | writes(base)
    involved = sorted(
        n
        for n in reverse.active
        if any(reverse.aliases.share(n, own) for own in memory)
        and (n in memory or reverse.aliases.is_changed(n))
    )
    involved += sorted((reads(statement.value) & reverse.active) - set(involved))
    if involved:
        raise UnsupportedSyntaxError(
            f"an in-place update through which the derivative of `{involved[0]}` flows",
            origin_of(statement),
            why="autodiff does not follow derivatives through memory that is updated in place yet",
            cure="build a new array (np.where, np.concatenate, a list of the parts) instead",
        )
    step = Step([statement], [], origin_of(statement))
    if isinstance(base, gast.Name):
        step.mutates = (base.id,)
    return step


def delete(reverse: Reverse, statement: gast.Delete) -> Item:
    """`del x[i]`: fine where it is inactive, refused where a derivative flows."""
    for target in statement.targets:
        base = target
        while isinstance(base, (gast.Subscript, gast.Attribute)):
            base = base.value
        for own in sorted(reads(base)):
            if set(reverse.aliases.sharing(own)) & reverse.active:
                raise UnsupportedSyntaxError(
                    f"`del` of a part of `{own}`, which carries a derivative",
                    origin_of(statement),
                    why="autodiff does not follow derivatives through containers that shrink yet",
                    cure="build a new container without the item",
                )
    return Step([statement], [], origin_of(statement))
