"""Functions whose bodies stand in place of their calls."""

from __future__ import annotations

import contextlib
import inspect
from dataclasses import replace
from types import FunctionType, NoneType
from typing import Any

import gast

from autodiff.core import NotYet, Raises, Reread, Unseen, Value, constant
from autodiff.frontend import writers
from autodiff.lower.entries import boxes, lists, outer
from autodiff.lower.entries.callables import unfolded
from autodiff.lower.entries.cells import Cell
from autodiff.lower.entries.entry import Box, Closure, Entries, Entry, Given, Keywords, Pack
from autodiff.lower.entries.growing import Growth
from autodiff.lower.entries.listings import in_parts
from autodiff.lower.entries.objects import is_filled
from autodiff.lower.expression.expressions import Expressions
from autodiff.lower.expression.values import CONSTANTS
from autodiff.lower.flow import generators, opaque
from autodiff.lower.flow.form import Form, form_inside, form_of
from autodiff.lower.flow.frame import Frame
from autodiff.lower.flow.heap import Mark
from autodiff.lower.functions.recursion import recursive
from autodiff.lower.functions.standing import standing
from autodiff.lower.recipes import array_recipes, container_recipes, only_called
from autodiff.lower.statement.statements import Statements
from autodiff.primitives import meanings
from autodiff.primitives.executing import keeps_to_itself, runs_text
from autodiff.primitives.opaque import MADE, OPAQUE, is_opaque
from autodiff.rules import registry
from autodiff.rules.home import is_library, module_of
from autodiff.syntax.names import name, title_of
from autodiff.syntax.walk import map_children

_PLAIN = (meanings.__name__, array_recipes.__name__, only_called.__name__, writers.__name__)
"""Modules of functions whose statements have no origin of their own."""
_KEPT = (Growth, Cell)
"""Decisions about places outside that a function stores into."""
_DEEPEST = 300
"""So many calls may be inlined within each other."""


def closed(expressions: Expressions, closure: Closure, given: Given) -> Entry:
    """A call of a function defined inside: its free names are the variables around it now."""
    node = closure.node
    if generators.is_generator(node):
        return generators.made(expressions, closure, given, bound)
    doors, origin = expressions.unit.doors, expressions.builder.origin
    form = form_inside(node, dict(closure.defaults), closure.origin or origin, doors.drawing)
    if node in doors.decided:
        return recursive(expressions, closure, bound(expressions, form, given))
    return entered(expressions, node, form, given, closure)


def inlined(expressions: Expressions, target: Any, positional: Entries, named: Keywords) -> Entry:
    """The body of a function in place of the call."""
    if isinstance(target, boxes.Method):
        return closed(expressions, target.closure, (positional, named))
    every = [*positional, *dict(named).values()]
    ours = not is_library(module_of(target))
    if ours and not is_closed(target, every):
        return _inlined(expressions, target, (positional, named))
    unit, mark = expressions.unit, Mark(expressions.frame)
    known, alone, instead = unit.risks, are_constants(every), None
    try:
        with unit.whole() if ours or alone else contextlib.nullcontext():
            found = _inlined(expressions, target, (positional, named))
        quiet = (unit.runs, unit.reaches) == (known[1], known[4])
        seen = unit.unseen is known[2] and (quiet or not ours)
        if seen or any(map(opaque.may_carry, every)):
            return found
    except NotYet as reason:
        if isinstance(reason, Raises) or (isinstance(reason, Reread) if ours else not alone):
            raise
        instead = reason
    except (Reread, Unseen) as reason:  # a library keeps what it has made of such
        decision = getattr(reason, "decision", None)
        if ours or not alone or not isinstance(decision, (*_KEPT, NoneType)):
            raise
        instead = NotYet(str(reason))
    finally:
        if not (any(map(is_opaque, every)) or runs_text(target)):  # a library finds its own
            unit.unseen = known[2]
    mark.back()
    unit.risks = known
    own = name(unit.references.use(title_of(target), target))
    kind = MADE if ours else OPAQUE
    return opaque.called(expressions, own, positional, named, kind, target, instead)


def is_closed(function: FunctionType, given: Entries) -> bool:
    """Whether a call of a function of the user's sees and changes nothing of the user's."""
    return are_constants(given) and keeps_to_itself(function)


def are_constants(given: Entries) -> bool:
    """Whether all that a call is given is written where it stands."""
    return all(isinstance(each, Value) and isinstance(each.constant, CONSTANTS) for each in given)


