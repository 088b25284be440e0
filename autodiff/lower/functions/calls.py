"""Calls: of primitives, of functions that are inlined, of functions defined inside."""

from __future__ import annotations

import builtins
import functools
import operator
from collections.abc import Callable, Mapping
from collections.abc import Sequence as Sequence_
from enum import EnumMeta
from types import FunctionType
from typing import Any

import gast
import numpy as np

from autodiff.core import NotYet, Raises, Reread, Value, constant
from autodiff.frontend.source import MARK
from autodiff.kinds.binding import names_of
from autodiff.kinds.classes import class_attribute
from autodiff.kinds.kind import Array, Numeric, Record, Sequence, Static, is_number, number
from autodiff.lower.entries import boxes, captured, library, objects, untouched
from autodiff.lower.entries.callables import Derivation, holds_another, no_sequence, opened
from autodiff.lower.entries.entry import Bound, Box, Closure, DictView, Entry, Outer, Own, Pack
from autodiff.lower.expression import attributes, derivatives, makers, offers, texts
from autodiff.lower.expression.application import Arguments, counted, listed, of_slice
from autodiff.lower.expression.expressions import Expressions
from autodiff.lower.expression.operators import between
from autodiff.lower.expression.pulled_inside import Pulled
from autodiff.lower.flow import opaque
from autodiff.lower.functions import insertion, random_numbers
from autodiff.lower.functions.called_objects import called_by_rule, inlinable, method_of, spelled_as
from autodiff.lower.functions.helper_calls import answer_of, body_of
from autodiff.lower.functions.inlining import closed, inlined
from autodiff.lower.functions.methods import meant, of_descriptor, of_method, of_primitive
from autodiff.lower.functions.plainly import plainly, plainly_called
from autodiff.lower.functions.recomputed import recomputed
from autodiff.lower.functions.remembered import remembered
from autodiff.lower.functions.standing_in import applied_by, stand_in
from autodiff.lower.functions.taken import taken
from autodiff.lower.statement.storing import Storing
from autodiff.normalize.anf import hint as hint_of
from autodiff.primitives import MADE, given_by, is_opaque, primitive_of
from autodiff.primitives.executing import is_of_library, runs_text
from autodiff.primitives.opaque import only_looks
from autodiff.primitives.primitive import dotted
from autodiff.primitives.refused_types import refusal
from autodiff.primitives.untraced import no_rule
from autodiff.rules import registry
from autodiff.rules.home import module_of
from autodiff.runtime import Cell, inserted, is_mapping, is_sequence, sequence, zip_rows


def call(expressions: Expressions, node: gast.Call) -> Entry:
    """What a call gives."""
    function = node.func
    own = function.id.removeprefix(MARK) if isinstance(function, gast.Name) else ""
    if own and own != function.id and not hasattr(builtins, own):
        return of_helper(expressions, node)
    target = expressions.static(function)
    if target is None:
        entry = expressions.entry(function)
        return called_entry(
            expressions, entry, Arguments(expressions, node, is_bound(expressions, entry))
        )
    if (spelled := between(target, node)) is not None:
        return expressions.entry(spelled)
    if target is operator.getitem and len(node.args) == 2:
        return expressions.entry(gast.Subscript(*node.args, ctx=gast.Load()))
    spread = len(node.args) == 1 and isinstance(node.args[0], gast.Starred)
    if target is zip and spread and not (node.keywords or expressions.trusts):
        return makers.columns(expressions, expressions.entry(node.args[0].value))
    plain = isinstance(target, FunctionType) and is_of_library(target)
    arguments = Arguments(expressions, node, is_bound(expressions, constant(target)), plain)
    if arguments.any_more:
        return unknown(expressions, target, lambda: expressions.outside(function)[1], arguments)
    if target is functools.partial and arguments.positional:
        first, *others = arguments.positional
        return Bound(first, tuple(others), tuple(arguments.named))
    if (standing := plainly_called(expressions, target, arguments, node)) is not None:
        return standing
    return of_target(expressions, target, lambda: expressions.outside(function)[1], arguments, node)


