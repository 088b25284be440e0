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
from autodiff.analysis.distributions import names_of
from autodiff.analysis.kind import Array, Drawing, Numeric, Record, Scalar, Static, is_number
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
    Pack,
    is_inside,
)
from autodiff.lower.entries.text import of_text
from autodiff.lower.expression import copies, derivatives, makers
from autodiff.lower.expression.application import counted, instance, listed
from autodiff.lower.expression.arguments import Arguments, of_slice
from autodiff.lower.expression.expressions import Expressions, lacks
from autodiff.lower.expression.list_methods import of_list
from autodiff.lower.functions import random_numbers
from autodiff.lower.functions.inlining import closed, inlined
from autodiff.lower.functions.meant import meant
from autodiff.lower.functions.methods import method_called, of_descriptor, of_primitive
from autodiff.lower.recipes.stand_ins import stand_in
from autodiff.lower.statement.storing import Storing
from autodiff.normalize.anf import hint as hint_of
from autodiff.primitives.table import primitive_of
from autodiff.rules import registry
from autodiff.runtime import Cell, is_sequence, sequence, zip_rows


def call(expressions: Expressions, node: gast.Call) -> Entry:
    """What a call gives."""
    function = node.func
    if isinstance(function, gast.Name) and function.id.startswith(MARK):
        return of_helper(expressions, node)
    target = expressions.static(function)
    if target is None and isinstance(function, gast.Attribute):
        return of_method(expressions, node, function)
    if target is None:
        return of_entry(expressions, expressions.entry(function), node)
    if target is operator.getitem and len(node.args) == 2:
        return expressions.entry(gast.Subscript(*node.args, ctx=gast.Load()))
    spread = len(node.args) == 1 and isinstance(node.args[0], gast.Starred)
    if target is zip and spread and not (node.keywords or expressions.trusts):
        return makers.columns(expressions, expressions.entry(node.args[0].value))
    arguments = Arguments(expressions, node)
    if target is functools.partial and arguments.positional:
        first, *others = arguments.positional
        return Bound(first, tuple(others), tuple(arguments.named))
    return of_target(expressions, target, lambda: expressions.outside(function)[1], arguments, node)


def of_target(
    expressions: Expressions,
    target: Any,
    path: Callable[[], str],
    arguments: Arguments,
    node: Any = None,
) -> Entry:
    """A call of a callable that is known. path: spells it."""
    positional, named = arguments.positional, arguments.named
    if registry.is_receiver(target) and hasattr(target, "rvs"):  # with parameters: `stats.norm(a)`
        return Bound(constant(target), (), (*zip(names_of(target), positional), *named))
    if holds_another(target):
        return called_entry(expressions, opened(expressions, target, path()), arguments)
    changed = writing(expressions, target, arguments)
    if changed is None and node is not None and isinstance(expressions, Storing):
        changed = random_numbers.made(expressions, target, node, arguments)
    if changed is None:
        changed = of_descriptor(expressions, target, arguments)
    if changed is not None:
        return changed
    if target is np.ndim and len(positional) == 1 and not expressions.trusts:
        array = positional[0]
        if isinstance(array, Value) and isinstance(array.kind, (Array, Scalar)):
            return constant(len(getattr(array.kind, "shape", ())))
    if target is super and len(positional) == 2:
        return Pack(tuple(positional), super)
    if target in (int, float) and not (positional or named):
        return constant(target())
    if not expressions.trusts:
        made = makers.standing_for(expressions, target, arguments)
        if made is None:
            made = of_object(expressions, target, positional, named)
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
    if target is isinstance and len(positional) == 2:
        return instance(expressions, *positional)
    if not expressions.trusts and isinstance(
        class_attribute(type(target), "__call__"), FunctionType
    ):
        return called_entry(expressions, Outer(target, path()), arguments)
    if not expressions.trusts and not primitive_of(target).pure:
        raise NotYet(f"a call of {_spelled(target)}")
    return of_primitive(expressions, target, path(), arguments)


def writing(expressions: Expressions, target: Any, arguments: Arguments) -> Entry | None:
    """A call whose purpose is to change an array; None for others."""
    if not isinstance(expressions, Storing):
        return None
    return meant(expressions, target, arguments.positional, arguments.named)


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
    if registry.is_maker(target) and positional:
        return derivatives.made(expressions, target, positional, named)
    plain = stand_in(target, len(positional), [key for key, _ in named])
    if plain is not None and isinstance(target, np.ufunc):
        positional = [constant(target), *positional]
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
        if isinstance(entry, Value) and (is_number(entry.kind) or entry.kind == Static(None)):
            raise Raises(TypeError, "a number is taken apart")
    raise NotYet(f"a call of {_spelled(function)}")


