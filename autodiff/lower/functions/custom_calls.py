"""A function with a rule of the user's: what it gives, and the one call of it that it is itself.

grad(told)              def call_told(x, *, k):
                            return told(x, k=k)
"""

from __future__ import annotations

import contextlib
import functools
import inspect
from dataclasses import replace
from types import FunctionType
from typing import Any, NamedTuple

from autodiff.core import NotYet, Value
from autodiff.errors import AutodiffError
from autodiff.frontend.source import Namespace
from autodiff.kinds.kind import Kind, Numeric
from autodiff.loader import load, place_of
from autodiff.lower.entries.entry import Bound, Box, Closure, Entry, Outer, Pack
from autodiff.lower.entries.lists import memory_of
from autodiff.lower.entries.untouched import untouched
from autodiff.lower.expression.application import Arguments
from autodiff.lower.expression.expressions import Expressions
from autodiff.lower.expression.standalone import plain
from autodiff.lower.flow import opaque
from autodiff.lower.flow.form import form_of
from autodiff.lower.functions.inlining import bound
from autodiff.lower.functions.standing import by_body
from autodiff.primitives import primitive_of
from autodiff.primitives.primitive import Primitive
from autodiff.rules.ruled import gives_one, user_rule

_FORMS: dict[object, str] = {
    inspect.Parameter.KEYWORD_ONLY: "{0}={0}",
    inspect.Parameter.VAR_POSITIONAL: "*{0}",
    inspect.Parameter.VAR_KEYWORD: "**{0}",
}


class Ruled(NamedTuple):
    """A call of such a function as one step, and the kind of what it gives, if that is known.
    checked: it is taken to be a number or an array, which is checked when it runs.
    """

    primitive: Primitive
    kind: Kind | None
    checked: bool = False


def ruled(expressions: Expressions, target: Any, arguments: Arguments) -> Ruled | None:
    """What a function with a rule of the user's gives, as its body or the rule tells; None for
    other functions. It may be memory that the function is given, if it is not known to be new.
    """
    rule = user_rule(target) if isinstance(target, FunctionType) else None
    if rule is None or expressions.trusts:
        return None
    given = {str(k): entry for k, entry in enumerate(arguments.positional)} | dict(arguments.named)
    known, lends = None, True
    form = None
    with contextlib.suppress(AutodiffError, NotYet):  # Python that is not read
        form = form_of(target, expressions.unit.doors.drawing)
    if form is not None:
        given = bound(expressions, form, (arguments.positional, arguments.named))
        known, lends = by_body(expressions, target, given)
    own = replace(primitive_of(target), memory="new", lending=lends)
    if known is not None:
        return Ruled(own, known)
    if not rule.custom:
        return Ruled(own, Numeric() if gives_one(rule) else None)
    derived = any(opaque.is_derived(expressions.unit, each) for each in given.values())
    return Ruled(own, Numeric() if derived else None, checked=derived)


def whole(expressions: Expressions, entry: Entry) -> Entry:
    """An argument as the function is given it: an object is put together of what it holds now."""
    if isinstance(entry, Pack):
        items = [whole(expressions, item) for item in entry.items]
        return Pack(tuple(items), entry.cls)
    if isinstance(entry, Outer) and entry.cls not in (tuple, list):
        return untouched(expressions, entry)
    if isinstance(entry, (Closure, Bound)):
        known, held = plain(entry)
        if held:
            raise NotYet("a function that holds values, as a value")
        function: Any = known.constant
        word = expressions.unit.references.use(function.__name__, function)
        return Value(word, known.kind, constant=function)
    if not isinstance(entry, Box) or memory_of(entry) is not None:
        return entry
    parts = [whole(expressions, part) for part in entry.slots.values()]
    if entry.indexed and all(one is two for one, two in zip(parts, entry.slots.values())):
        return entry
    if not all(isinstance(part, (Value, Pack, Box)) for part in parts):
        raise NotYet("an object that holds functions, as a value")
    values = [expressions.loaded(expressions.as_value(part)) for part in parts]
    make = expressions.builder.display if entry.indexed else expressions.builder.built
    return make(entry.cls, tuple(entry.slots), values, entry.hint or entry.cls.__name__.lower())


@functools.lru_cache(maxsize=64)
def call_of(function: FunctionType) -> FunctionType:
    """A function that calls another, with its parameters."""
    parameters = inspect.signature(function, follow_wrapped=False).parameters.values()
    names = [p.name for p in parameters]
    own = function.__name__ if function.__name__.isidentifier() else "function"
    while own in names:
        own += "_"
    bare = [p.replace(default=p.empty, annotation=p.empty) for p in parameters]
    given = [_FORMS.get(p.kind, "{0}").format(p.name) for p in parameters]
    title = f"call_{own}"
    text = f"def {title}{inspect.Signature(bare)}:\n    return {own}({', '.join(given)})\n"
    place = f"{title} {place_of(function.__code__)}"
    return load(text, place, Namespace({}), {own: function}, {})
