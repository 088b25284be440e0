"""Primitives applied, and builtins that are answered while compiling.

The arguments of a call.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import gast

from autodiff.core import NotYet, Raises, SizesTold, Value, constant
from autodiff.kinds.kind import (
    UNKNOWN,
    Array,
    Kind,
    Record,
    Scalar,
)
from autodiff.lower.entries import Box, DictView, Entries, Entry, boxes, outer
from autodiff.lower.entries.entry import MEMORY, Keywords, Outer, Pack, leaves
from autodiff.lower.entries.library import iterator_of, parts_of
from autodiff.lower.entries.listed import as_operand, itemwise
from autodiff.lower.entries.listings import in_parts
from autodiff.lower.entries.lists import as_memory, keys_of, memory_of
from autodiff.lower.entries.truth import length
from autodiff.lower.expression.as_arrays import as_array
from autodiff.lower.expression.expressions import Expressions
from autodiff.lower.expression.parts import is_of_unknown_length, updated
from autodiff.lower.flow import opaque
from autodiff.lower.flow.lifted import results_of
from autodiff.primitives import Application, argument, at_call, dotted, filled, is_opaque, turning
from autodiff.primitives.asked import kind_of
from autodiff.primitives.primitive import Primitive
from autodiff.primitives.table import primitive_of
from autodiff.rules import methods


def applied(
    expressions: Expressions,
    function: Any,
    path: str,
    arguments: Arguments,
    receiver: Value | None = None,
    attribute: str = "",
    method: methods.Method | None = None,
    kind: Kind | None = None,
    own: Primitive | None = None,
) -> Entry:
    """A primitive applied; tuples of constants and values are displays in its place. own: what is
    known of it, where that is more than the table has.
    """
    if not expressions.trusts:
        found = itemwise(expressions, function, arguments)
        if found is not None:
            return found
    given: Entries = arguments.positional if receiver is None else [receiver, *arguments.positional]

    def as_given(place: int | str, entry: Entry) -> Value:
        if own is not None:  # as it is
            return expressions.loaded(expressions.as_value(entry))
        return as_operand(
            expressions, function, place, as_array(expressions, function, place, entry)
        )

    values = [as_given(k, entry) for k, entry in enumerate(given)]
    by_name = [(key, as_given(key, entry)) for key, entry in arguments.named]
    everything = [*values, *(value for _, value in by_name)]
    if any(value.constant in (object, "O") for value in everything):
        raise NotYet("an array of objects")
    kinds = [value.kind for value in everything]
    turned = turning(function, kinds)
    if turned is not function:
        function, path = turned, expressions.unit.references.use(turned.__name__, turned)
    primitive = own
    if primitive is None:
        primitive = at_call(primitive_of(function), kinds, len(values), [key for key, _ in by_name])
    operands: list[Value] = []

    def operand(value: Value, first: bool = False) -> gast.expr:
        if primitive.memory == "new" or primitive.memory == "view" and not first:
            value = expressions.loaded(value)
        return argument(value, operands)

    positional = [operand(value, first=k == 0) for k, value in enumerate(values)]
    named: list[tuple[str | None, gast.expr]] = [(key, operand(value)) for key, value in by_name]
    keywords = [gast.keyword(arg=key, value=value) for key, value in named]
    if method is not None:
        first, *positional = positional
        form = gast.Call(gast.Attribute(first, attribute, gast.Load()), positional, keywords)
        positional, named = method.bind(first, positional, named)
    else:
        form = gast.Call(dotted(path), positional, keywords)
    application = Application(tuple(positional), tuple((str(key), value) for key, value in named))
    kind = kind or kind_of(primitive, application, operands)
    if kind == UNKNOWN and not (
        expressions.trusts or any(opaque.is_derived(expressions.unit, each) for each in operands)
    ):
        return opaque.asked(expressions, lambda *given: filled(form, lambda k: given[k]), *operands)
    found = expressions.builder.apply(primitive, application, form, operands, kind)
    tell(expressions, found.kind)
    return found if expressions.trusts else results_of(expressions.unit, expressions.builder, found)


def tell(expressions: Expressions, kind: Kind) -> None:
    """An array of a written size tells how long arguments probably are."""
    sizes = kind.shape if isinstance(kind, Array) else ()
    told = frozenset(size for size in sizes if isinstance(size, int)) & expressions.unit.asked
    if told:
        raise SizesTold(told)


def listed(expressions: Expressions, cls: type, arguments: Arguments) -> Entry:
    """`tuple(x)`, `list(x)`, `dict(x, y=z)` of what is taken apart."""
    given = arguments.positional
    if cls is dict and len(given) < 2:
        made = boxes.boxed(expressions.unit, dict, {})
        updated(expressions, made, given, arguments.named)
        return made
    if len(given) > 1 or arguments.named:
        raise NotYet(f"a call of {cls.__name__}")
    if given and is_of_unknown_length(given[0]):
        if expressions.trusts:
            raise NotYet("a list in a template")
        return listed_later(expressions, given[0], cls)
    items = expressions.parts(given[0]) if given else []
    if cls is tuple:
        return Pack(tuple(items))
    return boxes.boxed(expressions.unit, list, dict(enumerate(items)))


def listed_later(expressions: Expressions, entry: Entry, cls: type = list) -> Entry:
    """The list, or tuple, of the items of something of unknown length."""
    if isinstance(entry, DictView) and entry.what == "keys":
        entry = entry.box
    if isinstance(entry, Box) and entry.cls is dict:
        made: Entry = keys_of(expressions, entry)
    else:
        made = parts_of(expressions, iterator_of(expressions, entry))
    if cls is tuple:
        memory = as_memory(expressions, made) if isinstance(made, Box) else None
        assert memory is not None
        return boxes.boxed(expressions.unit, tuple, {MEMORY: memory})
    return made


def counted(expressions: Expressions, entry: Entry) -> Entry | None:
    """`len(x)`: of memory, that of now; None where it is asked at run time."""
    box = entry.box if isinstance(entry, DictView) else entry
    if isinstance(box, Box):
        memory = memory_of(box)
        if memory is not None:
            return length(expressions, memory)
        if box.cls is dict:
            return constant(len(box.slots))
    if isinstance(box, Outer) and box.cls is dict:
        outer.check_whole(expressions, box)
        return constant(len(outer.items(expressions, box)))
    method = boxes.special(expressions, box, "__len__")
    if method is not None:
        return boxes.called(expressions, method, box)
    known = outer.members(expressions, box) or expressions.listed(box)
    if isinstance(box, Value) and isinstance(box.constant, (str, bytes)):
        return constant(len(box.constant))
    if isinstance(box, Value) and isinstance(box.kind, Record) and box.kind.cls in (tuple, list):
        return constant(len(box.kind.keys))
    if known is None and isinstance(box, Value) and isinstance(box.kind, Scalar):
        raise Raises(TypeError, "the length of a number")
    return None if known is None else constant(len(known))


class Arguments:
    """The arguments of a call, each evaluated once, in order. bind: parameters of a function
    that is read hold them; the last may be a tuple, starred, of an unknown number of items. alone:
    what is called runs as it is where nothing carries a derivative, so more may come by a table
    of which nothing is known (`any_more`).
    """

    any_more = False

    def __init__(
        self, expressions: Expressions, node: gast.Call, bind: bool = False, alone: bool = False
    ) -> None:
        starred = (k for k, each in enumerate(node.args) if isinstance(each, gast.Starred))
        first = next(starred, len(node.args))
        self.positional: Entries = [*map(expressions.passed, node.args[:first])]
        rest = expressions.passed(gast.Tuple(elts=node.args[first:], ctx=gast.Load()))
        if not bind and not isinstance(rest, Pack):
            raise in_parts(expressions, rest, "arguments whose number is not known")
        own = rest.items if isinstance(rest, Pack) else [Pack((rest,), gast.Starred)]
        self.positional += own
        self.named: Keywords = []
        for keyword in node.keywords:
            if keyword.arg is None:
                box = expressions.entry(keyword.value)
                if alone and is_opaque(box):
                    self.any_more = True
                    self.named.append((None, box))  # type: ignore[arg-type]
                    continue
                if isinstance(box, Outer) and box.cls is dict:
                    keys = [key.constant for key in leaves(Pack((*outer.items(expressions, box),)))]
                    self.named += [(key, outer.item(expressions, box, key)) for key in keys]
                    continue
                if not isinstance(box, Box) or box.cls is not dict or memory_of(box) is not None:
                    raise NotYet("arguments by **")
                self.named += box.slots.items()
                continue
            self.named.append((keyword.arg, expressions.passed(keyword.value)))
        given = [*self.positional, *(entry for _, entry in self.named)]
        if self.any_more and any(map(opaque.may_carry, given)):
            raise NotYet("arguments by **")

    def written(
        self, function: gast.expr, given: Callable[[Entry], Value], operands: list[Value]
    ) -> gast.Call:
        """A call with them, as it prints: what is not written is one more of the operands."""
        own = [argument(given(entry), operands) for entry in self.positional]
        named = [gast.keyword(key, argument(given(entry), operands)) for key, entry in self.named]
        return gast.Call(function, own, named)

    def copied(self) -> Arguments:
        """The same for one way to lower a call, which may take some out; another is left them."""
        found = copy.copy(self)
        found.positional, found.named = [*self.positional], [*self.named]
        return found

    @classmethod
    def of(cls, positional: Entries) -> Arguments:
        """Arguments that are given by position."""
        found = cls.__new__(cls)
        found.positional, found.named = positional, []
        return found


def of_slice(given: Entries) -> Entry:
    """`slice(high)`, `slice(low, high, step)`."""
    limits = [constant(None), *given] if len(given) == 1 else given
    return Pack((*limits, *[constant(None)] * (3 - len(limits))), slice)
