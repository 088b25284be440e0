"""Methods, partials and derivatives as functions and what they hold; the parameters of each.

Recursion that ends by what is known while compiling: over a tree, or down from a written number.

    def power(x, n):
        return 1.0 if n == 0 else x * power(x, n - 1)

    power(x, 3)           # x * (x * (x * 1.0)): three bodies within each other

The calls differ in form: in a number that is known, in the parts of a container, in a kind. Where
one has the form of a call that it stands in, nothing that is known while compiling ends it.
"""

from __future__ import annotations

import functools
import inspect
from dataclasses import dataclass
from types import FunctionType, MethodType
from typing import Any

import gast

from autodiff.core import NotYet, Recursion, Value, constant
from autodiff.frontend.source import Namespace
from autodiff.kinds.kind import Array, Unknown, forget_values
from autodiff.lower.entries import boxes
from autodiff.lower.entries.above import Frame, Unit, Values
from autodiff.lower.entries.entry import Bound, Box, Closure, DictView, Entry, Mixed, Outer, Pack
from autodiff.lower.entries.outer import reading
from autodiff.lower.recipes.uncounted import Generator
from autodiff.rules import registry


@dataclass(frozen=True, slots=True)
class Derivation:
    """Calls the derivative of its first argument as `derivative` says, which is one of another
    function with the same parameters. made: makes it of another function.
    """

    derivative: Any
    made: Any = None


def holds_another(value: Any) -> bool:
    """Whether a callable of outside is another one and what that is given."""
    if isinstance(value, MethodType):  # `stats.norm.pdf` has a rule of its own
        return isinstance(value.__func__, FunctionType) and registry.rule_for(value) is None
    return is_derivative(value) or isinstance(value, functools.partial)


def is_derivative(value: Any) -> bool:
    """Whether an object of outside is the derivative of something."""
    return hasattr(type(value), "__derivation__")


def opened(expressions: Values, found: Any, path: str) -> Entry:
    """A callable of outside, in terms of functions and what they hold."""
    if isinstance(found, MethodType):
        receiver = reading(expressions, found.__self__, f"{path}.__self__")
        return Bound(opened(expressions, found.__func__, f"{path}.__func__"), (receiver,))
    if isinstance(found, functools.partial):
        first = [opened(expressions, v, f"{path}.args[{k}]") for k, v in enumerate(found.args)]
        named = [
            (key, opened(expressions, value, f"{path}.keywords[{key!r}]"))
            for key, value in found.keywords.items()
        ]
        return Bound(opened(expressions, found.func, f"{path}.func"), (*first,), (*named,))
    if hasattr(found, "derivative") and hasattr(found, "instance"):
        receiver = reading(expressions, found.instance, f"{path}.instance")
        return Bound(opened(expressions, found.derivative, f"{path}.derivative"), (receiver,))
    if is_derivative(found):
        inner = opened(expressions, found.primal, f"{path}.primal")
        return Bound(constant(Derivation(found)), (inner,))
    if isinstance(found, FunctionType):
        return boxes.of_class(expressions, found)
    return reading(expressions, found, path)


def parameters_of(function: Entry) -> list[inspect.Parameter]:
    """The parameters of what is called."""
    if isinstance(function, Value) and function.is_constant and callable(function.constant):
        return [*inspect.signature(function.constant).parameters.values()]
    if isinstance(function, Closure):
        return parameters_in(function.node.args, {key for key, _ in function.defaults})
    if isinstance(function, Bound):
        if isinstance(function.function, Value) and isinstance(
            function.function.constant, Derivation
        ):
            return parameters_of(function.arguments[0])
        found = parameters_of(function.function)[len(function.arguments) :]
        held = dict(function.keywords)
        return [each.replace(default=None) if each.name in held else each for each in found]
    if isinstance(function, (Box, Outer)):
        own = inspect.getattr_static(function.cls, "__call__", None)
        if isinstance(own, FunctionType):
            return [*inspect.signature(own).parameters.values()][1:]
    if isinstance(function, Mixed):
        raise function.refusal()
    raise NotYet("a derivative of another object")


