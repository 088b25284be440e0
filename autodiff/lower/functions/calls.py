"""Calls: of primitives, of functions that are inlined, of functions defined inside."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from types import FunctionType, MethodType
from typing import Any

import gast
import numpy as np

from autodiff.analysis.classes import class_attribute
from autodiff.analysis.kind import Array, Drawing, Record, Scalar, is_number
from autodiff.core.notyet import NotYet, Raises
from autodiff.core.value import Value, constant
from autodiff.frontend.source import MARK, Namespace
from autodiff.lower.entries import boxes, captured, library, objects, outer
from autodiff.lower.entries.callables import Derivation, holds_another, opened
from autodiff.lower.entries.entry import (
    Bound,
    Box,
    Closure,
    DictView,
    Entry,
    Outer,
    Own,
    Pack,
)
from autodiff.lower.entries.text import of_text
from autodiff.lower.expression import copies, derivatives, makers
from autodiff.lower.expression.application import applied, counted, instance, listed
from autodiff.lower.expression.arguments import Arguments, of_slice
from autodiff.lower.expression.expressions import Expressions
from autodiff.lower.expression.list_methods import of_list
from autodiff.lower.functions import random_numbers
from autodiff.lower.functions.inlining import closed, inlined
from autodiff.lower.functions.meant import meant
from autodiff.lower.recipes.stand_ins import stand_in
from autodiff.lower.statement.given_out import stored
from autodiff.lower.statement.storing import Storing
from autodiff.normalize.anf import hint as hint_of
from autodiff.primitives.containing import READING
from autodiff.primitives.table import primitive_of
from autodiff.rules import methods, registry
from autodiff.runtime import Cell, is_sequence, sequence, zip_rows


def call(expressions: Expressions, node: gast.Call) -> Entry:
    """What a call gives."""
    function = node.func
    if isinstance(function, gast.Name) and function.id.startswith(MARK):
        return of_helper(expressions, node)
    target = expressions.static(function)
    if target is None:
        entry = expressions.entry(function)
        return called_entry(expressions, entry, Arguments(expressions, node))
    if target is operator.getitem and len(node.args) == 2:
        return expressions.entry(gast.Subscript(*node.args, ctx=gast.Load()))
    arguments = Arguments(expressions, node)
    if holds_another(target):
        entry = opened(expressions, target, expressions.outside(function)[1])
        return called_entry(expressions, entry, arguments)
    if target is functools.partial and arguments.positional:
        first, *others = arguments.positional
        return Bound(first, tuple(others), tuple(arguments.named))
    changed = writing(expressions, target, arguments)
    if changed is None and isinstance(expressions, Storing):
        changed = random_numbers.made(expressions, target, node, arguments)
    if changed is not None:
        return changed
    if target is np.ndim and len(arguments.positional) == 1 and not expressions.trusts:
        array = arguments.positional[0]
        if isinstance(array, Value) and isinstance(array.kind, (Array, Scalar)):
            return constant(len(getattr(array.kind, "shape", ())))
    if target is super and len(arguments.positional) == 2:
        return Pack(tuple(arguments.positional), super)
    if not expressions.trusts:
        made = makers.standing_for(expressions, target, arguments)
        if made is None:
            made = of_object(expressions, target, arguments.positional, arguments.named)
        if made is not None:
            return called(made, node)
    if isinstance(target, type) and target in (list, tuple, dict):
        return listed(expressions, target, arguments)
    if target is slice and not arguments.named and 0 < len(arguments.positional) < 4:
        return of_slice(arguments.positional)
    if target is len and len(arguments.positional) == 1:
        count = counted(expressions, arguments.positional[0])
        if count is not None:
            return count
    if target is isinstance and len(arguments.positional) == 2:
        return instance(expressions, *arguments.positional)
    if not expressions.trusts and isinstance(
        class_attribute(type(target), "__call__"), FunctionType
    ):
        entry = Outer(target, expressions.outside(function)[1])
        return called_entry(expressions, entry, arguments)
    if not expressions.trusts and not primitive_of(target).pure:
        raise NotYet(f"a call of {_spelled(target)}")
    return of_primitive(expressions, target, expressions.outside(function)[1], arguments)


def of_primitive(expressions: Expressions, target: Any, path: str, arguments: Arguments) -> Entry:
    """A call of a function that is applied as one step."""

    def apply(given: Arguments) -> Entry:
        return applied(expressions, target, path, given)

    return filling(expressions, target, arguments, apply)


def writing(expressions: Expressions, target: Any, arguments: Arguments) -> Entry | None:
    """A call whose purpose is to change an array; None for others."""
    if not isinstance(expressions, Storing):
        return None
    return meant(expressions, target, arguments.positional, arguments.named)


def filling(
    expressions: Expressions,
    target: Any,
    arguments: Arguments,
    apply: Callable[[Arguments], Entry],
    receiver: int = 0,
) -> Entry:
    """A call that may be told where to put what it gives."""
    if isinstance(expressions, Storing):
        found = stored(expressions, target, arguments, apply, receiver)
        if found is not None:
            return found
    return apply(arguments)


def called(made: Entry, node: gast.Call) -> Entry:
    """The result of a call that is read like the user's code, named after the call."""
    if isinstance(made, Value) and made.hint == "result" and not made.named:
        made.hint = hint_of(node)
    return made