def of_target(
    expressions: Expressions,
    target: Any,
    path: Callable[[], str],
    arguments: Arguments,
    node: Any = None,
) -> Entry:
    """A call of a callable that is known. path: spells it."""
    again = recomputed(expressions, target, lambda own: called_entry(expressions, own, arguments))
    if again is not None:
        return again
    if (operation := taken(expressions, target, arguments, called_entry)) is not None:
        return operation
    positional, named = arguments.positional, arguments.named
    if registry.is_receiver(target) and hasattr(target, "rvs"):  # with parameters: `stats.norm(a)`
        return Bound(constant(target), (), (*zip(names_of(target), positional), *named))
    if holds_another(target):
        return called_entry(expressions, opened(expressions, target, path()), arguments)
    if opaque.is_alone(*positional, *(entry for _, entry in named)) and not inlinable(target):
        if target is range:
            ends: list[Entry] = [
                expressions.opaque(operator.index, end, kind=number("int")) for end in positional
            ]
            return of_primitive(expressions, target, path(), Arguments.of(ends))
        return unknown(expressions, target, path, arguments)
    if module_of(target) in ("builtins", "itertools", "math") and not expressions.trusts:
        if isinstance(target, type) or target is iter or primitive_of(target).effects.none:
            if (error := refusal(target, positional, dict(named))) is not None:
                raise Raises(type(error), str(error))
    changed = answer_of(target, arguments)
    if changed is None and isinstance(expressions, Storing):
        changed = meant(expressions, target, positional, named)
        if changed is None and node is not None:
            changed = random_numbers.made(expressions, target, node, arguments)
    changed = of_descriptor(expressions, target, arguments) if changed is None else changed
    if changed is not None:
        return changed
    if target is super and len(positional) == 2:
        return Pack(tuple(positional), super)
    if (target is int or target is float) and not named and texts.are_known(positional):
        return texts.read_as(target, positional)
    if not expressions.trusts:
        made = makers.standing_for(expressions, target, arguments)
        made = body_of(expressions, target, arguments) if made is None else made
        made = read(expressions, target, path, arguments) if made is None else made
        if made is not None:
            return made if node is None else called(made, node)
    if isinstance(target, type) and target in (list, tuple, dict):
        return listed(expressions, target, arguments)
    if target is slice and not named and 0 < len(positional) < 4:
        return of_slice(positional)
    if target is len and len(positional) == 1:
        count = counted(expressions, positional[0])
        if count is not None:
            return count
    written = isinstance(class_attribute(type(target), "__call__"), FunctionType)
    if written and not (expressions.trusts or registry.is_called(target)):
        return called_entry(expressions, Outer(target, path()), arguments)
    if not expressions.trusts and not primitive_of(target).pure:
        return unknown(expressions, target, path, arguments)
    given = [*positional, *(entry for _, entry in named)]
    if not expressions.trusts and any(map(is_opaque, given)) and registry.rule_for(target) is None:
        return unknown(expressions, target, path, arguments)
    if expressions.trusts or any(opaque.is_told(expressions.unit, each) for each in given):
        return of_primitive(expressions, target, path(), arguments)
    if any(isinstance(each, Value) and each.kind == MADE for each in given):
        return unknown(expressions, target, path, arguments)
    return opaque.tried(
        expressions,
        lambda: of_primitive(expressions, target, path(), arguments.copied()),
        lambda: unknown(expressions, target, path, arguments),
    )


def read(
    expressions: Expressions, target: Any, path: Callable[[], str], arguments: Arguments
) -> Entry | None:
    """A call of a function or class of the user's; what is not taken and carries no derivative is
    called.
    """
    given = [*arguments.positional, *(entry for _, entry in arguments.named)]
    own = expressions, target, arguments.copied()
    if isinstance(target, functools._lru_cache_wrapper):
        return remembered(expressions, target, arguments.positional, arguments.named)
    if not inlinable(target) or any(opaque.is_derived(expressions.unit, each) for each in given):
        return of_object(*own)
    return opaque.tried(
        expressions, lambda: of_object(*own), lambda: unknown(expressions, target, path, arguments)
    )


def unknown(
    expressions: Expressions, target: Any, path: Callable[[], str], arguments: Arguments
) -> Entry:
    """A call of which nothing is known."""
    if isinstance(target, type) and issubclass(target, np.ndarray):
        raise NotYet(f"a call of {spelled_as(target)}")
    given = [*arguments.positional, *(entry for _, entry in arguments.named)]
    if expressions.unit.leaving and (isinstance(target, np.ufunc) or not only_looks(target)):
        if any(opaque.is_derived(expressions.unit, each) for each in given):
            raise no_rule(target, getattr(target, "__name__", "this"))
    expressions.unit.runs |= not is_of_library(target)
    root = path().partition(".")[0]
    ours = root in expressions.unit.references.objects and not is_of_library(target)
    if runs_text(target) or ours:
        expressions.unit.unseen = expressions.builder.origin
    kind = given_by(target, all(map(opaque.is_plain, given)))
    positional, named = arguments.positional, arguments.named
    return opaque.called(expressions, dotted(path()), positional, named, kind, target)


def called(made: Entry, node: gast.Call) -> Entry:
    """The result of a call that is read like the user's code, named after the call."""
    if isinstance(made, Value) and made.hint == "result" and not made.named:
        made.hint = hint_of(node)
    return made