def parameters_in(arguments: gast.arguments, left_out: set[str]) -> list[inspect.Parameter]:
    """The parameters of a definition."""
    if arguments.vararg or arguments.kwarg:
        raise NotYet("* or ** parameters")
    kinds = inspect.Parameter
    rows = (
        (arguments.posonlyargs, kinds.POSITIONAL_ONLY),
        (arguments.args, kinds.POSITIONAL_OR_KEYWORD),
        (arguments.kwonlyargs, kinds.KEYWORD_ONLY),
    )
    return [
        kinds(a.id, kind, default=None if a.id in left_out else kinds.empty)
        for row, kind in rows
        for a in row
    ]


DEEPEST = 12
"""So often may a function stand within itself."""
MOST = 64
"""So many calls of functions by themselves may be unfolded in one derivative."""
LOOPS = 8
"""Within so many loops: Python knows a limit, too."""


def unfolded(
    unit: Unit, identity: Any, names: dict[str, Entry], home: Frame | None = None
) -> tuple[Any, Any]:
    """What stands for a call among those around its body; `Recursion` where it may not be unfolded.
    home: the frame whose variables it reads.
    """
    form = home, *((name, form_of(entry, ())) for name, entry in names.items())
    around = [own for own in unit.calls if own[0] is identity]
    if any(own[1] == form for own in around) or len(around) > DEEPEST:
        raise Recursion(identity)
    if around:
        unit.unfolded += 1
        if unit.unfolded > MOST or len(unit.repeating) > LOOPS:
            raise Recursion(identity)
    return identity, form


def form_of(entry: Entry, inside: tuple[Box, ...]) -> Any:
    """What is known of an entry while compiling, but not its symbolic sizes; in terms of boxes that
    hold it where it is one of these.
    """
    if isinstance(entry, Value):
        if entry.is_constant:
            return type(entry.constant), repr(entry.constant)
        kind = forget_values(entry.kind)
        if isinstance(kind, Array):
            sizes = tuple(size if isinstance(size, int) else None for size in kind.shape)
            return Array(kind.dtype, sizes)
        return kind
    if isinstance(entry, Pack):
        return entry.cls, tuple(form_of(item, inside) for item in entry.items)
    if isinstance(entry, Box):
        if entry in inside:
            return inside.index(entry)
        if issubclass(entry.cls, Generator):  # of what is no part of it
            return id(entry)
        slots = entry.slots.items()
        return entry.cls, tuple((key, form_of(item, (*inside, entry))) for key, item in slots)
    if isinstance(entry, DictView):
        return entry.what, form_of(entry.box, inside)
    if isinstance(entry, Outer):
        return Outer, hash(entry)
    if isinstance(entry, Closure):
        return Closure, id(entry.node)
    if isinstance(entry, Bound):
        parts = (entry.function, *entry.arguments, *(item for _, item in entry.keywords))
        return Bound, tuple(form_of(part, inside) for part in parts)
    return type(entry)


def spelled(target: Any) -> str:
    """How what is called is named to the user."""
    if isinstance(target, (functools.partial, MethodType, Namespace)):
        return str(type(target).__name__)
    return str(getattr(target, "__qualname__", type(target).__name__))


def no_sequence(entry: Entry) -> NotYet:
    """What is raised where a loop goes over what gives items in a way that is not known."""
    reason = "a call of sequence"
    if not isinstance(entry, Value) or type(entry.kind) is not Unknown:
        return NotYet(reason)
    return NotYet.saying(
        reason,
        "this goes over something unknown, and a loop may leave an iterator before its end",
        "what is left of it is then another's, and it may hold anything",
        "pass a list or an array of its items",
    )
