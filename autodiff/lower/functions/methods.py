"""Methods of builtin classes: of lists and dicts, of arrays and numbers, of text that is known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autodiff.analysis.kind import Array, Drawing, Scalar
from autodiff.core.notyet import NotYet
from autodiff.core.value import Value, constant
from autodiff.core.window import WHOLE
from autodiff.lower.entries import boxes, library, outer
from autodiff.lower.entries.boxes import boxed
from autodiff.lower.entries.entry import Box, Entry, Outer, Pack
from autodiff.lower.expression.application import applied
from autodiff.lower.expression.arguments import Arguments
from autodiff.lower.expression.expressions import Expressions
from autodiff.lower.expression.list_methods import of_list
from autodiff.lower.flow import opaque
from autodiff.lower.functions import random_numbers
from autodiff.lower.functions.inlining import ruled_kind
from autodiff.lower.functions.meant import meant
from autodiff.lower.recipes import elements
from autodiff.lower.statement.given_out import stored
from autodiff.lower.statement.storing import Storing
from autodiff.primitives.containing import READING
from autodiff.primitives.opaque import REFORMING
from autodiff.rules import methods


def of_primitive(expressions: Expressions, target: Any, path: str, arguments: Arguments) -> Entry:
    """A call of a function that is applied as one step."""
    kind = ruled_kind(expressions, target, arguments)

    def apply(given: Arguments) -> Entry:
        return applied(expressions, target, path, given, kind=kind)

    return filling(expressions, target, arguments, apply)


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


def of_descriptor(expressions: Expressions, function: Any, arguments: Arguments) -> Entry | None:
    """`list.append(xs, x)`: a method of a builtin class, called with its receiver."""
    owner = getattr(function, "__objclass__", None)
    if owner not in (list, dict, tuple, np.ndarray) or not arguments.positional:
        return None
    receiver = arguments.positional[0]
    own = isinstance(receiver, Box) and issubclass(receiver.cls, owner)
    array = isinstance(receiver, Value) and isinstance(receiver.kind, Array)
    if not own and not (array and owner is np.ndarray):
        return None
    del arguments.positional[0]
    return of_method(expressions, receiver, function.__name__, arguments)


def of_method(expressions: Expressions, receiver: Entry, name: str, arguments: Arguments) -> Entry:
    """A method of a container, a text, an array or a number."""
    if isinstance(receiver, Outer) and not opaque.is_read(expressions, receiver):
        own = opaque.attribute(expressions, receiver, name)
        return opaque.called(expressions, own, arguments.positional, arguments.named)
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
    if attribute == "tolist" and not expressions.trusts and isinstance(receiver.kind, Array):
        return library.called(expressions, elements.numbers_of, [receiver], [])
    if attribute == "item" and isinstance(receiver.kind, Scalar) and not arguments.positional:
        cls = {"bool": bool, "int": int, "float": float, "complex": complex}[receiver.kind.type]
        path = expressions.unit.references.use(cls.__name__, cls)
        return of_primitive(expressions, cls, path, Arguments.of([receiver]))
    if isinstance(expressions, Storing) and isinstance(receiver.kind, Array):
        given = [receiver, *arguments.positional]
        changed = meant(expressions, own, given, arguments.named)
        if changed is not None:
            return changed
    if attribute == "view" and not (arguments.positional or arguments.named):
        return expressions.builder.view(receiver, WHOLE, [])
    method = methods.method(attribute)
    if method is None:
        if attribute in REFORMING:
            raise NotYet(f"method {attribute} of an array")
        own = opaque.attribute(expressions, receiver, attribute)
        return opaque.called(expressions, own, arguments.positional, arguments.named)

    def apply(given: Arguments) -> Entry:
        return applied(expressions, method.function, "", given, receiver, attribute, method)

    return filling(expressions, method.function, arguments, apply, 1)


def of_text(
    expressions: Expressions, text: str | bytes, method: str, arguments: Arguments
) -> Entry:
    """What a method of a text gives: text does not change, so that is known, too."""
    given = [_known(entry, method) for entry in arguments.positional]
    named = {key: _known(entry, method) for key, entry in arguments.named}
    try:
        found = getattr(text, method)(*given, **named)
    except (AttributeError, TypeError, ValueError, LookupError):
        raise NotYet(f"method {method} of a text that raises an error") from None
    if isinstance(found, (str, bytes, bool, int)):
        return constant(found)
    if isinstance(found, tuple):
        return Pack(tuple(map(constant, found)))
    if isinstance(found, list):
        return boxed(expressions.unit, list, dict(enumerate(map(constant, found))))
    raise NotYet(f"method {method} of a text")


def _known(entry: Entry, method: str) -> Any:
    if isinstance(entry, Value) and entry.is_constant:
        return entry.constant
    if isinstance(entry, Pack):
        return tuple(_known(item, method) for item in entry.items)
    raise NotYet(f"method {method} of a text with what is found at run time")