def of_object(expressions: Expressions, target: Any, arguments: Arguments) -> Entry | None:
    """A call of a function or class of the user's; None for other callables."""
    positional, named = arguments.positional, arguments.named
    for maker in (attributes.made_of, offers.of_object):
        made = maker(expressions, target, positional, named)
        if made is not None:
            return made
    offered = isinstance(target, FunctionType) and registry.offer_of(target) is not None
    if positional and (registry.is_maker(target) or offered):
        return derivatives.made(expressions, target, positional, named, called_entry)
    standing = plainly(expressions, target, arguments)
    if standing is not None:
        return standing
    plain = stand_in(target, len(positional), [key for key, _ in named])
    if plain is not None:
        positional = [*map(constant, applied_by(target)), *positional]
    if plain is not None or inlinable(target):
        return inlined(expressions, plain or target, positional, named)
    if isinstance(target, type) and target.__module__ not in ("builtins", "numpy"):
        if not primitive_of(target).pure and objects.is_readable(target):
            return objects.made(expressions, target, positional, named)
    return None


def of_helper(expressions: Expressions, node: gast.Call) -> Entry:
    """A call of a helper of normal form."""
    function = expressions.frame.lookup(node.func.id)
    made = {Cell: captured.cell_of, inserted: insertion.insertion}.get(function)
    if made is not None:
        return made(expressions, node)
    pattern = {is_sequence: Sequence_, is_mapping: Mapping}.get(function)
    if pattern is not None:
        return constant(library.is_accepted(expressions.entry(node.args[0]), pattern))
    if function is zip_rows:
        raise Reread(expressions.builder.origin, "a loop over an iterator")
    if function is sequence:
        entry = expressions.entry(node.args[0])
        if library.drawable(expressions, entry):
            if expressions.builder.origin not in expressions.unit.doors.drawing:
                raise Reread(expressions.builder.origin, "a loop over an iterator")
            items = library.parts_of(expressions, entry)  # of no loop: it is taken apart
            return items if items is not entry else listed(expressions, list, Arguments.of([items]))
        if isinstance(entry, Outer):
            return untouched.sequence(expressions, entry)
        whole = isinstance(entry, DictView) or getattr(entry, "cls", None) in (dict, slice)
        if whole or isinstance(getattr(entry, "constant", None), EnumMeta):
            return Pack(tuple(expressions.parts(entry)))
        rows = isinstance(getattr(entry, "kind", None), (Array, Numeric, Record, Sequence))
        if rows or isinstance(entry, Pack) or isinstance(entry, Box) and entry.cls in (list, tuple):
            return entry
        if isinstance(entry, Value) and (is_number(entry.kind) or entry.kind == Static(None)):
            raise Raises(TypeError, "a number is taken apart")
        raise no_sequence(entry)
    raise NotYet(f"a call of {spelled_as(function)}")


def is_bound(expressions: Expressions, entry: Entry) -> bool:
    """Whether the parameters of a function that is read hold what something is called with."""
    while isinstance(entry, Bound):
        entry = entry.function
    own = entry.constant if isinstance(entry, Value) else None
    if isinstance(own, FunctionType):
        return inlinable(own) and not is_of_library(own) and registry.offer_of(own) is None
    return isinstance(entry, Closure) or boxes.special(expressions, entry, "__call__") is not None


def called_entry(expressions: Expressions, entry: Entry, arguments: Arguments) -> Entry:
    """A call of an entry."""
    if isinstance(entry, Bound):
        arguments.positional = [*entry.arguments, *arguments.positional]
        arguments.named = [*(dict(entry.keywords) | dict(arguments.named)).items()]
        return called_entry(expressions, entry.function, arguments)
    if (method := method_of(entry)) is not None:
        return called_by_rule(expressions, method, entry, arguments)
    own = entry.constant if isinstance(entry, Value) else None
    if isinstance(own, (Own, Derivation)):
        first, *arguments.positional = arguments.positional
        if isinstance(own, Own):
            return of_method(expressions, first, own.name, arguments)
        return derivatives.called(expressions, own, first, arguments, called_entry)
    if isinstance(own, Pulled):
        return own.called(expressions, arguments.positional)
    if isinstance(entry, Value) and entry.is_constant and callable(entry.constant):
        function = entry.constant
        word = getattr(function, "__name__", "")
        word = word if word.isidentifier() else "function"
        use = expressions.unit.references.use
        return of_target(expressions, function, lambda: use(word, function), arguments)
    if is_opaque(entry):
        return opaque.called(expressions, entry, arguments.positional, arguments.named)
    if isinstance(entry, Closure):
        return closed(expressions, entry, (arguments.positional, arguments.named))
    method = boxes.special(expressions, entry, "__call__")
    if method is not None:
        return inlined(expressions, method, [entry, *arguments.positional], arguments.named)
    if isinstance(entry, Value) and entry.constant is None:
        raise Raises(TypeError, "'NoneType' object is not callable")
    raise NotYet("a call of a function that is not known")
