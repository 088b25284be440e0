"""Stores, deletions, calls for their effect: allowed where no derivative flows through memory."""

from __future__ import annotations

import types
from typing import TYPE_CHECKING, Any

import gast

from autodiff.analysis.changes import changed_in, told_to_change
from autodiff.analysis.conflicts import outside
from autodiff.analysis.kind import UNKNOWN, Array, Bound, Local, OneOf, Record, Sequence, Unknown
from autodiff.analysis.purity import CHANGING
from autodiff.analysis.references import has_memory
from autodiff.analysis.special import entering_changes, truth_changes
from autodiff.analysis.writing import is_adding
from autodiff.errors import UnsupportedSyntaxError
from autodiff.reverse import inserting, refusals, shadows, stores
from autodiff.reverse.items import Item, Step
from autodiff.reverse.parts import joined
from autodiff.reverse.places import Place
from autodiff.reverse.values import Bar
from autodiff.runtime import give_back
from autodiff.syntax import origin as origins
from autodiff.syntax.names import name, reads, writes
from autodiff.syntax.origin import origin_of
from autodiff.syntax.quote import quote, quote_statements
from autodiff.syntax.walk import statements, walk
from autodiff.syntax.windows import root

if TYPE_CHECKING:
    from autodiff.reverse.reverse import Reverse


def effect(reverse: Reverse, statement: gast.Expr) -> Step:
    """`xs.append(x)` and other calls for their effect."""
    call = statement.value
    if inserting.is_insertion(reverse, call):
        return inserting.insertion(reverse, statement)
    operation = reverse.kinds.call_operation(call) if isinstance(call, gast.Call) else None
    if operation is not None and operation.function is give_back:
        return shadows.given_back(reverse, statement, call)
    origin = origin_of(statement)
    step = Step([statement], [], origin)
    base = added_to(reverse, call) if isinstance(call, gast.Call) else None
    if base is not None:
        if base in reverse.active:
            check_alone(reverse, statement, base)
            stores.gathered(reverse, statement, base)
        slot = gast.Subscript(value=call.args[0], slice=call.args[1], ctx=gast.Store())
        return Step([statement], reverse.bars.out, origin, mutates=(base,), slots=[slot])
    step.mutates = check_unchanged(reverse, statement, call)
    step.mutates += tuple(sorted(told_to_change(statement, reverse.kinds)))
    if not (isinstance(call, gast.Call) and isinstance(call.func, gast.Attribute)):
        return step
    base = call.func.value
    if isinstance(base, gast.Name) and call.func.attr in CHANGING:
        owner = getattr(reverse.kinds.of(base), "value", None)
        if not isinstance(owner, types.ModuleType):  # `np.put` is no method
            check_local(reverse, statement, base.id)
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


def added_to(reverse: Reverse, call: gast.Call) -> str | None:
    """The array of a local name that a call of `np.add.at` adds to."""
    base = root(call.args[0]) if is_adding(call, reverse.kinds) else None
    is_array = base is not None and isinstance(reverse.kinds.names.get(base), Array)
    return base if is_array else None


def check_unchanged(
    reverse: Reverse, statement: gast.stmt, call: gast.expr
) -> tuple[str, ...]:
    """The names whose memory a call may change; refused where a derivative flows through it."""
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


def check_test(reverse: Reverse, statement: gast.stmt, test: gast.expr) -> None:
    """Refuse a test or a bound that changes memory: only statements are undone."""
    changed = set(changed_in(test, reverse.kinds))
    if truth_changes(test, reverse.kinds):
        changed |= reads(test)
    is_kept = isinstance(statement, gast.If)  # evaluated in a step of its own
    for found in sorted(changed):
        others = [] if is_kept else set(reverse.aliases.sharing(found)) - {found}
        if is_content(reverse, found) or others:
            raise UnsupportedSyntaxError(
                f"this test may change `{found}`",
                origin_of(statement),
                why="the reverse sweep puts back what statements change, not what tests do",
                cure="compute it in a statement of its own before the test",
            )


def check_context(reverse: Reverse, statement: gast.With) -> None:
    """Refuse a context manager that changes what the reverse sweep reads: it is entered again."""
    read = {n for s in statements(reverse.definitions.body) for n in _used(reverse, s)}
    for item in statement.items:
        manager = item.context_expr
        names = _told(reverse, statement, writes([item]))
        opaque = type(reverse.kinds.of(manager)) is Unknown
        if opaque or entering_changes(manager, reverse.kinds):
            names |= {n for n in reads(manager) if has_memory(n, reverse.kinds)}
        names = {n for n in names if not isinstance(reverse.kinds.names.get(n), Array)}
        changed = set(changed_in(manager, reverse.kinds))  # `with doubling(c):`
        for own in sorted(names | changed):
            found = sorted((set(reverse.aliases.sharing(own)) - ({own} - changed)) & read)
            if found:
                raise UnsupportedSyntaxError(
                    f"entering or leaving `{own}` may change `{found[0]}`",
                    origins.place(manager, origin_of(statement)),
                    why="the reverse sweep needs its earlier content, and enters the block again",
                    cure=f"copy it first: `{found[0]} = {found[0]}.copy()`",
                )