def of_object(
    expressions: Expressions, target: Any, positional: list[Entry], named: list[tuple[str, Entry]]
) -> Entry | None:
    """A call of a function or class of the user's; None for other callables."""
    made = copies.made_of(expressions, target, positional, named)
    if made is not None:
        return made
    if positional and (registry.is_maker(target) or registry.is_pulling(target)):
        return derivatives.made(expressions, target, positional, named, called_entry)
    plain = stand_in(target, len(positional), [key for key, _ in named])
    if plain is not None or inlinable(target):
        return inlined(expressions, plain or target, positional, named)
    if isinstance(target, type) and target.__module__ not in ("builtins", "numpy"):
        if not primitive_of(target).pure and is_users(target):
            return objects.made(expressions, target, positional, named)
    return None


def is_users(cls: type) -> bool:
    """Whether a class is written in Python."""
    return bool(cls.__flags__ & (1 << 9))  # a heap type


def of_helper(expressions: Expressions, node: gast.Call) -> Entry:
    """A call of a helper of normal form."""
    function = expressions.frame.lookup(node.func.id)
    if function is Cell:
        return captured.cells(expressions.unit, node)
    if function is is_sequence:
        return constant(library.is_sequence(expressions.entry(node.args[0])))
    if function is zip_rows:
        raise library.Drawn(expressions.builder.origin)
    if function is sequence:
        entry = expressions.entry(node.args[0])
        if library.drawable(expressions, entry):
            raise library.Drawn(expressions.builder.origin)
        if isinstance(entry, (Outer, DictView)):
            return Pack(tuple(expressions.parts(entry)))
        if isinstance(entry, Box) and entry.cls is dict:
            return Pack(tuple(map(constant, entry.slots)))
        rows = isinstance(entry, Value) and isinstance(entry.kind, (Array, Record))
        if rows or isinstance(entry, Pack) or isinstance(entry, Box) and entry.cls in (list, tuple):
            return entry
        if isinstance(entry, Value) and is_number(entry.kind):
            raise Raises(TypeError, "a number is taken apart")
    raise NotYet(f"a call of {_spelled(function)}")


def inlinable(target: Any) -> bool:
    """Whether a function of Python's without a rule is read like the user's code."""
    if not isinstance(target, FunctionType):
        return False
    return registry.rule_for(target) is None and not primitive_of(target).pure


def called_entry(expressions: Expressions, entry: Entry, arguments: Arguments) -> Entry:
    """A call of an entry."""
    if isinstance(entry, Bound):
        arguments.positional = [*entry.arguments, *arguments.positional]
        arguments.named = [*(dict(entry.keywords) | dict(arguments.named)).items()]
        return called_entry(expressions, entry.function, arguments)
    own = entry.constant if isinstance(entry, Value) else None
    if isinstance(own, (Own, Derivation)):
        first, *arguments.positional = arguments.positional
        if isinstance(own, Own):
            return of_method(expressions, first, own.name, arguments)
        return derivatives.called(expressions, own, first, arguments, called_entry)
    if isinstance(own, derivatives.Pulled):
        return own.called(expressions, arguments.positional)
    if isinstance(entry, Value) and entry.is_constant and callable(entry.constant):
        function = entry.constant
        if holds_another(function):
            path = expressions.unit.references.use("function", function)
            return called_entry(expressions, opened(expressions, function, path), arguments)
        changed = writing(expressions, function, arguments)
        if changed is not None:
            return changed
        if function in (int, float) and not (arguments.positional or arguments.named):
            return constant(function())
        stands = makers.standing_for(expressions, function, arguments)
        if stands is not None:
            return stands
        made = of_object(expressions, function, arguments.positional, arguments.named)
        if made is not None:
            return made
        if primitive_of(function).pure and not isinstance(function, type):
            path = expressions.unit.references.use(
                getattr(function, "__name__", "function"), function
            )
            return of_primitive(expressions, function, path, arguments)
    if isinstance(entry, Closure):
        return closed(expressions, entry, arguments.positional, arguments.named)
    method = boxes.special(expressions, entry, "__call__")
    if method is not None:
        return inlined(expressions, method, [entry, *arguments.positional], arguments.named)
    raise NotYet("a call of a function that is not known")


def of_method(expressions: Expressions, receiver: Entry, name: str, arguments: Arguments) -> Entry:
    """A method of a container, a text, an array or a number."""
    if isinstance(receiver, Outer):
        receiver = outer.read_now(expressions, receiver)
        if name not in READING:
            raise NotYet(f"method {name} of a container of outside")
    if isinstance(receiver, Pack) and name in READING:
        receiver = boxes.boxed(expressions.unit, list, dict(enumerate(receiver.items)))
    if isinstance(receiver, Box):
        return of_list(expressions, receiver, name, arguments)
    if not isinstance(receiver, Value):
        raise NotYet("a method of a tuple or a function")
    if isinstance(receiver.kind, Drawing) and isinstance(expressions, Storing):
        return random_numbers.drawn(expressions, receiver, name, arguments)
    if isinstance(receiver.constant, (str, bytes)):
        return of_text(expressions, receiver.constant, name, arguments)
    return method_called(expressions, receiver, name, arguments)


def method_called(
    expressions: Expressions, receiver: Value, attribute: str, arguments: Arguments
) -> Entry:
    """A method of an array or a number."""
    own = getattr(np.ndarray, attribute, None)
    if isinstance(expressions, Storing) and isinstance(receiver.kind, Array):
        given = [receiver, *arguments.positional]
        changed = meant(expressions, own, given, arguments.named)
        if changed is not None:
            return changed
    method = methods.method(attribute)
    if method is None:
        raise NotYet(f"method {attribute} of an array")

    def apply(given: Arguments) -> Entry:
        return applied(expressions, method.function, "", given, receiver, attribute, method)

    return filling(expressions, method.function, arguments, apply, 1)


def _spelled(target: Any) -> str:
    if isinstance(target, (functools.partial, MethodType, Namespace)):
        return str(type(target).__name__)
    return str(getattr(target, "__qualname__", type(target).__name__))
