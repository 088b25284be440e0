"""Lists and dicts that change: each has a shadow, and what is done to it is done to the shadow.

    xs[i] = e           e_slot = Slot()                 e_bar += e_slot.value
                        xs_bar[i] = e_slot
    y = xs.pop()        y_slot = xs_bar.pop()           y_slot.value += y_bar

All of it happens in the forward sweep; the reverse sweep only reads and fills slots. `moves` says
for which expressions that can be done; what else is computed from such a container is computed from
a snapshot (`pipeline/mirroring.py`), so no other code ever meets one.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import gast

from autodiff.analysis.alias import changed_at
from autodiff.analysis.contents import holds
from autodiff.analysis.kind import UNKNOWN, Mapping, Static, differentiable
from autodiff.analysis.moves import follows
from autodiff.analysis.references import borrowed
from autodiff.reverse import slots_again
from autodiff.reverse.called import called
from autodiff.reverse.following import (
    Putting,
    check_key,
    followed,
    is_mirrored,
    putting,
    refuse,
    taking,
)
from autodiff.reverse.items import Step
from autodiff.reverse.slots import Put, given, has_numbers, is_certain, rebuilt, received, shadow_of
from autodiff.reverse.values import Bar
from autodiff.syntax.names import name, reads, store, substitute, writes
from autodiff.syntax.origin import origin_of
from autodiff.syntax.quote import quote, quote_statements
from autodiff.syntax.walk import clone, shallow
from autodiff.syntax.windows import root

if TYPE_CHECKING:
    from autodiff.reverse.reverse import Reverse


def parameters_of(reverse: Reverse, parameters: list[str]) -> list[gast.stmt]:
    """The shadows of parameters, and the slots that are in them at the beginning."""
    bars = reverse.bars
    own = [p for p in parameters if p in bars.mirrors]
    if not own:
        return []
    in_place = bool(reverse.mirrored.arrays)
    rest = [
        p
        for p in parameters
        if p not in own and (holds(reverse.kinds.names.get(p)) or in_place)
    ]
    classes = quote("(list, dict)")
    if in_place:
        classes = quote("(list, dict, np.ndarray)", np=reverse.helper("np"))
    arguments = [classes, *map(name, [*own, *rest])]
    check = gast.Call(func=reverse.helper("distinct"), args=arguments, keywords=[])
    made: list[gast.stmt] = [gast.Expr(value=check)]
    made[0].origin = changed_at(own[0], reverse.definitions.body, reverse.kinds, reverse.aliases)
    for parameter in own:
        made += _bound(bars.mirrors[parameter], shadow_of(reverse, parameter))
        made += quote_statements(
            "s = f(x)",
            s=reverse.slot(None, parameter, f"{parameter}_slots"),
            f=reverse.helper("snapshot"),
            x=bars.mirrors[parameter],
        )
    return made


def step(reverse: Reverse, statement: gast.stmt) -> Step | None:
    """The step of a statement that makes, changes or reads a mirrored container, or None."""
    if not reverse.bars.mirrors:
        return None
    reverse.bars.out = []
    of_slots = slots_again.step(reverse, statement)
    if of_slots is not None:
        return of_slots
    if isinstance(statement, gast.Assign):
        return _assign(reverse, statement)
    if isinstance(statement, gast.Expr):
        return called(reverse, statement)
    if isinstance(statement, gast.Delete):
        return _deleted(reverse, statement)
    if isinstance(statement, gast.AugAssign):
        target = statement.target
        base = target if isinstance(target, gast.Name) else getattr(target, "value", None)
        if base is not None and is_mirrored(reverse, base):
            refuse(reverse, statement, "an augmented assignment")
    return None


def _assign(reverse: Reverse, statement: gast.Assign) -> Step | None:
    target, value = statement.targets[0], statement.value
    mirrors = reverse.bars.mirrors
    if isinstance(target, gast.Subscript) and is_mirrored(reverse, target.value):
        return _stored(reverse, statement, target)
    if isinstance(target, gast.Tuple):
        return _unpacked(reverse, statement, target)
    if not isinstance(target, gast.Name):
        return None
    if target.id in mirrors:
        return _defined(reverse, statement, target.id)
    if not follows(value, frozenset(mirrors), reverse.kinds, False):
        return None
    return _taken(reverse, statement, target.id)


def _stored(reverse: Reverse, statement: gast.Assign, target: gast.Subscript) -> Step:
    """`xs[i] = e`, `xs[i:j] = ys`."""
    check_key(reverse, statement, target.slice)
    put = given(reverse, statement, statement.value, isinstance(target.slice, gast.Slice))
    place = gast.Subscript(
        value=rebuilt(reverse, target.value), slice=clone(target.slice), ctx=gast.Store()
    )
    stored = gast.Assign(targets=[place], value=put.value)
    return Step([statement, *put.before, stored], put.adjoint(), origin_of(statement))


def _defined(reverse: Reverse, statement: gast.Assign, target: str) -> Step:
    """`ys = xs`, `ys = xs[1:]`, `ys = [a, b]`, `ys = xs + zs`, or any other value."""
    value = statement.value
    own = reverse.bars.mirrors[target]
    names = frozenset(reverse.bars.mirrors)
    primal: list[gast.stmt] = [statement]
    if not follows(value, names, reverse.kinds, True):
        return _made(reverse, statement, target)
    if isinstance(value, gast.Call) and isinstance(value.func, gast.Attribute):
        if value.func.attr == "values":
            primal = [shallow(statement)]
            primal[0].value = quote("list(v)", v=value)
    if isinstance(value, gast.BinOp) and not names & reads(value):
        return _made(reverse, statement, target)
    puts: list[Put] = []
    made = followed(reverse, statement, value, putting(reverse, statement, puts))
    before = [s for put in puts for s in put.before]
    adjoint = [s for put in puts for s in put.adjoint()]
    return Step([*primal, *before, *_bound(own, made)], adjoint, origin_of(statement))


def _bound(target: str, value: gast.expr) -> list[gast.stmt]:
    return [gast.Assign(targets=[store(target)], value=value)]


def _made(reverse: Reverse, statement: gast.Assign, target: str) -> Step:
    """A container that some other operation makes: its slots collect its adjoint."""
    bars = reverse.bars
    base = root(statement.value)
    is_outer = base is not None and base not in reverse.kinds.local
    if isinstance(statement.value, gast.Call):
        is_outer = False  # a method of a module
    if reads(statement.value) & bars.mirrors.keys() or is_outer:
        refuse(reverse, statement, "this use")
    if reverse.mirrored.arrays:
        views = _of_views(reverse, statement, target)
        if views is not None:
            return views
    made = _bound(bars.mirrors[target], _new(reverse, statement, target))
    sources = reads(statement.value) & reverse.active
    if not any(differentiable(reverse.kinds.names.get(n, UNKNOWN)) for n in sources):
        return Step([statement, *made], [], origin_of(statement))
    slots = reverse.slot(statement, target, f"{target}_slots")
    text = "s = f(x)"
    made += quote_statements(text, s=slots, f=reverse.helper("snapshot"), x=bars.mirrors[target])
    collected = quote("f(s)", f=reverse.helper("collected"), s=slots)
    kind = reverse.kinds.names.get(target, UNKNOWN)
    variable = bars.temporary(f"{target}_bar_new")
    bars.assign(variable, collected, kind)
    primal = reverse.value(statement, target, {(target, ()): Bar(name(variable), kind, True)})
    return Step([primal, *made], bars.out, origin_of(statement))


_SPLITTING = frozenset({"split", "array_split", "hsplit", "vsplit", "dsplit", "unstack"})
"""Functions that give a list of views, of the shadow as of the array."""


def _of_views(reverse: Reverse, statement: gast.Assign, target: str) -> Step | None:
    """`rows = list(a)`, `halves = np.split(a, 2)`: the shadows of the parts are those of `a`.

    None where nothing is shared.
    """
    value = statement.value
    sources = borrowed(value, reverse.kinds)
    operation = reverse.kinds.operation(value)
    function = operation.function if operation is not None else None
    is_copy = function in (list, tuple) and len(value.args) == 1
    if is_copy and all(has_numbers(reverse.kinds.names.get(n)) for n in sources):
        return None
    if not sources & reverse.bars.shadows.keys():  # nothing there changes
        return None
    splits = getattr(function, "__name__", "") in _SPLITTING and len(sources) == 1
    if not (is_copy or splits) or sources - reverse.bars.shadows.keys():
        refuse(reverse, statement, "this use of arrays that change in place for the making")
    shadow = substitute(value, {n: name(reverse.bars.shadows[n]) for n in sources})
    made = _bound(reverse.bars.mirrors[target], shadow)
    return Step([statement, *made], [], origin_of(statement))


def _new(reverse: Reverse, statement: gast.Assign, target: str) -> gast.expr:
    """The shadow of a new container; one that fills itself has a shadow that does."""
    kind = reverse.kinds.names.get(target)
    if isinstance(kind, Mapping) and issubclass(kind.cls, defaultdict):
        value = statement.value
        made = reverse.kinds.known(value.args[0])
        factory = reverse.helper("Slot")
        if isinstance(made, Static) and made.value in (list, dict):
            factory = value.args[0]
        return quote("f(g)", f=value.func, g=factory)
    return shadow_of(reverse, target)


def _taken(reverse: Reverse, statement: gast.Assign, target: str) -> Step:
    """`y = xs[i]`, `y = xs.pop()`, `y = d.get(k, e)` for a value `y`."""
    value = statement.value
    puts: list[Put] = []
    source = _source(reverse, statement, value, putting(reverse, statement, puts))
    before = [s for put in puts for s in put.before]
    slot, adjoint = received(reverse, statement, target)
    if slot is not None and not is_certain(reverse.kinds.names.get(target)):
        source = quote("f(s)", f=reverse.helper("alone"), s=source)
    adjoint = [*adjoint, *(s for put in puts for s in put.adjoint())]
    primal: list[gast.stmt] = [statement, *before]
    if slot is not None:
        primal += _bound(slot, source)
    elif isinstance(source, gast.Call) and isinstance(source.func, gast.Attribute):
        primal.append(gast.Expr(value=source))  # `xs_bar.pop()`
    return Step(primal, adjoint, origin_of(statement))


def _source(
    reverse: Reverse, statement: gast.stmt, value: gast.expr, put: Putting
) -> gast.expr:
    """The slot of a value that is taken out of a container."""
    if isinstance(value, gast.Subscript):
        return gast.Subscript(
            value=rebuilt(reverse, value.value), slice=clone(value.slice), ctx=gast.Load()
        )
    if isinstance(value.func, gast.Attribute) and is_mirrored(reverse, value.func.value):
        return taking(reverse, statement, value, put)
    return quote("f(s)", f=reverse.helper("snapshot"), s=rebuilt(reverse, value.args[0]))


def _unpacked(reverse: Reverse, statement: gast.Assign, target: gast.Tuple) -> Step | None:
    """`a, b = pair`, where `pair` is mirrored or one of its items is."""
    mirrors = reverse.bars.mirrors
    if not is_mirrored(reverse, statement.value):
        if writes(target) & mirrors.keys():
            refuse(reverse, statement, "unpacking")
        return None
    parts: list[gast.expr] = []
    adjoint: list[gast.stmt] = []
    found = [
        received(reverse, statement, part.id) for part in target.elts if part.id not in mirrors
    ]
    checks = []
    for part in target.elts:
        if part.id in mirrors:
            parts.append(store(mirrors[part.id]))
            continue
        slot, code = found.pop(0)
        parts.append(store(slot or reverse.slot(statement, None, "unused")))
        adjoint += code
        if slot is not None and not is_certain(reverse.kinds.names.get(part.id)):
            checks += quote_statements("s = f(s)", s=slot, f=reverse.helper("alone"))
    new = gast.Assign(
        targets=[gast.Tuple(elts=parts, ctx=gast.Store())], value=rebuilt(reverse, statement.value)
    )
    return Step([statement, new, *checks], adjoint, origin_of(statement))


def _deleted(reverse: Reverse, statement: gast.Delete) -> Step | None:
    """`del xs[i]`."""
    targets = []
    for target in statement.targets:
        if isinstance(target, gast.Subscript) and is_mirrored(reverse, target.value):
            base = rebuilt(reverse, target.value)
            targets.append(
                gast.Subscript(value=base, slice=clone(target.slice), ctx=gast.Del())
            )
        elif isinstance(target, gast.Name) and target.id in reverse.bars.mirrors:
            targets.append(name(reverse.bars.mirrors[target.id], gast.Del()))
    if not targets:
        return None
    if len(targets) < len(statement.targets):
        refuse(reverse, statement, "`del`")
    return Step([statement, gast.Delete(targets=targets)], [], origin_of(statement))