def _told(reverse: Reverse, statement: gast.With, managers: set[str]) -> set[str]:
    """What a manager may call when it is left: `stack.callback(b.fill, 0.0)`."""
    found: set[str] = set()
    for call in walk(statement.body):
        if isinstance(call, gast.Call) and isinstance(call.func, gast.Attribute):
            if reads(call.func.value) & managers:
                given = [*call.args, *(keyword.value for keyword in call.keywords)]
                found |= {n for part in given for n in reads(part)}
    kinds = reverse.kinds.names
    return {n for n in found if isinstance(kinds.get(n), (Bound, Local, OneOf, Unknown))}


def _used(reverse: Reverse, statement: gast.stmt) -> set[str]:
    """The names that a simple statement reads on the way of a derivative."""
    if isinstance(statement, (gast.If, gast.For, gast.While, gast.With, gast.Try)):
        return set()
    return reads(statement) if writes(statement) & reverse.active else set()


def is_content(reverse: Reverse, identifier: str) -> bool:
    """Whether a name holds an array, or a container with a derivative."""
    kind = reverse.kinds.names.get(identifier)
    return isinstance(kind, Array) or identifier in reverse.active


def check_local(reverse: Reverse, statement: gast.stmt, base: str | None) -> None:
    """Refuse a change of a global that the function also reads: it is not put back."""
    for conflict in reverse.conflicts.get(id(statement), ()):
        if conflict.other in outside(reverse.kinds):
            raise UnsupportedSyntaxError(
                f"`{conflict.changed}`, which is updated in place, may be memory of the global "
                f"`{conflict.other.rstrip('@')}`",
                origin_of(statement),
                why="autodiff does not put back what was in a global",
                cure=f"copy it first: `{conflict.changed} = {conflict.changed}.copy()`",
            )
    if base is None or base in reverse.kinds.local:
        return
    uses = [n for s in reverse.definitions.body for n in walk(s) if isinstance(n, gast.Name)]
    if sum(node.id == base for node in uses) > 1:
        raise UnsupportedSyntaxError(
            f"the global `{base}` is updated in place and read by the same function",
            origin_of(statement),
            why="autodiff does not put back what was in a global",
            cure=f"pass `{base}` as an argument",
        )


def store(reverse: Reverse, statement: Any, target: gast.expr) -> Item:
    """A store into memory; refused where a derivative flows through what is no array."""
    base = root(target)
    check_local(reverse, statement, base)
    if isinstance(target, gast.Subscript) and base in reverse.kinds.local:
        if isinstance(reverse.kinds.names.get(base), Array):
            reverse.bars.out = []
            if base in reverse.active:
                check_alone(reverse, statement, base)
                stores.store(reverse, statement, target, base)
            step = Step([statement], reverse.bars.out, origin_of(statement), mutates=(base,))
            step.slots.append(target)
            return step
    memory = reads(target) | writes(target)
    involved = sorted(
        n
        for n in reverse.active
        if any(reverse.aliases.share(n, own) for own in memory)
        and (n in memory or reverse.aliases.is_changed(n))
    )
    involved += sorted((reads(statement.value) & reverse.active) - set(involved))
    if involved:
        refusals.refuse_store(reverse, statement, target, base or involved[0])
    step = Step([statement], [], origin_of(statement))
    if base is not None:
        step.mutates = (base,)
    return step


def check_alone(reverse: Reverse, statement: gast.stmt, base: str) -> None:
    """Refuse a change of memory that is seen under another name, which is used after it."""
    for conflict in reverse.conflicts.get(id(statement), ()):
        if conflict.changed != base or base in reverse.bars.shadows:
            continue
        made = [f"`{n}` {_made(n, reverse.definitions.body)}" for n in (base, conflict.other)]
        raise UnsupportedSyntaxError(
            f"`{base}` carries a derivative and is updated in place, while `{conflict.other}`, "
            "which may share its memory, is still used",
            origin_of(statement),
            why="autodiff cannot tell here whether the two are views of the same elements; "
            + ", ".join(made),
            cure=f"copy one of them (`{conflict.other} = {conflict.other}.copy()`), or index the "
            "array itself",
        )


def _made(identifier: str, body: list[gast.stmt]) -> str:
    """Where a name gets its value, for the reader of an error."""
    for statement in statements(body):
        origin = origin_of(statement)
        if identifier in writes(statement) and origin is not None:
            return f"is made in line {origin.line}"
    return "is an argument"


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