def _inlined(expressions: Expressions, target: FunctionType, given: Given) -> Entry:
    if is_filled(expressions, target, *given):
        return constant(None)
    if inspect.isgeneratorfunction(target) or inspect.iscoroutinefunction(target):
        return generators.made(expressions, target, given, bound)
    form = form_of(target, expressions.unit.doors.drawing)
    if target.__module__ in _PLAIN or registry.is_transparent(target):
        return entered(expressions, target.__code__, plain(form), given)
    if target.__code__ in expressions.unit.doors.decided:
        return recursive(expressions, target, bound(expressions, form, given))
    if not form.tree.args.vararg and not form.tree.args.kwarg:
        made = standing(expressions, target, bound(expressions, form, given))
        if made is not None:
            return made
    return entered(expressions, target.__code__, form, given, function=target)


def plain(form: Form) -> Form:
    """The form of a function whose statements stand in the user's place."""
    return replace(form, tree=_without_origin(form.tree), plain=True)


def _without_origin(node: gast.AST) -> Any:
    found = map_children(_without_origin, node)
    if isinstance(found, gast.stmt):
        found.origin = None
    return found


def entered(
    expressions: Expressions,
    identity: Any,
    form: Form,
    given: Given,
    closure: Closure | None = None,
    function: Any = None,
) -> Entry:
    """A frame of its own for a body. function: of the user's or of a library."""
    unit = expressions.unit
    if len(unit.calls) > _DEEPEST:
        raise NotYet("many calls within each other")
    frame = Frame(unit, form, closure.frame if closure else None)
    frame.names = bound(expressions, form, given)
    own = unfolded(unit, identity, frame.names, closure.frame if closure else None)
    frame.builder = expressions.builder
    origin, at = expressions.builder.origin, expressions.builder.at
    if function is not None:
        frame.whose.called(function, at, expressions.static)
    unit.calls.append(own)
    unit.frames.append(frame)
    del unit.pending[unit.mark :]  # the arguments, which are in variables now
    try:
        return Statements(frame).function()
    finally:
        unit.calls.pop()
        unit.frames.pop()
        expressions.builder.origin, expressions.builder.at = origin, at


def bound(expressions: Expressions, form: Form, given: Given) -> dict[str, Entry]:
    """The parameters of a function and what they hold."""
    (positional, named), arguments = given, form.tree.args
    first = [a.id for a in (*arguments.posonlyargs, *arguments.args)]
    every = [*first, *(a.id for a in arguments.kwonlyargs)]
    rest_: Entry = Pack(tuple(positional[len(first) :]))
    if any(map(is_starred, positional)):
        apart, more = {*form.defaults, *(key for key, _ in named)}, arguments.vararg is not None
        positional, rest_ = told(expressions, positional, first, apart, more)
    if len(positional) > len(first) and arguments.vararg is None:
        why = f"it takes {len(first)} by position, and {len(positional)} are given"
        raise misfit(form, why, "leave the others out")
    found: dict[str, Entry] = dict(zip(first, positional))
    rest: dict[Any, Entry] = {}
    for key, entry in named:
        if key in found or key not in every and arguments.kwarg is None:
            why = f"`{key}` is given twice" if key in found else f"it has no parameter `{key}`"
            raise misfit(form, why, f"leave out `{key}=`")
        (found if key in every else rest)[key] = entry
    for parameter in every:
        if parameter not in found:
            if parameter not in form.defaults:
                raise misfit(form, f"`{parameter}` is not given", f"pass `{parameter}`")
            found[parameter] = outer.default(expressions, parameter, form.defaults[parameter])
    found = {parameter: found[parameter] for parameter in every}
    if arguments.vararg is not None:
        found[arguments.vararg.id] = rest_
    if arguments.kwarg is not None:
        found[arguments.kwarg.id] = boxes.boxed(expressions.unit, dict, rest)
    return found


def misfit(form: Form, why: str, cure: str) -> NotYet:
    """A call that Python would refuse, or which a function of ours does not know."""
    what = f"this call of `{form.tree.name}` does not fit its parameters"
    return NotYet.saying("a call that does not fit", what, why, cure)


def is_starred(entry: Entry) -> bool:
    """Whether an argument stands for a number of arguments that is found when it runs."""
    return isinstance(entry, Pack) and entry.cls is gast.Starred


def told(
    expressions: Expressions, given: Entries, names: list[str], apart: set[str], more: bool
) -> tuple[list[Entry], Entry]:
    """What parameters hold where the last arguments are so many as are found when it runs, and
    what is left for `*rest`. apart: those that a call may leave out. more: others may follow.
    """
    *before, last = given
    wanted = names[len(before) :]
    whole = last.items[0] if isinstance(last, Pack) and is_starred(last) else None
    if any(map(is_starred, before)) or not apart.isdisjoint(wanted) or not isinstance(whole, Box):
        raise in_parts(expressions, whole or last, "arguments whose number is not known")
    count = len(wanted)
    recipe = container_recipes.others if more else container_recipes.no_others
    rest = boxes.called(expressions, recipe, whole, constant(count))
    items = [lists.part(expressions, whole, constant(k)) for k in range(count)]
    return [*before, *items], rest