def inlinable(target: Any) -> bool:
    """Whether a function of Python's without a rule is read like the user's code."""
    if not isinstance(target, FunctionType):
        return False
    return registry.rule_for(target) is None and not primitive_of(target).pure


def of_entry(expressions: Expressions, entry: Entry, node: gast.Call) -> Entry:
    """A call of what a variable holds."""
    arguments = Arguments(expressions, node)
    return called_entry(expressions, entry, arguments)


def called_entry(expressions: Expressions, entry: Entry, arguments: Arguments) -> Entry:
    """A call of an entry."""
    if isinstance(entry, Bound):
        arguments.positional = [*entry.arguments, *arguments.positional]
        arguments.named = [*(dict(entry.keywords) | dict(arguments.named)).items()]
        return called_entry(expressions, entry.function, arguments)
    if isinstance(entry, Value) and isinstance(entry.constant, Derivation):
        first, *arguments.positional = arguments.positional
        return derivatives.called(expressions, entry.constant, first, arguments, called_entry)
    if isinstance(entry, Value) and entry.is_constant and callable(entry.constant):
        function = entry.constant
        own = getattr(function, "__name__", "")
        word = own if own.isidentifier() else "function"
        use = expressions.unit.references.use
        return of_target(expressions, function, lambda: use(word, function), arguments)
    if isinstance(entry, Closure):
        return closed(expressions, entry, arguments.positional, arguments.named)
    method = boxes.special(expressions, entry, "__call__")
    if method is not None:
        return inlined(expressions, method, [entry, *arguments.positional], arguments.named)
    raise NotYet("a call of a function that is not known")


def of_method(expressions: Expressions, node: gast.Call, function: gast.Attribute) -> Entry:
    """A method of an array or a number, as the function that means the same."""
    receiver = expressions.entry(function.value)
    if isinstance(receiver, Box) and receiver.indexed:
        return of_list(expressions, receiver, function.attr, Arguments(expressions, node))
    if isinstance(receiver, Outer):
        if receiver.cls in (list, tuple, dict):
            raise NotYet(f"method {function.attr} of a container of outside")
        return of_entry(expressions, outer.attribute(expressions, receiver, function.attr), node)
    if isinstance(receiver, Box):
        return of_entry(expressions, boxes.attribute(expressions, receiver, function.attr), node)
    if isinstance(receiver, Value) and is_inside(receiver.constant):
        return of_entry(expressions, expressions.entry(function), node)
    own = receiver.function if isinstance(receiver, Bound) else receiver
    if isinstance(own, Value) and registry.is_receiver(own.constant):
        return of_distribution(expressions, own.constant, receiver, node)
    if isinstance(receiver, Pack) and receiver.cls is not tuple:
        return of_entry(expressions, expressions.field(receiver, function.attr), node)
    if not isinstance(receiver, Value):
        raise NotYet("a method of a tuple or a function")
    if isinstance(receiver.kind, Drawing) and isinstance(expressions, Storing):
        return random_numbers.drawn(
            expressions, receiver, function.attr, Arguments(expressions, node)
        )
    if isinstance(receiver.constant, (str, bytes)):
        return of_text(expressions, receiver.constant, function.attr, Arguments(expressions, node))
    if lacks(receiver.kind, function.attr):
        raise Raises(AttributeError, f"method {function.attr} of what does not have it")
    if not isinstance(receiver.kind, (Array, Scalar, Numeric)):
        raise NotYet(f"method {function.attr} of {type(receiver.kind).__name__.lower()}")
    arguments = Arguments(expressions, node)
    return method_called(expressions, receiver, function.attr, arguments)


def of_distribution(
    expressions: Expressions, distribution: Any, receiver: Entry, node: gast.Call
) -> Entry:
    """A method of a distribution, which may have its parameters already:
    `stats.norm(a, b).logpdf(x)` is `stats.norm.logpdf(x, loc=a, scale=b)`.
    """
    method = getattr(distribution, node.func.attr, None)
    if registry.rule_for(method) is None:
        raise NotYet(f"method {node.func.attr} of a distribution")
    arguments = Arguments(expressions, node)
    arguments.named += receiver.keywords if isinstance(receiver, Bound) else ()
    path = expressions.unit.references.use(
        getattr(distribution, "name", "distribution"), distribution
    )
    return of_target(expressions, method, lambda: f"{path}.{node.func.attr}", arguments, node)


def _spelled(target: Any) -> str:
    if isinstance(target, (functools.partial, MethodType, Namespace)):
        return str(type(target).__name__)
    return str(getattr(target, "__qualname__", type(target).__name__))
