"""Functions as functions of Python's that stand alone: what they read around them comes first.

    lambda y: k * g(y)                  def function(g, k, y):
                                            return k * g(y)

    with g = lambda y: c * y            def around(c, k, *given, **named):
                                            g = partial(function_0, c)
                                            return function(g, k, *given, **named)

They are read like the user's, and run with the values that the variables have where they stand.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Iterator
from types import FunctionType
from typing import Any

import gast

from autodiff.core import NotYet, Value, constant
from autodiff.frontend.source import Namespace
from autodiff.loader import load
from autodiff.lower.entries.above import Expressions
from autodiff.lower.entries.callables import Derivation, is_derivative, parameters_in
from autodiff.lower.entries.entry import (
    Bound,
    Box,
    Closure,
    Entry,
    Outer,
    Pack,
    Unbound,
    inner,
    is_inside,
)
from autodiff.primitives.opaque import is_literal
from autodiff.runtime import assembled
from autodiff.syntax.definition import definition
from autodiff.syntax.emit import emit
from autodiff.syntax.names import captured, name
from autodiff.syntax.origin import with_origin
from autodiff.syntax.walk import shallow


def is_derivation(entry: Entry) -> bool:
    """Whether an entry is what makes a derivative of a function."""
    return isinstance(entry, Value) and isinstance(entry.constant, Derivation)


def plain(function: Entry, parts: bool = False) -> tuple[Value, list[Entry]]:
    """A function of Python's for a function, and what that is given first. parts: of tuples, lists,
    dicts and objects that is what they hold.
    """
    if isinstance(function, Bound) and is_derivation(function.function):
        _, held = plain(function.arguments[0], parts)
        if not held:
            return constant(function.function.constant.derivative), held  # type: ignore[union-attr]
    if isinstance(function, Closure):
        return without_functions(*written(function), parts)
    if isinstance(function, Bound) and not is_derivation(function.function):
        known, held = plain(function.function, parts)
        named = [key for key, _ in function.keywords]
        every = [*held, *function.arguments, *(entry for _, entry in function.keywords)]
        return without_functions(known.constant, every, parts, named)
    if isinstance(function, Bound):
        return without_functions(*made_again(function), parts)
    if isinstance(function, Value) and function.is_constant:
        if isinstance(function.constant, FunctionType) or is_derivative(function.constant):
            return function, []
    raise NotYet("a derivative of a function that is not known")


def made_again(derivative: Bound) -> tuple[FunctionType, list[Entry]]:
    """A derivative of a function that holds something, made anew of that function."""
    made = getattr(getattr(derivative.function, "constant", None), "made", None)
    if made is None:
        raise NotYet("a derivative of a function that is not known")
    maker, settings, options = made.args
    given = "".join(f", {each!r}" for each in settings)
    given += "".join(f", {key}={each!r}" for key, each in options.items())
    call = f"maker(function{given})(*given, **named)"
    known = calling(None, ["function"], call, {"maker": maker})
    return known, [derivative.arguments[0]]


def around(closure: Closure) -> dict[str, Entry]:
    """The variables around a function that it reads."""
    found: dict[str, Entry] = {}
    for each in sorted(captured(closure.node)):
        frame, own = closure.frame.resolve(each)
        if frame is not None:
            found[each] = frame.names.get(own, Unbound())
    return found


def held_by(entry: Entry) -> Iterator[Entry]:
    """All that an entry holds, and what functions in it read around them; each once."""
    todo, seen = [entry], set[int]()
    while todo:
        each = todo.pop()
        parts = [*inner(each), *(around(each).values() if isinstance(each, Closure) else ())]
        for part in parts:
            if id(part) not in seen:
                seen.add(id(part))
                todo.append(part)
                yield part


def written(closure: Closure) -> tuple[FunctionType, list[Entry]]:
    """A function that is defined inside, and the variables that it reads."""
    node, found = closure.node, around(closure)
    given, body = shallow(node.args), node.body
    if isinstance(node, gast.Lambda):
        body = with_origin([gast.Return(value=node.body)], closure.origin)
    left = {f"{key}_left_out": entry for key, entry in closure.defaults}
    if left:
        inside = definition("function", with_defaults(given, {*dict(closure.defaults)}), body)
        body = [inside, gast.Return(value=name("function"))]
        given = gast.arguments([], [], None, [], [], None, [])
    first = [name(each, gast.Param()) for each in (*found, *left)]
    given.args = [*first, *given.posonlyargs, *given.args]
    given.posonlyargs = []
    emitted = emit(definition("function", given, body))
    made = load(emitted.text, "function", closure.frame.space(), {}, emitted.origins)
    if left:
        names = [*found, *left]
        call = f"function({', '.join(names)})(*given, **named)"
        after = parameters_in(node.args, {*dict(closure.defaults)})
        made = calling(made, names, call, None, after)
    return made, [*found.values(), *left.values()]


def with_defaults(given: Any, left: set[str]) -> Any:
    """Parameters of which some may be left out: what they are then has a name of its own."""

    def default(parameter: gast.Name) -> gast.expr | None:
        return name(f"{parameter.id}_left_out") if parameter.id in left else None

    own = shallow(given)
    own.defaults = [*filter(None, map(default, (*given.posonlyargs, *given.args)))]
    own.kw_defaults = [*map(default, given.kwonlyargs)]
    return own


def without_functions(
    known: Any, held: list[Entry], apart: bool, named: list[str] | None = None
) -> tuple[Value, list[Entry]]:
    """A function that is given numbers and objects alone: functions and tuples that it holds are
    made of what these hold, constants are written. named: the names by which it is given the last.
    """
    if not named and not any(map(is_taken_apart if apart else is_function, held)):
        return constant(known), held
    parts = Parts(apart)
    texts = [*map(parts.text, held)]
    count = len(texts) - len(named or ())
    texts[count:] = ["*given", *(f"{k}={v}" for k, v in zip(named or (), texts[count:]))]
    call = f"function({', '.join(texts)}, **named)"
    after = left_of(known, count, named or [])
    return constant(calling(known, parts.names, call, parts.helpers, after)), parts.leaves


def with_outer(expressions: Expressions, known: Any, held: list[Entry]) -> tuple[Any, list[Entry]]:
    """A function that reads objects of outside where they are: they have to stay there."""
    found = {f"object_{k}": each for k, each in enumerate(held) if isinstance(each, Outer)}
    if not found:
        return known, held
    names = [f"object_{k}" if f"object_{k}" in found else f"held_{k}" for k in range(len(held))]
    given = [own for own in names if own not in found]
    expressions.unit.lasting += [(each.path, each.object) for each in found.values()]
    call = f"function({', '.join(names)}, *given, **named)"
    objects = {own: each.object for own, each in found.items()}
    made = calling(known, given, call, objects, left_of(known, len(held), []))
    return made, [each for each in held if not isinstance(each, Outer)]


class Parts:
    """What entries are made of. leaves: by parameters of these names."""

    def __init__(self, apart: bool) -> None:
        self.apart = apart
        self.names: list[str] = []
        self.leaves: list[Entry] = []
        self.helpers: dict[str, Any] = {}

    def text(self, entry: Entry) -> str:
        """An expression for an entry."""
        if is_function(entry):
            known, held = (entry, []) if isinstance(entry, Value) else plain(entry, self.apart)
            own = f"function_{len(self.helpers)}"
            self.helpers[own] = known.constant
            return f"partial({', '.join((own, *map(self.text, held)))})" if held else own
        if not self.apart:
            return self.leaf(entry)
        if isinstance(entry, Pack) and entry.cls is tuple:
            return f"({''.join(f'{self.text(item)}, ' for item in entry.items)})"
        if isinstance(entry, Box) and entry.memory is None:
            return self.container(entry)
        if isinstance(entry, Value) and entry.is_constant and is_literal(entry.constant):
            return repr(entry.constant)
        return self.leaf(entry)

    def leaf(self, entry: Entry) -> str:
        """The parameter for an entry."""
        self.names.append(f"held_{len(self.leaves)}")
        self.leaves.append(entry)
        return self.names[-1]

    def container(self, box: Box) -> str:
        """An expression for a container or an object of which all parts are known."""
        parts = {key: self.text(item) for key, item in box.slots.items()}
        if box.cls is list:
            return f"[{', '.join(parts.values())}]"
        if box.cls is dict and all(map(is_literal, parts)):
            return f"{{{', '.join(f'{key!r}: {part}' for key, part in parts.items())}}}"
        if box.indexed or is_inside(box.cls) or not all(str(key).isidentifier() for key in parts):
            raise NotYet(f"a function that holds an object of {box.cls.__name__}")
        own = f"class_{len(self.helpers)}"
        self.helpers |= {own: box.cls, "assembled": assembled}
        return f"assembled({', '.join((own, *(f'{key}={part}' for key, part in parts.items())))})"


def is_taken_apart(entry: Entry) -> bool:
    """Whether an entry is made of what it holds, or written."""
    if isinstance(entry, Value):
        return is_function(entry) or entry.is_constant and is_literal(entry.constant)
    if isinstance(entry, Box):
        return entry.memory is None
    return is_function(entry) or isinstance(entry, Pack) and entry.cls is tuple


def calling(
    made: Any,
    parameters: list[str],
    call: str,
    helpers: dict[str, Any] | None = None,
    after: list[inspect.Parameter] | None = None,
) -> FunctionType:
    """A function that calls another. call: how, with parameters and the arguments that follow.
    after: the parameters for these, for who asks.
    """
    given = ", ".join((*parameters, "*given", "**named"))
    text = f"def around({given}):\n    return {call}\n"
    known = {"partial": functools.partial, **(helpers or {})}
    known |= {} if made is None else {"function": made}
    found = load(text, "around", Namespace({}), known, {})
    if after is not None:
        first = [inspect.Parameter(own, inspect.Parameter.POSITIONAL_ONLY) for own in parameters]
        found.__signature__ = inspect.Signature([*first, *after])  # type: ignore[attr-defined]
    return found


def left_of(known: Any, count: int, named: list[str]) -> list[inspect.Parameter] | None:
    """The parameters of a function that are not given yet; None if nobody knows."""
    try:
        found = [*inspect.signature(known).parameters.values()]
    except (TypeError, ValueError):
        return None
    return [own for own in found[count:] if own.name not in named]


def is_function(entry: Entry) -> bool:
    """Whether an entry is a function, of the user's or of a library."""
    if isinstance(entry, Value) and entry.is_constant:
        return callable(entry.constant) and not isinstance(entry.constant, type)
    return isinstance(entry, (Closure, Bound))
